"""direnv and mise, with their own hooks: an agent starts with the variables of its session's folder, never of another's.

mise comes by npm, so its tests are asked for: see CONTRIBUTING.md.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

import pytest

from sessidx.shells import BEGINNINGS

from .person import Person
from .world import TOOLS, World

Start = Callable[..., Person]

# An agent that only tells which of the two variables it was started with.
AGENT = """#!/bin/sh
[ "$1" = --version ] && exit
printf 'agent\\t%s\\t%s\\0' "${ONLY_A-}" "${BOTH-}" >>"$JOURNAL"
"""


class Tool:
    """One of the two programs: how a folder gets its variables and a shell its hook."""

    def __init__(self, name: str, path: str, file: str, text: str, allow: list[str]) -> None:
        self.name = name
        self.path = path
        self.file = file
        self.text = text
        self.allow = allow

    def hook(self, shell: str) -> str:
        verb = {"direnv": "hook", "mise": "activate"}[self.name]
        line = f"'{self.path}' {verb} {shell}"
        return f"{line} | source\n" if shell == "fish" else f'eval "$({line})"\n'

    def sets(
        self, world: World, folder: str, variables: dict[str, str], allowed: bool = True
    ) -> None:
        """Give the folder its variables and, as its person would, trust in them."""
        there = world.root / "work" / folder
        lines = [self.text.format(name=name, value=value) for name, value in variables.items()]
        head = "[env]\n" if self.name == "mise" else ""
        (there / self.file).write_text(head + "".join(lines))
        if allowed:
            words = [self.path, *self.allow]
            subprocess.run(words, cwd=there, env=world.env, check=True, capture_output=True)


@pytest.fixture(params=["direnv", pytest.param("mise", marks=pytest.mark.mise)])
def tool(request: pytest.FixtureRequest, world: World) -> Tool:
    """Each program, first in PATH."""
    name = str(request.param)
    found = os.environ.get(f"SF_TEST_{name.upper()}") or shutil.which(name, path=TOOLS)
    assert found, f"{name} is not on PATH; SF_TEST_{name.upper()} may name it"
    (world.bin / name).symlink_to(found)
    world.program("claude", AGENT)
    path = str(world.bin / name)
    if name == "mise":
        world.env |= {"MISE_OFFLINE": "1", "MISE_YES": "0"}
        return Tool(name, path, "mise.toml", "{name} = '{value}'\n", ["trust", "mise.toml"])
    return Tool(name, path, ".envrc", "export {name}='{value}'\n", ["allow"])


@pytest.fixture(params=["key", "function"])
def resumes(request: pytest.FixtureRequest) -> Callable[[Person, str], None]:
    """Resumes the session of that title: by the key, or by a typed command."""

    def by_key(me: Person, title: str) -> None:
        me.opens()
        me.picks(title, title)

    def by_function(me: Person, title: str) -> None:
        me.enters("sf pick")
        me.sees_list()
        me.picks(title, title)

    return by_key if request.param == "key" else by_function


def started(me: Person) -> list[str]:
    """The two variables that the agent was started with."""
    variables = me.next("agent")
    me.at_prompt()
    return variables


def test_agent_gets_the_variables_of_its_own_folder(
    world: World, person: Start, tool: Tool, resumes: Callable[[Person, str], None], vi: bool
) -> None:
    a = world.folder("a")
    world.session("Checkout in another project", world.folder("b"))
    world.session("Migration in no project", world.folder("c"))
    world.session("Vanishing distrusted variables", world.folder("d"))
    world.session("Half written elsewhere", world.folder("a/deep"))
    tool.sets(world, "a", {"ONLY_A": "a", "BOTH": "a"})
    tool.sets(world, "b", {"BOTH": "b"})
    tool.sets(world, "d", {"BOTH": "d"}, allowed=False)
    with person(vi=vi, after=tool.hook(world.shell)) as me:
        for title, variables in (
            ("Checkout", ["", "b"]),
            ("Migration", ["", ""]),
            ("Half written", ["a", "a"]),
            # mise changes nothing in a folder that it is not to trust, at no prompt either.
            ("Vanishing", ["", ""] if tool.name == "direnv" else ["a", "a"]),
        ):
            me.runs(f"cd {a}")
            me.runs('echo "<$ONLY_A$BOTH>"')
            me.shows("<aa>")
            resumes(me, title)
            assert started(me) == variables


def test_folder_one_stands_in(
    world: World, person: Start, tool: Tool, resumes: Callable[[Person, str], None]
) -> None:
    world.session("Checkout in this project", world.folder("b"))
    tool.sets(world, "b", {"BOTH": "b"})
    with person(after=tool.hook(world.shell)) as me:
        me.runs("cd work/b")
        resumes(me, "Checkout")
        assert started(me) == ["", "b"]
        me.runs("cd /")
        me.runs('echo "<$ONLY_A$BOTH>"')
        me.shows("<>")


def test_line_out_of_the_history(world: World, person: Start, tool: Tool) -> None:
    session = world.session("Checkout in another project", world.folder("b"))
    a = world.folder("a")
    tool.sets(world, "a", {"ONLY_A": "a", "BOTH": "a"})
    tool.sets(world, "b", {"BOTH": "b"})
    with person(after=tool.hook(world.shell)) as me:
        me.opens()
        me.picks("Checkout", "Checkout")
        assert started(me) == ["", "b"]
        me.runs(f"cd {a}")
        me.recalls(BEGINNINGS[world.shell])
        me.wait(lambda: session in me.typed(), "the whole line")
        me.terminal.send("\r")
        assert started(me) == ["", "b"]
