"""Folders named to be run: the shell goes to just that folder and does nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sessidx.shells import BEGINNINGS

from .person import ENTER, Person
from .world import World

Start = Callable[..., Person]

NAMES = {
    "quotes": "it's \"so\" 'called'",
    "substitution": "$(touch canary) ${HOME} $HOME",
    "backticks": "`touch canary`",
    "history": "a!touch !! !$ ^touch^canary",
    "separators": "a; touch canary & touch canary | touch canary #",
    "newline": "a\ntouch canary\nb",
    "newline last": "a\n",
    "quote and newline": "a'\ntouch canary\n'!!\"",
    "escape": "a\x1b[31m\x1b]0;touch canary\x07",
    "other controls": "a\tb\rc\x7fd\x01e\u009bf",
    "option": "-P --help",
    "glob": "* ? [a-z] {b,c} ~ =ls",
    "backslashes": "a\\b\\\\'c\\",
    "letters": "café 日本 \u202etxt.exe",
}
ALL = "".join(name.replace("/", "") for name in NAMES.values())[:200]

# What changes how a line is read, where it can be switched on.
STRICT = {
    "zsh": "setopt rc_quotes glob_subst sh_word_split extended_glob ksh_glob sh_glob cdable_vars\n",
    "bash": "set -H; shopt -s failglob extglob cdable_vars autocd\n",
    "fish": "",
}


def untouched(world: World) -> bool:
    """Whether none of the hidden commands ran, wherever they would have left their mark."""
    return not any(world.root.rglob("canary*"))


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_key(world: World, person: Start, name: str) -> None:
    folder = world.folder(name)
    world.session("Odd folder", folder)
    with person(before=STRICT[world.shell]) as me:
        me.types("echo half")
        me.opens()
        me.picks("odd", "Odd folder")
        assert me.in_agent()["cwd"] == str(folder)
        me.ends_agent(3)
        assert me.at_prompt() == (3, str(folder))
        me.has_typed("echo half")
        assert untouched(world)


def test_function(world: World, person: Start) -> None:
    folder = world.folder(ALL)
    session = world.session("Odd folder", folder)
    with person(before=STRICT[world.shell]) as me:
        me.enters(f"sf resume {session}")
        assert me.in_agent()["cwd"] == str(folder)
        me.ends_agent(3)
        assert me.at_prompt() == (3, str(folder))
        assert untouched(world)


# fish 3.6 writes its file in the background and at times not at all on a busy machine, whatever the
# line; that Up finds the line in it is shown with the widget.
@pytest.mark.parametrize("shell", ["zsh", "bash"], indirect=True)
def test_line_read_back_from_the_history_file(world: World, person: Start) -> None:
    folder = world.folder(ALL)
    world.session("Odd folder", folder)
    with person() as me:
        me.opens()
        me.picks("odd", "Odd folder")
        me.in_agent()
        me.ends_agent(0)
        me.at_prompt()
        me.enters("exit")
        me.ended()
    with person() as me:
        me.recalls(BEGINNINGS[world.shell])
        me.terminal.send(ENTER)
        assert me.in_agent()["cwd"] == str(folder)
        me.ends_agent(0)
        me.at_prompt()
        assert untouched(world)


def test_gone_folder_is_named_without_controls(world: World, person: Start) -> None:
    folder = world.root / "work" / NAMES["escape"]
    world.session("Odd folder", folder)
    with person() as me:
        me.types("echo half")
        me.opens()
        me.picks("odd", "Odd folder")
        me.shows("sf: ")
        me.has_typed_line("echo half")
        assert b"\x1b[31m\x1b]0;touch" not in bytes(me.terminal.raw)


@pytest.mark.parametrize("hostile", ["'$(touch canary)'", "`touch canary`", "; touch canary"])
def test_branch_and_title_run_nothing(world: World, person: Start, hostile: str) -> None:
    world.session(f"Odd folder {hostile}", world.folder("f", branch="main"), branch=hostile)
    with person() as me:
        me.opens()
        me.picks("odd", "Odd folder")
        me.shows("[y/N]")
        me.terminal.send("y")
        me.in_agent()
        me.ends_agent(0)
        me.at_prompt()
        assert untouched(world)


# bash cannot tell the key that a command is open: what the quotes of the line then mean is the
# open command's, so what stands in them must be harmless on its own.
OPEN = {
    "double quote": ('echo "', '"'),
    "single quote": ("echo '", "'"),
    "dollar quote": ("echo $'", "'"),
    "here document": ("cat <<E", "E"),
    "backtick": ("echo `", "`"),
    "substitution": ('echo "$(', ')"'),
}


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
@pytest.mark.parametrize(("opening", "closing"), OPEN.values(), ids=OPEN)
@pytest.mark.parametrize("name", ["substitution", "backticks", "separators", "quotes"])
def test_key_in_an_open_command(
    world: World, person: Start, opening: str, closing: str, name: str
) -> None:
    world.session("Odd folder", world.folder(NAMES[name] + " ; touch canary; $(touch canary)"))
    with person() as me:
        me.enters(opening)
        me.shows("more>")
        me.opens()
        me.picks("odd", "Odd folder")
        me.terminal.settle()
        for _ in range(2):
            me.terminal.send(f"{closing}{ENTER}")
            me.terminal.settle()
        me.terminal.send(f"exit 0{ENTER}")  # should an agent have been started
        me.terminal.settle()
        assert untouched(world)
