"""Many sessions by several processes: the order, the ones that die, and that none is left."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sessidx import index, spread
from sessidx.query import Query
from sessidx.said import search
from sessidx.said.phrases import Sought
from tests.kit import SF, claude, environment, sf, uuid

SESSIONS = 120


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions of which every third says it; the newest has the lowest number."""
    folder = tmp_path_factory.mktemp("many")
    for number in range(SESSIONS):
        at = f"2026-11-{28 - number // 10:02}T10:00:{59 - number % 10:02}.000Z"
        claude(folder, uuid(number), "/srv", f"Session {number}", at=at)
        path = next(folder.glob(f".claude/projects/*/{uuid(number)}.jsonl"))
        if number % 3 == 0:
            text = path.read_text()
            path.write_text(text.replace("Done.", f"The needle of {number}"))
    sf("build", home=folder)
    return folder


@pytest.fixture
def look(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[str]]]:
    """Searches with so many processes, from the first session on, and lists the ids."""
    made: list[int] = []
    fork = os.fork

    def noted() -> int:
        made.append(fork())
        return made[-1]

    for variable in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(home if variable == "HOME" else home / ".cache"))
    for variable in ("CLAUDE_CONFIG_DIR", "SESSIDX_HOME", "SESSIDX_HOMES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(search, "_ALONE", 0)
    monkeypatch.setattr(search, "_BLOCK", 1000)
    monkeypatch.setattr(os, "fork", noted)

    def ids(word: str, processes: int, most: int = SESSIONS) -> list[str]:
        monkeypatch.setattr(search, "_FEWEST", processes)
        monkeypatch.setattr(search, "_MOST", processes)
        found = search.Search(index.stores(["claude-code"]), Query(), Sought([word]))
        hits = found.hits(lambda: None)
        told = []
        for session, _ in hits:
            told.append(session.id)
            if len(told) == most:
                break
        hits.close()  # type: ignore[attr-defined]
        return told

    yield ids
    for child in made:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


@pytest.mark.parametrize("processes", [1, 2, 8])
def test_the_newest_first_by_any_number_of_processes(
    look: Callable[..., list[str]], processes: int
) -> None:
    assert look("the NEEDLE of", processes) == [uuid(n) for n in range(0, SESSIONS, 3)]
    assert look("the needle of", processes, 2) == [uuid(0), uuid(3)]
    assert look("needle of 33", processes) == [uuid(33)]
    assert look("no such word", processes) == []


def test_a_process_that_dies_loses_nothing(
    look: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    us = os.getpid()
    first = search.Search._look

    def dies(self: search.Search, *session: object) -> str:
        if os.getpid() != us:
            os._exit(9)
        return first(self, *session)  # type: ignore[arg-type]

    monkeypatch.setattr(search.Search, "_look", dies)
    assert look("needle of", 2) == [uuid(n) for n in range(0, SESSIONS, 3)]


def test_no_process_to_be_had(
    look: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", forbidden)
    assert look("needle of", 4) == [uuid(n) for n in range(0, SESSIONS, 3)]


def test_as_many_as_there_are_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    for processors, children in ((1, 4), (2, 4), (3, 6), (64, 8)):
        monkeypatch.setattr(search, "processors", lambda count=processors: count)
        assert search._children() == children
    assert spread.processors() >= 1


def alive(group: int) -> list[int]:
    """The processes of a group, those that only wait to be buried aside."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(name))
    return found


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A search through a transcript that has no end while it is looked through."""
    first = claude(tmp_path, uuid(1), "/srv", "The long one")
    with first.open("ab") as file:
        file.truncate(30_000_000_000)  # a hole: nothing but NULs, one line
    claude(tmp_path, uuid(2), "/srv", "The short one", at="2026-10-01T10:00:00.000Z")
    sf("build", home=tmp_path)
    process = subprocess.Popen(
        [SF, "--said", "no such word"],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    until(lambda: len(alive(process.pid)) > 1)
    yield process
    for left in alive(process.pid):
        os.kill(left, signal.SIGKILL)
    process.wait()
    assert process.stdout
    process.stdout.close()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_ended_search_leaves_no_process(slow: subprocess.Popen[bytes], by: int) -> None:
    slow.send_signal(by)
    code = slow.wait()
    assert code == (130 if by == signal.SIGINT else -by)
    until(lambda: not alive(slow.pid))


def test_who_reads_no_more_ends_the_search(slow: subprocess.Popen[bytes]) -> None:
    assert slow.stdout
    slow.stdout.close()
    assert slow.wait() == 0
    until(lambda: not alive(slow.pid))
