"""`sf doctor` typed in a shell: told by it that the integration is loaded and what the key really does there."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from .person import Person
from .world import World

Start = Callable[..., Person]

# What two others that like Ctrl-G put into a shell, in each editing mode.
NAVI = {
    "zsh": "navi() { : }; zle -N navi; bindkey '^g' navi\n",
    "bash": "bind -x '\"\\C-g\": navi'\n",
    "fish": "bind \\cg navi\nbind -M insert \\cg navi\n",
}
FZF_GIT = {
    "zsh": "gits() { : }; zle -N gits\n"
    "for m in emacs vicmd viins; do bindkey -M $m '^g^f' gits; bindkey -M $m '^gf' gits; done\n",
    "bash": "for m in emacs-standard vi-insert vi-command; do\n"
    '  bind -m $m \'"\\C-g\\C-f": " \\C-u`gits`"\'; bind -m $m \'"\\C-gf": " \\C-u`gits`"\'\ndone\n',
    "fish": "for m in default insert\n  bind -M $m \\cg\\cf gits\n  bind -M $m \\cgf gits\nend\n",
}


def told(me: Person, variable: str = "") -> tuple[int, dict[str, dict[str, str]]]:
    """Types the command; its status and the findings, by what they are about."""
    status = me.runs(f"{variable}sf doctor --json >report")
    found = json.loads((me.world.root / "report").read_text())
    return status, {finding["about"]: finding for finding in found}


def test_key_is_ours(world: World, person: Start, vi: bool) -> None:
    with person(vi=vi) as me:
        status, found = told(me)
        assert found["integration"]["told"] == f"loaded in {world.shell}, ctrl-g is bound to it"
        assert "VS Code" not in found
        assert status == 0


@pytest.mark.parametrize("key", ["alt-s", "ctrl-]", "native"])
def test_another_key_is_ours(world: World, person: Start, vi: bool, key: str) -> None:
    native = {"zsh": "^[s", "bash": "\\C-t", "fish": "\\ct"}
    key = native[world.shell] if key == "native" else key
    with person(vi=vi, before=setting(world.shell, key)) as me:
        status, found = told(me)
        assert found["integration"]["told"] == f"loaded in {world.shell}, {key} is bound to it"
        assert status == 0


def setting(shell: str, key: str) -> str:
    """The start-up line that chooses the key, for the shell alone: not exported."""
    return f"set -g SESSIDX_KEY '{key}'\n" if shell == "fish" else f"SESSIDX_KEY='{key}'\n"


def test_key_taken_afterwards_is_named(world: World, person: Start, vi: bool) -> None:
    with person(vi=vi, after=NAVI[world.shell]) as me:
        status, found = told(me)
        assert "but ctrl-g does: " in found["integration"]["told"]
        assert "navi" in found["integration"]["told"]
        assert found["integration"]["mend"]
        assert status == 1


def test_key_taken_from_another_is_ours(world: World, person: Start, vi: bool) -> None:
    with person(vi=vi, before=NAVI[world.shell]) as me:
        status, found = told(me)
        assert found["integration"]["told"] == f"loaded in {world.shell}, ctrl-g is bound to it"
        assert status == 0


@pytest.mark.parametrize("order", ["before", "after"])
def test_longer_keys_are_named(world: World, person: Start, vi: bool, order: str) -> None:
    with person(vi=vi, **{order: FZF_GIT[world.shell]}) as me:
        status, found = told(me)
        assert "longer keys begin with ctrl-g" in found["integration"]["told"]
        assert found["integration"]["told"].count("gits") == 2
        assert "SESSIDX_KEY=alt-g" in found["integration"]["mend"]
        assert status == 1


def test_no_key_by_choice(world: World, person: Start) -> None:
    with person(before=setting(world.shell, "")) as me:
        status, found = told(me)
        assert found["integration"]["told"] == f"loaded in {world.shell}, no key by choice"
        assert status == 0


@pytest.mark.parametrize("key", ["nonsense", "ctrl-", "g"])
def test_key_that_is_none(world: World, person: Start, key: str) -> None:
    with person(before=setting(world.shell, key)) as me:
        status, found = told(me)
        assert found["integration"]["told"].endswith(f"SESSIDX_KEY={key} is no key")
        assert status == 1


def test_key_chosen_after_loading(world: World, person: Start) -> None:
    with person(after=setting(world.shell, "alt-s")) as me:
        status, found = told(me)
        assert "but alt-s does: " in found["integration"]["told"]
        assert status == 1


def test_dumb_terminal(world: World, person: Start) -> None:
    world.env["TERM"] = "dumb"
    with person() as me:
        status, found = told(me)
        assert found["integration"]["told"] == f"loaded in {world.shell}, no key on a dumb terminal"
        assert status == 0


def test_not_loaded(world: World, person: Start) -> None:
    world.env["SHELL"] = f"/bin/{world.shell}"
    with person(load="") as me:
        status, found = told(me)
        assert found["integration"]["told"] == "not loaded in this shell"
        assert f"sf init {world.shell}" in found["integration"]["mend"]
        assert status == 1


def test_not_loaded_where_another_program_has_the_name(world: World, person: Start) -> None:
    world.env["SHELL"] = f"/bin/{world.shell}"
    (world.bin / "sessidx").symlink_to((world.bin / "sf").readlink())
    world.program("sf", "#!/bin/sh\n")
    with person(load="alias sf=sessidx\n") as me:
        assert f"sessidx init {world.shell}" in told(me)[1]["integration"]["mend"]


def test_vs_code_keeps_its_own_key(world: World, person: Start) -> None:
    world.env["TERM_PROGRAM"] = "vscode"
    with person() as me:
        status, found = told(me)
        assert "-workbench.action.terminal.goToRecentDirectory" in found["VS Code"]["mend"]
        assert status == 0
    with person(before=setting(world.shell, "alt-s")) as me:
        assert "VS Code" not in told(me)[1]


def test_nothing_is_left_in_the_environment(world: World, person: Start) -> None:
    world.program(
        "sf", '#!/bin/sh\nenv | grep ^SESSIDX_ | sort >>"$HOME/env"; echo end >>"$HOME/env"\n'
    )
    with person() as me:
        me.runs("sf doctor word")
        me.runs("sf find doctor")
        me.runs("sf doctor | cat")
        me.runs("env | grep SESSIDX_ >left")
    assert (world.root / "left").read_text() == ""
    calls = (world.home / "env").read_text().split("end\n")[:-1]
    names = [[line.partition("=")[0] for line in call.splitlines()] for call in calls]
    handed = ["SESSIDX_AGENTS", "SESSIDX_BOUND", "SESSIDX_KEY", "SESSIDX_LOADED"]
    assert names == [handed, ["SESSIDX_AGENTS"], handed]
