"""Damage of every kind: rows or Unreadable, nothing else, after a bounded look at pages."""

import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sessidx import sqlite
from sessidx.sqlite import pages, tables, tree
from sessidx.sqlite.pages import Snapshot
from sessidx.sqlite.tables import Tables
from tests.sqlite.random_tables import COLUMNS, made

SEEDS = range(100, 112)
TIMES = 12
PAGE = 4096


class Work:
    """What a question cost: pages read, and bytes of them."""

    def __init__(self) -> None:
        self.pages = 0
        self.bytes = 0


@contextmanager
def counted() -> Iterator[Work]:
    work, page = Work(), Snapshot.page

    def counting(self: Snapshot, number: int) -> bytes:
        found = page(self, number)
        work.pages += 1
        work.bytes += len(found)
        return found

    Snapshot.page = counting  # type: ignore[method-assign]
    try:
        yield work
    finally:
        Snapshot.page = page  # type: ignore[method-assign]


def flip(data: bytearray, chance: random.Random) -> None:
    for _ in range(20):
        data[chance.randrange(len(data))] = chance.randrange(256)


def truncate(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def blank(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    data[at : at + 300] = bytes(len(data[at : at + 300]))


def shuffle(data: bytearray, chance: random.Random) -> None:
    """Two stretches of pages change places."""
    one, other = (chance.randrange(0, len(data), 512) for _ in range(2))
    data[one : one + 512], data[other : other + 512] = (
        data[other : other + 512],
        data[one : one + 512],
    )


def fill(data: bytearray, chance: random.Random) -> None:
    data[100:] = chance.randbytes(max(0, len(data) - 100))


def ask(path: Path, key: "tuple[str, sqlite.Value] | None" = None) -> int:
    """How many rows there are; -1 for a database that cannot be read."""

    def count(tables: Tables) -> int:
        return sum(1 for _ in tables.rows("t", COLUMNS, key))

    try:
        return sqlite.read(str(path), count, 20)
    except sqlite.Unreadable:
        return -1


@pytest.mark.parametrize("how", [flip, truncate, blank, shuffle, fill])
@pytest.mark.parametrize("seed", SEEDS)
def test_damage(tmp_path: Path, seed: int, how: Callable[[bytearray, random.Random], None]) -> None:
    with made(tmp_path, seed) as database:
        path = database.left(tmp_path)
        chance = database.random
        for _ in range(TIMES):
            beside = chance.choice([*tmp_path.glob("left.sqlite*")])
            whole = beside.read_bytes()
            if data := bytearray(whole):
                how(data, chance)
                beside.write_bytes(data)
            for suffix in ("", "-wal"):
                if os.path.exists(f"{path}{suffix}"):
                    os.utime(f"{path}{suffix}", ns=(1, 1))
            ask(path)
            ask(path, ("i", 5))
            beside.write_bytes(whole)


# --- made by hand: what bounds the work


def table(folder: Path, rows: int = 200, padding: int = 900) -> Path:
    path = folder / "t.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        db.execute(f"CREATE TABLE t ({', '.join(COLUMNS)})")
        db.execute("CREATE INDEX by_i ON t (i)")
        db.execute("BEGIN")
        db.executemany("INSERT INTO t (i, v) VALUES (5, ?)", [("x" * padding,)] * rows)
        db.execute("COMMIT")
    os.utime(path, ns=(1, 1))
    return path


def roots(path: Path) -> tuple[int, int]:
    """The root pages of the table and of its index."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
        rows = db.execute("SELECT rootpage FROM sqlite_master ORDER BY type DESC").fetchall()
    return rows[0][0], rows[1][0]


def change(path: Path, number: int, edit: Callable[[bytearray], None]) -> None:
    """Edit one page."""
    with path.open("r+b") as file:
        file.seek((number - 1) * PAGE)
        page = bytearray(file.read(PAGE))
        edit(page)
        file.seek((number - 1) * PAGE)
        file.write(page)
    os.utime(path, ns=(1, 1))


def cells(page: bytearray) -> list[int]:
    return [int.from_bytes(page[at : at + 2], "big") for at in range(12, 12 + 2 * count(page), 2)]


def count(page: bytearray) -> int:
    return int.from_bytes(page[3:5], "big")


def children(number: int) -> Callable[[bytearray], None]:
    """All children of a page are this one."""

    def edit(page: bytearray) -> None:
        for at in (*cells(page), 8):
            page[at : at + 4] = number.to_bytes(4, "big")

    return edit


def test_a_page_below_itself(tmp_path: Path) -> None:
    path = table(tmp_path)
    root, index = roots(path)
    change(path, root, children(root))
    change(path, index, children(index))
    with counted() as work:
        assert ask(path) == ask(path, ("i", 5)) == -1
    assert work.pages < 20


def test_a_page_below_many(tmp_path: Path) -> None:
    path = table(tmp_path)
    root, _ = roots(path)
    with path.open("rb") as file:
        file.seek((root - 1) * PAGE)
        first = int.from_bytes(bytes(bytearray(file.read(PAGE))[8:12]), "big")
    change(path, root, children(first))
    with counted() as work:
        assert ask(path) == -1
    assert work.pages < 20


def test_more_cells_than_there_can_be(tmp_path: Path) -> None:
    path = table(tmp_path)
    root, _ = roots(path)

    def edit(page: bytearray) -> None:
        page[3:5] = b"\xff\xff"

    change(path, root, edit)
    with counted() as work:
        ask(path)
    assert work.pages < 400


def test_overflow_that_leads_to_itself(tmp_path: Path) -> None:
    """Each row is as long as is looked at, all of it on one page: there is an end to that."""
    path = table(tmp_path, rows=20, padding=20_000)

    def edit(page: bytearray) -> None:
        page[:4] = number.to_bytes(4, "big")

    for number in range(3, path.stat().st_size // PAGE + 1):
        with path.open("rb") as file:
            file.seek((number - 1) * PAGE)
            kind = file.read(5)
        if kind[0] == 0 and kind[4:] == b"x":
            change(path, number, edit)
    with counted() as work:
        assert ask(path) in (-1, 20)
    assert 20 * 4 < work.pages < 20 * 8


def test_a_row_that_says_it_is_endless(tmp_path: Path) -> None:
    """A payload of gigabytes, on one page that leads to itself."""
    path = table(tmp_path, rows=1, padding=9000)
    leaf, _ = roots(path)

    def edit(page: bytearray) -> None:
        at = int.from_bytes(page[8:10], "big")
        page[at : at + 9] = b"\xff" * 9

    change(path, leaf, edit)
    with counted() as work:
        ask(path)
    assert work.bytes < 3 * tree.LONGEST


@pytest.mark.parametrize("size", [512, PAGE, 65536])
def test_rows_without_end_on_few_pages(tmp_path: Path, size: int) -> None:
    """All leaves are made of one cell, told as often as a page has room for."""
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {size}")
        db.execute(f"CREATE TABLE t ({', '.join(COLUMNS)})")
        db.execute("BEGIN")
        db.executemany("INSERT INTO t (i, v) VALUES (5, ?)", [("x" * 300,)] * 40_000)
        db.execute("COMMIT")
    data = bytearray(path.read_bytes())
    for at in range(size, len(data), size):
        if data[at] == 13:
            first = data[at + 8 : at + 10]
            many = (int.from_bytes(first, "big") - 8) // 2
            data[at + 3 : at + 5] = many.to_bytes(2, "big")
            data[at + 8 : at + 8 + 2 * many] = first * many
    path.write_bytes(data)
    os.utime(path, ns=(1, 1))
    assert tables.ROWS - 9 < ask(path) < tables.ROWS


def test_a_hole_of_gigabytes(tmp_path: Path) -> None:
    path = table(tmp_path)
    os.truncate(path, 1 << 40)
    os.utime(path, ns=(1, 1))
    with counted() as work:
        assert ask(path) == 200
    assert work.pages < 100


def test_more_pages_than_are_read_for_one_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "BUDGET", 20 * PAGE)
    path = table(tmp_path)
    with counted() as work, pytest.raises(sqlite.Unreadable, match="too large"):
        sqlite.read(str(path), lambda asked: [*asked.rows("t", ("v",))], 20)
    assert work.pages == 20


def test_time_is_up(tmp_path: Path) -> None:
    with pytest.raises(sqlite.Unreadable, match="too long"):
        sqlite.read(str(table(tmp_path)), lambda asked: [*asked.rows("t", ("v",))], 0)


def test_a_long_log_that_no_index_tells_of(tmp_path: Path) -> None:
    """It is followed for a while, no further."""
    path = table(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in ("journal_mode = wal", "wal_autocheckpoint = 0", "synchronous = 0"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("CREATE TABLE large (x)")
        db.execute("BEGIN")
        db.executemany("INSERT INTO large VALUES (zeroblob(?))", [(1 << 20,)] * 70)
        db.execute("COMMIT")
        assert ask(path) == 200
        left = path.with_name("left.sqlite")
        for suffix in ("", "-wal"):
            os.link(f"{path}{suffix}", f"{left}{suffix}")
        with pytest.raises(sqlite.Unreadable, match="-wal is too long"):
            sqlite.read(str(left), lambda asked: [*asked.rows("t", ("v",))], 20)
