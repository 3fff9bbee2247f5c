"""Two FIFOs through which the rows and the header of a running fzf are replaced while one types.

What to do goes to a `cat` that fzf has started, and the rows through another: of 0.71 and later. They
stand in a folder of this process in our private one, and no longer than until all is replaced.
"""

import os
from select import select

from . import output, paths, release, shells

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable

_REPLACES = (0, 71, 0)  # --id-nth; bg-transform is of 0.63
_TRIES = 20
_PATIENCE, _TICK = 0.3, 0.005  # seconds
_BLOCK = 200  # lines that are written at once
# Who has moved the pointer keeps the row it is on; else it stays on the first.
_SWAP = '[ "$FZF_POS" -gt 1 ] && printf track-current+; printf %s {}'
_ACTING = frozenset("(){}")  # in a path that stands in an action of fzf


def opened(program: str) -> "Channels | None":
    """New channels for this fzf; None where there can be none."""
    known = release.asked(program, os.path.realpath(program))
    if known is None or known < _REPLACES or not _ACTING.isdisjoint(paths.cache()):
        return None
    from . import passing

    made = passing.folder("fzf")
    if made is None:
        return None
    try:
        return Channels(*made)
    except OSError:
        passing.remove(made[0])
        return None


class Channels:
    """What is told and the rows, each through a FIFO in `folder`, which `lock` keeps from being swept."""

    def __init__(self, folder: str, lock: int) -> None:
        self._folder = folder
        self._lock = lock
        self._told, self._rows = (os.path.join(folder, name) for name in ("told", "rows"))
        for path in (self._told, self._rows):
            os.mkfifo(path, 0o600)

    def options(self) -> list[str]:
        """Those by which fzf listens."""
        return ["--id-nth=1", f"--bind=start:+{self._listen()}"]

    def replace(self, header: str, lines: "Iterable[str]", answer: int) -> None:
        """Put another header over the rows, and these lines in their place.

        In vain once something is to be read from `answer`: then fzf has ended.
        """
        reload = f"reload-sync:cat {shells.quote(self._rows, 'posix')}"
        swap = _SWAP.format(shells.quote(reload, "posix"))
        actions = f"change-header({header})+{self._listen()}+transform:{swap}"
        for _ in range(_TRIES):
            if not _tell(self._told, [actions], answer):
                return
            # A key at the same moment makes it forget that it was to reload: then no one asks for rows.
            if _tell(self._rows, lines, answer, _PATIENCE):
                _tell(self._told, (), answer, _PATIENCE)  # nothing more
                self.close()
                return

    def close(self) -> None:
        """Remove what is there of them."""
        if self._lock < 0:
            return
        from . import passing

        for path in (self._told, self._rows):
            try:
                # Opened for both: one that still listens reads its end.
                os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
            except OSError:
                pass
        passing.remove(self._folder)
        os.close(self._lock)
        self._lock = -1

    def _listen(self) -> str:
        return f"bg-transform(cat {shells.quote(self._told, 'posix')})"


def _tell(channel: str, lines: "Iterable[str]", answer: int, patience: float | None = None) -> bool:
    """Write into a channel as soon as somebody listens; False when no one did in time."""
    waited = 0.0
    while True:
        try:
            fd = os.open(channel, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            break
        except FileNotFoundError:
            return False
        except OSError:  # nobody yet
            waited += _TICK
            if (patience and waited > patience) or select((answer,), (), (), _TICK)[0]:
                return False
    os.set_blocking(fd, True)
    try:
        write(fd, lines)
    finally:
        os.close(fd)
    return True


def write(fd: int, lines: "Iterable[str]") -> None:
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
