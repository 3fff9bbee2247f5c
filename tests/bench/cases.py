"""The calls that are timed on one home, and what each may cost."""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from tests import homes
from tests.bench.measure import Case, Figure, interleaved, once
from tests.bench.stores import largest

WORD = "checkout"
CALLS = {
    "nothing changed": [WORD],
    "grown": [WORD],
    "no index": [WORD],
    "ids": ["@ids"],
    "init": ["init", "zsh"],
}
# name -> sessions -> how many times what: P = `python -c pass`, B = `python -c "import click, orjson"`
LIMITS: dict[str, dict[int, tuple[float, str]]] = {
    "nothing changed": {52: (1.6, "P"), 1_000: (2.6, "P"), 10_000: (11, "P")},
    "grown": {52: (1.3, "B"), 1_000: (1.6, "B"), 10_000: (4, "B")},
    "no index": {52: (1.5, "B"), 1_000: (4, "B"), 10_000: (20, "B")},
    "ids": {52: (1.5, "P"), 1_000: (2, "P"), 10_000: (4, "P")},
    "preview": {52: (3, "P")},
    "init": {52: (1.4, "P")},
}


class Bench(NamedTuple):
    """Where the programs are, and the folder for homes and caches."""

    bin: str
    work: str
    runs: int
    cpu: bool = False
    least: bool = False

    def compared(self, calls: Sequence[Case]) -> dict[str, Figure]:
        """The calls beside P and B."""
        return interleaved(self.base(), calls, self.runs, self.cpu, self.least)

    def base(self) -> list[Case]:
        """What everything is compared with."""
        env = self.env("/nonexistent", "base")
        python = f"{self.bin}/python"
        return [
            Case("P", [python, "-c", "pass"], env),
            Case("B", [python, "-c", "import click, orjson"], env),
        ]

    def env(self, home: str, cache: str) -> dict[str, str]:
        """A plain environment: that home, a cache of its own, byte code kept."""
        return {
            "HOME": home,
            "XDG_CACHE_HOME": self.cache(cache),
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
        }

    def cache(self, name: str) -> str:
        return f"{self.work}/cache-{name}"

    def sf(self, name: str, words: Sequence[str], home: str) -> Case:
        return Case(name, [f"{self.bin}/sf", *words], self.env(home, name))

    def call(self, name: str, home: str) -> Case:
        """One of CALLS on that home, its index as the name says."""
        case = self.sf(name, CALLS[name], home)
        forget(self.cache(name))
        if name == "no index":
            return case._replace(before=lambda: forget(self.cache(name)))
        once(case)
        return case

    def speed(self, home: str, sessions: int) -> dict[str, Figure]:
        """All calls on a home with so many sessions, each with its limit."""
        names = [name for name in LIMITS if sessions in LIMITS[name]]
        quiet = [self.call(name, home) for name in names if name not in ("grown", "preview")]
        found = self.compared(quiet)
        return found | {"grown": self.grown(home)["grown"]}

    def grown(self, home: str) -> dict[str, Figure]:
        """The list after one more answer in the largest transcript, which is put back afterwards."""
        with growing(largest(home)) as grow:
            case = self.call("grown", home)._replace(before=grow)
            return self.compared([case])

    def preview(self, home: str) -> dict[str, Figure]:
        """What the picker shows of the largest transcript of that home."""
        session = os.path.basename(largest(home))[:-6]
        case = self.sf("preview", ["show", session], home)
        once(case)
        return self.compared([case])


def forget(cache: str) -> None:
    """As if there had never been an index."""
    shutil.rmtree(cache, ignore_errors=True)


@contextmanager
def growing(path: str) -> Iterator[Callable[[], None]]:
    """A function that lets the transcript grow by one answer; undone at the end."""
    before = os.stat(path)
    talk = os.path.basename(path)[:-6]

    def grow() -> None:
        with open(path, "ab") as file:
            file.write(homes.growth(talk, f"{homes.HOME}/code/shop-api", time.time()))

    try:
        yield grow
    finally:
        os.truncate(path, before.st_size)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
