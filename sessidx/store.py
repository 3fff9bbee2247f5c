"""What the cache file holds: of each store (app and root) four blocks, each with a line a session.

`marks`: key and stamp, `hays`: what a WORD is looked for in, folded, `rows`: the row as it is printed,
`lines`: all else, newest first. They stand apart so that a call on unchanged stores compares marks,
searches hays and prints rows, and makes a Session of none that nobody asked for; a block is cut into
lines when these are needed. The file is input like any other: on any doubt it counts for nothing.
"""

from . import cache, text
from .rows import DEFAULT, tsv
from .session import FIELDS, INTERACTIVE, LISTED, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .session import Place

    Entry = tuple[str, bytes, bytes, bytes]  # a line of each block

NAME = "index"
_MAGIC = "sessidx 4"
_SECTION = "@"
_LIMIT = 256 * 1024 * 1024
_SECTIONS = 64
_IN_ROW = ("id", "cwd", "branch", "title")  # in a line only where the row shows them otherwise
# What is listed by default is known by the beginning of its line.
_FIRST = ("origin", "archived", "continued_in", *_IN_ROW)
_ELSEWHERE = ("key", "stamp", "app", "updated", "live", *_FIRST)
COLUMNS = (*_FIRST, *(name for name in FIELDS if name not in _ELSEWHERE), "beside")
_AT = tuple(COLUMNS.index(name) if name in _IN_ROW else 0 for name in DEFAULT)
_BY_DEFAULT = INTERACTIVE.encode() + b"\t\t"
_HALVES = 50  # that are followed from one to the next
# In a hay tabs and line ends are others of their kind, one character for one.
_BLANKS = {"\t": "\x1c", "\n": "\x1d", "\r": "\x1e"}


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


def updated(row: bytes) -> list[bytes]:
    """The time in a row, as it sorts: `-`, for none, before all."""
    return row.split(b"\t", 3)[2:3]


def session(place: "Place", mark: str, row: bytes, line: bytes) -> Session | None:
    """The Session of one line of each block; None when it is none."""
    key, _, stamp = mark.partition("\t")
    shown = str(row, "utf-8", "surrogatepass").split("\t")
    values = str(line, "utf-8", "surrogatepass").split("\t")
    if len(values) != len(COLUMNS) or len(shown) != len(DEFAULT):
        return None
    if b"\\" in line:
        values = [unescape(value) for value in values]
    found = Session.__new__(Session)
    (
        found.origin,
        archived,
        found.continued_in,
        own,
        cwd,
        branch,
        title,
        found.model,
        found.effort,
        found.mode,
        found.approval,
        found.sandbox,
        found.reviewer,
        found.roots,
        found.provider,
        found.fork_of,
        size,
        found.found,
        _,
    ) = values
    found.key = unescape(key) if "\\" in key else key
    found.stamp = stamp
    found.id = own or shown[0]
    found.updated, found.cwd, found.branch, found.title = (
        value or (other if other != "-" else "")
        for value, other in zip(("", cwd, branch, title), shown[2:], strict=True)
    )
    found.app, found.home = place
    found.live = found.interrupted = None
    found.archived = archived != ""
    found.size = int(size) if _is_number(size) else 0
    return found


def entry(found: Session, beside: str) -> "Entry":
    """The lines of a session; `beside` is a digest of what it depends on besides its stamp."""
    row = tsv(found)
    values = [str(getattr(found, name) or "") for name in COLUMNS[:-1]]
    values.append(beside)
    for at, shown in zip(_AT, row.split("\t"), strict=True):
        if at and values[at] == shown != "-":
            values[at] = ""
    told = (found.title, found.cwd, found.branch, found.id)
    return (
        mark(found.key, found.stamp),
        needle("\0".join([value or "" for value in told])),
        row.encode("utf-8", "replace"),
        "\t".join(_escaped(values)).encode("utf-8", "surrogatepass"),
    )


def mark(key: str, stamp: str) -> str:
    """How a session and its stamp are written."""
    return "\t".join(_escaped([key, stamp]))


def needle(word: str) -> bytes:
    """`word`, or what it is looked for in, as it is compared."""
    folded = text.fold(word)
    if not folded.isprintable():
        for blank, written in _BLANKS.items():
            folded = folded.replace(blank, written)
    return folded.encode("utf-8", "surrogatepass")


def escape(value: str) -> str:
    """`value` without tabs and line ends, reversibly."""
    if value.isprintable() and "\\" not in value:
        return value
    for char, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        value = value.replace(char, written)
    return value


def _escaped(values: list[str]) -> list[str]:
    """Each as `escape` has it; nearly always they are that already."""
    whole = "".join(values)
    return values if whole.isprintable() and "\\" not in whole else [*map(escape, values)]


def unescape(value: str) -> str:
    """What `escape` was given."""
    if "\\" not in value:
        return value
    parts = value.split("\\\\")
    for char, written in (("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        parts = [part.replace(written, char) for part in parts]
    return "\\".join(parts)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 20


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
        if sign != _SECTION or len(numbers) != 6 or not all(map(_is_number, numbers)):
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
