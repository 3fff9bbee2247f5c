"""Codex's state database and its name list: which one is in use, and what it knows of each thread.

The database is the highest-numbered state_N.sqlite that can be read and has rows, in the folder
that config.toml's sqlite_home, else CODEX_SQLITE_HOME, else the home names. Seen: migrations 17
(0.105) to 64 (0.171), each with other columns; `id` is a key in all.
"""

import os
from sys import getsizeof

from ... import jsonl, paths, sqlite
from ...files import GONE, mark, open_regular, whole
from ...jsonl import parse
from ...session import SUBAGENT
from ...text import one_line
from .titles import REQUEST, request

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import TypeVar

    from ...session import Record, Session
    from ...sqlite import Row, Value
    from ...sqlite.tables import Tables

    T = TypeVar("T")

_CONFIG_LIMIT = 1 << 20
_NAMES_LIMIT = 16 << 20
_NAMES_PARSED = 8 << 20  # bytes of it, at most; a name counts for some besides its line
_NAME_COSTS = 128
_MUCH = 1 << 20  # bytes, for which a quicker parser is worth its loading
_DATABASES = 8  # of the highest numbers
_SECONDS = 2.0  # for all of them together
_LOOKUPS = 8  # threads that are looked up one by one before all are read
_ROOM = 16 << 20  # bytes of the rows that are kept, some 20,000; of others a digest
_ROW = 400  # bytes of one, besides its texts
_FAR = 50  # pages of the database to each thread, from which on each is looked up
_TEXTS = ("name", "title", "first_user_message", "preview")
_REPEATED = ("cwd", "source", "sandbox_policy")  # long, and the same in many rows
_COLUMNS = (
    *_TEXTS,
    *_REPEATED,
    "id",
    "thread_source",
    "attached_thread_parent_id",
    "git_branch",
    "model",
    "reasoning_effort",
    "approval_mode",
    "recency_at_ms",
    "updated_at_ms",
    "updated_at",
    "model_provider",
    "rollout_path",
)
_REPEAT, _REST = len(_TEXTS), len(_TEXTS) + len(_REPEATED)
_TITLE = 400  # characters of a text that a title may need
_AT = {column: number for number, column in enumerate(_COLUMNS)}


class Known:
    """What is known of one thread besides its rollout: the row as it is, cut short, and its name.

    A row is cleaned only when its session is read again: there may be many thousands. `held`: texts
    that many rows share.
    """

    __slots__ = ("_row", "name")

    def __init__(self, row: "Row" = (), held: "dict[Value, Value] | None" = None) -> None:
        texts, repeated, rest = row[:_REPEAT], row[_REPEAT:_REST], row[_REST:-1]
        if held is not None:
            repeated = tuple([held.setdefault(value, value) for value in repeated])
        self._row = (*_short(texts), *repeated, *rest, *map(_name, row[-1:]))
        self.name = one_line(self.get("name"))

    @property
    def in_database(self) -> bool:
        return bool(self._row)

    @property
    def size(self) -> int:
        """Bytes that it takes, at most."""
        return _ROW + sum(map(getsizeof, self._row[:_REST]))

    def digest(self) -> int:
        """A number that changes when anything of the row does."""
        from zlib import crc32

        return crc32(repr(self._row).encode("utf-8", "surrogatepass"))

    def title(self, prompt: str | None = None) -> str | None:
        """What Codex calls the thread; `prompt` is what was typed first in its rollout."""
        return (
            self.name
            or request(self.get("title"))
            or prompt
            or request(self.get("first_user_message"))
            or request(self.get("preview"))
        )

    def get(self, column: str) -> "Value":
        """The raw value of a column, None where the row or the table has none."""
        return self._row[_AT[column]] if self._row else None


def _short(texts: "Row") -> "Row":
    """What a title may need of the texts, which stand in the order in which one is taken."""
    kept: list[Value] = []
    for text in texts:
        if isinstance(text, str) and len(text) >= _TITLE:
            text = (request(text) or "") if REQUEST in text else text[:_TITLE]
        kept.append(text)
    title = kept[1] if kept else None
    if isinstance(title, str) and title.strip() and title.isascii() and title.isprintable():
        kept[2:] = [None, None]
    return tuple(kept)


