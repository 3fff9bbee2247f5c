"""Stands in for an agent's CLI: notes in the journal how it was started, then waits on the terminal.

A line `exit N` ends it with that status. Started by a two-line wrapper as `agent.py NAME [ARG]...`.
"""

import json
import os
import signal
import sys
import termios
import time

RELEASES = {"claude": "2.1.332 (Claude Code)", "codex": "codex-cli 0.171.0"}


def journal(*fields: str) -> None:
    """Append one record: fields by tabs, closed by a NUL, since a folder's name may hold anything else."""
    with open(os.environ["JOURNAL"], "ab") as file:
        file.write("\t".join(fields).encode("utf-8", "surrogateescape") + b"\0")


def cooked() -> bool:
    """Whether the terminal has the modes of a line typed at a prompt."""
    iflag, _oflag, _cflag, lflag = termios.tcgetattr(0)[:4]
    wanted = termios.ICANON | termios.ECHO | termios.ISIG
    return lflag & wanted == wanted and bool(iflag & termios.ICRNL)


def main() -> int:
    """Note the circumstances, wait for the word."""
    name, argv = sys.argv[1], sys.argv[2:]
    if argv == ["--version"]:
        print(RELEASES[name])
        return 0
    tty = all(os.isatty(fd) for fd in range(3))
    for _ in range(1000):  # a shell may hand over the terminal after it has started the program
        if not tty or os.tcgetpgrp(0) == os.getpgrp():
            break
        time.sleep(0.01)
    facts = {
        "name": name,
        "argv": argv,
        "cwd": os.fsdecode(os.getcwdb()),
        "tty": tty,
        "group": os.getpgrp(),
        "foreground": tty and os.tcgetpgrp(0) == os.getpgrp(),
        "cooked": tty and cooked(),
    }
    journal("agent", json.dumps(facts))
    signal.signal(signal.SIGCONT, lambda _signal, _frame: journal("continued", name))
    print(f"{name.upper()} READY", flush=True)
    while line := sys.stdin.readline():
        if line.startswith("exit "):
            return int(line[5:])
    return 99


sys.exit(main())
