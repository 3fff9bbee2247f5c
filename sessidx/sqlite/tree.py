"""The b-trees of tables and indexes: their rows in order, or those with a key."""

from sys import byteorder

from . import Torn

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from . import Value
    from .pages import Snapshot

    # A page, its kind, where it tells the places of its cells, how many there are, the last child.
    Node = tuple[bytes, int, int, int, int]
    Rank = tuple[int, float | bytes]
    Found = tuple[int, "Record"]  # a rowid, 0 in an index, and its row

LONGEST = 4 << 20  # bytes: a row is not looked at beyond
_DEEPEST = 20  # levels of a tree
_INDEX_INNER, _TABLE_INNER, _INDEX, _TABLE = _KINDS = (2, 5, 10, 13)
_BLOB = 12  # the first serial type of a blob or, where odd, a text
_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0, *[kind - _BLOB >> 1 for kind in range(_BLOB, 128)])


class Tree:
    """The tree of a table or an index, from its root page."""

    def __init__(self, snapshot: "Snapshot", root: int) -> None:
        self._snapshot, self._root = snapshot, root
        use = snapshot.use
        self._least = (use - 12) * 32 // 255 - 23  # bytes of a long row that stay on its page
        # Bytes of a row that needs no other page, by kind of page.
        self._most = {_TABLE: use - 35, **dict.fromkeys((2, 10), (use - 12) * 64 // 255 - 23)}

    def _node(self, number: int, depth: int) -> "Node":
        page = self._snapshot.page(number)
        at = 100 if number == 1 else 0
        kind, count = page[at], page[at + 3] << 8 | page[at + 4]
        if kind not in _KINDS or depth > _DEEPEST:
            raise Torn("malformed")
        first = at + (12 if kind < _INDEX else 8)
        return page, kind, first, count, _number(page, at + 8)

    def _row(self, page: bytes, kind: int, at: int) -> "Found":
        """The row whose cell is at `at`."""
        size, at = varint(page, at + 4 if kind == _INDEX_INNER else at)
        rowid, at = varint(page, at) if kind == _TABLE else (0, at)
        local, most = size, self._most[kind]
        if size > most:
            local = self._least + (size - self._least) % (self._snapshot.use - 4)
            local = local if local <= most else self._least
        return _signed(rowid), Record(self._snapshot, page, at, local)

    def rows(self, key: "Value | Any" = ..., last_first: bool = False) -> "Iterator[Found]":
        """All rows in the tree's order or from its end; those whose id or first column is `key`."""
        rank = None if key is ... else _rank(key, self._snapshot)
        return self._rows(rank, -1 if last_first else 1, self._root, 0, set())

    def _rows(
        self, key: "Rank | None", step: int, number: int, depth: int, seen: set[int]
    ) -> "Iterator[Found]":
        page, kind, first, count, right = self._node(number, depth)
        if number in seen:
            raise Torn("malformed")
        seen.add(number)

        def cell(i: int) -> int:
            return page[first + 2 * i] << 8 | page[first + 2 * i + 1]

        low, high = 0, count
        if key is not None:
            low = high = _first(count, lambda i: self._rank(page, kind, cell(i)) >= key)
            while high < count and self._rank(page, kind, cell(high)) == key:
                high += 1
        if kind >= _INDEX:
            for i in range(low, high)[::step]:
                yield self._row(page, kind, cell(i))
            return
        for i in range(low, high + 1)[::step]:
            own = kind == _INDEX_INNER and i < high
            if own and step < 0:
                yield self._row(page, kind, cell(i))
            below = _number(page, cell(i)) if i < count else right
            yield from self._rows(key, step, below, depth + 1, seen)
            if own and step > 0:
                yield self._row(page, kind, cell(i))

    def _rank(self, page: bytes, kind: int, at: int) -> "Rank":
        if kind == _TABLE_INNER:
            return 1, _signed(varint(page, at + 4)[0])
        rowid, record = self._row(page, kind, at)
        return (1, rowid) if kind == _TABLE else record.rank()


def _first(count: int, reached: "Callable[[int], bool]") -> int:
    """The number of the first cell that has `reached` what is sought, of `count` in order."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A whole number of one to nine bytes, and where it ends."""
    value = data[at]
    if value < 128:
        return value, at + 1
    value &= 127
    for place in range(at + 1, at + 8):
        byte = data[place]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _signed(value: int) -> int:
    return value if value < 1 << 63 else value - (1 << 64)


def _rank(value: "Value", snapshot: "Snapshot") -> "Rank":
    """How a value sorts in an index: none, then numbers, then texts by their bytes, then blobs."""
    if isinstance(value, str):
        return 2, value.encode(snapshot.encoding, snapshot.errors)
    return (0, 0) if value is None else (1, value)


class Record:
    """A row's bytes, read from its overflow pages no further than asked for."""

    __slots__ = ("_at", "_begin", "_data", "_local", "_next", "_page", "_snapshot")

    def __init__(self, snapshot: "Snapshot", page: bytes, at: int, local: int) -> None:
        self._snapshot, self._page, self._at, self._local = snapshot, page, at, local
        self._next = -1  # the overflow page after the last one read, which begins with byte …

    def _bytes(self, start: int, end: int) -> bytes:
        """Those from `start` to `end`: not before the overflow page that was read last."""
        if end <= self._local:
            return self._page[self._at + start : self._at + end]
        if self._next < 0:
            self._data, self._begin = b"", self._local
            self._next = _number(self._page, self._at + self._local)
        out = self._page[self._at + start : self._at + self._local] if start < self._local else b""
        while True:
            out += self._data[max(0, start - self._begin) : max(0, end - self._begin)]
            stop = self._begin + len(self._data)
            if stop >= end:
                return out
            page = self._snapshot.page(self._next)
            self._next = _number(page, 0)
            self._data, self._begin = page[4 : self._snapshot.use], stop

    def _places(self, wanted: "Sequence[int]") -> "Iterator[tuple[int, int, int]]":
        """The serial type, beginning and end of each column numbered `wanted` that is there."""
        end, start = varint(self._page, self._at)
        todo = iter(wanted)
        want, column, kind = next(todo), 0, 0
        for byte in self._bytes(start - self._at, end):
            kind = kind << 7 | byte & 127
            if byte > 127:
                continue
            start = end
            end += _SIZES[kind] if kind < 128 else kind - _BLOB >> 1
            if column == want:
                yield kind, start, end
                if (want := next(todo, -1)) < 0:
                    return
            column += 1
            kind = 0

    def values(self, wanted: "Sequence[int]", cut: int) -> "list[Any] | None":
        """The values of the columns numbered `wanted`, in rising order; `...` for one not there.

        A text is cut to `cut` characters, a blob is None. None for a row of megabytes.
        """
        page, base, local = self._page, self._at, self._local
        encoding, errors = self._snapshot.encoding, self._snapshot.errors
        out: list[Any] = []
        for kind, start, end in self._places(wanted):
            stop = end if kind <= _BLOB else min(end, start + 4 * cut)
            if stop > LONGEST:
                return None
            raw = page[base + start : base + stop] if stop <= local else self._bytes(start, stop)
            if kind < _BLOB:
                out.append(_plain(kind, raw))
            elif kind & 1:
                text = raw.decode(encoding, errors)
                out.append(text if len(text) <= cut else text[:cut])
            else:
                out.append(None)
        return out + [...] * (len(wanted) - len(out))

    def rank(self) -> "Rank":
        """How its first value sorts in an index."""
        ((kind, start, end),) = self._places((0,))
        raw = self._bytes(start, min(end, start + LONGEST))
        if kind < _BLOB:
            return _rank(_plain(kind, raw), self._snapshot)
        return 3 - (kind & 1), raw


def _plain(kind: int, raw: bytes) -> "Value":
    """None or a number, of a serial type below those of texts."""
    if kind < 7:
        return int.from_bytes(raw, "big", signed=True) if kind else None
    if kind > 7:
        return kind - 8
    number: float = memoryview(raw if byteorder == "big" else raw[::-1]).cast("d")[0]
    return None if number != number else number  # noqa: PLR0124  (SQLite has no NaN)
