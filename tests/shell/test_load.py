"""Loading the integration: it prints nothing, changes nothing of the person's and lets nothing of theirs in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from . import rc
from .person import CTRL_C, CTRL_G, ENTER, ESC, Person
from .world import PROGRAM, REPOSITORY, World

Start = Callable[..., Person]

ALIASES = """
alias local='echo HIJACKED' command='echo HIJACKED' cd='echo HIJACKED'
alias sf='echo HIJACKED' fzf='echo HIJACKED' print='echo HIJACKED' printf='echo HIJACKED'
alias eval='echo HIJACKED' return='echo HIJACKED' unset='echo HIJACKED' source='echo HIJACKED'
alias shift='echo HIJACKED' zle='echo HIJACKED' bind='echo HIJACKED' complete='echo HIJACKED'
alias emulate='echo HIJACKED' setopt='echo HIJACKED' shopt='echo HIJACKED' read='echo HIJACKED'
"""
HOSTILE = {
    "zsh": """
function cd { echo HIJACKED }
setopt ksh_arrays sh_word_split glob_subst extended_glob auto_pushd no_clobber no_unset
setopt csh_junkie_quotes rc_quotes warn_create_global warn_nested_var ksh_glob sh_glob
setopt pipe_fail null_glob cdable_vars ksh_typeset
CDPATH=/ IFS=:
alias -g sf='HIJACKED'
"""
    + ALIASES,
    "bash": """
function cd { echo HIJACKED; }
set -u -C -o pipefail
shopt -s failglob nullglob histverify extglob cdable_vars
HISTCONTROL=ignoreboth CDPATH=/ IFS=:
"""
    + ALIASES,
    "fish": """
