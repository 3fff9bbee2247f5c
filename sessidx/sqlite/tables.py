"""The tables of a database, by name: their rows in order, or those that an index finds."""

from . import Torn, schema
from .tree import Tree

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from . import Row, Value
    from .pages import Snapshot
    from .tree import Found, Record

    Entry = tuple[Any, Any, Any, Any]  # kind, name, root page, statement

ROWS = 100_000  # for one question
TEXT = 4096  # characters of each value
_DAMAGE = (IndexError, KeyError, OverflowError, TypeError, UnicodeError, ValueError)


class Tables:
    """What one question may ask of one commit. Its rows are proved only when that is answered."""

    def __init__(self, snapshot: "Snapshot") -> None:
        self._snapshot = snapshot
        self._left = ROWS
        self._known: dict[str, _Table] = {}
        self._schema: list[list[Value]] | None = None

    def rows(
        self,
        table: str,
        columns: tuple[str, ...],
        where: "tuple[str, Value] | None" = None,
        *,
        by: str | None = None,
        last_first: bool = False,
        text: int = TEXT,
    ) -> "Iterator[Row]":
        """Rows of `table`: all in the order of their ids, or those with a value in a column.

        A row holds a value for each of `columns`: text cut to `text` characters (bytes that are
        not UTF-8 as surrogates), None for a blob and for a column that the table lacks. For
        `where` an index must begin with that column, followed by the column `by` where one is
        named, in binary order; the rows come in that order, or from its end. A row of megabytes
        is passed over, and after 100,000 rows there are no more. Unreadable when there is no such
        table, column or index.
        """
        try:
            known = self._table(table)
            make = known.maker(columns, text)
            found = known.rows(last_first) if where is None else known.where(where, by, last_first)
            for rowid, record in found:
                self._left -= 1
                if self._left < 0:
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
            self._left -= 1
            if self._left < 0:
                return
            entry = record.values((0, 1, 2, 3, 4), schema.LONGEST)
            if entry and isinstance(entry[2], str) and entry[2].lower() == name:
                yield entry[0], entry[1], entry[3], entry[4]


class _Table:
    """One table: its tree, its columns, and its indexes that can be used."""

    def __init__(self, snapshot: "Snapshot", name: str, entries: "list[Entry]") -> None:
        self._snapshot, self._name = snapshot, name
        own = [entry for entry in entries if entry[0] == "table" and str(entry[1]).lower() == name]
        if not own or not isinstance(own[0][2], int) or not isinstance(own[0][3], str):
            raise Torn(f"no table {name}")
        self._tree = Tree(snapshot, own[0][2])
        self._schema = schema.Table(own[0][3])
        self._indexes = [entry for entry in entries if entry[0] == "index"]

    def maker(self, columns: tuple[str, ...], cut: int) -> "Callable[[int, Record], Row | None]":
        """What makes a row of a record: a value for each of `columns`; None for one of megabytes."""
        places, alias, real = self._schema.places, self._schema.alias, self._schema.real
        names = sorted({name for name in columns if name in places}, key=places.__getitem__)
        if not names:
            raise Torn(f"table {self._name} has none of the columns")
        wanted = [places[name] for name in names]
        order = [names.index(name) if name in places else -1 for name in columns]
        plain = not {alias, *real} & {*names}

        def make(rowid: int, record: "Record") -> "Row | None":
            values = record.values(wanted, cut)
            if values is None:
                return None
            if not plain or ... in values:
                for i, name in enumerate(names):
                    if values[i] is ...:
                        values[i] = self._schema.defaults.get(name)
                    if name == alias and values[i] is None:
                        values[i] = rowid
                    elif name in real and type(values[i]) is int:
                        values[i] = float(values[i])
            values.append(None)
            return tuple([values[i] for i in order])

        return make

    def rows(self, last_first: bool) -> "Iterator[Found]":
        return self._tree.rows(last_first=last_first)

    def where(
        self, where: "tuple[str, Value]", by: str | None, last_first: bool
    ) -> "Iterator[Found]":
        """The rows with a value in a column, in the order of an index that begins with that."""
        column, value = where
        if column == self._schema.alias and isinstance(value, int):
            record = self._tree.row(value)
            yield from [(value, record)] if record else []
            return
        order = [column] if by is None else [column, by]
        if self._schema.rowless and [*self._schema.places][: len(order)] == order:
            yield from self._tree.rows(value, last_first)
            return
        root, width = self._index(order)
        for _, found in Tree(self._snapshot, root).rows(value, last_first):
            (rowid,) = found.values((width,), 0) or (0,)
            record = self._tree.row(rowid)
            if record is None:
                raise Torn("malformed")
            yield rowid, record

    def _index(self, order: list[str]) -> tuple[int, int]:
        """Root page and number of columns of an index that sorts the table in this order."""
        for _, name, root, sql in self._indexes if not self._schema.rowless else ():
            columns = schema.index(sql) if isinstance(sql, str) else self._own(str(name))
            if columns[: len(order)] == order and self._schema.collated.isdisjoint(order):
                return int(root), len(columns)
        raise Torn(f"no index of {self._name} by {', '.join(order)}")

    def _own(self, name: str) -> list[str | None]:
        """The columns of an index that SQLite made by itself for a key: they are numbered."""
        made = sum(1 for entry in self._indexes if entry[3] is None)
        number = name.rpartition("_")[2]
        unique = self._schema.unique
        return unique[int(number) - 1] if made == len(unique) and number.isdigit() else []
