"""A terminal of 110 by 40 under tmux on a socket of its own: type, look at the screen, wait for a word, end it."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


class Timeout(Exception):
    """What was waited for did not come; holds the last screen."""


class Terminal:
    """One bash in one tmux server that only this check knows; use it as a context manager."""

    def __init__(self, socket: Path, env: dict[str, str], cwd: Path) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", os.devnull]
        words = [f"{key}={value}" for key, value in env.items()]
        shell = ["env", "-i", *words, "bash", "--norc", "--noprofile"]
        self._start = [
            "new-session",
            "-d",
            "-x",
            "110",
            "-y",
            "40",
            "-c",
            str(cwd),
            shlex.join(shell),
        ]

    def __enter__(self) -> Terminal:
        self._run(*self._start)
        self._run("set-option", "-g", "history-limit", "5000")
        return self

    def __exit__(self, *_exc: object) -> None:
        self._run("kill-server", check=False)

    def _run(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            [*self._tmux, *words], capture_output=True, text=True, timeout=20, check=False
        )
        if check and done.returncode:
            raise RuntimeError(f"tmux {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def type(self, text: str) -> None:
        """Type `text` literally."""
        self._run("send-keys", "-l", "--", text)

    def key(self, *names: str) -> None:
        """Press keys by tmux's names (Enter, C-c, Escape)."""
        self._run("send-keys", *names)

    def line(self, text: str) -> None:
        """Type `text` and, when it has settled, Enter."""
        self.type(text)
        time.sleep(0.4)
        self.key("Enter")

    def screen(self) -> str:
        """What is to be seen now, trailing blanks gone."""
        return self._run("capture-pane", "-p").rstrip()

    def wait(self, seen: Callable[[str], bool], seconds: float = 40, what: str = "") -> str:
        """The first screen for which `seen` holds."""
        end = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if seen(screen):
                return screen
            if time.monotonic() > end:
                raise Timeout(
                    f"{what or 'nothing'} within {seconds:.0f} s; the screen was:\n{screen}"
                )
            time.sleep(0.15)