def _name(value: "Value") -> "Value":
    """A path's last part: the rollouts themselves are looked for, no path of a row is followed."""
    return value.rpartition("/")[2] if isinstance(value, str) else value


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
        from zlib import crc32

        row = self._rows.digests.get(thread)
        if row is None:
            known = self.get(thread)
            row = known.digest() if known and known.in_database else 0
        name = self._names.get(thread) or ""
        return f"{crc32(name.encode('utf-8', 'surrogatepass'), row):x}" if row or name else ""

    def _first(self, ask: "Callable[[Tables], T | None]") -> "T | None":
        """What is found in the first database that can be read and has rows."""
        from time import monotonic

        deadline = monotonic() + _SECONDS
        where = folder(self._root)
        try:
            names = databases(where)[:_DATABASES]
        except OSError as error:
            failures[self._root] = str(error.strerror)
            return None
        for _, name in names:
            path = os.path.join(where, name)
            try:
                found = sqlite.read(path, ask, max(0.0, deadline - monotonic()))
            except sqlite.Unreadable as error:
                failures.setdefault(self._root, f"{name}: {error}")
                continue
            if found is not None:
                failures.pop(self._root, None)
                self._path = path
                return found
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
        for row in tables.rows("threads", _COLUMNS, among=among, last_first=True):
            rows.take(row)
        if tables.left <= 0:
            rows.missing.clear()
        return rows if rows.kept or _has_rows(tables) else None

    def _read_names(self) -> dict[str, str]:
        """The last name of each thread in session_index.jsonl; a blank one is none."""
        names: dict[str, str] = {}
        try:
            for line in _named(os.path.join(self._root, "session_index.jsonl")):
                record = parse(line) or {}
                thread, name = record.get("id"), one_line(record.get("thread_name"))
                if isinstance(thread, str) and name:
                    names.setdefault(thread, name)
        except OSError as error:
            if error.errno and not isinstance(error, GONE):
                failures.setdefault(self._root, f"session_index.jsonl: {error.strerror}")
        return names


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
        thread = str(row[_AT["id"]])
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
        return next(tables.rows("threads", _COLUMNS, ("id", thread)), None)
    except sqlite.Torn:
        among = ("id", (thread,))
        return next(tables.rows("threads", _COLUMNS, among=among, last_first=True), None)


def _has_rows(tables: "Tables") -> bool | None:
    return True if next(tables.rows("threads", ("id",)), None) else None


def remembered(session: "Session", known: Known | None) -> Known:
    """What the index knows of a session, while the database cannot be read; `known`: what else is."""
    if known is None or not known.in_database:
        told = {
            "cwd": session.cwd,
            "git_branch": session.branch,
            "model": session.model,
            "reasoning_effort": session.effort,
            "attached_thread_parent_id": session.origin if session.origin == SUBAGENT else None,
        }
        name = known.name if known else None
        known = Known(tuple(told.get(column) for column in _COLUMNS))
        known.name = name
    known.name = known.name or session.title
    return known


def stamp(root: str) -> str:
    """How database, -wal, name list and configuration stand: equal means unchanged."""
    where = folder(root)
    marks = [where if where != root else ""]
    try:
        for number, name in databases(where)[:_DATABASES]:
            marks.append(f"{number}={sqlite.stamp(os.path.join(where, name))}")
        marks.append(mark(os.path.join(root, "session_index.jsonl")))
    except OSError:
        marks.append("?")
    return ",".join(marks)


def folder(root: str) -> str:
    """The folder of the databases; a relative sqlite_home counts from `root`."""
    try:
        told = config(root)
    except OSError:
        told = b""
    if b"sqlite_home" in told:
        chosen = (parsed(told) or {}).get("sqlite_home")
        if isinstance(chosen, str) and chosen and "\0" not in chosen:
            return os.path.join(root, os.path.expanduser(chosen))
    chosen = (paths.setting(paths.CODEX_DATABASES) or "").strip()
    return os.path.abspath(chosen) if chosen else root


def config(root: str) -> bytes:
    """All of config.toml; OSError when it cannot be read, or is longer than any that people write."""
    return whole(os.path.join(root, "config.toml"), _CONFIG_LIMIT)


def parsed(config: bytes) -> "Record | None":
    """What config.toml says, None when that is not to be understood."""
    import tomllib

    try:
        return tomllib.loads(config.decode())
    except (ValueError, RecursionError):
        return None


def databases(where: str) -> list[tuple[int, str]]:
    """The state databases in the folder `where`: number and name, highest first.

    OSError when it is there and cannot be read.
    """
    try:
        names = os.listdir(where)
    except GONE:
        return []
    found = []
    for name in names:
        number = name.removeprefix("state_").removesuffix(".sqlite")
        if name == f"state_{number}.sqlite" and number.isascii() and number.isdigit():
            found.append((int(number[:9]), name))
    return sorted(found, reverse=True)


def _named(path: str) -> "Iterator[bytes]":
    """The lines of the list at `path` that may name a thread, from its end; not too many to parse."""
    from ...blocks import backward

    fd, size = open_regular(path)
    left = _NAMES_PARSED
    try:
        if size > _MUCH:
            jsonl.expect_much()
        for block in backward(fd, size, max(0, size - _NAMES_LIMIT)):
            for start, end in block.lines((b'"thread_name"',)):
                left -= end - start + _NAME_COSTS
                if left < 0:
                    return
                yield block.data[start:end]
    finally:
        os.close(fd)
