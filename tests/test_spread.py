"""Jobs on several processes: each is done once, whatever becomes of a process."""

import os
from collections.abc import Callable

import pytest

from sessidx import spread
from sessidx.spread import MANY

JOBS = [f"job {number}" for number in range(1_000)]


@pytest.fixture(autouse=True)
def processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "_processors", lambda: 4)


def done(make: Callable[[str], str], jobs: list[str] = JOBS) -> list[tuple[str, str]]:
    found = sorted(spread.spread(make, jobs))
    assert no_child_is_left()
    return found


def no_child_is_left() -> bool:
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    return True


def doubled(job: str) -> str:
    return f"{job}\t{job} \udc80"


def test_every_job_once() -> None:
    assert done(doubled) == sorted((job, doubled(job)) for job in JOBS)


def test_a_process_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    fork = os.fork

    def counted() -> int:
        made.append(fork())
        return made[-1]

    monkeypatch.setattr(os, "fork", counted)
    done(doubled)
    assert len(made) == 3  # besides this one


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


def test_few_jobs_are_worth_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    jobs = JOBS[: MANY - 1]
    assert done(doubled, jobs) == sorted((job, doubled(job)) for job in jobs)


def test_who_stops_early_leaves_no_process() -> None:
    told = spread.spread(doubled, JOBS)
    next(told)
    told.close()  # type: ignore[attr-defined]
    assert no_child_is_left()
