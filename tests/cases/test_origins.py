"""Whose sessions are listed: a person's; those of scripts and the archived ones with --all."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import Record, at, store, talk, transcript, typed
from tests.cases.look import listed, only, plan, refused
from tests.kit import lines, slug, uuid

ID = uuid(1)
CWD = "/srv/shop"
THREAD = codex.thread_id(1)


def seen(home: Path) -> str:
    """Where the one session is listed: by default, with --all, or never."""
    default, everything = listed(home), listed(home, "--all")
    assert len(default) <= len(everything) <= 1
    return "default" if default else "all" if everything else "never"


# --- Claude Code


@pytest.mark.parametrize("entry", ["cli", "claude-vscode", "claude-desktop", "mcp", "no-such", ...])
def test_a_persons_session(home: Path, entry: object) -> None:
    transcript(home, ID, CWD, talk(entrypoint=entry))
    assert seen(home) == "default"
    assert only(home)["origin"] == "interactive"


@pytest.mark.parametrize("entry", ["sdk-cli", "sdk-ts", "sdk-py"])
def test_a_scripts_session(home: Path, tmp_path: Path, entry: str) -> None:
    # anthropics/claude-code#78171: they flooded the list; hidden for good, nobody found them
    transcript(home, ID, tmp_path, talk(entrypoint=entry, promptSource="sdk"))
    assert seen(home) == "all"
    assert ID in plan(home, ID)["argv"]


def continued(old: str, new: str) -> Record:
    """As 2.1.332 leaves it behind when the session moves to the background."""
    return {"type": "continued-in", "sessionId": old, "continuedInSessionId": new}


def test_the_old_half_of_a_session_that_goes_on(home: Path, tmp_path: Path) -> None:
    new, elsewhere = uuid(2), uuid(3)
    transcript(home, ID, tmp_path, [*talk("Rework the cart"), continued(ID, new)])
    assert seen(home) == "default"  # nothing of that id is there
    transcript(home, new, tmp_path, talk("Rework the cart", 5))
    transcript(home, elsewhere, tmp_path, [*talk("Gone on", 9), continued(elsewhere, uuid(9))])
    assert [session["id"] for session in listed(home)] == [elsewhere, new]
    assert {session["id"] for session in listed(home, "--all")} == {ID, new, elsewhere}
    assert f"the session goes on as {new}" in plan(home, ID)["notes"]
    assert plan(home, elsewhere)["notes"] == []


def test_halves_of_halves(home: Path, tmp_path: Path) -> None:
    halves = [uuid(number) for number in range(1, 5)]
    for old, new in pairwise(halves):
        transcript(home, old, tmp_path, [*talk(), continued(old, new)])
    transcript(home, halves[-1], tmp_path, [typed("Say hi", isSidechain=True)])  # never listed
    assert [session["id"] for session in listed(home)] == [halves[2]]
    assert f"the session goes on as {halves[2]}" in plan(home, ID)["notes"]


def test_halves_that_point_at_each_other(home: Path, tmp_path: Path) -> None:
    for old, new in ((ID, uuid(2)), (uuid(2), ID), (uuid(3), uuid(3))):
        transcript(home, old, tmp_path, [*talk(), continued(old, new)])
    assert {session["id"] for session in listed(home)} == {ID, uuid(2), uuid(3)}


@pytest.mark.parametrize("more", [{"teamName": "crew"}, {"sessionKind": "daemon-worker"}])
def test_a_helpers_session(home: Path, more: Record) -> None:
    transcript(home, ID, CWD, talk(**more))
    assert seen(home) in ("all", "never")


def test_helpers_inside_a_persons_session(home: Path) -> None:
    records = [*talk("Mine", 1), *talk("helper", 3, isSidechain=True), *talk("more", 5)]
    transcript(home, ID, CWD, records)
    told = only(home)
    assert (told["title"], told["updated"]) == ("Mine", at(6))


def test_helpers_alone(home: Path) -> None:
    transcript(home, ID, CWD, talk("Find it", isSidechain=True))
    assert seen(home) == "never"
    refused(home, ID)


@pytest.mark.parametrize(
    ("archive", "where"),
    [
        ({"archived": True, "at": at(10)}, "all"),
        ({"archived": False, "at": at(10)}, "default"),
        ({"archived": True, "at": at(0)}, "default"),  # a prompt is newer
        ({"archived": "yes", "at": at(10)}, "default"),
        ({}, "default"),
        ([], "default"),
    ],
)
def test_archived_sessions(home: Path, tmp_path: Path, archive: object, where: str) -> None:
    transcript(home, ID, tmp_path, [typed("Mine", 1), *talk("More", 3)])
    lines(store(home) / slug(str(tmp_path)) / ID / "archived.json", [archive])
    assert seen(home) == where
    assert ID in plan(home, ID)["argv"]


def test_archived_after_it_was_read(home: Path, tmp_path: Path) -> None:
    transcript(home, ID, tmp_path)
    assert seen(home) == "default"
    lines(
        store(home) / slug(str(tmp_path)) / ID / "archived.json", [{"archived": True, "at": at(9)}]
    )
    assert seen(home) == "all"


# --- Codex


SPAWN = {"subagent": {"thread_spawn": {"parent_thread_id": codex.thread_id(9), "depth": 1}}}
SOURCES: list[tuple[object, str]] = [
    ("cli", "default"),
    ("vscode", "default"),
    ({"custom": "atlas"}, "default"),
    ({"custom": "chatgpt"}, "default"),
    (None, "default"),
    ("exec", "all"),
    ("mcp", "all"),
    ("unknown", "all"),
    ("some-new-kind", "all"),
    ({"custom": "bot"}, "all"),
    ({"custom": {"a": []}}, "all"),
    ({}, "all"),
    ([], "all"),
    (7, "all"),
    ("", "all"),
    (SPAWN, "never"),
    ({"subagent": "review"}, "never"),
    ({"subagent": {"other": "guardian"}}, "never"),
    ({"subagent": None}, "never"),
    ({"internal": "x"}, "never"),
    (f"subagent_thread_spawn_{codex.thread_id(9)}_d1", "never"),
    (f"thread_spawn_{codex.thread_id(9)}_d1", "never"),
]


@pytest.mark.parametrize(("source", "where"), SOURCES)
@pytest.mark.parametrize("known", [False, True])
def test_sources(home: Path, source: object, where: str, known: bool) -> None:
    # openai/codex#15339: a helper's source is an object
    records = [codex.meta(THREAD, CWD, source=source), codex.turn(CWD), codex.said("Mine")]
    codex.rollout(home, THREAD, CWD, records)
    if known:
        threads.database(home, [threads.thread(THREAD, CWD, source=codex.as_text(source))])
    assert seen(home) == where


@pytest.mark.parametrize("source", ["subagent", "memory_consolidation"])
def test_what_the_thread_was_made_for(home: Path, source: str) -> None:
    head = codex.meta(THREAD, CWD, thread_source=source)
    codex.rollout(home, THREAD, CWD, [head, codex.said("Mine")])
    assert seen(home) == "never"


def test_a_thread_that_hangs_on_another(home: Path) -> None:
    codex.rollout(home, THREAD, CWD)
    row = threads.thread(THREAD, CWD, attached_thread_parent_id=codex.thread_id(2))
    threads.database(home, [row])
    assert seen(home) == "never"


def test_an_archived_thread(home: Path, tmp_path: Path) -> None:
    codex.rollout(home, THREAD, tmp_path, below="archived_sessions")
    assert seen(home) == "all"
    assert f"codex unarchive {THREAD}" in refused(home, THREAD, "--yes")


def test_one_that_is_brought_back(home: Path, tmp_path: Path) -> None:
    path = codex.rollout(home, THREAD, tmp_path, below="archived_sessions")
    assert seen(home) == "all"
    to = codex.store(home) / codex.DAY / path.name
    to.parent.mkdir(parents=True)
    path.rename(to)
    assert seen(home) == "default"
    assert plan(home, THREAD)["argv"][-1] == THREAD


@pytest.mark.parametrize(
    "first",
    [
        {"id": THREAD, "timestamp": at(), "instructions": "be nice", "git": {"branch": "main"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
    ],
)
def test_a_format_that_is_no_longer_resumed(home: Path, first: Record) -> None:
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
    codex.rollout(home, THREAD, CWD, [first, said])
    assert seen(home) == "never"
    refused(home, THREAD)


def test_an_old_rollout_beside_the_days(home: Path) -> None:
    lines(codex.store(home) / "sessions" / f"rollout-2025-04-17-{THREAD}.json", [{"session": {}}])
    assert seen(home) == "never"
