"""A pseudo-terminal with a screen: send keys, wait for something to be true of it, and show all of it on failure.

Waiting is driven by select() on what the program writes and always for a positive event (a prompt with the next number,
a line in the journal): "something is gone" is also true in the middle of a redraw.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte

PATIENCE = float(
    os.environ.get("SF_TEST_PATIENCE", "20")
)  # seconds; only a failure ever waits so long
TICK = 0.02  # how often a condition that lives in a file is looked at again

# What pyte would print as text: the requests for richer keyboards of recent shells.
UNKNOWN = re.compile(rb"\x1b\[[=>?][0-9;]*[umn]")

# The child makes the terminal its own before it becomes the program: fork() in this process would be unsafe with threads.
BECOME = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"


class Screen(pyte.Screen):
    """A screen that answers the questions a program asks of a terminal (where the cursor is, what it is)."""

    answer: Callable[[bytes], object] = staticmethod(lambda _data: None)

    def write_process_input(self, data: str) -> None:
        self.answer(data.encode())


class Terminal:
    """One program on a terminal of its own; use it as a context manager."""

    def __init__(
        self, argv: list[str], env: dict[str, str], cwd: Path, size: tuple[int, int] = (40, 200)
    ) -> None:
        self.screen = Screen(size[1], size[0])
        self.screen.answer = lambda data: os.write(self._fd, data)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        self._fd, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        command = [sys.executable, "-ISc", BECOME, *argv]
        self._process = subprocess.Popen(
            command,
            env=env,
            cwd=cwd,
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
        )
        os.close(child)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_exc: object) -> None:
        os.close(self._fd)  # a hang-up: the shell ends, and what it runs with it
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self._fd, keys.encode())

    def wait(self, true: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
        """Read what the program writes until `true()` holds."""
        end = time.monotonic() + patience
        while not true():
            if not self._read() or time.monotonic() > end:
                raise AssertionError(f"waited for: {what}\n{self.dump()}")

    def ended(self) -> None:
        """Read until the program has closed the terminal, and wait for its end."""
        while select.select([self._fd], [], [], PATIENCE)[0] and self._read():
            pass
        self._process.wait(timeout=PATIENCE)

    def status(self) -> int:
        """Read until the program has ended, whoever else still holds the terminal; its exit code."""
        while self._process.poll() is None and self._read():
            pass
        return self._process.wait(timeout=PATIENCE)

    @property
    def pid(self) -> int:
        """The program's own."""
        return self._process.pid

    @property
    def fd(self) -> int:
        """The side of the terminal that we hold; it tells its modes, too."""
        return self._fd

    def settle(self, seconds: float = 0.15) -> None:
        """Read until the program has been silent for a while: for screens on which nothing more is to come."""
        while select.select([self._fd], [], [], seconds)[0] and self._read():
            pass

    def text(self) -> str:
        """What is on the screen, without blank ends."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def from_last(self, mark: str) -> str:
        """The last row that holds `mark`, with those that it is wrapped to."""
        rows = [str(row) for row in self.screen.display]
        start = max((number for number, row in enumerate(rows) if mark in row), default=len(rows))
        line = ""
        for row in rows[start:]:
            line += row
            if row.endswith(" "):
                break
        return line.rstrip()

    def is_raw(self) -> bool:
        """Whether a program takes keys one by one, not a line that was edited here."""
        lflag: int = termios.tcgetattr(self._fd)[3]
        return not lflag & termios.ICANON

    def foreground(self) -> int:
        """The process group that the keys go to."""
        return os.tcgetpgrp(self._fd)

    def column(self) -> int:
        """The cursor's column."""
        return int(self.screen.cursor.x)

    def dump(self) -> str:
        """All there is to know when something went wrong."""
        rows = "\n".join(f"|{line}" for line in self.text().split("\n"))
        return f"{rows}\ncursor {self.screen.cursor.y},{self.screen.cursor.x}\nlast bytes {bytes(self.raw[-300:])!r}"

    def _read(self) -> bool:
        """Take what is there; False when the program has ended."""
        if not select.select([self._fd], [], [], TICK)[0]:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            return False
        self.raw += data
        self._stream.feed(UNKNOWN.sub(b"", data))
        return bool(data)
