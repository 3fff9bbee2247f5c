"""Columns by name, whatever the statement that made the table looks like; and what is refused."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessidx import sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessidx.sqlite import Row, Value
    from sessidx.sqlite.tables import Tables


def database(folder: Path, *statements: str) -> Path:
    path = folder / "t.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
    return path


def ask(path: Path, *columns: str, where: "tuple[str, Value] | None" = None) -> "list[Row]":
    return sqlite.read(str(path), lambda tables: [*tables.rows("t", columns, where)], 5)


def told(path: Path, *columns: str, where: str = "", value: object = ()) -> "list[Row]":
    """What SQLite says is there, without blobs."""
    with closing(sqlite3.connect(path)) as db:
        query = f"SELECT {', '.join(columns)} FROM t NOT INDEXED {where}"
        rows = db.execute(query, () if value == () else (value,)).fetchall()
    return [tuple(None if isinstance(one, bytes) else one for one in row) for row in rows]


# In each, columns a and b are asked for.
TABLES = {
    "plain": "CREATE TABLE t (a, b)",
    "quoted": 'CREATE TABLE "t" (`a` text, [b] text)',
    "in the quotes of a text": "CREATE TABLE 't' ('a' text, 'b' text)",
    "in capitals": "create table T (A TEXT, B TEXT)",
    "comments": "CREATE TABLE t ( -- the (first\n a /* , x */ text, b -- '\n)",
    "a comma in a default": "CREATE TABLE t (x DEFAULT 'it''s (a, b', a, b DEFAULT \"),\")",
    "a comma in a type": "CREATE TABLE t (x DECIMAL(10, 2), a VARCHAR (255), b)",
    "keywords for names": 'CREATE TABLE t ("primary" text, "check", a, "unique" int, b)',
    "constraints": "CREATE TABLE t (x CHECK (x IN (1, 2)) CONSTRAINT c NOT NULL ON CONFLICT FAIL DEFAULT 1,"
    " a REFERENCES o (x) ON DELETE SET NULL, b, CONSTRAINT u UNIQUE (a, b), FOREIGN KEY (a) REFERENCES o (x))",
    "made when read": "CREATE TABLE t (g AS (a || 'g'), a, h TEXT GENERATED ALWAYS AS (b) VIRTUAL, b)",
    "made when written": "CREATE TABLE t (g AS (a || 'g') STORED, a, b)",
    "without row ids": "CREATE TABLE t (x, a, b, PRIMARY KEY (b, a)) WITHOUT ROWID",
    "without row ids, by its first": "CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID",
    "without row ids, strict": "CREATE TABLE t (x INT, b TEXT, a TEXT, PRIMARY KEY (a)) STRICT, WITHOUT ROWID",
    "made from another": "CREATE TABLE t AS SELECT 1 AS x, 'one' AS a, 'two' AS b",
}


@pytest.mark.parametrize("statement", TABLES.values(), ids=TABLES)
def test_statements(tmp_path: Path, statement: str) -> None:
    fill = "INSERT INTO t (a, b) VALUES ('one', 'two'), ('three', 'four'), ('five', '')"
    path = database(tmp_path, statement, fill)
    assert ask(path, "b", "a") == told(path, "b", "a")


# A column `a`, what is put into it, and another that comes later.
KINDS = [
    ("a INTEGER PRIMARY KEY", 7),
    ("a integer primary key autoincrement", 7),
    ("a INTEGER, PRIMARY KEY (a AUTOINCREMENT)", 7),
    ("a INTEGER, PRIMARY KEY (a DESC)", 7),
    ("a INTEGER PRIMARY KEY DESC", 7),
    ("a INT PRIMARY KEY", 7),
    ("a REAL", 7),
    ("a DOUBLE PRECISION", 1 << 60),
    ("a FLOATING POINT", 7),  # holds INT
    ("a STRING", "7"),
    ("a TEXT", 7),
    ("a", 7.0),
    ("a", b"bytes"),
    ("a", "a\0b"),
    ("a BLOB", "7"),
    ("a REAL", float("inf")),
]


@pytest.mark.parametrize(("column", "value"), KINDS)
def test_kinds(tmp_path: Path, column: str, value: object) -> None:
    path = database(tmp_path, f"CREATE TABLE t (x, {column})")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO t (a) VALUES (?)", (value,))
    assert repr(ask(path, "a")) == repr(told(path, "a"))


DEFAULTS = [
    *(
        "TEXT DEFAULT 'it''s'",
        'TEXT DEFAULT "x"',
        "TEXT DEFAULT x",
        "TEXT DEFAULT 5",
        "TEXT DEFAULT -5",
    ),
    *("INTEGER DEFAULT 5", "INTEGER DEFAULT -5", "INTEGER DEFAULT + 5", "INTEGER DEFAULT '5'"),
    *("DEFAULT 5", "DEFAULT '5'", "BLOB DEFAULT '5'", "NUMERIC DEFAULT '5'", "NUMERIC DEFAULT 'x'"),
    *("REAL DEFAULT 5", "REAL DEFAULT '5'", "REAL DEFAULT 1.5", "REAL DEFAULT -.5", "DEFAULT 1.5"),
    *(
        "DEFAULT NULL",
        "DEFAULT true",
        "DEFAULT FALSE",
        "NOT NULL DEFAULT ''",
        "DEFAULT '' NOT NULL",
    ),
    *("DEFAULT x'00ff'", "TEXT DEFAULT 'null'", "DEFAULT 'x' CHECK (a <> 'DEFAULT 5')"),
]


@pytest.mark.parametrize("column", DEFAULTS)
def test_a_column_that_came_later(tmp_path: Path, column: str) -> None:
    path = database(tmp_path, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"ALTER TABLE t ADD COLUMN a {column}")
    assert repr(ask(path, "a")) == repr(told(path, "a"))


FILL = "INSERT INTO t (a, b) VALUES ('x', 1), ('y', 2), ('X', 3), ('x', 4), (NULL, 5)"
UNIQUE = "INSERT INTO t (a, b) VALUES ('x', 1), ('y', 2), ('X', 3), (NULL, 5)"
INDEXES = {
    "an index": ("CREATE TABLE t (a, b)", FILL, "CREATE INDEX i ON t (a)"),
    "of two": ("CREATE TABLE t (a, b)", FILL, "CREATE INDEX i ON t (a ASC, b DESC)"),
    "quoted": ("CREATE TABLE t (a, b)", FILL, 'CREATE UNIQUE INDEX "i" ON `t` ("a", [b])'),
    "a key": ("CREATE TABLE t (b, a PRIMARY KEY)", UNIQUE),
    "two keys": ("CREATE TABLE t (b PRIMARY KEY, a UNIQUE)", UNIQUE),
    "a key told twice": ("CREATE TABLE t (a UNIQUE, b UNIQUE, PRIMARY KEY (a))", UNIQUE),
    "a key behind the columns": ("CREATE TABLE t (b, a, UNIQUE (b, a) UNIQUE (a, b))", FILL),
    "a key and a row id": ("CREATE TABLE t (b INTEGER PRIMARY KEY, a UNIQUE)", UNIQUE),
    "another in another order": (
        "CREATE TABLE t (a, b)",
        FILL,
        "CREATE INDEX i ON t (a DESC)",
        "CREATE INDEX j ON t (b, a)",
        "CREATE INDEX k ON t (a) WHERE b > 1",
        "CREATE INDEX l ON t (a)",
    ),
}


@pytest.mark.parametrize("statements", INDEXES.values(), ids=INDEXES)
def test_an_index_finds(tmp_path: Path, statements: tuple[str, ...]) -> None:
    path = database(tmp_path, *statements)
    for value in ("x", "X", "z", None):
        expected = told(path, "b", where="WHERE a IS ?", value=value)
        assert sorted(map(repr, ask(path, "b", where=("a", value)))) == sorted(map(repr, expected))


REFUSED = {
    "none": ("CREATE TABLE t (a, b)",),
    "partial": ("CREATE TABLE t (a, b)", "CREATE INDEX i ON t (a) WHERE b > 1"),
    "from the last": ("CREATE TABLE t (a, b)", "CREATE INDEX i ON t (a DESC)"),
    "without regard to case": ("CREATE TABLE t (a COLLATE NOCASE, b)", "CREATE INDEX i ON t (a)"),
    "by another order": ("CREATE TABLE t (a, b)", "CREATE INDEX i ON t (a COLLATE NOCASE)"),
    "of an expression": ("CREATE TABLE t (a, b)", "CREATE INDEX i ON t (lower(a), a)"),
    "of another column": ("CREATE TABLE t (a, b)", "CREATE INDEX i ON t (b, a)"),
    "a key from the last": ("CREATE TABLE t (a PRIMARY KEY DESC, b)",),
    "of another table": ("CREATE TABLE t (a, b)", "CREATE TABLE u (a)", "CREATE INDEX i ON u (a)"),
    "without row ids": (
        "CREATE TABLE t (a, b PRIMARY KEY) WITHOUT ROWID",
        "CREATE INDEX i ON t (a)",
    ),
}


@pytest.mark.parametrize("statements", REFUSED.values(), ids=REFUSED)
def test_another_order_than_that_of_the_bytes_is_refused(
    tmp_path: Path, statements: tuple[str, ...]
) -> None:
    path = database(tmp_path, *statements)
    assert ask(path, "a") == []
    with pytest.raises(sqlite.Unreadable, match="no index of t by a"):
        ask(path, "a", where=("a", "x"))


def test_the_order_of_an_index(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        "CREATE TABLE t (a, b, c)",
        "CREATE INDEX i ON t (a)",
        "CREATE INDEX j ON t (a, c)",
        "INSERT INTO t VALUES ('x', 1, 30), ('x', 2, 10), ('y', 3, 5), ('x', 4, 20)",
    )

    def numbers(last_first: bool) -> list[object]:
        def rows(tables: "Tables") -> "Iterator[Row]":
            return tables.rows("t", ("b",), ("a", "x"), by="c", last_first=last_first)

        return sqlite.read(str(path), lambda tables: [row[0] for row in rows(tables)], 5)

    assert numbers(last_first=False) == [2, 4, 1]
    assert numbers(last_first=True) == [1, 4, 2]


NO_TABLES = {
    "none": ("CREATE TABLE other (a)",),
    "a view": ("CREATE VIEW t AS SELECT 1 AS a",),
    "a virtual table": ("CREATE VIRTUAL TABLE t USING fts5 (a)",),
    "an index of that name": ("CREATE TABLE other (a)", "CREATE INDEX t ON other (a)"),
}


@pytest.mark.parametrize("statements", NO_TABLES.values(), ids=NO_TABLES)
def test_no_table(tmp_path: Path, statements: tuple[str, ...]) -> None:
    with pytest.raises(sqlite.Unreadable, match="no table"):
        ask(database(tmp_path, *statements), "a")


def test_no_column(tmp_path: Path) -> None:
    with pytest.raises(sqlite.Unreadable, match="none of the columns"):
        ask(database(tmp_path, "CREATE TABLE t (a)"), "b", "c")


def test_texts_are_cut(tmp_path: Path) -> None:
    path = database(tmp_path, "CREATE TABLE t (a, b)")
    long = "é" * 1_000_000
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO t VALUES (?, 'behind')", (long,))
        db.execute("INSERT INTO t VALUES (CAST(x'41ff42' AS TEXT), 'bytes')")
        db.execute("INSERT INTO t VALUES (?, 'behind megabytes')", ("x" * (5 << 20),))

    def ask(tables: "Tables") -> "list[list[Row]]":
        columns = ("a", "b")
        return [[*tables.rows("t", columns, text=cut)] for cut in (4096, 1 << 20)]

    cut, whole = sqlite.read(str(path), ask, 5)
    assert cut == [("é" * 4096, "behind"), ("A\udcffB", "bytes")]
    assert whole == [(long, "behind"), ("A\udcffB", "bytes")]


def test_what_a_question_raises_of_its_own(tmp_path: Path) -> None:
    path = database(tmp_path, "CREATE TABLE t (a)")

    def ask(tables: "Tables") -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sqlite.read(str(path), ask, 5)
