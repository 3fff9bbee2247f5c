"""fzf, the program: found, started on the terminal, fed with rows, asked what was chosen.

Of 0.71 and later the rows and the header can be replaced while the person types: what
to do then goes through a FIFO in our private folder, to a `cat` that fzf has started, and the rows
through another.
"""

import os
import sys
from select import select

from . import cache, fzf_options, output, paths, release, shells
from .output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable

ABSENT = "fzf is not installed: `pip install 'sessidx[fzf]'`, or your system's package fzf"

_REPLACES = (0, 71, 0)  # --id-nth; bg-transform is of 0.63
_NO_MATCH, _FAILED, _LEFT = 1, 2, 130  # its exit codes
_SIGTERM = 15  # the module signal takes as long to load as all of ours
_TRIES = 20
_PATIENCE, _TICK = 0.3, 0.005  # seconds
_BLOCK = 200  # lines that are written at once
# Who has moved the pointer keeps the row it is on; else it stays on the first.
_SWAP = '[ "$FZF_POS" -gt 1 ] && printf track-current+; printf %s {}'
_ACTING = frozenset("(){}")  # in a path that stands in an action of fzf


def find() -> str | None:
    """fzf's path: PATH's, else the one installed beside this Python (the extra `fzf`)."""
    found, _ = paths.program("fzf")
    beside = os.path.join(os.path.dirname(sys.executable), "fzf")
    return found or (beside if os.access(beside, os.X_OK) else None)


def no_row() -> Failure:
    """fzf gave an answer that is none of ours; what may have led it to."""
    return Failure(
        f"fzf answered without a row of ours; what may do that: {fzf_options.in_the_way()}"
    )


def channels(program: str) -> tuple[str, ...]:
    """Two FIFOs through which the rows of this fzf can be replaced; none where that cannot be."""
    known = release.asked(program, os.path.realpath(program))
    folder = cache.scratch()
    if known is None or known < _REPLACES or folder is None or not _ACTING.isdisjoint(folder):
        return ()
    made = tuple(os.path.join(folder, f"fzf-{os.getpid()}-{name}") for name in ("told", "rows"))
    try:
        for path in made:
            os.mkfifo(path, 0o600)
    except OSError:
        return ()
    return made


class Finder:
    """A running fzf; a context manager, which ends one that has not been answered."""

    def __init__(
        self, program: str, options: "Iterable[str]", channels: tuple[str, ...] = ()
    ) -> None:
        """Start it; Failure without a terminal."""
        self._channels = channels
        try:
            words = [program, *options, *_listening(channels)]
            self._start(words, fzf_options.environment())
        except BaseException:
            self._close_channels()
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
        )
        os.close(rows_in)
        os.close(answer_out)

    def __enter__(self) -> "Finder":
        return self

    def __exit__(self, *error: object) -> None:
        if self._child:
            os.kill(self._child, _SIGTERM)
            self._end()

    def feed(self, lines: "Iterable[str]") -> None:
        """Give it all its lines, as they are made; that it is gone before the last is no error.

        It draws nothing in its first 18 ms, and the sooner then the sooner it knows that this is all.
        """
        _write(self._rows, lines)
        self._no_more()

    def replace(self, header: str, lines: "Iterable[str]") -> None:
        """Put another header over the rows, and these lines in their place.

        Only of a finder with channels, that has been fed.
        """
        told, rows = self._channels
        reload = f"reload-sync:cat {shells.quote(rows, 'posix')}"
        swap = _SWAP.format(shells.quote(reload, "posix"))
        actions = f"change-header({header})+{_listen(told)}+transform:{swap}"
        for _ in range(_TRIES):
            # A key at the same moment makes it forget that it was to reload: then no one asks for rows.
            if not self._tell(told, [actions]) or self._tell(rows, lines, _PATIENCE):
                return

    def answer(self) -> list[str]:
        """What it prints: query, key and row, without a row when none was there to choose.

        Nothing when it was left; Failure when it gave no such answer.
        """
        answer = b""
        while chunk := os.read(self._answer, 65536):
            answer += chunk
        code = os.waitstatus_to_exitcode(self._end())
        if code == _LEFT:
            return []
        if code == _FAILED:
            raise Failure(f"fzf ended with an error (see above){fzf_options.sources()}", 2)
        told = answer.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
        if len(told) != (2 if code == _NO_MATCH else 3):
            raise no_row()
        return told

    def _tell(self, channel: str, lines: "Iterable[str]", patience: float = 3600) -> bool:
        """Write into a channel as soon as somebody listens; False when no one did in time."""
        waited = 0.0
        while True:
            try:
                fd = os.open(channel, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                break
            except OSError:  # nobody yet
                waited += _TICK
                if waited > patience or select((self._answer,), (), (), _TICK)[0]:
                    return False
        os.set_blocking(fd, True)
        try:
            _write(fd, lines)
        finally:
            os.close(fd)
        return True

    def _no_more(self) -> None:
        if self._rows >= 0:
            os.close(self._rows)
            self._rows = -1

    def _end(self) -> int:
        self._no_more()
        os.close(self._answer)
        _, status = os.waitpid(self._child, 0)
        self._child = 0
        os.close(self._terminal)
        self._close_channels()
        return status

    def _close_channels(self) -> None:
        for channel in self._channels:
            # Opened for both: one that still listens reads its end.
            os.close(os.open(channel, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
            os.unlink(channel)


def _write(fd: int, lines: "Iterable[str]") -> None:
    """Write `lines` in blocks, as they come, as long as somebody reads them."""
    block: list[str] = []
    try:
        for line in lines:
            block.append(line)
            if len(block) == _BLOCK:
                _flush(fd, block)
        _flush(fd, block)
    except BrokenPipeError:
        pass


def _flush(fd: int, block: list[str]) -> None:
    output.write(fd, "".join(f"{line}\n" for line in block).encode("utf-8", "replace"))
    block.clear()


def _listening(channels: tuple[str, ...]) -> list[str]:
    if not channels:
        return []
    return ["--id-nth=1", f"--bind=start:+{_listen(channels[0])}"]


def _listen(channel: str) -> str:
    return f"bg-transform(cat {shells.quote(channel, 'posix')})"
