"""Run programs in turn and keep the told: seconds and peak memory."""

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

SLOW = 10.0  # seconds; what takes longer in its second run has no more


class Case(NamedTuple):
    """One thing to time; `before` is done ahead of every run and not timed."""

    name: str
    argv: list[str]
    env: Mapping[str, str]
    before: Callable[[], object] = bool
    may_fail: bool = False


class Figure(NamedTuple):
    """What came out: the median, in seconds and as a multiple of what it is compared with."""

    seconds: float
    times: Mapping[str, float]  # name in `base` -> ratio to its median in the same rounds


def once(case: Case, cpu: bool = False) -> float:
    """Seconds of one run, its output thrown away; those of the processor on a busy machine."""
    case.before()
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    began = time.perf_counter()
    child = os.posix_spawn(case.argv[0], case.argv, case.env, file_actions=null)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    code = os.waitstatus_to_exitcode(status)
    if code and not case.may_fail:
        sys.exit(f"{case.name}: exit {code} of {' '.join(case.argv)}")
    return usage.ru_utime + usage.ru_stime if cpu else seconds


_PEAK = """
import os, sys
null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=null)
print(os.wait4(child, 0)[2].ru_maxrss)
"""


def peak(case: Case) -> float:
    """The most memory that one run held, in MB.

    A process starts with the peak of the one that made it, so a small one stands between.
    """
    command = [sys.executable, "-IS", "-c", _PEAK, *case.argv]
    told = subprocess.run(command, env=case.env, stdout=subprocess.PIPE, check=True).stdout
    return int(told) * (1 if sys.platform == "darwin" else 1024) / 1e6


def interleaved(
    base: Sequence[Case], calls: Sequence[Case], runs: int, cpu: bool, least: bool = False
) -> dict[str, Figure]:
    """Every case `runs` times, in rounds of changing order, after one run that does not count.

    With `least` the least of the runs counts, not the median: on a busy machine what else ran is in
    the others.
    """
    cases = [*base, *calls]
    for case in cases:
        once(case)
    taken = {case.name: [once(case, cpu)] for case in cases}
    quick = [case for case in cases if taken[case.name][0] < SLOW]
    chance = random.Random(1)
    for number in range(1, runs):
        for case in chance.sample(quick, len(quick)):
            taken[case.name].append(once(case, cpu))
        sys.stderr.write(f"\r{number + 1}/{runs} ")
    sys.stderr.write("\r        \r")
    told = {name: (min if least else statistics.median)(runs) for name, runs in taken.items()}
    return {
        name: Figure(median, {case.name: median / told[case.name] for case in base})
        for name, median in told.items()
    }
