"""A database in use: nothing is opened but to be read, nothing beside it changes; gigabytes are no matter."""

import os
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sessidx import sqlite
from sessidx.sqlite.tables import Tables
from tests.kit import environment, run, which
from tests.sqlite.test_damage import counted
from tests.test_readonly import state, unprivileged

PAGE = 4096
READ = """
import sys
from sessidx import sqlite
print(sqlite.read(sys.argv[1], lambda tables: [*tables.rows("t", ("a",))], 5))
"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Rows that stand in the -wal alone, and a reader of its own that holds it."""
    (tmp_path / "app").mkdir()
    with closing(sqlite3.connect(tmp_path / "app" / "a.sqlite", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = wal")
        db.execute("CREATE TABLE t (a)")
        db.execute("INSERT INTO t VALUES ('in the log')")
        db.execute("BEGIN")
        db.execute("SELECT * FROM t").fetchone()
        yield db


CALLS = re.compile(r"^(?:\d+ +)?(\w+)\((.*)$", re.MULTILINE)
LOOKS = {
    *(
        "access",
        "close",
        "fstat",
        "lseek",
        "lstat",
        "newfstatat",
        "pread64",
        "readlink",
        "readlinkat",
    ),
    *("stat", "statx"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="strace is Linux's")
def test_system_calls(app: sqlite3.Connection, tmp_path: Path) -> None:
    """Each call that names the database's folder, or a descriptor of it."""
    path = tmp_path / "app" / "a.sqlite"
    before = state(tmp_path / "app")
    traced = tmp_path / "traced"
    words: list[str | Path] = [
        which("strace"),
        "-f",
        "-y",
        "-o",
        traced,
        sys.executable,
        "-c",
        READ,
        path,
    ]
    done = run(words, environment(tmp_path) | {"PYTHONPATH": os.getcwd()}, cwd=Path.cwd())
    assert done.out == "[('in the log',)]\n", done.err
    assert state(tmp_path / "app") == before
    calls = [call for call in CALLS.findall(traced.read_text()) if f"{tmp_path}/app" in call[1]]
    opened = [told for name, told in calls if name == "openat"]
    assert len(opened) >= 3
    for how in opened:
        assert re.search(r"\bO_RDONLY\b", how), how
        assert not re.search(r"O_(RDWR|WRONLY|CREAT|TRUNC)", how), how
    assert {name for name, _ in calls} - {"execve", "openat"} <= LOOKS


def test_a_folder_that_may_only_be_read(app: sqlite3.Connection, tmp_path: Path) -> None:
    path = tmp_path / "app" / "a.sqlite"
    for beside in (tmp_path / "app").iterdir():
        beside.chmod(0o444)
    path.parent.chmod(0o555)
    before = state(path.parent)
    words: list[str | Path] = [*unprivileged(), sys.executable, "-c", READ, path]
    try:
        assert run([*unprivileged(), "touch", f"{path}.x"], environment(tmp_path)).code != 0
        done = run(words, environment(tmp_path) | {"PYTHONPATH": os.getcwd()}, cwd=Path.cwd())
        assert done.out == "[('in the log',)]\n", done.err
        assert state(path.parent) == before
    finally:
        path.parent.chmod(0o755)


def test_a_database_of_more_than_four_gigabytes(tmp_path: Path) -> None:
    """Pages that nobody has are a hole in the file; the rows that come then stand behind it."""
    path = tmp_path / "large.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
        db.execute("CREATE INDEX by_a ON t (a)")
        db.execute("INSERT INTO t (a) VALUES ('before the hole')")
    many = (4 << 30) // PAGE + 100
    with path.open("r+b") as file:
        file.seek(28)
        file.write(many.to_bytes(4, "big"))
        file.truncate(many * PAGE)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in ("journal_mode = wal", "synchronous = 0", "wal_autocheckpoint = 300"):
            db.execute(f"PRAGMA {pragma}")
        for number in range(30):
            db.execute("BEGIN")
            rows = [(f"row {number} {at} {'x' * 300}",) for at in range(100)]
            db.executemany("INSERT INTO t (a) VALUES (?)", rows)
            db.execute("COMMIT")
        expected = db.execute("SELECT id, a FROM t ORDER BY id").fetchall()
        assert path.stat().st_size > 4 << 30

        def ask(tables: Tables) -> "tuple[list[sqlite.Row], list[sqlite.Row]]":
            columns, last = ("id", "a"), expected[-1][1]
            return [*tables.rows("t", columns)], [*tables.rows("t", columns, ("a", last))]

        with counted() as work:
            assert sqlite.read(str(path), ask, 20) == (expected, expected[-1:])
        assert work.bytes < 4 << 20
    path.unlink()
