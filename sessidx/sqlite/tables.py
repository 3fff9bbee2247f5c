"""The tables of a database, by name: their rows in order, or those that an index finds."""

from . import Torn, schema
from .tree import Tree

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Any

    from . import Row, Value
    from .pages import Snapshot
    from .tree import Found, Record

    Entry = tuple[Any, ...]  # kind, name, root page, statement

ROWS = 100_000  # for one question
TEXT = 4096  # characters of each value
_DAMAGE = (AttributeError, IndexError, KeyError, OverflowError, TypeError, UnicodeError, ValueError)


class Tables:
    """What one question may ask of one commit. Its rows are proved only when that is answered."""

    def __init__(self, snapshot: "Snapshot") -> None:
        self._snapshot = snapshot
        self.left = ROWS  # that are looked at
        self._known: dict[str, _Table] = {}

    def ask_again(self) -> None:
        """Another question begins, of the same commit."""
        self.left = ROWS

    @property
    def pages(self) -> int:
        """How many the whole database has."""
        return self._snapshot.top

    def rows(
        self,
        table: str,
        columns: tuple[str, ...],
        where: "tuple[str, Value] | None" = None,
        *,
        by: str | None = None,
        among: "tuple[str, Container[Value]] | None" = None,
        last_first: bool = False,
        text: int = TEXT,
    ) -> "Iterator[Row]":
        """Rows of `table`: all in the order of their ids, or those with a value in a column.

        A row holds a value for each of `columns`: text cut to `text` characters (bytes that are
        not UTF-8 as surrogates), None for a blob and for a column that the table lacks. For
        `where` an index must begin with that column, followed by the column `by` where one is
        named, in binary order; the rows come in that order, or from its end. A row whose value in
        a column is not `among` those given is passed over, and so is one of megabytes. When none
        are `left` there are no more. Unreadable when there is no such table, column or index.
        """
        try:
            known = self._table(table)
            make = known.maker(columns, text, among)
            for rowid, record in known.rows(where, by, last_first):
                self.left -= 1
                if self.left < 0:
                    return
                if (row := make(rowid, record)) is not None:
                    yield row
        except _DAMAGE:
            raise Torn("malformed") from None

    def _table(self, name: str) -> "_Table":
        if name not in self._known:
            self._known[name] = _Table(self._snapshot, name, [*self._entries(name)])
        return self._known[name]

    def _entries(self, name: str) -> "Iterator[Entry]":
        """Kind, name, root page and statement of a table and of all that belongs to it."""
        for _, record in Tree(self._snapshot, 1).rows():
            self.left -= 1
            if self.left < 0:
                return
            (of,) = record.values((2,), TEXT) or (None,)
            if str(of).lower() == name and (entry := record.values((0, 1, 3, 4), schema.LONGEST)):
                yield entry[0], str(entry[1]), *entry[2:]


class _Table:
    """One table: its tree, its columns, and the indexes that sort it."""

    def __init__(self, snapshot: "Snapshot", name: str, entries: "list[Entry]") -> None:
        own = [entry for entry in entries if entry[0] == "table" and entry[1].lower() == name]
        if not own:
            raise Torn(f"no table {name}")
        self._snapshot, self._name = snapshot, name
        self._tree = Tree(snapshot, own[0][2])
        self._schema = schema.Table(own[0][3])
        self._indexes = [entry for entry in entries if entry[0] == "index"]

    def maker(
        self,
        columns: tuple[str, ...],
        cut: int,
        among: "tuple[str, Container[Value]] | None" = None,
    ) -> "Callable[[int, Record], Row | None]":
        """What makes a row of a record: a value for each of `columns`; None for one passed over."""
        known = self._schema
        names = sorted({*columns} & {*known.places}, key=known.places.__getitem__)
        if not names:
            raise Torn(f"table {self._name} has none of the columns")
        wanted = [known.places[name] for name in names]
        order = [names.index(name) if name in names else -1 for name in columns]
        plain = {known.alias, *known.real}.isdisjoint(names)

        first = [known.places[among[0]]] if among else []

        def make(rowid: int, record: "Record") -> "Row | None":
            if among and (record.values(first, cut) or [None])[0] not in among[1]:
                return None
            if (values := record.values(wanted, cut)) is None:
                return None
            if not plain or ... in values:
                for at, name in enumerate(names):
                    if values[at] is ...:
                        values[at] = known.defaults.get(name)
                    if name == known.alias:
                        values[at] = rowid
                    elif name in known.real and isinstance(values[at], int):
                        values[at] = float(values[at])
            values.append(None)
            return tuple([values[at] for at in order])

        return make

    def rows(
        self, where: "tuple[str, Value] | None", by: str | None, last_first: bool
    ) -> "Iterator[Found]":
        """All rows, or those with a value in a column, in the order of an index that begins with it."""
        if where is None:
            return self._tree.rows(last_first=last_first)
        column, value = where
        if column == self._schema.alias:
            return self._tree.rows(value)
        order = [column, by] if by else [column]
        sorted_by = [*self._schema.places] if self._schema.rowless else []
        if sorted_by[: len(order)] == order and self._schema.collated.isdisjoint(order):
            return self._tree.rows(value, last_first)
        root, width = self._index(order)
        return self._found(Tree(self._snapshot, root).rows(value, last_first), width)

    def _found(self, found: "Iterator[Found]", width: int) -> "Iterator[Found]":
        """The rows whose ids stand behind the columns of an index, `width` of them."""
        for _, record in found:
            (rowid,) = record.values([width], 0) or [None]
            yield from self._tree.rows(rowid)

    def _index(self, order: list[str]) -> tuple[int, int]:
        """Root page and number of columns of an index that sorts the table in this order."""
        known = self._schema
        usable = {*order} <= {*known.places} - known.collated and not known.rowless
        for _, name, root, sql in self._indexes if usable else ():
            columns = schema.index(sql) if sql else self._key(name)
            if columns[: len(order)] == order:
                return root, len(columns)
        raise Torn(f"no index of {self._name} by {', '.join(order)}")

    def _key(self, name: str) -> list[str | None]:
        """The columns of an index that SQLite made for a key: they are numbered as the keys are."""
        made = sum(1 for entry in self._indexes if entry[3] is None)
        keys = self._schema.keys
        return keys[int(name.rpartition("_")[2]) - 1] if made == len(keys) else []
