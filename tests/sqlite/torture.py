"""Reads beside a writer that never rests: each must be of one commit, whole and no older than the last."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from sessidx import sqlite
from sessidx.sqlite import pages, wal
from sessidx.sqlite.tables import Tables
from tests.sqlite.writer import ROWS

ROOT = Path(__file__).parent.parent.parent
COLUMNS = ("id", "a", "b", "mark", "padding", "turn")
# Journal mode of the writer, and whether its -shm is used.
MODES = (
    ("wal", True),
    ("wal", False),
    ("exclusive", True),
    ("delete", True),
    ("truncate", True),
    ("persist", True),
)


class Counted:
    """What came of the reads: how many, what was read again and why, and what was wrong."""

    def __init__(self) -> None:
        self.reads = 0
        self.seconds: list[float] = []
        self.wrong: list[str] = []
        self.again: Counter[str] = Counter()
        self.unreadable: Counter[str] = Counter()

    def __str__(self) -> str:
        took = sorted(self.seconds) or [0.0]
        middle, most = took[len(took) // 2] * 1e3, took[-1] * 1e3
        again = ", ".join(f"{count} x {why}" for why, count in self.again.most_common())
        return (
            f"{self.reads} reads, {len(self.wrong)} wrong, {self.again.total()} again ({again}), "
            f"{self.unreadable.total()} unreadable; median {middle:.1f} ms, longest {most:.0f} ms"
        )


@contextmanager
def writing(path: Path, mode: str, seed: int = 5) -> Iterator[subprocess.Popen[bytes]]:
    """A writer at work on a new database at `path`, in a process of its own."""
    words = [sys.executable, "-m", "tests.sqlite.writer", str(path), mode, str(seed)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        try:
            assert child.stdout.readline() == b"ready\n"
            yield child
        finally:
            child.stdin.close()


@contextmanager
def watched(counted: Counted, *, shared: bool, proved: bool) -> Iterator[None]:
    """Count what is read again; without the -shm, or without the proof, where that is asked for."""
    prove, find = pages.Snapshot.prove, wal.Log.find

    def counting(self: pages.Snapshot) -> None:
        try:
            if proved:
                prove(self)
        except sqlite.Torn as error:
            counted.again[str(error)] += 1
            raise

    pages.Snapshot.prove = counting  # type: ignore[method-assign]
    if not shared:
        wal.Log.find = lambda self, trust: find(self, False)  # type: ignore[method-assign]
    try:
        yield
    finally:
        pages.Snapshot.prove, wal.Log.find = prove, find  # type: ignore[method-assign]


def read(path: Path, counted: Counted, chance: random.Random, last_mark: int) -> int:
    """Read all, slowly at times, and look for what no commit holds; the mark of what was found."""
    nap = chance.choice((0, 0, 0, 0.002, 0.01))

    def ask(tables: Tables) -> "tuple[list[sqlite.Row], list[sqlite.Row]]":
        sleep(nap)
        rows = list(tables.rows("rows", COLUMNS))
        sleep(nap)
        return rows, list(tables.rows("told", ("total", "count", "mark")))

    begun = monotonic()
    try:
        rows, told = sqlite.read(str(path), ask, 3)
    except sqlite.Unreadable as error:
        counted.unreadable[str(error)] += 1
        return last_mark
    counted.reads += 1
    counted.seconds.append(monotonic() - begun)
    mark = told[0][2]
    assert isinstance(mark, int)
    if wrong := breach(rows, told, last_mark):
        counted.wrong.append(wrong)
    return max(mark, last_mark)


def breach(rows: "list[sqlite.Row]", told: "list[sqlite.Row]", last_mark: int) -> str:
    """What of the writer's invariant does not hold; "" when all does."""
    (total, count, mark), *others = told
    ids = [row[0] for row in rows]
    checks = {
        "told once": not others,
        "count": len(rows) == count,
        "order": ids == sorted(set(ids), key=lambda one: int(one or 0)),
        "total": sum(int(row[1] or 0) + int(row[2] or 0) for row in rows) == total,
        "mark": {row[3] for row in rows} == {mark},
        "padding": all(len(set(str(row[4]))) == 1 for row in rows),
        "turns": sum(int(row[5] or 0) for row in rows) == ROWS * (ROWS - 1) // 2,
        "time": int(mark or 0) >= last_mark,
    }
    return ", ".join(name for name, holds in checks.items() if not holds)


def torture(
    path: Path, mode: str, *, shared: bool, proved: bool = True, reads: int, seconds: float
) -> Counted:
    """As many reads as fit, at most `reads`, beside a writer in `mode`."""
    counted, chance, mark = Counted(), random.Random(7), 0
    end = monotonic() + seconds
    with writing(path, mode) as child, watched(counted, shared=shared, proved=proved):
        while counted.reads < reads and monotonic() < end:
            mark = read(path, counted, chance, mark)
            assert child.poll() is None
    return counted
