"""Set-ups that people have: a stranger named sf, agents that are aliases, options that act on a line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sessidx import apps

from .person import ENTER, Person
from .test_load import only
from .world import REPOSITORY, World

Start = Callable[..., Person]

STRANGER = '#!/bin/sh\n: >"$HOME/stranger-was-here"\necho stranger\n'


@pytest.mark.parametrize("feature", ["qmark-noglob", "no-qmark-noglob"])
@only("fish")
def test_the_key_is_bound_whatever_a_question_mark_means(
    world: World, person: Start, feature: str
) -> None:
    world.env["fish_features"] = feature
    world.session("Fix the flaky checkout", world.folder("shop"))
    for key, sent in (("ctrl-g", "\x07"), ("alt-s", "\x1bs")):
        world.env["SESSIDX_KEY"] = key
        with person() as me:
            me.opens(sent)
            me.leaves()


def test_a_stranger_of_that_name_is_never_called(world: World, person: Start) -> None:
    session = world.session("Fix the flaky checkout", world.folder("shop"))
    strangers = world.root / "strangers"
    strangers.mkdir()
    for name in ("sf", "sessidx"):
        (strangers / name).write_text(STRANGER)
        (strangers / name).chmod(0o755)
    world.env["PATH"] = f"{strangers}:{world.env['PATH']}"
    with person() as me:
        me.opens()
        me.leaves()
        me.runs("sf checkout")
        me.shows("Fix the flaky checkout")
        for name in ("sf", "sessidx"):
            me.enters(f"{name} resume {session}")
            me.in_agent()
            me.ends_agent(0)
            me.at_prompt()
    assert not (world.home / "stranger-was-here").exists()


def test_by_its_path_the_file_knows_the_program_it_came_with(world: World, person: Start) -> None:
    """As pip lays them out: bin/sf, share/sf/sf.zsh."""
    venv = world.root / "venv"
    (venv / "share" / "sf").mkdir(parents=True)
    (venv / "bin").mkdir()
    file = venv / "share" / "sf" / f"sf.{world.shell}"
    file.write_bytes((REPOSITORY / "shell" / file.name).read_bytes())
    (venv / "bin" / "sf").symlink_to((world.bin / "sf").readlink())
    world.program("sf", STRANGER)
    world.session("Fix the flaky checkout", world.folder("shop"))
    with person(load=f"source '{file}'\n") as me:
        me.opens()
        me.leaves()
    assert not (world.home / "stranger-was-here").exists()


def test_what_was_typed_ahead_is_no_answer(world: World, person: Start) -> None:
    session = world.session("Fix the flaky checkout", world.folder("shop", branch="other"))
    with person() as me:
        me.terminal.send(f"sf resume {session}{ENTER}yes sir{ENTER}")
        me.shows("Resume anyway? [y/N]")
        me.terminal.settle()
        assert world.agents() == []
        me.terminal.send("n")
        me.shows("not resumed")


def release_flags(me: Person, session: str) -> list[object]:
    me.enters(f"sf resume {session}")
    argv = me.in_agent()["argv"]
    me.ends_agent(0)
    me.at_prompt()
    assert isinstance(argv, list)
    return argv


# What stands behind the word, and whether the effort may be passed: only 2.1.38 and later take it.
ALIASES = {
    "an older installation": ("alias claude='{old}'\n", False),
    "its own name": ("alias claude='A=b claude'\n", True),
    "a function": ('function claude {{ command claude "$@"; }}\n', False),
}
FISH_ALIASES = {
    "an older installation": ("alias claude '{old}'\n", False),
    "a function": ("function claude; command claude $argv; end\n", False),
}


@pytest.mark.parametrize("kind", ALIASES)
def test_flags_are_those_of_the_installation_that_the_word_starts(
    world: World, person: Start, kind: str
) -> None:
    told = (FISH_ALIASES if world.shell == "fish" else ALIASES).get(kind)
    if told is None:  # an alias of fish that names itself is a function that calls the command
        told = ("alias claude 'command claude'\n", False)
    line, takes_effort = told
    old = world.root / "old" / "claude"
    old.parent.mkdir()
    old.write_text((world.bin / "claude").read_text().replace(" claude ", " claude ", 1))
    old.chmod(0o755)
    (old.parent / "package.json").write_text(
        '{"name": "@anthropic-ai/claude-code", "version": "2.0.76"}'
    )
    session = world.session("Fix the flaky checkout", world.folder("shop"), effort="high")
    with person(before=line.format(old=old)) as me:
        assert ("--effort" in release_flags(me, session)) == takes_effort
        me.runs("sf doctor")
        me.terminal.settle()
        assert "claude is not on PATH" not in me.terminal.text()


def test_the_words_are_those_of_all_apps() -> None:
    programs = " ".join(apps.load(name).commands().PROGRAM for name in apps.NAMES)
    for shell in ("zsh", "bash", "fish"):
        file = REPOSITORY / "shell" / f"sf.{shell}"
        told = next(line for line in file.read_text().splitlines() if "for name in claude" in line)
        words = told.partition(" in ")[2].partition(";")[0]
        assert sorted(words.split()) == sorted(programs.split())


@only("fish")
def test_going_back_finds_the_folder_that_was_left(world: World, person: Start) -> None:
    shop = world.folder("shop")
    session = world.session("Fix the flaky checkout", shop)
    with person(before="function cd; echo HIJACKED; end\n") as me:
        before = me.world.events("prompt")[-1][2]
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        me.in_agent()
        me.ends_agent(0)
        assert me.at_prompt() == (0, str(shop))
        me.enters("prevd")
        assert me.at_prompt() == (0, before)
        me.enters(f"sf resume {session}")
        me.in_agent()
        me.ends_agent(0)
        assert me.at_prompt() == (0, str(shop))
        me.runs("string join : $dirprev")
        me.shows(before)
        assert "HIJACKED" not in me.terminal.text()


@only("zsh")
def test_nothing_of_the_line_is_corrected(world: World, person: Start) -> None:
    shop = world.folder("shop")
    for name in ("cdk", "defaults", "highs", "claude-opus-4-7", "claud"):
        (shop / name).touch()
    world.session("Fix the flaky checkout", shop, effort="high", permissionMode="default")
    with person(before=f"setopt correct_all\ncd '{shop}'\n") as me:
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        argv = me.in_agent()["argv"]
        assert isinstance(argv, list)
        assert argv[-2:] == ["--permission-mode", "default"]
        me.ends_agent(0)
        me.at_prompt()


@only("zsh")
def test_no_temporary_file_is_needed(world: World, person: Start) -> None:
    world.session("Fix the flaky checkout", world.folder("shop"))
    with person(after="TMPPREFIX=/nowhere/at/all\n") as me:
        me.opens()
        me.leaves()
        assert me.runs("echo alive") == 0
