"""Files in the place of a state database, and databases made to take for ever or all memory."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.look import clis, listed, name_of_one, only
from tests.cases.threads import create, database, insert, path_of, thread, writer
from tests.warm import Ran, sf

CWD = "/srv/shop"
A = codex.thread_id(1)
FIRST = "First prompt"


def damaged(path: Path, offset: int, junk: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[offset : offset + len(junk)] = junk
    path.write_bytes(data)


def hole(path: Path, keep: int | None = None) -> None:
    """Three gigabytes that take no room."""
    os.truncate(path, path.stat().st_size if keep is None else keep)
    os.truncate(path, 3 << 30)


NO_DATABASES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("not a database\n" * 500),
    "only a header": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "cut inside a page": lambda path: path.write_bytes(path.read_bytes()[:4097]),
    "zeros": lambda path: path.write_bytes(b"\0" * 9000),
    "another page size": lambda path: damaged(path, 16, b"\x00\x07"),
    "a broken schema": lambda path: damaged(path, 200, os.urandom(3000)),
    "a broken table": lambda path: damaged(path, 4096, os.urandom(4096)),
    "of a later format": lambda path: damaged(path, 18, b"\x09\x09"),
    "grown with a hole": hole,
    "nothing but a hole": lambda path: hole(path, keep=0),
}


@pytest.mark.parametrize("make", NO_DATABASES.values(), ids=NO_DATABASES)
@pytest.mark.parametrize("log", [False, True])
def test_a_file_that_is_no_such_database(
    rollout: Path, make: Callable[[Path], object], log: bool
) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    make(path)
    if log:
        Path(f"{path}-wal").write_bytes(b"x" * 5000)
    assert name_of_one(rollout) in (FIRST, "Named")
    assert only(rollout)["id"] == A


def test_a_huge_log(rollout: Path) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    with Path(f"{path}-wal").open("wb") as file:
        file.truncate(3 << 30)
    assert name_of_one(rollout) in (FIRST, "Named")


ENDLESS = "WITH RECURSIVE t(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM t) SELECT id, 'x' AS title FROM t"
HUGE = "(hex(zeroblob(90000000)))"
TABLES = {
    "no table": ("CREATE TABLE other (id)",),
    "no columns of ours": ("CREATE TABLE threads (x, y)",),
    "a view that never ends": (f"CREATE VIEW threads AS {ENDLESS}",),
    "a view that finds nothing": (f"CREATE VIEW threads AS {ENDLESS} WHERE id < 0",),
    "made-up columns": (
        f"CREATE TABLE threads (id, name AS {HUGE})",
        "INSERT INTO threads(id) VALUES (1)",
    ),
    "an expression in an index": (
        "CREATE TABLE threads (id, name)",
        "CREATE INDEX i ON threads (hex(name))",
    ),
    "a trigger": (
        "CREATE TABLE threads (id, name)",
        "CREATE TRIGGER t AFTER INSERT ON threads BEGIN DELETE FROM threads; END",
    ),
    "a virtual table": ("CREATE VIRTUAL TABLE threads USING fts5(id, name)",),
    "keywords for names": ('CREATE TABLE threads ("select", "from", id)',),
    "without row ids": ("CREATE TABLE threads (id PRIMARY KEY, name) WITHOUT ROWID",),
    "strict": ("CREATE TABLE threads (id TEXT, name ANY) STRICT",),
    "many columns": (f"CREATE TABLE threads ({','.join(f'c{n}' for n in range(1999))}, id)",),
}


@pytest.mark.parametrize("statements", TABLES.values(), ids=TABLES)
def test_hostile_tables(rollout: Path, statements: tuple[str, ...]) -> None:
    with writer(path_of(rollout)) as db:
        for statement in statements:
            db.execute(statement)
    assert name_of_one(rollout) == FIRST


@pytest.mark.parametrize("kind", ["table", "view", "index"])
def test_a_schema_that_lies(rollout: Path, kind: str) -> None:
    with writer(path_of(rollout), "writable_schema=ON") as db:
        db.execute(f"CREATE VIEW threads AS {ENDLESS}")
        db.execute("UPDATE sqlite_master SET type = ?, rootpage = 1", (kind,))
    assert name_of_one(rollout) == FIRST


@pytest.mark.parametrize("column", ["title", "name", "cwd", "id", "sandbox_policy"])
@pytest.mark.parametrize("megabytes", [2, 90])
def test_megabytes_in_a_value(rollout: Path, megabytes: int, column: str) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    with writer(path) as db:
        other = codex.thread_id(2)
        insert(db, [{**thread(other, CWD), column: "x" * (megabytes << 20)}])
    assert name_of_one(rollout) in ("Named", FIRST)


def test_a_title_of_megabytes_is_cut(rollout: Path) -> None:
    database(rollout, [thread(A, CWD, "Long " * 500_000)])
    assert (name_of_one(rollout) or "").startswith(("Long Long", FIRST))


def test_very_many_rows(rollout: Path) -> None:
    rows = [thread(codex.thread_id(number), CWD, "T" * 200) for number in range(20_000)]
    database(rollout, [thread(A, CWD, name="Named"), *rows[2:]])
    assert name_of_one(rollout) in ("Named", FIRST)


def test_very_many_databases(rollout: Path) -> None:
    for number in range(3000):
        path_of(rollout, f"state_{number}.sqlite").write_bytes(b"junk" * 300)
    assert name_of_one(rollout) == FIRST


def test_many_slow_databases(rollout: Path) -> None:
    source = path_of(rollout, "state_1.sqlite")
    row = thread(codex.thread_id(2), CWD, "x" * 4000)
    with writer(source, "journal_mode=OFF", "synchronous=OFF") as db:
        create(db)
        db.execute(
            "CREATE TABLE n AS WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM t LIMIT 30000) SELECT i FROM t"
        )
        insert(db, [row])
        db.execute(
            "INSERT INTO threads (id, rollout_path, created_at, updated_at, source, model_provider, cwd, title, sandbox_policy, approval_mode) SELECT 'x' || i, '', 0, 0, 'cli', '', '/', hex(zeroblob(2000)), '', '' FROM n"
        )
    for number in range(2, 12):
        os.link(source, path_of(rollout, f"state_{number}.sqlite"))
    assert name_of_one(rollout) == FIRST


def doctor(home: Path) -> Ran:
    return sf("doctor", home=home, **clis(home))


def test_doctor_names_what_it_could_not_read(rollout: Path) -> None:
    path_of(rollout).write_text("token-of-alex " * 500)
    ran = doctor(rollout)
    assert ran.code == 1
    assert "state_5.sqlite" in ran.out
    assert "token-of-alex" not in ran.out
    assert len(listed(rollout)) == 1
