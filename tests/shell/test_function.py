"""The function: `sf resume` and `sf pick` act in the shell one stands in, everything else is the program's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sessidx.shells import BEGINNINGS

from .person import CTRL_Z, ENTER, Person
from .world import World

Start = Callable[..., Person]


@pytest.fixture
def session(world: World) -> str:
    """The id of the one session there is."""
    return world.session("Fix the flaky checkout", world.folder("shop"))


def test_resume_acts_in_this_shell(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters(f"sf resume {session[:8]} --verbose 'two words'")
        agent = me.in_agent()
        assert agent["cwd"] == str(world.root / "work" / "shop")
        assert agent["argv"][-2:] == ["--verbose", "two words"]  # type: ignore[index]
        assert agent["foreground"] and agent["cooked"]
        me.ends_agent(42)
        assert me.at_prompt() == (42, agent["cwd"])


def test_resumed_agent_can_be_suspended(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters(f"sf resume {session}")
        me.in_agent()
        me.terminal.send(CTRL_Z)
        _, folder = me.at_prompt()
        assert folder == str(world.root / "work" / "shop")
        me.continues_agent()
        me.ends_agent(7)
        # zsh suspends the function with its agent and cannot tell how the agent ended; fish's `fg`
        # always answers 0.
        assert me.at_prompt()[0] == (7 if world.shell == "bash" else 0)


def test_resume_line_stands_in_the_history(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters(f"sf resume {session}")
        me.in_agent()
        me.ends_agent(0)
        me.at_prompt()
        # fish 3 lets no function add to the history.
        me.recalls("sf resume" if world.shell == "fish" else BEGINNINGS[world.shell])


def test_persons_own_alias_applies(world: World, person: Start, session: str) -> None:
    with person(after="alias claude='claude --by-alias'\n") as me:
        me.enters(f"sf resume {session}")
        assert me.in_agent()["argv"][0] == "--by-alias"  # type: ignore[index]
        me.ends_agent(0)


def test_pick_acts_in_this_shell(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters("sf pick")
        me.sees_list()
        me.picks("checkout", "Fix the flaky checkout")
        me.in_agent()
        me.ends_agent(3)
        assert me.at_prompt() == (3, str(world.root / "work" / "shop"))


def test_refusal_reaches_the_status(world: World, person: Start, session: str) -> None:
    (world.root / "work" / "shop" / ".git" / "HEAD").unlink()
    (world.root / "work" / "shop" / ".git").rmdir()
    (world.root / "work" / "shop").rmdir()
    with person() as me:
        assert me.runs(f"sf resume {session}") == 1
        me.shows("work/shop")
        assert world.agents() == []


PROGRAM = """#!/bin/sh
for word; do
  printf 'program\\t%s\\0' "$word" >>"$JOURNAL"
done
if [ -t 1 ]; then echo to a terminal; else echo to a pipe; fi
exit 5
"""


@pytest.mark.parametrize(
    "call",
    [
        "sf",
        "sf find build",
        "sf resume -h",
        "sf resume --help",
        "sf resume --json ID",
        "sf resume -y --json ID",
        "sf resume --last --app codex --json",
        "sf resume --run ID",
        "sf resume ID --run",
        "sf resume --shell bash ID",
        "sf resume --shell=bash ID",
        "sf pick --help",
        "sf pick word -h",
        "sf pick --shell bash",
    ],
)
def test_everything_else_is_the_programs(world: World, person: Start, call: str) -> None:
    world.program("sf", PROGRAM)
    with person() as me:
        assert me.runs(call) == 5
        assert me.terminal.text().count("to a terminal") == 1
        words = [fields[0] for fields in world.events("program")]
        assert words == call.split()[1:]


@pytest.mark.parametrize("call", ["sf resume ID", "sf pick"])
def test_pipes_get_what_the_program_prints(world: World, person: Start, call: str) -> None:
    world.program("sf", PROGRAM)
    with person() as me:
        me.runs(f"{call} | cat")
        me.runs(f"echo ID | {call} >file; cat file")
        me.runs(f'echo "$({call})"' if world.shell != "fish" else f"echo ({call})")
        assert me.terminal.text().count("\nto a pipe") == 3
        assert "--shell" not in [fields[0] for fields in world.events("program")]


def test_the_columns_of_the_list_are_chosen(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters("sf pick --columns title,origin,archived checkout")
        me.sees_list()
        me.shows("Fix the flaky checkout  interactive  no")
        me.terminal.send(ENTER)
        assert session in me.in_agent()["argv"]  # type: ignore[operator]
        me.ends_agent(0)
        me.at_prompt()


def test_rows_in_a_pipe_get_the_line_printed(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.runs("sf checkout | sf resume -")
        me.shows("cd -- ")
        assert world.agents() == []


def test_rows_through_an_fzf_of_ones_own(world: World, person: Start, session: str) -> None:
    with person() as me:
        me.enters("sf checkout | fzf | sf resume -")
        me.sees_list()
        me.terminal.send(ENTER)
        assert me.next("fzf") == ["exit", "0"]
        assert me.at_prompt()[0] == 0
        me.shows(f"&& claude --resume {session}")
        assert world.agents() == []
