"""What the cache file holds: of each store (app and root) four blocks, each with a line a session.

`marks`: key and stamp, `hays`: what a WORD is looked for in, folded, `rows`: the row as it is printed,
`lines`: all else, newest first. They stand apart so that a call on unchanged stores compares marks,
searches hays and prints rows, and makes a Session of none that nobody asked for; a block is cut into
lines when these are needed. The file is input like any other: on any doubt it counts for nothing.
"""

from . import cache
from .entry import escape, is_number, session, unescape, updated
from .session import INTERACTIVE, LISTED, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .entry import Entry
    from .session import Place

NAME = "index"
_MAGIC = "sessidx 5"
_SECTION = "@"
_LIMIT = 256 * 1024 * 1024
_SECTIONS = 64
_BY_DEFAULT = INTERACTIVE.encode() + b"\t\t"
_HALVES = 50  # that are followed from one to the next


class Store:
    """What is known of one home, and how what its sessions share stood."""

    def __init__(
        self,
        place: "Place",
        sources: str = "",
        seen: int = 0,
        count: int = 0,
        blocks: "Sequence[bytes | memoryview]" = (b"",) * 4,
    ) -> None:
        self.place = place
        self.sources = sources
        self.seen = seen  # when its folders were last looked through, in ns
        self.read = 0  # sessions that were read again
        self.unread: list[str] = []  # files, folders and databases that could not be
        self.odd: list[str] = []  # named like sessions, and no regular files
        self._count = count
        self._blocks = blocks
        self._marks: list[str] | None = None
        self._parts: list[list[bytes] | None] = [None] * 4
        self._halves: dict[str, str] | None = None  # of each listed id the one it goes on under

    @property
    def app(self) -> str:
        """The name of the app."""
        return self.place[0]

    @property
    def root(self) -> str:
        """Its home."""
        return self.place[1]

    def __len__(self) -> int:
        return self._count

    @property
    def marks(self) -> list[str]:
        """Of each session its key and its stamp, as they are written."""
        if self._marks is None:
            told = str(self._blocks[0], "utf-8", "surrogatepass").split("\n")[:-1]
            self._marks = told if len(told) == self._count else [""] * self._count
        return self._marks

    @property
    def hays(self) -> list[bytes]:
        """Of each session what `needle` makes of a WORD is looked for in."""
        return self._cut(1)

    @property
    def rows(self) -> list[bytes]:
        """Of each session its row: `rows.tsv` of it."""
        return self._cut(2)

    @property
    def lines(self) -> list[bytes]:
        """Of each session all else."""
        return self._cut(3)

    def _cut(self, number: int) -> list[bytes]:
        """A block in lines; empty ones, which are of no session, where they are not as many as told."""
        if (found := self._parts[number]) is None:
            told = bytes(self._blocks[number]).split(b"\n")[:-1]
            found = told if len(told) == self._count else [b""] * self._count
            self._parts[number] = found
        return found

    def written(self) -> "tuple[bytes, ...]":
        """Its blocks: where they are those of another, nothing has changed."""
        return tuple(map(bytes, self._blocks))

    def sessions(self, numbers: "Iterable[int] | None" = None) -> "Iterator[Session]":
        """The Session of each of its lines, or of those of these numbers; one that is none is not."""
        marks, rows, lines = self.marks, self.rows, self.lines
        for n in range(len(lines)) if numbers is None else numbers:
            if (found := session(self.place, marks[n], rows[n], lines[n])) is not None:
                if found.continued_in:
                    found.continued_in = self._newest_half(found.id)
                yield found

    def by_default(self, numbers: "Iterable[int]") -> "Iterator[bytes]":
        """The rows of those of these numbers that the default list shows."""
        rows, lines = self.rows, self.lines
        end = len(_BY_DEFAULT)
        for n in numbers:
            line = lines[n]
            if line.startswith(_BY_DEFAULT) and (
                line.startswith(b"\t", end) or all(s.by_default for s in self.sessions((n,)))
            ):
                yield rows[n]

    def _newest_half(self, id: str) -> str | None:
        """Under which id what began as `id` goes on now; None where nothing listed is at the end."""
        if self._halves is None:
            self._halves = {}
            for row, line in zip(self.rows, self.lines, strict=True):
                origin, _, after, _ = str(line, "utf-8", "surrogatepass").split("\t", 3)
                if origin in LISTED:
                    self._halves[row.partition(b"\t")[0].decode()] = after
        met = [id]
        while len(met) < _HALVES and self._halves.get(met[-1]) in self._halves:
            met.append(self._halves[met[-1]])
            if met[-1] in met[:-1]:
                return None  # they point at each other: neither is the old one
        return met[-1] if len(met) > 1 else None

    def entries(self) -> "list[Entry]":
        """The lines of all blocks, by session."""
        return list(zip(self.marks, self.hays, self.rows, self.lines, strict=True))

    def put(self, entries: "list[Entry]") -> None:
        """Hold these instead, newest first."""
        entries.sort(key=_newest, reverse=True)
        self._count = len(entries)
        self._marks = [entry[0] for entry in entries]
        hays = [entry[1] for entry in entries]
        self._parts = [None, hays, [entry[2] for entry in entries], [entry[3] for entry in entries]]
        marks = "".join([mark + "\n" for mark in self._marks]).encode("utf-8", "surrogatepass")
        others = (self.hays, self.rows, self.lines)
        self._blocks = (marks, *(b"".join([x + b"\n" for x in block]) for block in others))


def _newest(entry: "Entry") -> tuple[list[bytes], str]:
    return updated(entry[2]), entry[0]


def load() -> "dict[Place, Store]":
    """The stores that the cache file holds; nothing at all on any doubt about it."""
    try:
        data = cache.sealed(NAME, _LIMIT)
        end = data.find(b"\n\n")
        magic, *heads = data[:end].decode("utf-8", "surrogatepass").split("\n")
        return _sections(data, end + 2, heads) if magic == _MAGIC else {}
    except (OSError, ValueError, MemoryError):
        return {}


def _sections(data: bytes, at: int, heads: list[str]) -> "dict[Place, Store]":
    """ValueError where a head says what is not so."""
    found = {}
    view = memoryview(data)  # what nobody asks for is not copied
    for head in heads:
        sign, app, root, sources, *numbers = head.split("\t")
        if sign != _SECTION or len(numbers) != 6 or not all(map(is_number, numbers)):
            raise ValueError(head)
        seen, count, *lengths = map(int, numbers)
        blocks = []
        for length in lengths:
            end = at + length
            if length < count:
                raise ValueError(head)
            blocks.append(view[at:end])
            at = end
        place = app, unescape(root)
        found[place] = Store(place, unescape(sources), seen, count, blocks)
    if at + cache.SUM != len(data):
        raise ValueError("too long")
    return found


def save(stores: "Iterable[Store]") -> None:
    """Let the cache file hold these stores; no more than 64 of them."""
    heads: list[str] = [_MAGIC]
    blocks: list[bytes] = []
    for store in [*stores][:_SECTIONS]:
        written = store.written()
        told = (store.seen, len(store), *map(len, written))
        names = (_SECTION, store.app, escape(store.root), escape(store.sources))
        heads.append("\t".join((*names, *map(str, told))))
        blocks += written
    head = "\n".join([*heads, "", ""]).encode("utf-8", "surrogatepass")
    cache.replace(NAME, b"".join((head, *blocks)))
