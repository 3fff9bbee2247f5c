"""`sf demo`: the picker on a throw-away home, with stand-ins for the agents' CLIs."""

import os
import subprocess

from . import apps, find, integration, output, picker, plan, query, resume, shells
from . import demo as made_up

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator


def demo() -> int:
    """Make the home, pick in it (without a terminal: print its rows), remove it; the exit code."""
    word = integration.word()
    with made_up.home() as home:
        told = made_up.environment(home, os.environ)
        os.environ.clear()
        os.environ.update(told)
        os.chdir(os.path.join(home, "code", "shop-api"))  # so that Alt-H finds some
        if not (os.isatty(0) and os.isatty(1)):
            return find.find(query.Query())
        code = _pick()
    output.lines(_next(word))
    return code


def _next(word: str) -> "Iterator[str]":
    """What comes after the trial, each line as it can be typed."""
    yield ""
    yield "With your own sessions, on Ctrl-G: type the line of your shell now, for good put it into its file."
    yield f'  zsh   eval "$({word} init zsh)"      ~/.zshrc, after compinit'
    yield f'  bash  eval "$({word} init bash)"     ~/.bashrc'
    yield f"  fish  {word} init fish | source      ~/.config/fish/config.fish"


def _pick() -> int:
    choice = picker.choose(query.Query(), apps.NAMES, plan.Wish())
    if choice is None:
        return 130
    chosen = choice.plan()
    resume.agree(chosen, yes=False)
    for note in chosen.notes:
        output.note(note)
    line = shells.line(chosen, "posix")
    output.lines([f"$ {line}"])
    return subprocess.run(["/bin/sh", "-c", line], check=False).returncode