alias cd 'echo HIJACKED'
alias fzf 'echo HIJACKED'
alias sf 'echo HIJACKED'
set -g CDPATH /
set -g IFS :
""",
}


def stream(shell: str) -> str:
    """The file read from a pipe, which has no place to know its program by."""
    told = f"set -g __sf_init '{PROGRAM}'" if shell == "fish" else f"__sf_init='{PROGRAM}'"
    file = f"{REPOSITORY}/shell/sf.{shell}"
    load = f"cat '{file}' | source" if shell == "fish" else f"source <(cat '{file}')"
    return f"{told}; {load}\n"


def init(shell: str) -> str:
    """As the README says it."""
    return "command sf init fish | source\n" if shell == "fish" else f'eval "$(sf init {shell})"\n'


def only(*shells: str) -> pytest.MarkDecorator:
    """Runs the test in these shells."""
    return pytest.mark.parametrize("shell", shells, indirect=True)


FORMS = [rc.source, stream, init]


def safely(form: Callable[[str], str], shell: str) -> str:
    """The form, typed by someone who has an alias for its own first words."""
    line = form(shell)
    if shell == "fish":
        return line
    for word in ("source", "eval"):
        line = line.replace(f"{word} ", f"\\{word} ", 1)
    return line.replace("$(sf", "$(\\command \\sf")


def ran(world: World, script: str, *options: str) -> tuple[str, str]:
    """What a shell without a terminal prints when it runs the script."""
    bare = {"zsh": ["-f"], "bash": ["--norc"], "fish": ["-N"]}[world.shell]
    argv = [rc.program(world.shell), *bare, *options, "-c", script]
    done = subprocess.run(
        argv, env=world.env, capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("form", FORMS)
def test_prints_nothing_under_strict_options(world: World, form: Callable[[str], str]) -> None:
    options = [] if world.shell == "fish" else ["-eu", "-o", "pipefail"]
    assert ran(world, form(world.shell), *options) == ("", "")


STATE = {
    "zsh": "\\setopt; \\export; \\typeset -m '__sf_*'; \\alias",
    "bash": "\\shopt -p; \\set -o; \\export -p; \\compgen -v __sf_; \\alias",
    "fish": "set -x; set --names | string match '__sf_*'; true",
}


@pytest.mark.parametrize("form", FORMS)
def test_leaves_everything_as_it_was(world: World, form: Callable[[str], str]) -> None:
    settings = HOSTILE[world.shell]
    load = safely(form, world.shell)
    if world.shell == "bash":
        settings = "shopt -s expand_aliases\n" + settings
    before, _ = ran(world, f"{settings}\n{STATE[world.shell]} || \\true")
    after, _ = ran(world, f"{settings}\n{load}{load}{STATE[world.shell]} || \\true")
    ours = ("__sf_program", "__sf_beside", "__sf_theirs_claude", "__sf_theirs_codex")
    assert [line for line in after.splitlines() if not line.startswith(ours)] == before.splitlines()


@only("zsh", "bash")
@pytest.mark.parametrize("form", [rc.source, stream])
def test_aliases_stay_out(world: World, form: Callable[[str], str]) -> None:
    expand = {"zsh": "setopt aliases", "bash": "shopt -s expand_aliases"}[world.shell]
    show = {"zsh": "functions -m '*sf*'", "bash": "declare -f"}[world.shell]
    load = safely(form, world.shell)
    told, _ = ran(world, f"{expand}\n{ALIASES}\n{load}\n\\builtin {show}\n")
    assert "__sf_call" in told
    assert "HIJACKED" not in told


@pytest.mark.parametrize("form", FORMS)
def test_works_beside_hostile_settings(
    world: World, person: Start, form: Callable[[str], str]
) -> None:
    shop = world.folder("shop")
    session = world.session("Fix the flaky checkout", shop)
    load = safely(form, world.shell)
    with person(before=HOSTILE[world.shell], load=load) as me:
        me.types("echo half")
        me.opens()
        me.leaves()
        me.has_typed("echo half")
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        assert me.in_agent()["cwd"] == str(shop)
        me.ends_agent(5)
        assert me.at_prompt() == (5, str(shop))
        me.has_typed("echo half")
        me.clears()
        # The person's own alias `sf` wins over the function, as they asked for.
        me.enters(f"\\sf resume {session}" if world.shell != "fish" else f"sf resume {session}")
        me.in_agent()
        me.ends_agent(6)
        assert me.at_prompt()[0] == 6
        assert "HIJACKED" not in me.terminal.text()


@pytest.mark.parametrize("form", FORMS)
def test_twice_is_once(world: World, person: Start, form: Callable[[str], str]) -> None:
    world.session("Fix the flaky checkout", world.folder("shop"))
    with person(load=form(world.shell) * 2) as me:
        me.types("echo half")
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        me.in_agent()
        me.ends_agent(4)
        assert me.at_prompt()[0] == 4
        me.has_typed("echo half")
        assert len(world.agents()) == 1


def test_dumb_terminal_gets_no_key(world: World, person: Start) -> None:
    world.env["TERM"] = "dumb"
    bound = {
        "zsh": "bindkey | grep -c sf-pick",
        "bash": "bind -X | grep -c __sf_",
        "fish": "bind | grep -c __sf_",
    }
    told, _ = ran(world, f"{rc.source(world.shell)}{bound[world.shell]} || true", "-i")
    assert told.split()[-1] == "0"


# What one shell alone has


@only("zsh", "bash")
def test_leaving_does_not_end_a_strict_shell(world: World, person: Start) -> None:
    world.session("Rename the vanished module", world.root / "work" / "gone")
    with person(before="set -e\n") as me:
        me.types("echo half")
        me.opens()
        me.leaves()
        me.has_typed("echo half")
        me.opens()
        me.picks("vanished", "Rename the vanished module")
        me.shows("work/gone")
        me.has_typed_line("echo half")


@only("zsh")
def test_open_command_is_left_alone(world: World, person: Start) -> None:
    with person() as me:
        me.enters('echo "open')
        me.shows("more>")
        me.terminal.send(CTRL_G)
        me.shows("sf: finish or cancel the open command first")
        assert world.events("fzf") == []


@only("zsh")
def test_several_lines_come_back(world: World, person: Start) -> None:
    world.session("Fix the flaky checkout", world.folder("shop"))
    with person() as me:
        me.types("echo one")
        me.terminal.send(f"{ESC}{ENTER}echo two")
        me.shows("\necho two")
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        me.in_agent()
        me.ends_agent(0)
        me.at_prompt()
        me.shows(f"{me.prompt} echo one\necho two")


@only("zsh", "bash")
def test_key_still_ends_a_search(world: World, person: Start) -> None:
    with person() as me:
        me.runs("echo needle")
        me.terminal.send("\x12need")
        me.shows("i-search" if world.shell == "bash" else "bck-i-search")
        me.terminal.send(CTRL_G)
        me.has_typed("echo needle" if world.shell == "bash" else "")
        assert world.events("fzf") == []


@only("bash")
def test_own_search_terminators_stay(world: World, person: Start) -> None:
    with person(before="bind 'set isearch-terminators \"x\"'\n") as me:
        me.runs("bind -v | grep isearch-terminators")
        me.shows("set isearch-terminators x")


@only("bash")
def test_other_keys_of_the_person_stay(world: World, person: Start) -> None:
    world.session("Fix the flaky checkout", world.folder("shop"))
    own = "mine() { echo mine; }; bind -x '\"\\C-t\": mine'\n"
    with person(before=own, load=rc.integration(world) * 2) as me:
        me.terminal.send("\x14")
        me.shows("mine")
        me.opens()
        me.leaves(CTRL_C)
        me.terminal.send("\x14")
        me.wait(lambda: me.terminal.text().count("mine") == 2, "mine again")


@only("bash")
def test_projects_variables_are_set_before_the_agent(world: World, person: Start) -> None:
    session = world.session("Fix the flaky checkout", world.folder("shop"))
    world.program("direnv", "#!/bin/sh\necho \"export ARRIVED='in $(pwd)'\"\n")
    world.program(
        "claude",
        '#!/bin/sh\n[ $1 = --resume ] && printf \'agent\\t"%s"\\0\' "$ARRIVED" >>"$JOURNAL"\n',
    )
    with person(before="_direnv_hook() { :; }\n") as me:
        me.runs(f"sf resume {session}")
        assert world.events("agent") == [[f'"in {world.root}/work/shop"']]
