"""TAB in the real shells, and the three files held in step with the program's own commands."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from sessidx import cli, rows

from .person import CTRL_C, TAB, Person
from .world import REPOSITORY, TOOLS, World

Start = Callable[..., Person]
FILES = {"zsh": "_sf", "bash": "sf.bash", "fish": "sf.fish"}
LOAD = {
    "zsh": f"fpath=({REPOSITORY}/completions $fpath); autoload -Uz compinit && compinit -u\n",
    "bash": f"source '{REPOSITORY}/completions/sf.bash'\n",
    "fish": f"set -p fish_complete_path {REPOSITORY}/completions\n",
}
# zsh's compinit, started again when the file is sourced instead.
SOURCED = {
    "zsh": f"autoload -Uz compinit && compinit -u; source {REPOSITORY}/completions/_sf\n",
    "bash": LOAD["bash"] * 2,
    "fish": f"source {REPOSITORY}/completions/sf.fish\n" * 2,
}


def started(person: Start, world: World, load: dict[str, str] = LOAD) -> Person:
    """A person whose shell has the completion."""
    return person(after=load[world.shell])


@pytest.fixture
def sessions(world: World) -> list[str]:
    """Three sessions, the newest first."""
    titles = ["Fix: the flaky 'checkout'", "Speed up [the] build", "Draft a $(migration)"]
    ids = [world.session(title, world.folder(f"f{n}")) for n, title in enumerate(titles)]
    return ids[::-1]


@pytest.mark.parametrize("load", [LOAD, SOURCED], ids=["autoloaded", "sourced"])
def test_tab_offers_sessions(
    world: World, person: Start, sessions: list[str], load: dict[str, str]
) -> None:
    with started(person, world, load) as me:
        me.types("sf resume ")
        me.terminal.send(TAB + TAB)
        me.shows("Fix: the flaky 'checkout'")
        text = me.terminal.text()
        places = [text.index(name[:20]) for name in sessions]
        assert places == sorted(places), "the newest first"
        for title in ("Speed up [the] build", "Draft a $(migration)"):
            assert title in text
        me.terminal.send(CTRL_C)


def test_tab_completes_a_session(world: World, person: Start, sessions: list[str]) -> None:
    with started(person, world) as me:
        me.types(f"sf resume --fork {sessions[1][:6]}")
        me.terminal.send(TAB)
        me.has_typed(f"sf resume --fork {sessions[1]}")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("sf doc", "sf doctor"),
        ("sf find --sin", "sf find --since"),
        ("sf resume --no", "sf resume --no-model"),
        ("sf --her", "sf --here"),
        ("sf init z", "sf init zsh"),
        ("sf find --format ta", "sf find --format table"),
        ("sf find --columns id,ti", "sf find --columns id,title"),
        ("sf pick --app cod", "sf pick --app codex"),
        ("sf resume --app codex --la", "sf resume --app codex --last"),
        ("sf find --dir wo", "sf find --dir work/"),
        ("sessidx do", "sessidx doctor"),
    ],
)
def test_tab_completes(world: World, person: Start, typed: str, completed: str) -> None:
    (world.bin / "sessidx").symlink_to(world.bin / "sf")
    with started(person, world, SOURCED) as me:
        me.types(typed)
        me.terminal.send(TAB)
        me.wait(lambda: me.typed().startswith(completed), completed)


@pytest.mark.parametrize(
    "program",
    ["echo loud >&2; exit 3", "kill -9 $$", "echo loud >&2; printf '\\377\\n'; exit 1", None],
    ids=["fails", "dies", "rubbish", "missing"],
)
def test_tab_prints_nothing(world: World, person: Start, program: str | None) -> None:
    if program is None:
        (world.bin / "sf").unlink()
    else:
        world.program("sf", f"#!/bin/sh\n{program}\n")
    with started(person, world) as me:
        me.types("sf resume ")
        me.terminal.send(TAB)
        me.terminal.settle(0.3)
        me.terminal.send("x")
        me.wait(lambda: me.typed().endswith("x"), "the x")
        assert me.terminal.text().startswith(f"{me.prompt} sf resume ")
        assert "\n" not in me.terminal.text()


def test_titles_run_nothing(world: World, person: Start) -> None:
    for number, title in enumerate(["a$(touch canary)", "b`touch canary`", "c'; touch canary; '"]):
        world.session(title.replace("canary", str(world.canary)), world.folder(str(number)))
    with started(person, world) as me:
        me.types("sf show ")
        me.terminal.send(TAB + TAB)
        me.shows("touch")
        me.terminal.send(CTRL_C)
        me.terminal.settle()
        assert not world.canary.exists()


# The three files against the program


def commands() -> dict[str, click.Command]:
    """The program's commands, less the hidden ones."""
    assert isinstance(cli.main, click.Group)
    return {name: one for name, one in cli.main.commands.items() if not one.hidden}


