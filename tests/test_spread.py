"""Jobs on several processes: each is done once, whatever becomes of a process."""

import os
from collections.abc import Callable, Iterator

import pytest

from sessidx import spread
from sessidx.spread import MANY

JOBS = [f"job {number}" for number in range(1_000)]


@pytest.fixture(autouse=True)
def children(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that are made, as on a machine with four processors; none may be left."""
    made: list[int] = []
    fork = os.fork

    def noted() -> int:
        made.append(fork())
        return made[-1]

    monkeypatch.setattr(spread, "processors", lambda: 4)
    monkeypatch.setattr(os, "fork", noted)
    yield made
    for child in made:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


def done(make: Callable[[str], str], jobs: list[str] = JOBS) -> list[tuple[str, str]]:
    return sorted(spread.spread(make, jobs))


def doubled(job: str) -> str:
    return f"{job}\t{job} \udc80"


def test_every_job_once() -> None:
    assert done(doubled) == sorted((job, doubled(job)) for job in JOBS)


def test_a_process_for_each_processor(children: list[int]) -> None:
    done(doubled)
    assert len(children) == 3  # besides this one


def test_a_process_that_dies_early() -> None:
    def make(job: str) -> str:
        if os.getpid() != parent:
            os._exit(9)
        return job

    parent = os.getpid()
    assert done(make) == sorted((job, job) for job in JOBS)


def test_no_process_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", forbidden)
    assert done(doubled) == sorted((job, doubled(job)) for job in JOBS)


def test_few_jobs_are_worth_no_process(children: list[int]) -> None:
    jobs = JOBS[: MANY - 1]
    assert done(doubled, jobs) == sorted((job, doubled(job)) for job in jobs)
    assert children == []


def test_who_stops_early_leaves_no_process() -> None:
    told = spread.spread(doubled, JOBS)
    next(told)
    told.close()  # type: ignore[attr-defined]
