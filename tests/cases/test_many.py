"""A hundred thousand files of helpers beside some real sessions (here fewer: what counts is counted).

anthropics/claude-code#35800
"""

from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import dump, placed, store, talk, transcript
from tests.cases.look import listed, titles
from tests.kit import slug, uuid
from tests.warm import sf

PROJECTS = 20
SESSIONS = 200
HELPERS = 6000


@pytest.fixture
def crowd(home: Path) -> Path:
    """Helpers in their side folders, as now, and beside the sessions, as up to 2.0."""
    for number in range(SESSIONS):
        cwd = f"/srv/repo{number % PROJECTS:02}"
        transcript(home, uuid(number), cwd, talk(f"Task {number}", number / 2))
    line = dump(placed(talk("helper", isSidechain=True)[0], uuid(1), "/srv")) + b"\n"
    for number in range(HELPERS):
        project = store(home) / slug(f"/srv/repo{number % PROJECTS:02}")
        side = project / uuid(number % SESSIONS) / "subagents"
        side.mkdir(parents=True, exist_ok=True)
        for folder in (project, side):
            (folder / f"agent-{number:08x}.jsonl").write_bytes(line)
    return home


def test_only_the_sessions_are_listed_and_opened(crowd: Path) -> None:
    cold = sf(home=crowd)
    assert len(cold.rows) == SESSIONS
    assert {row[5] for row in cold.rows} == {f"Task {number}" for number in range(SESSIONS)}
    transcripts = [path for path in cold.opened() if path.endswith(".jsonl")]
    assert sorted(transcripts) == sorted(set(transcripts))
    assert not [path for path in transcripts if "agent-" in path]
    scanned = [path for event, path in cold.events if event == "os.scandir"]
    assert len(scanned) <= PROJECTS + 5
    assert cold.seconds < 20
    warm = sf(home=crowd)
    assert warm.out == cold.out
    assert not [path for path in warm.opened() if path.endswith(".jsonl")]
    assert warm.seconds < 10


def test_one_that_grew_is_the_only_one_read_again(crowd: Path) -> None:
    sf(home=crowd)
    path = store(crowd) / slug("/srv/repo07") / f"{uuid(7)}.jsonl"
    with path.open("ab") as file:
        for record in talk("More", 500):
            file.write(dump(placed(record, uuid(7), "/srv/repo07")) + b"\n")
    ran = sf(home=crowd)
    assert ran.rows[0][0] == uuid(7)
    assert [opened for opened in ran.opened() if opened.endswith(".jsonl")] == [str(path)]


def test_helper_threads_do_not_push_sessions_off_the_list(home: Path) -> None:
    # openai/codex#40652: the newest fifty were taken before the helpers were left out
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": codex.thread_id(1), "depth": 1}}}
    for number in range(300):
        thread = codex.thread_id(number)
        source: object = "cli" if number < 3 else spawn
        head = codex.meta(thread, "/srv/shop", number, source=source)
        codex.rollout(home, thread, "/srv/shop", [head, codex.said(f"Task {number}", number)])
    assert titles(home, "--limit", "5") == ["Task 0", "Task 1", "Task 2"]
    assert len(listed(home, "--all")) == 3
