"""A person's own shell: options, aliases and fzf settings that broke other integrations."""

import sys
from pathlib import Path

import pytest

from tests.shell.person import CTRL_G, ENTER, ESC, TAB, Person
from tests.shell.world import SHELLS, World

FZFS = {"oldest": Path("/usr/bin/fzf"), "newest": Path(sys.executable).parent / "fzf"}
OPTIONS = (
    "sh_glob posix_builtins all_export ksh_arrays sh_word_split no_unset warn_create_global "
    "no_clobber null_glob glob_subst auto_pushd pushd_silent csh_null_glob err_return"
)
# What the rc of junegunn/fzf#4712 and its like held; the prompt of the tests stands it, too.
ZSHRC = f"""
precmd() {{ local code=$?; emulate -L zsh; (( ++N )); printf 'prompt\\t%s\\t%s\\t%s\\0' $N $code "$PWD" >>$JOURNAL }}
export N=0 PATH=$PATH:/marker
before=$PATH
IFS=$':\\n'
alias cd='echo aliased-cd' local='echo aliased' command='echo aliased' print='echo aliased'
alias -g G='| grep'
setopt {OPTIONS}
setopt >$HOME/options-before
env >$HOME/env-before
exec 3>$HOME/loading
"""
AFTER = """
exec 3>&-
setopt >$HOME/options-after
env >$HOME/env-after
"""


@pytest.fixture(params=FZFS)
def fzf(request: pytest.FixtureRequest) -> Path:
    return FZFS[str(request.param)]


def world(tmp_path: Path, shell: str, fzf: Path) -> World:
    made = World(tmp_path, shell)
    made.use_fzf(str(fzf))
    return made


def read(world: World, name: str) -> str:
    return (world.home / name).read_text()


def test_unusual_options_of_zsh(tmp_path: Path, fzf: Path) -> None:
    # junegunn/fzf#4712, #858
    here = world(tmp_path, "zsh", fzf)
    cwd = here.folder("shop")
    here.session("Pick me", cwd)
    load = f"source {Path(__file__).parents[2]}/shell/sf.zsh >&3 2>&3\n"
    with Person(here, before=ZSHRC, load=load, after=AFTER) as me:
        assert read(here, "loading") == ""
        assert read(here, "options-after") == read(here, "options-before")
        assert read(here, "env-after") == read(here, "env-before")
        me.types("echo half")
        me.opens()
        me.leaves(ESC)
        me.has_typed("echo half")
        me.clears()
        me.types("echo half")
        me.opens()
        me.picks("Pick", "Pick me")
        assert me.in_agent()["cwd"] == str(cwd)
        assert "aliased" not in me.terminal.text()
        me.ends_agent(42)
        assert me.at_prompt() == (42, str(cwd))
        me.has_typed("echo half")
        me.clears()
        me.runs('builtin print -r -- "${PATH##*:} ${(qqqq)IFS}" >|$HOME/told')
        me.runs("setopt >|$HOME/options-end")
        assert read(here, "told").startswith("/marker ")
        assert r"$':\n'" in read(here, "told")
        ours = set(read(here, "options-end").split()) ^ set(read(here, "options-before").split())
        assert ours <= {"shinstdin", "monitor", "zle"}


EVIL = "'; touch PWN; ' {1} {q} {+f} \"$(touch PWN)\" \\"
WRAPPED = {
    "zsh": "cd() { echo wrapped; builtin cd /tmp; }\nalias claude='claude --by-alias'\n",
    "bash": "cd() { echo wrapped; builtin cd /tmp; }\nalias claude='claude --by-alias'\n",
    "fish": "function cd; echo wrapped; builtin cd /tmp; end\nalias claude='claude --by-alias'\n",
}
MEDDLING = {
    "FZF_DEFAULT_OPTS": (
        "--multi --print0 --expect=ctrl-x --with-nth=2.. --delimiter=/ --ansi --read0 --tac --select-1 "
        "--print-query --no-sort --preview=false --exact --header=x --border"
    ),
    "FZF_DEFAULT_COMMAND": "echo not-sessions",
    "FZF_TMUX": "1",
}


@pytest.fixture(params=SHELLS)
def crowded(request: pytest.FixtureRequest, tmp_path: Path, fzf: Path) -> World:
    """Two sessions, one with a hostile title, and surroundings that meddle."""
    here = world(tmp_path, str(request.param), fzf)
    here.folder("trap/shop")
    here.session(EVIL, here.folder("shop"))
    here.session("Second row", here.folder("other"))
    here.env |= {**MEDDLING, "CDPATH": str(here.root / "work" / "trap")}
    return here


def test_settings_of_fzf_and_a_wrapped_cd(crowded: World) -> None:
    # junegunn/fzf#2799, #2659; jethrokuan/fzf#84
    with Person(crowded, before=WRAPPED[crowded.shell]) as me:
        me.types("echo half")
        me.opens()
        me.shows("Second row")
        me.leaves(ESC)
        me.has_typed("echo half")
        assert crowded.agents() == []
        me.clears()
        me.opens()
        me.terminal.send("touch")
        me.wait(lambda: "1/2" in me.terminal.text(), "one match left")
        me.terminal.send(TAB)  # marks nothing
        me.terminal.send(ENTER)
        assert me.next("fzf") == ["exit", "0"]
        agent = me.in_agent()
        assert agent["cwd"] == str(crowded.root / "work" / "shop")
        assert agent["argv"][0] == "--by-alias"  # type: ignore[index]
        assert "wrapped" not in me.terminal.text()
        me.ends_agent(0)
        me.at_prompt()
    assert not list(crowded.root.rglob("PWN"))


def test_an_option_that_fzf_does_not_know(crowded: World) -> None:
    crowded.env["FZF_DEFAULT_OPTS"] += " --no-such-option"
    with Person(crowded, before=WRAPPED[crowded.shell]) as me:
        me.types("echo half")
        me.terminal.send(CTRL_G)
        while me.next("fzf")[0] != "exit":  # an old one's rows are handed over all the same
            pass
        me.shows("--no-such-option")
        me.shows("sf: fzf ended with an error")
        me.wait(lambda: "echo half" in me.terminal.text(), "the line")
        assert "$'" not in me.terminal.text()
        assert crowded.agents() == []
