"""`sf demo`: the picker on a throw-away home, with stand-ins for the agents' CLIs."""

import os
import subprocess

from . import apps, find, output, picker, plan, query, resume, shells
from . import demo as made_up

_HINT = """
That was the stand-in. With the integration loaded the same happens in your own shell on Ctrl-G:
  zsh   eval "$(sf init zsh)"      in ~/.zshrc
  bash  eval "$(sf init bash)"     in ~/.bashrc
  fish  sf init fish | source      in ~/.config/fish/config.fish"""


def demo() -> int:
    """Make the home, pick in it (without a terminal: print its rows), remove it; the exit code."""
    with made_up.home() as home:
        told = made_up.environment(home, os.environ)
        os.environ.clear()
        os.environ.update(told)
        os.chdir(os.path.join(home, "code", "shop-api"))  # so that Alt-H finds some
        if not (os.isatty(0) and os.isatty(1)):
            return find.find(query.Query())
        return _pick()


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
    code = subprocess.run(["/bin/sh", "-c", line], check=False).returncode
    output.lines(_HINT.split("\n"))
    return code
