"""The key: open, search, Enter, and the agent runs in the right folder as if its command had been typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .person import CTRL_Z, ENTER, UP, Person
from .world import World

Start = Callable[..., Person]


@pytest.fixture(autouse=True)
def sessions(world: World) -> None:
    """Two sessions to choose from."""
    world.session("Speed up the build", world.folder("speed"))
    world.session("Fix the flaky checkout", world.folder("shop"))


@pytest.mark.usefixtures("every_fzf")
def test_resumes_as_if_typed(world: World, person: Start, vi: bool) -> None:
    with person(vi=vi) as me:
        me.types("echo half")
        if vi:
            me.to_command_mode()
        me.opens()
        me.picks("checkout", "Fix the flaky checkout")
        agent = me.in_agent()
        assert agent["cwd"] == str(world.root / "work" / "shop")
        assert agent["foreground"], "the agent owns the terminal"
        assert agent["cooked"], "the terminal has the modes of a typed command"
        me.terminal.send(CTRL_Z)
        status, folder = me.at_prompt()
        assert folder == str(world.root / "work" / "shop")
        me.has_typed("echo half")
        me.clears()
        me.enters("fg")
        me.next("continued")
        me.ends_agent(42)
        status, _ = me.at_prompt()
        assert status == (0 if world.shell == "fish" else 42)  # fish's own `fg` always answers 0
        me.terminal.send(UP + UP)
        me.wait(lambda: me.typed().startswith("builtin cd -- "), "the line in the history")
        assert "&& claude --resume" in me.typed()
    assert "\nbuiltin cd -- " in "\n" + (world.home / HISTORY[world.shell]).read_text().replace(": builtin", "\nbuiltin")


HISTORY = {"zsh": ".history", "bash": ".history", "fish": ".local/share/fish/fish_history"}
