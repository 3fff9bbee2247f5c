"""Reading another program's database without touching it.

No way of opening a live database in place leaves its folder alone: SQLite makes or rewrites `-shm`,
and a closing reader may check the `-wal` in. So one with a `-wal` is read from a private copy, and
one without is opened as immutable. What is read is bounded in time, rows and bytes. Must not know
any app's tables.
"""

import os
import stat

from . import output
from .files import open_regular

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from sqlite3 import Connection
    from typing import Any, TypeVar

    Value = str | int | float | None
    Row = tuple[Value, ...]
    T = TypeVar("T")

COPY_LIMIT = 512 * 1024 * 1024
ROWS = 100_000
TEXT = 4096  # of each value, in characters
LONGEST = 4 * 1024 * 1024  # a row that is looked at, in bytes
_TRIES = 8


class Unreadable(Exception):
    """The database cannot be read now; the message says why, in a few words."""


def rows(
    path: str,
    table: str,
    columns: tuple[str, ...],
    make: "Callable[[Row], T]",
    scratch: str | None,
    seconds: float,
) -> "list[T]":
    """What `make` makes of each row of `table` in the database at `path`.

    A row holds a value for each of `columns`: text cut to 4,096 characters (bytes that are not
    UTF-8 as surrogates), None for a blob and for a column that the table lacks. `scratch` is a
    private folder for a copy; no query goes on for longer than `seconds`. Raises Unreadable.
    """
    import sqlite3

    try:
        if _is_hot(path + "-journal"):
            raise Unreadable("it is being written to")
        if not _size(path + "-wal"):
            os.close(open_regular(path)[0])
            before = _mark(path)
            db = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True)
            found = _select(db, table, columns, make, seconds)
            if _mark(path) == before:
                return found
            # A writer came in between: what was read may be torn.
        with _copied(path, scratch) as copy:
            return _select(sqlite3.connect(copy), table, columns, make, seconds)
    except (sqlite3.Error, OSError, ValueError, MemoryError) as error:
        raise Unreadable(str(error) or type(error).__name__) from None


def _select(
    db: "Connection",
    table: str,
    columns: tuple[str, ...],
    make: "Callable[[Row], T]",
    seconds: float,
) -> "list[T]":
    from sqlite3 import SQLITE_LIMIT_LENGTH, DataError, OperationalError
    from time import monotonic

    try:
        end = monotonic() + seconds
        db.set_progress_handler(lambda: monotonic() > end, 10_000)
        db.setlimit(SQLITE_LIMIT_LENGTH, LONGEST)
        db.execute("PRAGMA trusted_schema=OFF")
        db.execute("PRAGMA query_only=ON")
        kind = db.execute("SELECT type FROM sqlite_master WHERE name=?", (table,)).fetchone()
        if kind is None or kind[0] != "table":  # a view could run for ever
            raise Unreadable(f"no table {table}")
        has = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        if has.isdisjoint(columns):
            raise Unreadable(f"table {table} has none of the columns")
        wanted = ", ".join(_cut(column) if column in has else "NULL" for column in columns)
        query = f"SELECT {wanted} FROM {table}"  # noqa: S608  (names of ours alone)
        try:
            return [make(row) for row in db.execute(f"{query} LIMIT {ROWS}")]
        except (OperationalError, DataError):  # it may be text that is not UTF-8
            db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        try:
            return [make(row) for row in db.execute(f"{query} LIMIT {ROWS}")]
        except DataError:  # a row of megabytes: do without it
            return [make(row) for row in _one_by_one(db, query, table)]
    finally:
        db.close()


def _cut(column: str) -> str:
    """A column as it is asked for: no more of a text than TEXT, and no blob."""
    cut = f"substr({column},1,{TEXT})"
    return f"CASE typeof({column}) WHEN 'text' THEN {cut} WHEN 'blob' THEN NULL ELSE {column} END"


def _one_by_one(db: "Connection", query: str, table: str) -> "Iterator[tuple[Any, ...]]":
    from sqlite3 import DataError

    ids = db.execute(f"SELECT rowid FROM {table} NOT INDEXED LIMIT {ROWS}").fetchall()  # noqa: S608
    for (rowid,) in ids:
        try:
            row = db.execute(f"{query} WHERE rowid=?", (rowid,)).fetchone()
        except DataError:
            continue
        if row is not None:
            yield row


def _is_hot(journal: str) -> bool:
    """Whether a rollback journal waits to be played back.

    That is never done, not even on a copy: a journal may name another file, which SQLite then
    reads and deletes.
    """
    try:
        fd, _ = open_regular(journal)
    except OSError:
        return False
    try:
        return os.read(fd, 8).strip(b"\0") != b""
    finally:
        os.close(fd)


class _copied:
    """A private copy of a database and its -wal, consistent, gone on leaving."""

    def __init__(self, path: str, scratch: str | None) -> None:
        self._path = path
        self._scratch = scratch

    def __enter__(self) -> str:
        self._folder = _new_folder(self._scratch)
        copy = os.path.join(self._folder, "copy.sqlite")
        try:
            for _ in range(_TRIES):
                before = _mark(self._path)
                # Database first: while its salts stay, the -wal holds all since its last reset.
                _copy(self._path, copy)
                if _size(self._path + "-wal"):
                    _copy(self._path + "-wal", copy + "-wal")
                if _mark(self._path) == before:
                    return copy
                self._empty()
            raise Unreadable("it is written to all the time")
        except BaseException:
            self.__exit__()
            raise

    def _empty(self) -> None:
        for name in os.listdir(self._folder):
            os.unlink(os.path.join(self._folder, name))

    def __exit__(self, *error: object) -> None:
        self._empty()
        os.rmdir(self._folder)


def _mark(path: str) -> tuple[object, ...]:
    """What changes when a copy taken meanwhile may be torn: the -wal's salts, else the file itself."""
    try:
        fd, _ = open_regular(path + "-wal")
        try:
            header = os.pread(fd, 32, 0)
        finally:
            os.close(fd)
        if header:
            return ("wal", header[12:24])
    except OSError:
        pass
    status = os.stat(path, follow_symlinks=False)
    return (status.st_ino, status.st_size, status.st_mtime_ns)


def _copy(path: str, to: str) -> None:
    source, size = open_regular(path)
    try:
        if size > COPY_LIMIT:
            raise Unreadable(f"larger than {COPY_LIMIT >> 20} MiB")
        target = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            for block in _blocks(source, size):
                output.write(target, block)
        finally:
            os.close(target)
    finally:
        os.close(source)


def _blocks(fd: int, size: int) -> "Iterator[bytes]":
    offset = 0
    while offset < size and (block := os.pread(fd, min(1 << 20, size - offset), offset)):
        yield block
        offset += len(block)


def _size(path: str) -> int:
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _new_folder(scratch: str | None) -> str:
    if scratch is None:
        from tempfile import mkdtemp

        return mkdtemp(prefix="sessidx-")
    from time import time_ns

    # By hand where the folder is ours alone: tempfile takes as long to load as all of a plain call.
    folder = os.path.join(scratch, f"db-{os.getpid()}-{time_ns()}")
    os.mkdir(folder, 0o700)
    return folder


def _quoted(path: str) -> str:
    """`path` in a URI, by hand: urllib.parse takes a seventh of a plain call to load."""
    return "".join(f"%{byte:02X}" for byte in os.fsencode(path))
