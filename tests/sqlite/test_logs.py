"""What lies beside a database decides what is in it: -wal, -shm and -journal in every state.

SQLite is asked on a copy of its own; it makes the -shm anew and may play a journal back.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sessidx import sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sessidx.sqlite.tables import Tables

HEADER, FRAME, PAGE = 32, 24, 4096
STEP = FRAME + PAGE
ALL = ("", "-wal", "-shm", "-journal")

Found = list[object] | str


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """An app at work on a table of its own."""
    (tmp_path / "app").mkdir()
    with closing(sqlite3.connect(tmp_path / "app" / "a.sqlite", isolation_level=None)) as db:
        db.execute("PRAGMA wal_autocheckpoint = 0")
        yield db


def in_log(db: sqlite3.Connection) -> None:
    """Three commits that stand in the -wal alone."""
    db.execute("PRAGMA journal_mode = wal")
    db.execute("CREATE TABLE t (a)")
    for number in range(3):
        db.execute("INSERT INTO t VALUES (?)", (number,))


def left(folder: Path, *suffixes: str) -> Path:
    """What a killed process leaves: the file and what of these lies beside it, of long ago."""
    path = folder / "left.sqlite"
    for suffix in ALL:
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    for suffix in ("", *suffixes):
        shutil.copyfile(f"{folder}/app/a.sqlite{suffix}", f"{path}{suffix}")
        os.utime(f"{path}{suffix}", ns=(1, 1))
    return path


def change(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def beside(path: Path, suffix: str) -> Path:
    return Path(f"{path}{suffix}")


def ours(path: Path) -> Found:
    def ask(tables: "Tables") -> list[object]:
        return [row[0] for row in tables.rows("t", ("a",))]

    before = {suffix: content(beside(path, suffix)) for suffix in ALL}
    try:
        return sqlite.read(str(path), ask, 1)
    except sqlite.Unreadable:
        return "unreadable"
    finally:
        assert {suffix: content(beside(path, suffix)) for suffix in ALL} == before


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def theirs(path: Path) -> Found:
    """What SQLite makes of a copy."""
    copy = path.parent / "copy" / path.name
    shutil.rmtree(copy.parent, ignore_errors=True)
    copy.parent.mkdir()
    for suffix in ("", "-wal", "-journal"):
        if beside(path, suffix).exists():
            shutil.copyfile(beside(path, suffix), beside(copy, suffix))
    try:
        with closing(sqlite3.connect(copy)) as db:
            return [row[0] for row in db.execute("SELECT a FROM t ORDER BY rowid")]
    except sqlite3.Error:
        return "unreadable"


def cut(path: Path, to: int) -> None:
    os.truncate(path, path.stat().st_size + to if to < 0 else to)


LOGS: dict[str, tuple[tuple[str, ...], Callable[[Path], object]]] = {
    "whole": (("-wal", "-shm"), lambda path: None),
    "no -shm": (("-wal",), lambda path: None),
    "cut in its last frame": (("-wal",), lambda path: cut(beside(path, "-wal"), -100)),
    "cut in its header": (("-wal",), lambda path: cut(beside(path, "-wal"), 20)),
    "empty": (("-wal",), lambda path: cut(beside(path, "-wal"), 0)),
    "garbage": (("-wal",), lambda path: beside(path, "-wal").write_bytes(b"\x91\x07" * 9000)),
    "zeros": (("-wal",), lambda path: beside(path, "-wal").write_bytes(bytes(20_000))),
    "another salt in a frame": (
        ("-wal",),
        lambda path: change(beside(path, "-wal"), HEADER + 3 * STEP + 9, b"\7"),
    ),
    "another byte in a page": (
        ("-wal",),
        lambda path: change(beside(path, "-wal"), HEADER + 3 * STEP + 2000, b"\7\7\7"),
    ),
    "another format": (("-wal",), lambda path: change(beside(path, "-wal"), 4, b"\0\0\0\1")),
    "another magic number": (("-wal",), lambda path: change(beside(path, "-wal"), 0, b"\x38")),
    "another page size": (
        ("-wal",),
        lambda path: change(beside(path, "-wal"), 8, (8192).to_bytes(4, "big")),
    ),
    "-shm of garbage": (
        ("-wal", "-shm"),
        lambda path: beside(path, "-shm").write_bytes(b"\x91\x07\3" * 9000),
    ),
    "-shm of zeros": (("-wal", "-shm"), lambda path: beside(path, "-shm").write_bytes(bytes(9000))),
    "-shm cut": (("-wal", "-shm"), lambda path: cut(beside(path, "-shm"), 140)),
    "a folder for a -shm": (("-wal",), lambda path: beside(path, "-shm").mkdir()),
    "-shm that names another page": (
        ("-wal", "-shm"),
        lambda path: change(beside(path, "-shm"), 136, b"\7\7\0\0"),
    ),
}


@pytest.mark.parametrize(("suffixes", "damage"), LOGS.values(), ids=LOGS)
def test_a_log(
    db: sqlite3.Connection,
    tmp_path: Path,
    suffixes: tuple[str, ...],
    damage: Callable[[Path], object],
) -> None:
    in_log(db)
    path = left(tmp_path, *suffixes)
    damage(path)
    assert ours(path) == theirs(path)


def test_a_second_generation_over_a_longer_first(db: sqlite3.Connection, tmp_path: Path) -> None:
    in_log(db)
    first = left(tmp_path, "-wal", "-shm")
    old = {suffix: beside(first, suffix).read_bytes() for suffix in ("-wal", "-shm")}
    db.execute("PRAGMA wal_checkpoint(restart)")
    db.execute("INSERT INTO t VALUES ('second')")
    expected = [0, 1, 2, "second"]
    for suffixes in (("-wal", "-shm"), ("-wal",)):
        assert ours(left(tmp_path, *suffixes)) == expected
    path = left(tmp_path, "-wal")
    beside(path, "-shm").write_bytes(old["-shm"])  # of the generation before
    assert ours(path) == expected
    path = left(tmp_path)
    beside(path, "-wal").write_bytes(old["-wal"])
    os.utime(beside(path, "-wal"), ns=(1, 1))
    assert ours(path) == theirs(path)


def test_an_old_index_of_the_same_generation(db: sqlite3.Connection, tmp_path: Path) -> None:
    """What it does not tell of was committed, and checked in: a loss of power leaves that."""
    in_log(db)
    old = beside(left(tmp_path, "-wal", "-shm"), "-shm").read_bytes()
    db.execute("INSERT INTO t VALUES ('after that')")
    for checkpoint in (False, True):
        if checkpoint:
            db.execute("PRAGMA wal_checkpoint(passive)")
        path = left(tmp_path, "-wal")
        beside(path, "-shm").write_bytes(old)
        assert ours(path) == [0, 1, 2, "after that"]


def test_what_is_not_committed(db: sqlite3.Connection, tmp_path: Path) -> None:
    in_log(db)
    db.execute("PRAGMA cache_size = 5")
    db.execute("BEGIN")
    db.execute("INSERT INTO t VALUES ('not yet')")
    db.execute("CREATE TABLE large (x)")
    db.executemany("INSERT INTO large VALUES (?)", [("x" * 3000,)] * 300)
    assert beside(tmp_path / "app" / "a.sqlite", "-wal").stat().st_size > 300 * PAGE
    for suffixes in (("-wal", "-shm"), ("-wal",)):
        assert ours(left(tmp_path, *suffixes)) == [0, 1, 2]
    db.execute("ROLLBACK")
    db.execute("INSERT INTO t VALUES ('short')")
    for suffixes in (("-wal", "-shm"), ("-wal",)):
        assert ours(left(tmp_path, *suffixes)) == [0, 1, 2, "short"]


def checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """As the documents tell it, a pair of words at a time."""
    one, two = sums
    for at in range(0, len(data), 8):
        first, second = (data[at + i : at + i + 4] for i in (0, 4))
        one = (one + int.from_bytes(first, order) + two) & 0xFFFFFFFF  # type: ignore[arg-type]
        two = (two + int.from_bytes(second, order) + one) & 0xFFFFFFFF  # type: ignore[arg-type]
    return one, two


@pytest.mark.parametrize("order", ["big", "little"])
def test_either_order_of_checksums(db: sqlite3.Connection, tmp_path: Path, order: str) -> None:
    """A machine of the other kind writes the other; each reads both."""
    in_log(db)
    path = left(tmp_path, "-wal")
    data = bytearray(beside(path, "-wal").read_bytes())
    data[3] = 0x83 if order == "big" else 0x82

    def put(at: int, sums: tuple[int, int]) -> None:
        data[at : at + 8] = b"".join(one.to_bytes(4, "big") for one in sums)

    sums = checksum(bytes(data[:24]), (0, 0), order)
    put(24, sums)
    for at in range(HEADER, len(data), STEP):
        sums = checksum(bytes(data[at : at + 8] + data[at + FRAME : at + STEP]), sums, order)
        put(at + 16, sums)
    beside(path, "-wal").write_bytes(data)
    assert ours(path) == theirs(path) == [0, 1, 2]


def half_done(db: sqlite3.Connection) -> None:
    """In the middle of a change, with a journal that would undo it."""
    db.execute("PRAGMA cache_size = 2")
    db.execute("BEGIN")
    db.execute("UPDATE t SET a = 'half done'")
    db.execute("CREATE TABLE large (x)")
    db.executemany("INSERT INTO large VALUES (?)", [("x" * 3000,)] * 100)


@pytest.mark.parametrize("mode", ["DELETE", "TRUNCATE", "PERSIST"])
def test_journals(db: sqlite3.Connection, tmp_path: Path, mode: str) -> None:
    db.execute(f"PRAGMA journal_mode = {mode}")
    db.execute("CREATE TABLE t (a)")
    db.execute("INSERT INTO t VALUES (1)")
    suffixes = [s for s in ("-journal",) if beside(tmp_path / "app" / "a.sqlite", s).exists()]
    assert ours(left(tmp_path, *suffixes)) == [1]
    half_done(db)
    path = left(tmp_path, "-journal")
    assert ours(path) == "unreadable"
    assert theirs(path) == [1]
    db.execute("ROLLBACK")
    suffixes = [s for s in ("-journal",) if beside(tmp_path / "app" / "a.sqlite", s).exists()]
    assert ours(left(tmp_path, *suffixes)) == [1]


def instead(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def made(path: Path) -> None:
        path.rename(f"{path}.away")
        make(path)

    return made


def link_to_a_link(path: Path) -> None:
    Path(f"{path}.link").symlink_to(f"{path}.away")
    path.symlink_to(f"{path}.link")


NOTHING: dict[str, Callable[[Path], object]] = {
    "nothing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "fifty bytes": lambda path: cut(path, 50),
    "text": lambda path: path.write_text("no database\n" * 500),
    "a folder": instead(Path.mkdir),
    "a pipe": instead(os.mkfifo),
    "a device": instead(lambda path: os.symlink("/dev/zero", path)),
    "a link to a link": instead(link_to_a_link),
}


@pytest.mark.parametrize("make", NOTHING.values(), ids=NOTHING)
def test_no_database(
    db: sqlite3.Connection, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    db.execute("CREATE TABLE t (a)")
    path = left(tmp_path)
    make(path)
    with pytest.raises(sqlite.Unreadable):
        sqlite.read(str(path), lambda tables: [*tables.rows("t", ("a",))], 1)


def test_a_link_to_a_database(db: sqlite3.Connection, tmp_path: Path) -> None:
    """SQLite keeps the -wal beside what the link leads to."""
    in_log(db)
    target = left(tmp_path, "-wal", "-shm")
    link = tmp_path / "store" / "link.sqlite"
    link.parent.mkdir()
    link.symlink_to(f"../{target.name}")
    assert ours(link) == [0, 1, 2]
    before = sqlite.stamp(str(link))
    assert before == sqlite.stamp(str(target)) != sqlite.stamp(f"{target}.none")
    with beside(target, "-wal").open("ab") as file:
        file.write(b"more")
    assert sqlite.stamp(str(link)) != before
