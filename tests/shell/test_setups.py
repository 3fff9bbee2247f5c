"""Set-ups that people have: a stranger named sf, agents that are aliases, options that act on a line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from sessidx import apps

from . import rc
from .person import ENTER, Person
from .test_load import only, ran
from .world import PROGRAM, REPOSITORY, World

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


# How the shipped file is named, from the folder that it lies in.
PATHS = {
    "its path": "source '{file}'",
    "a relative path": "cd '{folder}/..'; source sf/{name}; cd /",
    "the folder's own": "cd '{folder}'; source ./{name}; cd /",
    "a link": "ln -sf '{file}' ~/link; source ~/link",
}


COMPLETIONS = {
    "_sf": "zsh/site-functions/_sf",
    "sf.bash": "bash-completion/completions/sf",
    "sf.fish": "fish/vendor_completions.d/sf.fish",
}


@pytest.mark.parametrize("how", [*PATHS, "the README's line"])
def test_by_its_path_the_file_knows_the_program_it_came_with(
    world: World, person: Start, how: str
) -> None:
    """As pip lays them out, bin/sf and share/sf/sf.zsh, with links as pipx makes them."""
    venv = world.root / "venv"
    folder = venv / "share" / "sf"
    folder.mkdir(parents=True)
    (venv / "bin").mkdir()
    name = f"sf.{world.shell}"
    (folder / name).write_bytes((REPOSITORY / "shell" / name).read_bytes())
    for file, place in COMPLETIONS.items():
        (venv / "share" / place).parent.mkdir(parents=True, exist_ok=True)
        (venv / "share" / place).write_bytes((REPOSITORY / "completions" / file).read_bytes())
    for own in ("sf", "sessidx"):
        (venv / "bin" / own).write_text(f"#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n")
        (venv / "bin" / own).chmod(0o755)
    world.program("sf", STRANGER)
    (world.bin / "sessidx").symlink_to(venv / "bin" / "sessidx")
    world.session("Fix the flaky checkout", world.folder("shop"))
    line = PATHS.get(how) or readme(world.shell)
    with person(load=line.format(file=folder / name, folder=folder, name=name) + "\n") as me:
        me.opens()
        me.leaves()
        me.runs("echo $__sf_program")
        me.shows(f"\n{venv}/bin/sf\n")
    assert not (world.home / "stranger-was-here").exists()


def readme(shell: str) -> str:
    """The README's line that sources the file of that shell by its path."""
    text = (REPOSITORY / "README.md").read_text()
    blocks: list[str] = re.findall(rf"```{shell}\n(.*?)\n```", text, re.DOTALL)
    (found,) = (block for block in blocks if f"sf/sf.{shell}" in block)
    return found.replace("{", "{{").replace("}", "}}")


def test_in_a_checkout_it_is_that_of_its_own_venv(world: World) -> None:
    checkout = world.root / "share" / "sf"
    for folder in ("shell", ".venv/bin"):
        (checkout / folder).mkdir(parents=True)
    file = checkout / "shell" / f"sf.{world.shell}"
    file.write_bytes((REPOSITORY / "shell" / file.name).read_bytes())
    told, _ = ran(world, f"source '{file}'; echo $__sf_program")
    assert told == f"{checkout}/.venv/bin/sf\n"


def test_without_our_sf_sessidx_is_left(world: World, person: Start) -> None:
    world.session("Fix the flaky checkout", world.folder("shop"))
    program = world.root / "program"
    program.symlink_to(PROGRAM)
    world.program("sf", "#!/bin/sh\necho stranger\n")
    away = "functions -e sf" if world.shell == "fish" else "unset -f sf"
    given = "set -g __sf_init" if world.shell == "fish" else "__sf_init="
    load = f"{given} '{program}'\n".replace("= ", "=") + rc.source(world.shell)
    with person(load=load, after=f"{away}\n") as me:
        me.runs("sf word")
        me.shows("\nstranger\n")
        me.runs("sessidx checkout")
        me.shows("Fix the flaky checkout")
        me.opens()
        me.leaves()


def test_what_was_typed_ahead_is_no_answer(world: World, person: Start) -> None:
    session = world.session("Fix the flaky checkout", world.folder("shop", branch="other"))
    with person() as me:
        me.terminal.send(f"sf resume {session}{ENTER}yes sir{ENTER}")
        me.shows("Resume anyway? [y/N]")
        me.terminal.settle()
        assert world.agents() == []
        me.terminal.send("n")
        me.shows("not resumed")


def test_what_was_typed_ahead_of_a_choice_is_no_answer(world: World, person: Start) -> None:
    world.session("Fix the flaky checkout", world.folder("shop", branch="other"))
    with person() as me:
        me.opens()
        me.terminal.send(f"{ENTER}yes sir{ENTER}")
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
    "its own name, and a function": (
        'alias claude="claude"; function claude {{ command claude "$@"; }}\n',
        False,
    ),
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
        told = ("alias claude 'claude --verbose'\n", True)
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
        assert "HIJACKED" not in me.terminal.text()
        me.enters(f"sf resume {session}")
        me.in_agent()
        me.ends_agent(0)
        assert me.at_prompt() == (0, str(shop))
        me.runs("string join : $dirprev")
        me.shows(before)


def test_cd_minus_goes_back_and_forth(world: World, person: Start) -> None:
    shop = world.folder("shop")
    world.session("Fix the flaky checkout", shop)
    with person() as me:
        before = me.world.events("prompt")[-1][2]
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        me.in_agent()
        me.ends_agent(0)
        assert me.at_prompt() == (0, str(shop))
        for folder in (before, str(shop), before):
            me.enters("cd -")
            assert me.at_prompt() == (0, folder)


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
