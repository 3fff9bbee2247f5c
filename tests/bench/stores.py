"""The homes that are measured: made once below a work folder, then kept for the next time."""

import glob
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from sessidx.demo import codex
from tests import homes
from tests.bench import multiply


def made(work: str, name: str, make: Callable[[str], object]) -> str:
    """The home `name` below `work`; `make` fills it where it is not there yet."""
    home = os.path.join(work, name)
    if not os.path.exists(f"{home}.made"):
        sys.stderr.write(f"making {name} ...\n")
        os.makedirs(home)
        make(home)
        with open(f"{home}.made", "x"):
            pass
    return home


def shaped(work: str, sessions: int) -> str:
    """A home of one of the three shapes."""
    shape = homes.SHAPES[sessions]._asdict()
    return made(work, f"{sessions}", lambda home: homes.generate(home, **shape))


def wide(work: str, sessions: int) -> str:
    """A home of as many, as people have them whose folders are not named in ASCII."""
    shape = homes.WIDE[sessions]._asdict() | {"folders": homes.WIDE_FOLDERS}
    return made(work, f"wide-{sessions}", lambda home: homes.generate(home, **shape))


def all_apps(work: str, sessions: int) -> str:
    """A home of as many, of all fourteen apps alike."""

    def make(home: str) -> None:
        share, rng = sessions // (len(multiply.APPS) + 2), random.Random(1)
        for name in multiply.APPS:
            multiply.multiply(home, name, share, rng)
        shape = homes.SHAPES[sessions]
        others = sessions - share * (len(multiply.APPS) + 1)
        homes.generate(home, others, share, median=shape.median, sigma=shape.sigma)

    return made(work, f"all-{sessions}", make)


def of_talk(work: str) -> Iterator[tuple[str, str]]:
    """Homes to be searched whole: of 2 GB, of 2 GB in many files, of 19 GB in few."""
    shapes = {
        "1,000 sessions, 2 GB": homes.Shape(700, 300, 1_000_000),
        "10,000 sessions, 2 GB": homes.Shape(7_000, 3_000, 95_000),
        "50 sessions, 19 GB": homes.Shape(35, 15, 360_000_000, 0.3),
    }
    for name, shape in shapes.items():
        folder = "talk-" + name.replace(",", "").replace(" ", "-")
        yield name, made(work, folder, partial(_generate, shape))


def _generate(shape: homes.Shape, home: str) -> None:
    homes.generate(home, **shape._asdict())


def growing(work: str, sessions: int) -> str:
    """A home of so many small sessions, seven of ten Claude's."""
    share = sessions * 7 // 10
    return made(
        work,
        f"growth-{sessions}",
        lambda home: homes.generate(home, share, sessions - share, median=16_000),
    )


def story(work: str) -> str:
    """Forty sessions of 19.4 GB."""
    return made(work, "story", homes.story)


def one_huge(work: str, name: str, size: int, **more: int) -> str:
    """A few dozen sessions, and one of `size` bytes."""

    def make(home: str) -> None:
        homes.generate(home, 40, 12)
        rng = random.Random(7)
        talk = homes.a_talk(rng, f"{homes.HOME}/code/huge", time.time() - 600)
        homes.huge_transcript(home, talk, size, rng, **more)

    return made(work, name, make)


def huge_database(work: str) -> str:
    """52 sessions and a state database of 500 MB, with a -wal beside it."""

    def make(home: str) -> None:
        homes.generate(home, 40, 12)
        path = f"{home}/.codex/state_5.sqlite"
        os.remove(path)
        rng = random.Random(7)
        rows = []
        for rollout in glob.glob(f"{home}/.codex/*sessions/**/rollout-*.jsonl", recursive=True):
            talk = homes.a_talk(rng, f"{homes.HOME}/code/db", time.time() - 600, of_codex=True)
            rows.append(codex.thread_row(talk._replace(id=rollout[-42:-6]), rollout))
        codex.state_database(path, rows)
        subprocess.run([sys.executable, "-c", _SWELL, path], check=True)

    return made(work, "huge-database", make)


_SWELL = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("CREATE TABLE thread_dynamic_tools (text TEXT)")
text = "lorem ipsum " * 80_000
for _ in range(520):
    database.execute("INSERT INTO thread_dynamic_tools VALUES (?)", (text,))
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.execute("UPDATE threads SET tokens_used = 7")
os._exit(0)  # not closed: the -wal stays
"""


def largest(home: str) -> str:
    """The largest Claude transcript of that home."""
    return max(glob.glob(f"{home}/.claude/projects/*/*.jsonl"), key=os.path.getsize)
