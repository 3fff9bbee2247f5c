"""From the key to the first row: on a pseudo-terminal, the picker beside fzf alone."""

import fcntl
import os
import pty
import re
import select
import statistics
import struct
import termios
import time
from collections.abc import Mapping, Sequence

PATIENCE = 20.0  # seconds
CURSOR = b"\x1b[6n"  # where the cursor is, an fzf that takes part of the screen wants to know
WHERE = b"\x1b[1;1R"
EMPTY = re.compile(rb"0/0")
ROW = re.compile(rb"(?:Fix|Add|Trace|Speed-up|Split|Document|Test|Remove|Port|Review) the ")


def first_sight(argv: Sequence[str], env: Mapping[str, str], sight: re.Pattern[bytes]) -> float:
    """Seconds until the program has drawn what `sight` describes; it is left with Esc then."""
    child, screen = pty.fork()
    if child == 0:
        os.execvpe(argv[0], list(argv), dict(env))
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    began = time.perf_counter()
    drawn = b""
    while not sight.search(drawn):
        if not select.select([screen], [], [], PATIENCE)[0]:
            raise TimeoutError(f"{argv}: {drawn[-200:]!r}")
        part = os.read(screen, 65536)
        os.write(screen, WHERE * part.count(CURSOR))
        drawn += part
    seconds = time.perf_counter() - began
    os.write(screen, b"\x1b")
    try:
        while os.read(screen, 65536):
            pass
    except OSError:  # its end of the terminal is closed
        pass
    os.waitpid(child, 0)
    os.close(screen)
    return seconds


def median(
    argv: Sequence[str], env: Mapping[str, str], sight: re.Pattern[bytes], runs: int
) -> float:
    """The median of so many runs, after one that does not count."""
    return statistics.median([first_sight(argv, env, sight) for _ in range(runs + 1)][1:])
