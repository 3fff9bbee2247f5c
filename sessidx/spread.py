"""Many small jobs, on all processors, with a bar on the terminal when they take long.

A first look at thousands of transcripts is the one slow thing that sf does. Knows nothing of what
the jobs are: each makes one line of text.
"""

import os
import sys
from select import select
from time import monotonic

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Job = Any  # whatever `make` takes

MANY = 24  # jobs that are worth a second process
_PROCESSES = 8
_BLOCK = 16  # jobs, after which lines are handed on
_PATIENCE = 0.5  # seconds, before a bar is shown


def spread(make: "Callable[[Job], str]", jobs: "Sequence[Job]") -> "Iterator[str]":
    """The line that `make` makes of each of `jobs`, in no order; `make` must not raise."""
    processes = min(_PROCESSES, _processors())
    if len(jobs) < MANY or processes < 2:
        yield from map(make, jobs)
        return
    own, *shares = (jobs[start::processes] for start in range(processes))
    children: list[_Child] = []
    try:
        for share in shares:
            try:
                children.append(_Child(make, share))
            except OSError:  # no more processes allowed
                own = [*own, *share]
        at_work = {child.fd: child for child in children}
        for start in range(0, len(own), _BLOCK):
            yield from map(make, own[start : start + _BLOCK])
            yield from _lines(at_work, 0)  # else a child would wait before a full pipe
        while at_work:
            yield from _lines(at_work, None)
        for child in children:
            yield from map(make, child.share[child.done :])  # of one that died early
    finally:
        for child in children:
            child.end()


def _lines(at_work: "dict[int, _Child]", patience: float | None) -> "Iterator[str]":
    """The lines that come within `patience` seconds; who has no more is taken out of `at_work`."""
    for fd in select(at_work, (), (), patience)[0]:
        chunk = os.read(fd, 1 << 16)
        if not chunk:
            del at_work[fd]
            continue
        yield from at_work[fd].lines(chunk)


class _Child:
    """A process that does one share of the jobs."""

    def __init__(self, make: "Callable[[Job], str]", share: "Sequence[Job]") -> None:
        self.share = share
        self.done = 0
        self._cut = b""
        self.fd, out = os.pipe()
        try:
            self._pid = os.fork()
            if self._pid == 0:
                _work(make, share, out)
        except OSError:
            os.close(self.fd)
            raise
        finally:
            os.close(out)

    def lines(self, chunk: bytes) -> "Iterator[str]":
        """The lines that `chunk`, the next part of what it wrote, makes whole."""
        *whole, self._cut = (self._cut + chunk).split(b"\n")
        for line in whole:
            self.done += 1
            yield line.decode("utf-8", "surrogatepass")

    def end(self) -> None:
        os.close(self.fd)  # one that is still at work ends at its next line
        os.waitpid(self._pid, 0)


def _work(make: "Callable[[Job], str]", share: "Sequence[Job]", out: int) -> None:
    try:
        for start in range(0, len(share), _BLOCK):
            block = [make(job) for job in share[start : start + _BLOCK]]
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
