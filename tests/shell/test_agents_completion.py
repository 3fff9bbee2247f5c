"""TAB behind the agents' own commands: their sessions, beside what completes them otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kit import codex, uuid

from .person import CTRL_C, TAB, Person
from .test_completion import LOAD
from .world import REPOSITORY, World

Start = Callable[..., Person]

# What completes them by itself; `later` is read behind our file.
THEIRS = {
    "zsh": "_theirs() { compadd -- alpha-one beta-two }\ncompdef _theirs claude codex\n",
    "bash": '_theirs() { COMPREPLY=($(compgen -W "alpha-one beta-two" -- "$2")); }\n'
    "complete -o nosort -F _theirs claude codex\n",
    "fish": "complete -c claude -a 'alpha-one beta-two'\n"
    "complete -c codex -a 'alpha-one beta-two'\n",
}
OURS = LOAD | {"fish": f"source {REPOSITORY}/completions/sf.fish\n"}
COMPINIT = {"zsh": "autoload -Uz compinit && compinit -u\n"}


@pytest.fixture
def ids(world: World) -> dict[str, str]:
    """A session of each; one of Claude's in the folder that the shell stands in is older."""
    old = world.session("Fix the flaky checkout", world.folder("shop"))
    new = world.session("Fix the slow login", world.folder("door"))
    codex(world.home, uuid(1), str(world.folder("shed")), "Paint the shed")
    return {"claude": old, "new": new, "codex": uuid(1)}


def load(world: World, theirs: str) -> dict[str, str]:
    """The start-up lines around ours: `before`, `after`."""
    begin, own = COMPINIT.get(world.shell, ""), OURS[world.shell]
    lines = {"none": own, "before": begin + THEIRS[world.shell] + own}
    if world.shell != "bash":  # there the last one counts
        lines["after"] = own + THEIRS[world.shell]
    return {"after": lines.get(theirs, lines["before"])}


@pytest.mark.parametrize("theirs", ["none", "before", "after"])
def test_sessions_are_offered(
    world: World, person: Start, ids: dict[str, str], theirs: str
) -> None:
    with person(**load(world, theirs)) as me:
        me.runs("cd work/shop")
        me.types("claude --resume ")
        me.terminal.send(TAB + TAB)
        me.shows("Fix the flaky checkout")
        me.shows("Fix the slow login")
        text = me.terminal.text()
        assert text.index(ids["claude"][:20]) < text.index(ids["new"][:20]), "this folder's first"
        assert ids["codex"] not in text
        assert ("alpha-one" in text) == (theirs != "none")
        me.terminal.send(CTRL_C)


@pytest.mark.parametrize("typed", ["codex resume ", "codex fork "])
def test_the_one_there_is_is_completed(
    world: World, person: Start, ids: dict[str, str], typed: str
) -> None:
    with person(**load(world, "none")) as me:
        me.types(typed)
        me.terminal.send(TAB)
        me.has_typed(typed + ids["codex"])


@pytest.mark.parametrize("typed", ["claude ", "codex ", "claude --model "])
def test_elsewhere_theirs_alone(
    world: World, person: Start, ids: dict[str, str], typed: str
) -> None:
    with person(**load(world, "before")) as me:
        me.types(typed)
        me.terminal.send(TAB + TAB)
        me.shows("beta-two")
        assert "Fix the" not in me.terminal.text()
        me.terminal.send(CTRL_C)


def test_it_is_switched_off(world: World, person: Start, ids: dict[str, str]) -> None:
    lines = load(world, "before")["after"]
    export = "set -gx SESSIDX_COMPLETE_AGENTS ''\n"
    off = export if world.shell == "fish" else "export SESSIDX_COMPLETE_AGENTS=\n"
    with person(after=off + lines) as me:
        me.types("claude --resume ")
        me.terminal.send(TAB + TAB)
        me.shows("beta-two")
        assert "Fix the" not in me.terminal.text()
        me.terminal.send(CTRL_C)
