"""Random databases in every form that SQLite has, and what SQLite itself says is in them."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sessidx.sqlite import Row, Value

PAGES = (512, 1024, 4096, 8192, 65536)
ENCODINGS = ("UTF-8", "UTF-16le", "UTF-16be")
COLUMNS = ("k", "v", "r", "s", "i", "n", "q", "z", "extra", "later", "nosuch")
KEYS = {
    "rowid": "k TEXT, v, z",
    "number": "k INTEGER PRIMARY KEY, v, z",
    "text": "k TEXT PRIMARY KEY, v, z",
    "without": "k, v, z TEXT, PRIMARY KEY (z, k)",
}


class Made:
    """A random database, open still; `random` goes on for whoever damages it."""

    def __init__(self, folder: Path, seed: int) -> None:
        chance = self.random = random.Random(seed)
        self.path = folder / "made.sqlite"
        db = self.db = sqlite3.connect(self.path, isolation_level=None)
        self.page_size = chance.choice(PAGES)
        self.key = chance.choice([*KEYS])
        self.wal = chance.random() < 0.7
        for pragma in (
            f"page_size = {self.page_size}",
            f"auto_vacuum = {chance.randrange(3)}",
            f"encoding = '{chance.choice(ENCODINGS)}'",
            "synchronous = 0",
        ):
            db.execute(f"PRAGMA {pragma}")
        self._create()
        self._fill()

    def _create(self) -> None:
        columns, _, key = KEYS[self.key].partition(", PRIMARY")
        more = (
            "r REAL, g INTEGER AS (r * 2) VIRTUAL, s TEXT AS (v || 'x') STORED, i INTEGER,"
            " n NUMERIC, q TEXT COLLATE NOCASE"
        )
        tail = f", PRIMARY{key}) WITHOUT ROWID" if key else ")"
        self.db.execute(f"CREATE TABLE t ({columns}, {more}{tail}")
        self.db.execute("CREATE TABLE other (x)")
        self.db.execute("CREATE INDEX by_i ON t (i, n)")
        if self.wal:
            self.db.execute("PRAGMA journal_mode = wal")
            self.db.execute(f"PRAGMA wal_autocheckpoint = {self.random.choice((0, 10, 1000))}")

    def _fill(self) -> None:
        chance = self.random
        self._insert(chance.choice((0, 5, 100, 300)))
        if chance.random() < 0.5:
            self.db.execute("ALTER TABLE t ADD COLUMN extra TEXT DEFAULT 'dé'''")
            self.db.execute("ALTER TABLE t ADD COLUMN later INTEGER DEFAULT -7")
            self._insert(20)
        if chance.random() < 0.5:
            self.db.execute("DELETE FROM t WHERE i < 10")
        if chance.random() < 0.3:
            self.db.execute("DROP TABLE other")
            self.db.execute("CREATE TABLE other (x)")
        if chance.random() < 0.2 and not self.wal:
            self.db.execute("VACUUM")
        self._insert(chance.choice((0, 30)))
        if self.wal and chance.random() < 0.3:
            self.db.execute("PRAGMA wal_checkpoint(restart)")
            self._insert(3)

    def _insert(self, many: int) -> None:
        chance = self.random
        big = chance.choice((20, 300, self.page_size * 3))
        self.db.execute("BEGIN")
        for _ in range(many):
            row = {
                "k": chance.randrange(-1 << 40, 1 << 40)
                if self.key == "number"
                else self._value(10) or 1,
                "v": self._value(big),
                "r": self._value(5),
                "i": chance.choice((chance.randrange(20), f"s{chance.randrange(9)}", None)),
                "n": self._value(8),
                "q": self._value(30),
                "z": f"z{chance.randrange(50)}",
            }
            query = (
                f"INSERT OR IGNORE INTO t ({', '.join(row)}) VALUES ({','.join('?' * len(row))})"
            )
            self.db.execute(query, [*row.values()])
            self.db.execute("INSERT INTO other VALUES (zeroblob(?))", (chance.randrange(3000),))
        self.db.execute("ROLLBACK" if chance.random() < 0.1 else "COMMIT")

    def _value(self, big: int) -> object:
        chance = self.random
        choices: tuple[object, ...] = (
            None,
            chance.randrange(-3, 4),
            chance.randrange(-1 << 63, 1 << 63),
            chance.random() * 1e9,
            float(chance.randrange(100)),
            "é" * chance.randrange(big),
            b"\0\1" * chance.randrange(big),
            "a" * chance.randrange(40) + "\U0001f600",
        )
        return chance.choice(choices)

    def expected(self, where: str = "", *values: object) -> "list[Row]":
        """What SQLite says is there: texts cut, no blobs, none for a column that is not there."""
        has = {column[1] for column in self.db.execute("PRAGMA table_xinfo(t)")}
        asked = ", ".join(name if name in has else "NULL" for name in COLUMNS)
        rows = self.db.execute(f"SELECT {asked} FROM t NOT INDEXED {where}", values)
        return [tuple(map(_cut, row)) for row in rows]

    def left(self, folder: Path) -> Path:
        """A copy as a process leaves it that is killed, with its -shm or without."""
        copy = folder / "left.sqlite"
        for suffix in ("", "-wal", *(("-shm",) if self.random.random() < 0.5 else ())):
            if (beside := Path(f"{self.path}{suffix}")).exists():
                shutil.copyfile(beside, f"{copy}{suffix}")
        return copy


def _cut(value: "Value | bytes") -> "Value":
    if isinstance(value, bytes):
        return None
    return value[:4096] if isinstance(value, str) else value


@contextmanager
def made(folder: Path, seed: int) -> Iterator[Made]:
    """One for each seed."""
    database = Made(folder, seed)
    try:
        yield database
    finally:
        database.db.close()
