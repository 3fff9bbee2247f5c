"""What was said, in the picker: with the oldest fzf and the newest, from the key and from `sf pick --said`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .person import ENTER, ESC, Person
from .world import World

Start = Callable[..., Person]

ALT_S = "\x1bs"
CTRL_C = "\x03"
CHECKOUT, LOGIN = "Fix the flaky checkout", "Fix the slow login"

pytestmark = pytest.mark.usefixtures("every_fzf")


@pytest.fixture(autouse=True)
def session(world: World) -> str:
    """The older of two sessions, in which more is said than in the other; its id."""
    session = world.session(CHECKOUT, world.folder("shop"))
    says(world, session, "user", "A Zebra crosses\nthe road", "and a heron")
    says(world, world.session(LOGIN, world.folder("door")), "user", "A heron waits")
    return session


def says(world: World, session: str, role: str, *texts: str) -> None:
    path = next((world.home / ".claude" / "projects").glob(f"*/{session}.jsonl"))
    with path.open("a") as file:
        for text in texts:
            record = {"type": role, "message": {"role": role, "content": text}}
            file.write(json.dumps(record, separators=(",", ":")) + "\n")


def searching() -> list[str]:
    """The searches that run, anyone's with these words."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"@said" in words and b"zebra-no-more" in b" ".join(words):
            found.append(pid)
    return found


def opened(me: Person) -> None:
    me.types("echo half")
    me.opens()
    me.shows(CHECKOUT)
    me.terminal.send(ALT_S)
    me.shows("said>")


def left(me: Person) -> None:
    """Esc; fzf's loads stand in the journal, as many as there were letters, and are passed over."""
    me.terminal.send(ESC)
    me.has_typed("echo half")


def test_the_mode_and_back(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.types("echo half")
        me.opens()
        me.shows(CHECKOUT)
        me.terminal.send("heron")
        me.shows("> heron  < 0/")
        me.terminal.send(ALT_S)
        me.shows("said> heron  < 2/2")  # the query stays
        me.shows("A heron waits")
        me.shows("and a heron")
        me.shows("Alt-S titles")
        assert b"\x1b[1;33mheron" in me.terminal.raw or b"1;33" in me.terminal.raw
        me.terminal.send("\x15heron crosses")
        me.shows("said> heron crosses  < 0/0")
        me.terminal.send("\x15crosses the")
        me.shows("A Zebra crosses the road")
        me.shows("said> crosses the  < 1/1")
        me.terminal.send(ALT_S)
        me.shows("> crosses the  < 0/")
        me.shows("Alt-S said")
        left(me)


def test_enter_resumes_what_was_found(world: World, person: Start, session: str) -> None:
    with person() as me:
        opened(me)
        me.shows(LOGIN)  # of no words every session
        me.terminal.send("zebra road")
        me.shows("A Zebra crosses the road")
        me.terminal.send(ENTER)
        assert session in me.in_agent()["argv"]  # type: ignore[operator]
        me.ends_agent(0)
        me.at_prompt()
        me.has_typed("echo half")


def test_a_phrase_stands_between_quotes(world: World, person: Start) -> None:
    with person() as me:
        opened(me)
        me.terminal.send('"heron crosses"')
        me.shows("< 0/0")
        me.terminal.send('\x15"crosses the road"')
        me.shows("< 1/1")
        left(me)


def test_the_preview_shows_the_message_and_its_neighbours(world: World, person: Start) -> None:
    with person() as me:
        opened(me)
        me.terminal.send("zebra")
        me.shows("│   Fix the flaky checkout")  # what came before
        me.shows("│   A Zebra crosses ")  # the message as it was typed, in two lines
        me.shows("│   the road ")
        me.shows("│   and a heron")  # and what after
        left(me)


def test_pick_said_begins_there(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters("sf pick --said 'the road' zebra")
        me.shows('said> "the road" zebra  < 1/1')
        me.terminal.send(ENTER)
        assert session in me.in_agent()["argv"]  # type: ignore[operator]
        me.ends_agent(0)
        me.at_prompt()


def test_filters_count(world: World, person: Start) -> None:
    with person() as me:
        me.runs("cd work/door")
        me.enters("sf pick --said --here heron")
        me.shows("said> heron  < 1/1")
        me.shows("A heron waits")
        me.terminal.send(ESC)
        assert me.at_prompt()[0] == 130


@pytest.mark.parametrize("key", [ESC, CTRL_C, "x"], ids=["esc", "ctrl-c", "letter"])
def test_an_ended_search_leaves_no_process(world: World, person: Start, key: str) -> None:
    large = world.session("The largest of all", world.folder("large"))
    path = next((world.home / ".claude" / "projects").glob(f"*/{large}.jsonl"))
    with path.open("ab") as file:
        file.truncate(30_000_000_000)  # a hole, in which there is no line
    with person() as me:
        me.enters("sf pick --said zebra-no-more")
        me.shows("said> zebra-no-more")
        me.wait(searching, "a search")
        first = searching()
        me.terminal.send(key)
        me.wait(lambda: not set(first) & set(searching()), "its end")
        if key == "x":
            me.shows("said> zebra-no-morex")
            me.wait(searching, "the next search")
            me.terminal.send(ESC)
        me.wait(lambda: not searching(), "the end of all")
        me.at_prompt()
