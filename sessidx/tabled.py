"""An app whose sessions are rows of one database: what all such share.

A module in apps/ tells where the database lies, what a row says, and what was said in a session.
"""

import os
from itertools import islice

from . import files, sqlite
from .session import ROW, SAID, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Protocol

    from .said.whole import Likely
    from .session import Cli, Conversations, Hit, Look, Message, Reader
    from .sqlite import Row
    from .sqlite.tables import Tables

    class Tabling(Cli, Protocol):
        """What such a module offers beside how its CLI is told to resume."""

        DATABASE: str  # its path from the root
        TABLE: str
        COLUMNS: tuple[str, ...]  # the first is the id

        def fill(self, session: Session, row: dict[str, Any], tables: Tables) -> None:
            """Fill `session` from its row and, where that is silent, from the other tables."""

        def messages(
            self, tables: Tables, id: str, last_first: bool = False, text: int = ...
        ) -> Iterator[Hit]:
            """What was said in a session, in the order of time, each with its place."""


_SECONDS = 2.0
_TEXT = 1024  # characters of each value of a session
_SAID = 1 << 18  # characters of one message


class Tabled:
    """The App of one module; each row is a session."""

    def __init__(self, name: str, module: "Tabling") -> None:
        self.NAME = name
        self._module = module

    def sources(self, root: str) -> str:
        stamp = sqlite.stamp(self._path(root))
        return "" if stamp[0] == ";" else stamp

    def discover(self, root: str, look: "Look") -> "Iterator[tuple[str, str]]":
        name = self._module.DATABASE
        now = self.sources(root)
        if not now:
            return
        if now == look.sources:
            look.same.append(name)
            return
        from zlib import crc32

        try:
            rows = sqlite.read(self._path(root), self._rows, _SECONDS)
        except sqlite.Unreadable:
            look.unread.append(name)
            look.again = True
            return
        for row in rows:
            if isinstance(row[0], str):
                key = f"{name}{ROW}{row[0]}"
                look.held[key] = row
                yield key, f"{crc32(repr(row).encode('utf-8', 'surrogatepass')):x}"

    def changed(self, root: str) -> int:
        path = sqlite.real(self._path(root))
        return max(files.modified(path), files.modified(path + "-wal"))

    def reader(self, root: str, look: "Look | None" = None) -> "Reader":
        return _Reader(self.NAME, self._module, self._path(root), look.held if look else {})

    def conversations(self, root: str) -> "Conversations":
        from .said.whole import Whole

        database = sqlite.Database(self._path(root))

        def asked(answer: "Callable[[Tables], list[Hit]]") -> "list[Hit]":
            try:
                return database.read(answer, _SECONDS)
            except sqlite.Unreadable as error:
                raise OSError(str(error)) from None

        def messages(key: str, likely: "Likely") -> "Iterator[Hit]":
            def answer(tables: "Tables") -> "list[Hit]":
                found = self._module.messages(tables, key.partition(ROW)[2], text=_SAID)
                return [
                    hit for hit in found if likely(hit[1][2].encode("utf-8", "surrogateescape"))
                ]

            return iter(asked(answer))

        class Rows(Whole):
            def last(whole, key: str) -> "list[Message]":  # noqa: N805  (self is the app)
                """The last things said, oldest first: found from the end."""

                def answer(tables: "Tables") -> "list[Hit]":
                    own = key.partition(ROW)[2]
                    found = self._module.messages(tables, own, last_first=True, text=_SAID)
                    return [*islice(found, SAID)]

                return [message for _, message in asked(answer)][::-1]

        return Rows(messages)

    def held(self, root: str) -> dict[str, bool] | None:
        return None

    def trouble(self, root: str) -> list[str]:
        try:
            if files.is_there(self._path(root)):
                sqlite.read(self._path(root), self._rows, _SECONDS)
        except sqlite.Unreadable as error:
            return [f"{self._module.DATABASE} not read: {error}"]
        return []

    def commands(self) -> "Cli":
        return self._module

    def _path(self, root: str) -> str:
        return os.path.join(root, self._module.DATABASE)

    def _rows(self, tables: "Tables") -> "list[Row]":
        return [*tables.rows(self._module.TABLE, self._module.COLUMNS, text=_TEXT)]


class _Reader:
    """Reads rows, those that a look has read at hand."""

    def __init__(self, name: str, module: "Tabling", path: str, held: "Mapping[str, Row]") -> None:
        self._name = name
        self._module = module
        self._path = path
        self._held = held

    def beside(self, key: str) -> str | None:
        return ""

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        session = Session(self._name, key.partition(ROW)[2], key=key)
        session.size = os.stat(self._path).st_size
        try:
            found = sqlite.read(self._path, lambda tables: self._fill(session, tables), _SECONDS)
        except sqlite.Unreadable as error:
            raise OSError(str(error)) from None
        if not found:
            raise FileNotFoundError(f"no row {session.id}")
        return session

    def _fill(self, session: Session, tables: "Tables") -> bool:
        module = self._module
        one = tables.rows(module.TABLE, module.COLUMNS, (module.COLUMNS[0], session.id), text=_TEXT)
        row = self._held.get(session.key) or next(one, None)
        if row:
            module.fill(session, dict(zip(module.COLUMNS, row, strict=True)), tables)
        return row is not None
