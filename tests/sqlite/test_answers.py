"""Random databases give what SQLite gives, however they are made and whatever lies beside them."""

import os
from pathlib import Path

import pytest

from sessidx import sqlite
from tests.sqlite.random_tables import COLUMNS, Made, made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sessidx.sqlite import Row, Value

SEEDS = range(40)


def ask(
    path: Path, key: "tuple[str, Value] | None" = None, *, last_first: bool = False
) -> "list[Row]":
    return sqlite.read(
        str(path), lambda tables: [*tables.rows("t", COLUMNS, key, last_first=last_first)], 9
    )


def same(one: "list[Row]", other: "list[Row]") -> bool:
    """Equal, floats told from whole numbers."""
    return [*map(repr, one)] == [*map(repr, other)]


def quiet(path: Path) -> Path:
    """Not written to just now, so that nobody waits for whether it will be."""
    for suffix in ("", "-wal"):
        if os.path.exists(f"{path}{suffix}"):
            os.utime(f"{path}{suffix}", ns=(1, 1))
    return path


@pytest.mark.parametrize("seed", SEEDS)
def test_all_rows(tmp_path: Path, seed: int) -> None:
    with made(tmp_path, seed) as database:
        left = quiet(database.left(tmp_path))
        order = "ORDER BY z, k" if database.key == "without" else "ORDER BY rowid"
        expected = database.expected(order)
        assert same(ask(left), expected)
        assert same(ask(left, last_first=True), expected[::-1])
        by_index(database, left)


def by_index(database: Made, path: Path) -> None:
    if database.key == "without":
        with pytest.raises(sqlite.Unreadable, match="no index of t by i"):
            ask(path, ("i", 5))
        expected = database.expected("WHERE z IS ? ORDER BY k", "z7")
        assert same(ask(path, ("z", "z7")), expected)
        return
    for value in (5, "s3", None, 99):
        expected = database.expected("WHERE i IS ? ORDER BY n, rowid", value)
        assert same(ask(path, ("i", value)), expected)
        assert same(ask(path, ("i", value), last_first=True), expected[::-1])
    if database.key in ("number", "text"):
        for row in database.expected("WHERE typeof(k) IN ('text', 'integer') LIMIT 5"):
            assert same(ask(path, ("k", row[0])), [row])
        assert ask(path, ("k", "nobody")) == []
