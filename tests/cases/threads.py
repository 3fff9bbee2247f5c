"""Codex state databases: `threads` as each release made it."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tests.cases import codex
from tests.cases.claude import Record

_FIRST = (
    "id TEXT PRIMARY KEY",
    "rollout_path TEXT NOT NULL",
    "created_at INTEGER NOT NULL",
    "updated_at INTEGER NOT NULL",
    "source TEXT NOT NULL",
    "model_provider TEXT NOT NULL",
    "cwd TEXT NOT NULL",
    "title TEXT NOT NULL",
    "sandbox_policy TEXT NOT NULL",
    "approval_mode TEXT NOT NULL",
    "archived INTEGER NOT NULL DEFAULT 0",
    "git_branch TEXT",
    "first_user_message TEXT NOT NULL DEFAULT ''",
    "agent_role TEXT",
)
_SINCE_130 = ("model TEXT", "reasoning_effort TEXT", "updated_at_ms INTEGER", "thread_source TEXT")
_SINCE_140 = ("preview TEXT NOT NULL DEFAULT ''",)
_SINCE_145 = ("recency_at_ms INTEGER NOT NULL DEFAULT 0", "name TEXT")
_SINCE_171 = ("originator TEXT", "attached_thread_parent_id TEXT")
COLUMNS = {
    "0.105": _FIRST,
    "0.130": (*_FIRST, *_SINCE_130),
    "0.140": (*_FIRST, *_SINCE_130, *_SINCE_140),
    "0.145": (*_FIRST, *_SINCE_130, *_SINCE_140, *_SINCE_145),
    "0.171": (*_FIRST, *_SINCE_130, *_SINCE_140, *_SINCE_145, *_SINCE_171),
}
NEWEST = COLUMNS["0.171"]
NINE = 1_793_523_600  # 2026-11-01T09:00:00Z


def thread(id: str, cwd: object, title: str = "Fix the cart", **more: object) -> Record:
    """A row as it stands for a session of a terminal."""
    return {
        "id": id,
        "rollout_path": f"/nowhere/{codex.name(id)}",
        "created_at": NINE,
        "updated_at": NINE + 60,
        "updated_at_ms": (NINE + 60) * 1000,
        "source": "cli",
        "model_provider": "openai",
        "cwd": str(cwd),
        "title": title,
        "first_user_message": title,
        "sandbox_policy": '{"type":"workspace-write"}',
        "approval_mode": "on-request",
        "git_branch": "main",
        **more,
    }


def create(db: sqlite3.Connection, columns: Sequence[str] = NEWEST) -> None:
    db.execute(f"CREATE TABLE threads ({', '.join(columns)})")


def insert(db: sqlite3.Connection, rows: Iterable[Record]) -> None:
    """Put rows in; what the table has no column for is left out."""
    has = {row[1] for row in db.execute("PRAGMA table_info(threads)")}
    for row in rows:
        use = [key for key in row if key in has]
        marks = ",".join("?" * len(use))
        db.execute(f"INSERT INTO threads ({','.join(use)}) VALUES ({marks})", [row[k] for k in use])


def path_of(home: Path, name: str = "state_5.sqlite") -> Path:
    return codex.store(home) / name


def database(
    home: Path, rows: Iterable[Record], name: str = "state_5.sqlite", release: str = "0.171"
) -> Path:
    """A database with these rows, closed again: nothing lies beside it."""
    path = path_of(home, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        create(db, COLUMNS[release])
        insert(db, rows)
    return path


@contextmanager
def writer(path: Path, *pragmas: str) -> Iterator[sqlite3.Connection]:
    """A connection of the app's own."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in pragmas:
            db.execute(f"PRAGMA {pragma}")
        yield db
