"""What was said, beside ripgrep on the same files: a word that nobody said, and the first row of one that many did.

ripgrep's word is always `retry`: its speed changes five-fold with the word.
"""

import os
import select
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from sessidx.apps import NAMES
from sessidx.query import Query
from sessidx.said.picking import _packed
from tests.bench import stores
from tests.bench.cases import Bench
from tests.bench.measure import Case, once, peak

ABSENT, COMMON = "zebraqqq", "the"
RG = ("-uuu", "-a", "-c", "-i", "retry")
BAR = 1.3  # times ripgrep
FIRST = {52: 5.0, 1_000: 5.0, 10_000: 16.0}  # P
KEY = {1_000: 8.0}  # P, from a key in the picker


def against_ripgrep(bench: Bench) -> list[list[str]]:
    """Of each store: its name, sf's seconds without and with the places known, ripgrep's, MB of memory."""
    rg = shutil.which("rg") or sys.exit("ripgrep is not on PATH")
    found = []
    for name, home in stores.of_talk(bench.work):
        cold = bench.sf("said cold", ["--said", ABSENT], home)
        cold = cold._replace(may_fail=True, before=lambda: _forget_places(bench))
        known = bench.sf("said cold", ["--said", ABSENT], home)._replace(
            name="known", may_fail=True
        )
        search = Case("rg", [rg, *RG, home], bench.env(home, "rg"))
        once(bench.sf("said cold", ["@ids"], home))
        taken: dict[str, list[float]] = {case.name: [] for case in (cold, known, search)}
        for case in (cold, search):
            once(case)
        for _ in range(5):
            for case in (search, cold, known):
                taken[case.name].append(once(case))
        medians = {name: statistics.median(runs) for name, runs in taken.items()}
        memory = max(peak(cold), peak(known))
        rest = medians["rg"]
        cells = [
            f"{medians[n] * 1e3:,.0f} ms, {medians[n] / rest:.2f}" for n in ("said cold", "known")
        ]
        found.append([name, *cells, f"{rest * 1e3:,.0f} ms", f"{memory:.0f} MB"])
    return found


def first_rows(bench: Bench, sizes: Sequence[int]) -> list[list[str]]:
    """Of each size: how many P until the first row of a common word, by a call and by the picker's key."""
    pure = bench.compared([])["P"].seconds
    found = []
    for size in sizes:
        home = stores.shaped(bench.work, size)
        call = bench.sf("said first", ["--said", COMMON], home)
        asks = _packed(Query(), list(NAMES), None)
        key = bench.sf("said first", ["@said", "now", "120", asks, COMMON], home)
        cells = []
        for case, bars in ((call, FIRST), (key, KEY)):
            first_byte(case)
            times = statistics.median(first_byte(case) for _ in range(bench.runs)) / pure
            bar = f" (≤ {bars[size]:g})" if size in bars else ""
            cells.append(f"{times:.2f} P{bar}")
        found.append([f"{size:,}", *cells])
    return found


def first_byte(case: Case) -> float:
    """Seconds until it writes; then it is ended."""
    began = time.perf_counter()
    with subprocess.Popen(case.argv, env=case.env, stdout=subprocess.PIPE) as child:
        assert child.stdout
        select.select([child.stdout], [], [])
        seconds = time.perf_counter() - began
        os.read(child.stdout.fileno(), 1)
        child.stdout.close()
        child.terminate()
    return seconds


def _forget_places(bench: Bench) -> None:
    """As if nobody had searched; the index stays."""
    folder = f"{bench.cache('said cold')}/sessidx"
    for name in os.listdir(folder):
        if name != "index":
            os.remove(f"{folder}/{name}")
