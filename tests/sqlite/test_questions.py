"""A database that is asked many questions: its commit is found once, and again when somebody wrote."""

import os
import sqlite3
from pathlib import Path

import pytest

from sessidx import sqlite
from sessidx.sqlite.pages import Snapshot


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Snapshot]:
    """Each snapshot that was begun."""
    found: list[Snapshot] = []
    begin = Snapshot.begin

    def noted(self: Snapshot, *, trust: bool) -> None:
        found.append(self)
        begin(self, trust=trust)

    monkeypatch.setattr(Snapshot, "begin", noted)
    return found


def values(database: sqlite.Database, key: str) -> list[object]:
    return database.read(lambda tables: [v for (v,) in tables.rows("t", ("v",), ("k", key))], 9)


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_found_once_and_again_when_it_was_written(
    mode: str, tmp_path: Path, begun: list[Snapshot]
) -> None:
    path = tmp_path / "a.db"
    writer = sqlite3.connect(path)
    writer.execute(f"PRAGMA journal_mode={mode}")
    writer.execute("CREATE TABLE t (k TEXT, v INTEGER)")
    writer.execute("CREATE INDEX i ON t (k, v)")
    writer.executemany("INSERT INTO t VALUES (?, ?)", [(f"k{n % 50}", n) for n in range(9_000)])
    writer.commit()

    def quiet() -> None:
        for suffix in ("", "-wal"):
            if os.path.exists(f"{path}{suffix}"):
                os.utime(f"{path}{suffix}", ns=(len(begun), 1))

    quiet()
    before = len(os.listdir("/proc/self/fd"))
    database = sqlite.Database(str(path))
    for key in range(50):
        assert values(database, f"k{key}") == [*range(key, 9_000, 50)]
    assert len(begun) == 1
    assert len(os.listdir("/proc/self/fd")) - before < 6
    writer.execute("INSERT INTO t VALUES ('k7', 9007)")
    writer.commit()
    assert values(database, "k7")[-1] == 9007
    assert len(begun) > 1
    with pytest.raises(sqlite.Unreadable):
        database.read(lambda tables: [*tables.rows("none", ("v",))], 0.1)
    assert values(database, "k8")[:2] == [8, 58]
    held = len(os.listdir("/proc/self/fd"))
    database.close()
    assert len(os.listdir("/proc/self/fd")) < held
    assert values(database, "k8")[:2] == [8, 58]
    database.close()
    writer.close()
