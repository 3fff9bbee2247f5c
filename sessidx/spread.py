"""Many small jobs, on all processors, with a bar on the terminal when they take long.

A first look at thousands of transcripts is the one slow thing that sf does. Knows nothing of what
the jobs are: each makes one line of text.
"""

import os
import sys
from time import monotonic

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Job = Any  # whatever `make` takes

MANY = 200  # jobs that are worth a second process
_PROCESSES = 8
_PATIENCE = 0.5  # seconds, before a bar is shown


def spread(make: "Callable[[Job], str]", jobs: "Sequence[Job]") -> "Iterator[str]":
    """The line that `make` makes of each of `jobs`, in no order; `make` must not raise."""
    processes = min(_PROCESSES, _processors())
    if len(jobs) < MANY or processes < 2:
        yield from map(make, jobs)
        return
    shares = [jobs[start::processes] for start in range(processes)]
    # The first share is done here; a pipe each brings the others' lines.
    children = [_Child(make, share) for share in shares[1:]]
    try:
        yield from map(make, shares[0])
        for child in children:
            count = 0
            for line in child.lines():
                count += 1
                yield line
            yield from map(make, child.share[count:])  # a child that died early
    finally:
        for child in children:
            child.end()


class _Child:
    """A process that does one share of the jobs."""

    def __init__(self, make: "Callable[[Job], str]", share: "Sequence[Job]") -> None:
        self.share = share
        self._fd, out = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _work(make, share, out)
        os.close(out)

    def lines(self) -> "Iterator[str]":
        rest = b""
        while chunk := os.read(self._fd, 1 << 20):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield line.decode("utf-8", "surrogatepass")

    def end(self) -> None:
        os.close(self._fd)  # one that is still at work ends at its next line
        os.waitpid(self._pid, 0)


def _work(make: "Callable[[Job], str]", share: "Sequence[Job]", out: int) -> None:
    try:
        for start in range(0, len(share), 50):
            block = [make(job) for job in share[start : start + 50]]
            data = "".join(f"{line}\n" for line in block).encode("utf-8", "surrogatepass")
            while data:
                data = data[os.write(out, data) :]
    finally:
        os._exit(0)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def with_bar(lines: "Iterator[str]", count: int, label: str) -> "Iterator[str]":
    """`lines` as they are; once they take half a second, a bar on a terminal's standard error."""
    if not os.isatty(2):
        yield from lines
        return
    start = monotonic()
    done = 0
    for line in lines:
        yield line
        done += 1
        if monotonic() - start > _PATIENCE:
            break
    if done == count:
        return
    from click import progressbar

    with progressbar(length=count, label=label, file=sys.stderr) as bar:
        bar.update(done)
        for line in lines:
            yield line
            bar.update(1)
