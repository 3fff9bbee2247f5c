"""Codex's state database: which one is in use, and what it knows of each thread.

It is the highest-numbered state_N.sqlite that can be read and has rows.
"""

import os
from time import monotonic
from zlib import crc32

from ... import sqlite
from ...files import GONE
from . import databases, names
from .thread import AT, COLUMNS, Known

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeVar

    from ...sqlite import Row, Value
    from ...sqlite.tables import Tables

    T = TypeVar("T")

_SECONDS = 2.0  # for all databases together
_LOOKUPS = 8  # threads that are looked up one by one before all are read
_ROOM = 16 << 20  # bytes of the rows that are kept, some 20,000; of others a digest
_FAR = 50  # pages of the database to each thread, from which on each is looked up

# Of each home that was looked at last: why a database that is there, or the list of names, was not
# read. Then what is not found is unknown.
failures: dict[str, str] = {}


class State:
    """What the home `root` knows of its threads; asked for a few, it does not read them all.

    `threads` are those that have a rollout.
    """

    def __init__(self, root: str, threads: "Collection[str]" = (), *, whole: bool = False) -> None:
        self._root, self._threads = root, threads
        failures.pop(root, None)
        self._path = ""  # of the database in use
        self._rows = _Rows(())  # of the threads, once they are read
        self._left = _LOOKUPS
        if whole:
            self._read()
        else:
            self._first(_has_rows)
        self._names = self._read_names()

    @property
    def failed(self) -> str | None:
        """Why it could not all be read."""
        return failures.get(self._root)

    def get(self, thread: str) -> Known | None:
        """What is known of a thread; None where that is nothing."""
        if self._left == 0:
            self._read()
        known = self._rows.kept.get(thread)
        if known is None and thread not in self._rows.missing:
            known = self._look_up(thread)
        if name := self._names.get(thread):
            known = known or Known()
            known.name = known.name or name
        return known

    def digest(self, thread: str) -> str:
        """A word that changes when anything of it does; "" where nothing is known."""
        row = self._rows.digests.get(thread)
        if row is None:
            known = self.get(thread)
            row = known.digest() if known and known.in_database else 0
        name = self._names.get(thread) or ""
        return f"{crc32(name.encode('utf-8', 'surrogatepass'), row):x}" if row or name else ""

    def _first(self, ask: "Callable[[Tables], T | None]") -> "T | None":
        """What is found in the first database that can be read and has rows."""
        deadline = monotonic() + _SECONDS
        where = databases.folder(self._root)
        try:
            found = databases.listed(where)
        except OSError as error:
            failures[self._root] = str(error.strerror)
            return None
        for _, name in found:
            path = os.path.join(where, name)
            try:
                answer = sqlite.read(path, ask, max(0.0, deadline - monotonic()))
            except sqlite.Unreadable as error:
                failures.setdefault(self._root, f"{name}: {error}")
                continue
            if answer is not None:
                failures.pop(self._root, None)
                self._path = path
                return answer
        return None

    def _read(self) -> None:
        """Read all threads that have a rollout."""
        self._left = -1
        self._rows = self._first(self._all) or _Rows(())

    def _look_up(self, thread: str) -> Known | None:
        if not self._path:
            return None
        self._left -= self._left > 0
        try:
            row = sqlite.read(self._path, lambda tables: _row(tables, thread), _SECONDS)
        except sqlite.Unreadable as error:
            failures[self._root] = f"{os.path.basename(self._path)}: {error}"
            return None
        return Known(row) if row else None

    def _all(self, tables: "Tables") -> "_Rows | None":
        """The rows of all threads, newest first; None where there are none of anything."""
        rows = _Rows(self._threads)
        if tables.pages > _FAR * len(self._threads):
            for thread in self._threads:
                rows.take(_row(tables, thread))
            return rows if _has_rows(tables) else None
        among = ("id", rows.missing)
        for row in tables.rows("threads", COLUMNS, among=among, last_first=True):
            rows.take(row)
        if tables.left <= 0:
            rows.missing.clear()
        return rows if rows.kept or _has_rows(tables) else None

    def _read_names(self) -> dict[str, str]:
        try:
            return names.read(os.path.join(self._root, databases.NAMES))
        except OSError as error:
            if error.errno and not isinstance(error, GONE):
                failures.setdefault(self._root, f"{databases.NAMES}: {error.strerror}")
            return {}


class _Rows:
    """What is kept of the rows of many threads: those for which there is room, else a digest."""

    def __init__(self, threads: "Collection[str]") -> None:
        self.missing = {*threads}
        self.kept: dict[str, Known] = {}
        self.digests: dict[str, int] = {}
        self._held: dict[Value, Value] = {}
        self._room = _ROOM

    def take(self, row: "Row | None") -> None:
        if row is None:
            return
        thread = str(row[AT["id"]])
        self.missing.discard(thread)
        known = Known(row, self._held if self._room > 0 else None)
        self._room -= known.size
        if self._room > 0:
            self.kept[thread] = known
        else:
            self.digests[thread] = known.digest()


def _row(tables: "Tables", thread: str) -> "Row | None":
    """The row of a thread, by its key; the last one of a table that has none."""
    try:
        return next(tables.rows("threads", COLUMNS, ("id", thread)), None)
    except sqlite.Torn:
        among = ("id", (thread,))
        return next(tables.rows("threads", COLUMNS, among=among, last_first=True), None)


def _has_rows(tables: "Tables") -> bool | None:
    return True if next(tables.rows("threads", ("id",)), None) else None
