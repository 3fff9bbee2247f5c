"""Where things were said: the place of each line that may hold it, of each transcript; never a word.

The rest, 94 % of the bytes, is then passed over, so a search takes a fifth of the time of the first.
One file of ours. A place counts only while a line begins and ends there; else all is looked through.
"""

from .. import cache
from ..entry import escape

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..session import Session
    from ..store import Store

    Run = tuple[int, list[tuple[int, int]]]

_NAME = "said"
_MAGIC = "sessidx said 1"
_LIMIT = 64 * 1024 * 1024
_NEAR = 8192  # bytes between two lines that are read in one go
_RUN = 256 * 1024


class Sites:
    """What is known of one transcript: up to `end` all the lines that may hold something said.

    `spans`: of each the bytes that lie between it and the one before, and its length, in turn.
    `read`: how many bytes were looked through now.
    """

    __slots__ = ("_last", "end", "inode", "read", "spans")

    def __init__(self, told: str = "") -> None:
        """`told`: as `told()` gives it; anything else is nothing."""
        self.inode = self.end = self.read = 0
        self.spans: list[int] = []
        try:
            numbers = [int(word, 16) for word in told.split(" ")]
        except ValueError:
            numbers = []
        if len(numbers) >= 2 and len(numbers) % 2 == 0 and min(numbers) >= 0:
            self.inode, self.end, *self.spans = numbers
        self._last = -1  # where the last line ends, once it is asked for

    def told(self) -> str:
        """All of it in one line."""
        return " ".join([f"{n:x}" for n in (self.inode, self.end, *self.spans)])

    def forget(self, inode: int) -> None:
        """Know nothing of the transcript, which has that inode."""
        self.inode, self.end, self.spans, self._last = inode, 0, [], 0

    def add(self, start: int, length: int) -> None:
        """A line that may hold something, behind those that are known."""
        if self._last < 0:
            self._last = sum(self.spans)
        self.spans += (start - self._last, length)
        self._last = start + length

    def reach(self, end: int) -> None:
        """All is known up to there."""
        self.read += end - self.end
        self.end = end

    def runs(self) -> "Iterator[Run]":
        """Where some near lines begin, and from there the place and the length of each."""
        start = at = 0
        run: list[tuple[int, int]] = []
        spans = iter(self.spans)
        for gap, length in zip(spans, spans, strict=True):
            begin = at + gap
            if run and (gap > _NEAR or begin + length - start > _RUN):
                yield start, run
                run = []
            if not run:
                start = begin
            run.append((begin - start, length))
            at = begin + length
        if run:
            yield start, run


class Kept:
    """The sites of all transcripts, as our file holds them."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}
        try:
            lines = cache.read(_NAME, _LIMIT).split("\n")
        except (OSError, ValueError, MemoryError):
            return
        if lines.pop() == "" and lines and lines[0] == lines[-1] == _MAGIC:
            for line in lines[1:-1]:
                where, _, told = line.rpartition("\t")
                self._told[where] = told

    def of(self, session: "Session") -> Sites:
        """What is known of a session's transcript."""
        return Sites(self._told.get(_where(*session.place, session.key), ""))

    def keep(self, learned: "Iterable[tuple[Session, str]]", stores: "Iterable[Store]") -> None:
        """Put what was learned into the file; of `stores` only what still has a session stays."""
        for session, told in learned:
            self._told[_where(*session.place, session.key)] = told
        there = {
            "\t".join((store.app, escape(store.root), mark.partition("\t")[0]))
            for store in stores
            for mark in store.marks
        }
        looked = tuple("\t".join((store.app, escape(store.root), "")) for store in stores)
        out = [
            f"{where}\t{told}"
            for where, told in self._told.items()
            if where in there or not where.startswith(looked)
        ]
        cache.replace(_NAME, "\n".join([_MAGIC, *out, _MAGIC, ""]))


def _where(app: str, root: str, key: str) -> str:
    return "\t".join((app, escape(root), escape(key)))
