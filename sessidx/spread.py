"""Many small jobs, on all processors, with a bar on the terminal when they take long.

A first look at thousands of transcripts is the one slow thing that sf does. Knows nothing of what
the jobs are: each makes one line of text.
"""

import fcntl
import os
import sys
from select import select
from time import monotonic

from . import output

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Job = Any  # whatever `make` takes
    Make = Callable[[Job], str]

MANY = 24  # jobs that are worth a second process
_PROCESSES = 8
_BLOCK = 16  # jobs that a process takes at once, where there are not too many
BLOCKS = 1_000  # their numbers fit into any pipe
_SIGKILL = 9
_PATIENCE = 0.5  # seconds, before a bar is shown


def spread(make: "Make", jobs: "Sequence[Job]") -> "Iterator[tuple[Job, str]]":
    """Each of `jobs` with the line that `make` makes of it, in no order; `make` must not raise.

    Other processes begin at once, this one when it is asked for the first.
    """
    others = min(_PROCESSES, processors()) - 1
    if len(jobs) < MANY or others < 1:
        return zip(jobs, map(make, jobs), strict=True)
    blocks = Blocks(_even(len(jobs)))
    children: list[Child] = []
    for _ in range(others):
        try:
            children.append(Child(make, jobs, blocks))
        except OSError:  # no more processes allowed
            break
    return _collected(make, jobs, blocks, children)


def _collected(
    make: "Make", jobs: "Sequence[Job]", blocks: "Blocks", children: "list[Child]"
) -> "Iterator[tuple[Job, str]]":
    left = set(range(len(jobs)))
    try:
        for number, line in _told(make, jobs, blocks, children):
            left.discard(number)
            yield jobs[number], line
    finally:
        blocks.close()
        for child in children:
            child.end()
    for number in left:  # of a process that died early
        yield jobs[number], make(jobs[number])


def _told(
    make: "Make", jobs: "Sequence[Job]", blocks: "Blocks", children: "list[Child]"
) -> "Iterator[tuple[int, str]]":
    """The number of a job and its line: of this process and of others, as they come."""
    at_work = {child.fd: child for child in children}
    for block in blocks:
        for number in block:
            yield number, make(jobs[number])
        yield from _arrived(at_work, 0)  # else a child would wait before a full pipe
    while at_work:
        yield from _arrived(at_work, None)


class Blocks:
    """Runs of the numbers of jobs: whoever is free takes the next, in any process."""

    def __init__(self, runs: "Sequence[range]") -> None:
        """At most BLOCKS of them."""
        self._runs = runs
        self._fd, to = os.pipe()
        os.write(to, b"".join(number.to_bytes(4, "big") for number in range(len(runs))))
        os.close(to)

    def __iter__(self) -> "Iterator[range]":
        while number := os.read(self._fd, 4):
            yield self._runs[int.from_bytes(number, "big")]

    def close(self) -> None:
        os.close(self._fd)


def _even(jobs: int) -> list[range]:
    size = max(_BLOCK, jobs // BLOCKS + 1)
    return [range(first, min(first + size, jobs)) for first in range(0, jobs, size)]


def _arrived(at_work: "dict[int, Child]", patience: float | None) -> "Iterator[tuple[int, str]]":
    """What comes within `patience` seconds; who has no more is taken out of `at_work`."""
    for fd in select(at_work, (), (), patience)[0]:
        if chunk := os.read(fd, 1 << 16):
            yield from at_work[fd].told(chunk)
        else:
            del at_work[fd]


class Child:
    """A process that does what there is to do; `begin` is called in it first."""

    def __init__(
        self,
        make: "Make",
        jobs: "Sequence[Job]",
        blocks: Blocks,
        begin: "Callable[[], None] | None" = None,
    ) -> None:
        self._cut = b""
        self.fd, to = os.pipe()
        _widen(to)
        try:
            self._pid = os.fork()
            if self._pid == 0:
                _work(make, jobs, blocks, to, begin)
        except OSError:
            os.close(self.fd)
            raise
        finally:
            os.close(to)

    def told(self, chunk: bytes) -> "Iterator[tuple[int, str]]":
        """What `chunk`, the next part of what it wrote, makes whole."""
        *whole, self._cut = (self._cut + chunk).split(b"\n")
        for line in whole:
            number, _, made = line.partition(b"\t")
            yield int(number), made.decode("utf-8", "surrogatepass")

    def end(self) -> None:
        os.close(self.fd)
        os.kill(self._pid, _SIGKILL)  # it may still be at work on what nobody asks for any more
        os.waitpid(self._pid, 0)


def _work(
    make: "Make",
    jobs: "Sequence[Job]",
    blocks: Blocks,
    to: int,
    begin: "Callable[[], None] | None",
) -> None:
    try:
        if begin:
            begin()
        for block in blocks:
            made = "".join(f"{number}\t{make(jobs[number])}\n" for number in block)
            output.write(to, made.encode("utf-8", "surrogatepass"))
    finally:
        os._exit(0)


def _widen(pipe: int) -> None:
    """Let the pipe hold what is made before anyone reads it."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux
        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
        except OSError:
            pass


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def with_bar(
    told: "Iterator[tuple[Job, str]]", count: int, label: str
) -> "Iterator[tuple[Job, str]]":
    """`told` as it is; once it takes half a second, a bar on a terminal's standard error."""
    if not os.isatty(2):
        yield from told
        return
    start = monotonic()
    done = 0
    for each in told:
        yield each
        done += 1
        if monotonic() - start > _PATIENCE:
            break
    if done == count:
        return
    from click import progressbar

    with progressbar(length=count, label=label, file=sys.stderr) as bar:
        bar.update(done)
        for each in told:
            yield each
            bar.update(1)
