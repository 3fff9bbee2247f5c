"""The key: open, search, Enter, and the agent runs in the right folder as if its command had been typed."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from sessidx.shells import BEGINNINGS

from .person import CTRL_C, CTRL_G, CTRL_Z, ENTER, ESC, Person
from .world import World

Start = Callable[..., Person]
LEFT = "\x1b[D"
HISTORY = {"zsh": ".history", "bash": ".history", "fish": ".local/share/fish/fish_history"}


@pytest.fixture(autouse=True)
def sessions(world: World) -> None:
    """A session that resumes at once, one whose folder is gone, one whose folder is on another branch."""
    world.session("Fix the flaky checkout", world.folder("shop"))
    world.session("Rename the vanished module", world.folder("gone"))
    shutil.rmtree(world.root / "work" / "gone")
    world.session("Draft the moved migration", world.folder("moved", branch="main"), branch="draft")


@pytest.mark.usefixtures("every_fzf")
def test_resumes_as_if_typed(world: World, person: Start, vi: bool) -> None:
    shop = str(world.root / "work" / "shop")
    with person(vi=vi) as me:
        me.types("echo half")
        if vi:
            me.to_command_mode()
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        agent = me.in_agent()
        assert agent["cwd"] == shop
        assert agent["foreground"], "the agent owns the terminal"
        assert agent["cooked"], "the terminal has the modes of a typed command"
        me.terminal.send(CTRL_Z)
        assert me.at_prompt()[1] == shop
        me.has_typed("echo half")
        me.clears()
        me.continues_agent()
        me.ends_agent(42)
        assert me.at_prompt()[0] == (0 if world.shell == "fish" else 42)  # fish's `fg` answers 0
        me.recalls(BEGINNINGS[world.shell])
        me.wait(lambda: "&& claude --resume" in me.typed(), "the whole line")
        me.clears()
        if world.shell == "fish":  # which writes its file when it likes
            me.runs("history save")
    assert BEGINNINGS[world.shell] in (world.home / HISTORY[world.shell]).read_text()


def test_status_and_half_typed_line_come_back(person: Start, vi: bool) -> None:
    with person(vi=vi) as me:
        me.types("echo half")
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        me.in_agent()
        me.ends_agent(42)
        assert me.at_prompt()[0] == 42
        me.has_typed("echo half")
        me.terminal.send(ENTER)
        me.at_prompt()
        me.shows("\nhalf")


@pytest.mark.usefixtures("every_fzf")
@pytest.mark.parametrize("key", [ESC, CTRL_C, CTRL_G], ids=["esc", "ctrl-c", "ctrl-g"])
def test_leaving_changes_nothing(world: World, person: Start, key: str) -> None:
    with person() as me:
        me.types("echo half")
        me.terminal.send(LEFT * 2)
        me.opens()
        me.leaves(key)
        me.has_typed("echo half")
        me.terminal.send("X")
        me.has_typed("echo haXlf")
        assert me.terminal.text() == f"{me.prompt} echo haXlf"
        assert world.agents() == []


def test_gone_folder_is_refused(world: World, person: Start, vi: bool) -> None:
    with person(vi=vi) as me:
        me.types("echo half")
        if vi:
            me.to_command_mode()
        me.opens()
        me.picks("vanished", "Rename the vanished module")
        me.shows("sf: ")
        me.shows("work/gone")
        me.has_typed_line("echo half")
        assert "$" not in me.terminal.text()  # no word of the widget itself
        assert world.agents() == []


@pytest.mark.usefixtures("every_fzf")
def test_branch_question_answered_no(world: World, person: Start) -> None:
    with person() as me:
        me.types("echo half")
        me.terminal.send(LEFT)
        me.opens()
        me.picks("migration", "Draft the moved migration")
        me.shows("[y/N]")
        me.terminal.send("n")
        me.shows("not resumed")
        me.has_typed_line("echo half")
        me.terminal.send("X")
        me.has_typed_line("echo halXf")
        assert world.agents() == []


@pytest.mark.parametrize("key", [ENTER, ESC, CTRL_C], ids=["enter", "esc", "ctrl-c"])
def test_branch_question_means_no_unless_y(world: World, person: Start, key: str) -> None:
    with person() as me:
        me.types("echo half")
        me.opens()
        me.picks("migration", "Draft the moved migration")
        me.shows("[y/N]")
        me.terminal.send(key)
        me.shows("not resumed")
        me.has_typed_line("echo half")
        assert world.agents() == []


def test_branch_question_answered_yes(world: World, person: Start, vi: bool) -> None:
    with person(vi=vi) as me:
        me.types("echo half")
        me.opens()
        me.picks("migration", "Draft the moved migration")
        me.shows("[y/N]")
        me.terminal.send("y")
        agent = me.in_agent()
        assert agent["cwd"] == str(world.root / "work" / "moved")
        assert agent["foreground"] and agent["cooked"]
        me.ends_agent(0)
        assert me.at_prompt()[0] == 0
        me.has_typed("echo half")


def test_key_twice_in_a_row(person: Start) -> None:
    with person() as me:
        for status in (1, 2):
            me.opens()
            me.picks("checkout", "Fix the flaky checkout")
            me.in_agent()
            me.ends_agent(status)
            assert me.at_prompt()[0] == status
            me.has_typed("")
        me.opens()
        me.leaves()
        me.runs("true")  # the accept-line of the pick before is not left behind


@pytest.mark.parametrize("chosen", ["ctrl-t", "alt-s"])
def test_key_can_be_chosen(world: World, person: Start, vi: bool, chosen: str) -> None:
    world.env["SESSIDX_KEY"] = chosen
    with person(vi=vi) as me:
        me.opens({"ctrl-t": "\x14", "alt-s": "\x1bs"}[chosen])
        me.leaves()


@pytest.mark.parametrize("chosen", ["", "nonsense"])
def test_no_key_binds_nothing(world: World, person: Start, chosen: str) -> None:
    world.env["SESSIDX_KEY"] = chosen
    with person() as me:
        me.terminal.send(CTRL_G)
        if world.shell == "zsh":
            me.at_prompt()  # what the key does there by itself
        me.terminal.settle()
        me.clears()
        me.runs("echo on")
        assert world.events("fzf") == []


NOTHING_TO_RUN = {
    "another command": ["echo printed; touch canary"],
    "two lines": ["builtin cd -- /", "touch canary"],
    "an escape in the line": ["builtin cd -- / && touch canary\\033"],
    "a carriage return": ["builtin cd -- / && touch canary\\r"],
    "a blank first": [" builtin cd -- / && touch canary"],
    "almost the form": ["builtin cd --; touch canary"],
    "cd alone": ["cd -- / && touch canary"],
    "nothing": [],
}


@pytest.mark.parametrize("lines", NOTHING_TO_RUN.values(), ids=NOTHING_TO_RUN)
def test_other_programs_line_is_not_run(world: World, person: Start, lines: list[str]) -> None:
    ours = BEGINNINGS[world.shell].replace("\\", "\\\\")
    made = [
        line.replace("builtin cd -- ", ours).replace("canary", str(world.canary)) for line in lines
    ]
    told = " ".join(f"'{line}\\n'" for line in made)
    world.program("sf", f"#!/bin/sh\nprintf '%b' {told} ''\n")
    with person() as me:
        me.types("echo half")
        me.terminal.send(CTRL_G)
        if lines:
            me.shows("touch")
        me.terminal.settle()
        me.has_typed_line("echo half")
        me.clears()
        me.runs("sf resume ID")
        assert not world.canary.exists()


@pytest.mark.parametrize("status", [1, 2, 130])
def test_line_of_a_failed_program_is_not_run(world: World, person: Start, status: int) -> None:
    line = f"{BEGINNINGS[world.shell]}/ && touch {world.canary}"
    world.program("sf", f"#!/bin/sh\necho '{line}'\nexit {status}\n")
    with person() as me:
        me.terminal.send(CTRL_G)
        me.terminal.settle()
        assert me.runs("sf resume ID") == status
        assert not world.canary.exists()


def test_program_missing(world: World, person: Start) -> None:
    with person() as me:
        (world.bin / "sf").unlink()
        me.types("echo half")
        me.terminal.send(CTRL_G)
        me.shows(f"sf: the program is gone from {world.bin}/sf; install it again")
        me.has_typed_line("echo half")
        me.clears()
        for call in ("sf resume ID", "sf word", "sessidx word", "sf doctor"):
            assert me.runs(call) == 127