def options(command: click.Command) -> dict[str, list[str]]:
    """A command's options, each with the values that it knows."""
    found: dict[str, list[str]] = {"-h": [], "--help": []}
    for param in command.params:
        if isinstance(param, click.Option) and not param.hidden:
            values = list(param.type.choices) if isinstance(param.type, click.Choice) else []
            values = [*rows.COLUMNS, rows.SAID] if param.name == "columns" else values
            found |= {name: values for name in param.opts if not (param.is_flag and values)}
            found |= {name: [] for name in param.opts if param.is_flag}
    return found


class Offers:
    """What a completion file offers after some words, asked of the shell without a terminal."""

    def __init__(self, shell: str, home: Path) -> None:
        self.shell = shell
        self.env = {"HOME": str(home), "PATH": TOOLS, "LC_ALL": "C.UTF-8"}

    def __call__(self, line: str) -> set[str]:
        file = REPOSITORY / "completions" / FILES[self.shell]
        script = {"bash": BASH, "fish": FISH}[self.shell]
        argv = [
            self.shell,
            "-c",
            script.format(file=file),
            *([self.shell] * (self.shell == "bash")),
            line,
        ]
        done = subprocess.run(argv, env=self.env, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return {found.partition("\t")[0] for found in done.stdout.splitlines()}


BASH = """source {file}
COMP_LINE=$1 COMP_POINT=${{#1}}
_sf sf "${{1##*[ =]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = "source {file}; complete -C $argv[1]"


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_in_step(shell: str, tmp_path: Path) -> None:
    offers = Offers(shell, tmp_path)
    assert offers("sf ") == set(commands())
    assert offers("sf -") >= {"-V", "--version"}
    for name, command in commands().items():
        known = options(command)
        # fish offers `-h` only by itself when asked for `-`.
        offered = offers(f"sf {name} -") | offers(f"sf {name} --")
        assert offered == set(known), name
        for option, values in known.items():
            if values:
                assert offers(f"sf {name} {option} ") == set(values), (name, option)


ZSH = """
autoload() {{ : }}
source {file}
local -a specs
_sf_specs $1
print -rl -- $specs
functions -x2 _sf _sf_columns
"""


def test_zsh_in_step(tmp_path: Path) -> None:
    file = REPOSITORY / "completions" / "_sf"
    env = {"HOME": str(tmp_path), "PATH": TOOLS, "LC_ALL": "C.UTF-8"}

    def told(command: str) -> str:
        argv = [
            "zsh",
            "-f",
            "-c",
            f"function run {{ {ZSH.format(file=file)} }}; run $1",
            "zsh",
            command,
        ]
        return subprocess.run(argv, env=env, capture_output=True, text=True, check=True).stdout

    verbs = re.search(r"verbs=\((.*?)\)\n", file.read_text(), re.DOTALL)
    assert verbs and set(re.findall(r"'(\w+):", verbs[1])) == set(commands())
    columns = re.search(r"_values -s , column (.*)", file.read_text())
    assert columns and set(columns[1].split()) == {*rows.COLUMNS, rows.SAID}
    for name, command in commands().items():
        known = options(command)
        specs = told(name).split("\n_sf")[0]
        found = dict(re.findall(r"^(?:\(.*?\))?\*?(--?[\w-]+)=?\[.*?\](.*)$", specs, re.MULTILINE))
        assert set(found) == set(known), name
        for option, values in known.items():
            if option == "--columns":
                assert found[option].endswith(":_sf_columns")
            elif values:
                assert found[option].endswith(f":({' '.join(values)})"), option
