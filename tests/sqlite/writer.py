"""A program that writes to a database all the time and keeps an invariant; ends with its standard input.

`python -m tests.sqlite.writer PATH MODE SEED`: MODE is a journal mode, or `exclusive` for a -wal
whose index stands in the memory of the writer alone.
"""

import random
import select
import sqlite3
import sys
import time

ROWS = 600
PADDING = (10, 500, 3000, 6000, 15000)


class Writer:
    """Rows whose sums, count and mark are told in another table, all in one commit."""

    def __init__(self, path: str, mode: str, seed: int) -> None:
        self.path, self.mode = path, mode
        self.random = random.Random(seed)
        self.ids = list(range(ROWS))
        self.mark = 0
        self.open()
        self.create()

    def open(self) -> None:
        db = self.db = sqlite3.connect(self.path, isolation_level=None, timeout=20)
        if self.mode == "exclusive":
            db.execute("PRAGMA locking_mode = exclusive")
        db.execute(f"PRAGMA journal_mode = {'wal' if self.mode == 'exclusive' else self.mode}")
        for pragma in ("synchronous = 0", "cache_size = 20", "secure_delete = 0"):
            db.execute(f"PRAGMA {pragma}")
        db.execute(f"PRAGMA wal_autocheckpoint = {self.random.choice((5, 20, 100, 1000))}")

    def create(self) -> None:
        self.db.execute("BEGIN")
        self.db.execute("CREATE TABLE told (id INTEGER PRIMARY KEY, total, count, mark)")
        self.db.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, a, b, mark, padding, turn)")
        self.db.execute("CREATE TABLE large (id INTEGER PRIMARY KEY, bytes)")
        for row in self.ids:
            padding = "x" * self.random.choice((100, 300, 900))
            self.db.execute("INSERT INTO rows VALUES (?, 500, 500, 0, ?, ?)", (row, padding, row))
        self.db.execute("INSERT INTO told VALUES (1, ?, ?, 0)", (ROWS * 1000, ROWS))
        self.db.execute("COMMIT")

    def write(self) -> None:
        """One commit, or a large one that is rolled back."""
        chance = self.random.random()
        self.db.execute("BEGIN IMMEDIATE")
        if chance < 0.15:
            self.mark += 1
            self.db.execute("UPDATE rows SET mark = ?", (self.mark,))
            self.db.execute("UPDATE told SET mark = ?", (self.mark,))
        elif chance < 0.75:
            self.move()
        elif chance < 0.9:
            for _ in range(self.random.randrange(1, 6)):
                self.come_or_go()
            self.db.execute("UPDATE told SET count = ?", (len(self.ids),))
        else:  # more than the cache holds: it stands in the file or its log before the rollback
            self.db.execute("UPDATE rows SET a = a + 1, mark = -7")
            self.db.execute("INSERT INTO large (bytes) VALUES (randomblob(200000))")
            self.db.execute("ROLLBACK")
            return
        self.db.execute("COMMIT")

    def move(self) -> None:
        one, other = self.random.sample(self.ids, 2)
        much = self.random.randrange(100)
        self.db.execute("UPDATE rows SET a = a - ?, turn = turn + 1 WHERE id = ?", (much, one))
        self.db.execute("UPDATE rows SET b = b + ?, turn = turn - 1 WHERE id = ?", (much, other))
        if self.random.random() < 0.3:
            padding = "y" * self.random.choice(PADDING)
            self.db.execute("UPDATE rows SET padding = ? WHERE id = ?", (padding, one))

    def come_or_go(self) -> None:
        if self.random.random() < 0.5 and len(self.ids) > ROWS * 2 / 3:
            row = self.ids.pop(self.random.randrange(len(self.ids)))
            values = self.db.execute("SELECT a + b, turn FROM rows WHERE id = ?", (row,)).fetchone()
            self.db.execute("DELETE FROM rows WHERE id = ?", (row,))
            query = "UPDATE rows SET a = a + ?, turn = turn + ? WHERE id = ?"
            self.db.execute(query, (*values, self.ids[0]))
        else:
            row = self.ids[-1] + 1 if self.ids else 0
            padding = "z" * self.random.choice(PADDING)
            self.db.execute("INSERT INTO rows VALUES (?, 0, 0, ?, ?, 0)", (row, self.mark, padding))
            self.ids.append(row)

    def between(self) -> None:
        """What comes between two commits: a checkpoint, another limit, an end and a new start, a pause."""
        chance = self.random.random()
        if self.mode == "wal" and chance < 0.05:
            how = self.random.choice(("passive", "full", "restart", "truncate"))
            self.db.execute(f"PRAGMA wal_checkpoint({how})")
        elif chance < 0.055:
            much = self.random.choice((5, 20, 100, 1000))
            self.db.execute(f"PRAGMA wal_autocheckpoint = {much}")
        elif chance < 0.06 and self.mode != "exclusive":
            self.db.close()
            time.sleep(0.01 * self.random.random())
            self.open()
        elif chance < 0.5:
            time.sleep(self.random.choice((0, 0.0005, 0.003, 0.02)))
        elif chance < 0.51:
            time.sleep(0.1)


def main(path: str, mode: str, seed: str) -> None:
    """Write until nobody holds the other end of standard input; one line when all is there."""
    writer = Writer(path, mode, int(seed))
    print("ready", flush=True)
    while not select.select([0], [], [], 0)[0]:
        writer.write()
        writer.between()


if __name__ == "__main__":
    main(*sys.argv[1:])
