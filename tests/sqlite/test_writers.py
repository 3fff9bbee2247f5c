"""A writer that gets in between two pages: all that is read is of one commit, or is read again."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sessidx import sqlite
from sessidx.sqlite.pages import Snapshot
from sessidx.sqlite.tables import Tables
from tests.sqlite.torture import MODES, Counted, torture, watched

ROWS = 60
PLACES = (1, 2, 4, 9, 14, 20)  # before which page the writer comes, of some twenty
READS = 25


class App:
    """Rows that all bear the number of the last commit."""

    def __init__(self, path: Path, mode: str) -> None:
        self.path, self.mode, self.mark = path, mode, 0
        self.open()
        self.db.execute("CREATE TABLE t (mark, padding)")
        self.db.execute("CREATE TABLE told (mark, count)")
        self.db.execute("CREATE TABLE other (x)")
        self.db.execute("INSERT INTO told VALUES (0, 0)")
        self.more()

    def open(self) -> None:
        self.db = sqlite3.connect(self.path, isolation_level=None)
        for pragma in (
            "page_size = 512",
            f"journal_mode = {self.mode}",
            "wal_autocheckpoint = 0",
            "synchronous = 0",
        ):
            self.db.execute(f"PRAGMA {pragma}")

    def commit(self) -> None:
        self.mark += 1
        self.db.execute("BEGIN")
        self.db.execute("UPDATE t SET mark = ?", (self.mark,))
        self.db.execute("UPDATE told SET mark = ?", (self.mark,))
        self.db.execute("COMMIT")

    def more(self) -> None:
        """As many rows again, on pages that have been free."""
        self.mark += 1
        self.db.execute("BEGIN")
        rows = [("x" * 150,)] * ROWS
        self.db.executemany("INSERT INTO t (padding) VALUES (?)", rows)
        self.db.execute("DELETE FROM t WHERE rowid % 2 AND mark IS NOT NULL")
        self.db.execute("UPDATE t SET mark = ?", (self.mark,))
        self.db.execute("UPDATE told SET mark = ?, count = (SELECT count(*) FROM t)", (self.mark,))
        self.db.execute("COMMIT")

    def checkpoint(self, how: str) -> None:
        self.db.execute(f"PRAGMA wal_checkpoint({how})")

    def rest(self) -> None:
        """All stands in the file, but for what is of no matter."""
        if self.mode == "wal":
            self.checkpoint("truncate")
        self.db.execute("INSERT INTO other VALUES (1)")

    def reopen(self) -> None:
        """The last to close takes the -wal away."""
        self.db.close()
        self.open()


def checked_in(how: str) -> Callable[[App], None]:
    def write(app: App) -> None:
        app.commit()
        app.checkpoint(how)

    return write


def over_again(app: App) -> None:
    """Two generations: the second lies over the first, and is checked in, too."""
    for _ in range(2):
        app.more()
        app.checkpoint("restart")
    app.commit()


def closed(app: App) -> None:
    app.commit()
    app.reopen()
    app.commit()


def vacuumed(app: App) -> None:
    app.more()
    app.db.execute("VACUUM")
    if app.mode == "wal":
        app.checkpoint("truncate")


WRITES = {
    **{how: ("wal", checked_in(how)) for how in ("passive", "full", "restart", "truncate")},
    **{
        f"{write.__name__}, {mode}": (mode, write)
        for mode in ("wal", "delete", "truncate", "persist", "memory", "off")
        for write in (App.commit, App.more, closed, vacuumed)
    },
    "over again": ("wal", over_again),
}
# What goes to the -wal alone does no harm to who knows which of its frames are his.
HARMLESS = ("commit, wal", "more, wal")


@contextmanager
def before_page(number: int, write: Callable[[], None]) -> Iterator[None]:
    """Have `write` done once, when so many pages have been read."""
    page, left = Snapshot.page, number

    def counted(self: Snapshot, wanted: int) -> bytes:
        nonlocal left
        left -= 1
        if left == 0:
            write()
        return page(self, wanted)

    Snapshot.page = counted  # type: ignore[method-assign,assignment]
    try:
        yield
        assert left <= 0
    finally:
        Snapshot.page = page  # type: ignore[method-assign]


def ask(tables: Tables) -> bool:
    """Whether all rows are there and bear the same mark, by what is told of them."""
    rows = [*tables.rows("t", ("mark", "padding"))]
    told = [*tables.rows("told", ("mark", "count"))]
    return told == [(rows[0][0], len(rows))] and len({row[0] for row in rows}) == 1


def wrong(
    path: Path, mode: str, write: Callable[[App], None], *, shared: bool = True, proved: bool = True
) -> list[int]:
    """The places where the writer made that what was read is of no one commit."""
    app, found = App(path, mode), []
    with watched(Counted(), shared=shared, proved=proved):
        for place in PLACES:
            app.rest()
            with before_page(place, lambda: write(app)):
                try:
                    whole = sqlite.read(str(path), ask, 5)
                except (sqlite.Unreadable, IndexError):
                    whole = False
            if not whole:
                found.append(place)
    app.db.close()
    return found


@pytest.mark.parametrize("name", WRITES)
def test_between_two_pages(tmp_path: Path, name: str) -> None:
    mode, write = WRITES[name]
    assert wrong(tmp_path / "app.sqlite", mode, write) == []


@pytest.mark.parametrize("name", [name for name in WRITES if WRITES[name][0] == "wal"])
def test_without_the_index_of_the_log(tmp_path: Path, name: str) -> None:
    mode, write = WRITES[name]
    assert wrong(tmp_path / "app.sqlite", mode, write, shared=False) == []


@pytest.mark.parametrize("name", [name for name in WRITES if name not in HARMLESS])
def test_without_the_proof_it_would_be_wrong(tmp_path: Path, name: str) -> None:
    mode, write = WRITES[name]
    assert wrong(tmp_path / "app.sqlite", mode, write, proved=False) != []


@pytest.mark.parametrize(("mode", "shared"), MODES)
def test_a_writer_that_never_rests(tmp_path: Path, mode: str, shared: bool) -> None:
    """The same by chance, with a writer in a process of its own; `python -m tests.sqlite` goes on longer."""
    counted = torture(tmp_path / "t.sqlite", mode, shared=shared, reads=READS, seconds=60)
    assert counted.wrong == []
    assert counted.reads == READS
