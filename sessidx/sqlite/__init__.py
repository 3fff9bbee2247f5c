"""Rows of another program's SQLite database, while it runs, with nothing but reads.

SQLite itself cannot open a live database without touching its folder, and a copy of gigabytes
takes half a minute. So the file, its -wal and its -shm are read here, with pread: nothing is
locked, mapped, made or changed, and a database costs the pages of what is asked for. All that one
`read` gives is of one commit; what a writer got in the way of is read again. Must not know any
app's tables.
"""

import os

from ..files import mark

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from .pages import Snapshot
    from .tables import Tables

    Value = str | int | float | None
    Row = tuple[Value, ...]
    T = TypeVar("T")

_WAIT = 5  # times as long as it may work
_HOT = 5  # times that a journal is found before it counts as one that a crash left


class Unreadable(Exception):
    """The database cannot be read now; the message says why, in a few words."""


class Torn(Exception):
    """What was read is malformed, or of no one commit."""


class Changed(Torn):
    """A writer got in the way."""


class Hot(Changed):
    """A rollback journal stands: a writer is at work, or died."""


def read(path: str, ask: "Callable[[Tables], T]", seconds: float) -> "T":
    """What `ask` makes of the tables of the database at `path`, all as of one commit.

    A writer may have it called again, from the beginning: what it gathers must be made inside it,
    and what it raises counts only once its rows are proved. Raises Unreadable, at the latest when
    it took so many `seconds` of the processor, or five times as many by the clock.
    """
    database = Database(path)
    try:
        return database.read(ask, seconds)
    finally:
        database.close()


class Database:
    """The database at `path`, asked many questions: as long as nobody writes, its commit is found once.

    What each question gives is of one commit, the last one as it was asked or a later one.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._held: tuple[Snapshot, Tables] | None = None

    def close(self) -> None:
        """Let go of it; it may be asked again all the same."""
        if self._held:
            self._held[0].close()
            self._held = None

    def read(self, ask: "Callable[[Tables], T]", seconds: float) -> "T":
        """As the function of that name."""
        from time import monotonic, process_time, sleep

        begun, worked = monotonic(), process_time()

        def is_late() -> bool:
            passed = monotonic() - begun
            return passed > seconds and max(process_time() - worked, passed / _WAIT) > seconds

        tries = hot = 0
        while True:
            try:  # in turns by its -shm, which may be an old one
                return self._answer(ask, is_late, trust=tries % 2 == 0)
            except Changed as error:
                hot += isinstance(error, Hot)
                if hot == _HOT or monotonic() - begun > seconds:
                    raise Unreadable(str(error)) from None
            tries += 1
            sleep(min(0.05, 0.002 * 2**tries))

    def _answer(
        self, ask: "Callable[[Tables], T]", is_late: "Callable[[], bool]", *, trust: bool
    ) -> "T":
        """What `ask` makes of one commit; Changed when it was none, or may have been none."""
        is_done = False
        try:
            snapshot, tables = self._opened(is_late, trust=trust)
            found = ask(tables)
            snapshot.prove()
            is_done = True
            return found
        except (Changed, Unreadable):
            raise
        except OSError as error:
            raise Unreadable(error.strerror or str(error)) from None
        except Exception as error:  # of pages that are not proved anything may come
            if not self._stands():
                raise Changed(str(error) or "malformed") from None
            if isinstance(error, Torn):
                raise Unreadable(str(error)) from None
            raise
        finally:
            if not is_done:
                self.close()

    def _opened(self, is_late: "Callable[[], bool]", *, trust: bool) -> "tuple[Snapshot, Tables]":
        """The last commit and its tables; with `trust` by the -shm, which may be an old one."""
        from .pages import Snapshot
        from .tables import Tables

        if self._held and self._held[0].goes_on(is_late):
            self._held[1].ask_again()
            return self._held
        self.close()
        snapshot = Snapshot(real(self._path), is_late)
        self._held = snapshot, Tables(snapshot)
        snapshot.begin(trust=trust)
        return self._held

    def _stands(self) -> bool:
        return self._held is not None and self._held[0].stands()


def real(path: str) -> str:
    """Where the database at `path` lies: a store's own link is followed, once.

    SQLite has a -wal and a -journal beside the file that the link leads to.
    """
    try:
        return os.path.join(os.path.dirname(path), os.readlink(path))
    except OSError:
        return path


def stamp(path: str) -> str:
    """How the database at `path`, its -wal and its -journal stand: equal means unchanged."""
    path = real(path)
    return ";".join([_mark(path + suffix) for suffix in ("", "-wal", "-journal")])


def _mark(path: str) -> str:
    try:
        return mark(path)
    except OSError:
        return "?"  # it is there, and not to be looked at
