"""What the state database knows, for a few threads or for all: the same, within bounds."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessidx.apps.codex import state
from sessidx.apps.codex.state import State
from tests.cases import codex, threads
from tests.cases.threads import COLUMNS, database, thread
from tests.sqlite.test_damage import counted

MANY = 400
IDS = [codex.thread_id(number) for number in range(MANY)]


def rows(folder: str = "/srv/shop") -> list[dict[str, object]]:
    return [
        thread(
            one, f"{folder}/{number}", f"Title {number}", name=None if number % 3 else f"Name {one}"
        )
        for number, one in enumerate(IDS)
    ]


def told(known: State) -> list[tuple[object, ...]]:
    found = [(known.get(one), known.digest(one)) for one in IDS]
    assert known.failed is None
    return [
        (row.title(), row.get("cwd"), row.get("rollout_path"), digest)
        for row, digest in found
        if row is not None
    ]


@pytest.mark.parametrize("release", COLUMNS)
def test_a_few_at_a_time_or_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str
) -> None:
    database(tmp_path, rows(), release=release)
    codex.names(tmp_path, (IDS[1], "Named in the list"), (IDS[0], "An older name"))
    root = str(codex.store(tmp_path))
    all_at_once = told(State(root, IDS, whole=True))
    assert len(all_at_once) == MANY
    assert all_at_once[1][0] == "Named in the list"
    assert told(State(root, IDS)) == all_at_once  # some looked up, then all
    monkeypatch.setattr(state, "_LOOKUPS", MANY + 1)
    assert told(State(root, IDS)) == all_at_once  # each looked up
    monkeypatch.setattr(state, "_FAR", 0)
    assert told(State(root, IDS, whole=True)) == all_at_once  # each looked up, all at once
    monkeypatch.setattr(state, "_ROOM", 30_000)
    known = State(root, IDS, whole=True)  # of some a digest
    assert told(known) == all_at_once


def test_few_threads_in_a_large_database(tmp_path: Path) -> None:
    """Whatever else it holds: pages are read for the threads that have a rollout alone."""
    database(tmp_path, rows("/" + "long/" * 600))
    root = str(codex.store(tmp_path))
    with counted() as work:
        known = State(root, IDS[:3], whole=True)
        assert [known.get(one) is not None for one in IDS[:3]] == [True] * 3
    assert work.pages < 60
    with counted() as work:
        assert State(root).get(IDS[7]) is not None
    assert work.pages < 40


def test_long_rows_of_many_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of them is kept than there is room for, and no name is lost."""
    database(tmp_path, rows("/" + "long/" * 600))
    monkeypatch.setattr(state, "_ROOM", 100_000)
    monkeypatch.setattr(state, "_FAR", 1 << 20)
    known = State(str(codex.store(tmp_path)), IDS, whole=True)
    assert 20 < len(known._rows.kept) < 40
    assert len(known._rows.kept) + len(known._rows.digests) == MANY
    assert [title for title, *_ in told(known)] == [
        f"Title {number}" if number % 3 else f"Name {one}" for number, one in enumerate(IDS)
    ]


def test_threads_that_are_in_no_row(tmp_path: Path) -> None:
    database(tmp_path, rows()[:5])
    root = str(codex.store(tmp_path))
    for known in (State(root, IDS), State(root, IDS, whole=True)):
        assert [known.digest(one) != "" for one in IDS[:10]] == [True] * 5 + [False] * 5
        assert known.get(codex.thread_id(9999)) is None


@pytest.mark.parametrize("key", ["", " PRIMARY KEY"])
def test_a_table_of_another_make(tmp_path: Path, key: str) -> None:
    """Without a key, and WITHOUT ROWID with a column that is made at each reading."""
    names = [f"{column.split()[0]}" for column in threads.NEWEST]
    columns = ", ".join(name + key * (name == "id") for name in names)
    more = ", made AS (id || 'x')"
    tail = " WITHOUT ROWID" if key else ""
    path = threads.path_of(tmp_path)
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"CREATE TABLE threads (made_first AS (1), {columns}{more}){tail}")
        threads.insert(db, rows())
    root = str(codex.store(tmp_path))
    for known in (State(root, IDS), State(root, IDS, whole=True)):
        assert len(told(known)) == MANY
