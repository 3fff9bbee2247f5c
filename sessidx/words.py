"""What an agent's word means in the person's shell, as the shell's integration tells it.

SESSIDX_AGENTS holds a line for each: `claude=alias TEXT`, or `claude=function`.
"""

import os

from . import paths

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it

_ACTING = frozenset(";&|<>()`$")  # in an alias: more than a program and its arguments


def told(name: str) -> tuple[bool, str | None]:
    """Whether the shell knows the word `name` by itself, and the program that it then starts.

    None where that is not plain to see: a function, or an alias that does more than start one.
    """
    for line in (paths.setting("SESSIDX_AGENTS") or "").splitlines():
        word, _, meaning = line.partition("=")
        if word == name:
            kind, _, text = meaning.partition(" ")
            return True, _program(name, text) if kind == "alias" else None
    return False, None


def _program(name: str, text: str) -> str | None:
    """The program that an alias starts: a path of its own, or its own name along PATH."""
    home = paths.own_home()
    text = text.strip().strip("'").replace("${HOME}", home).replace("$HOME", home)
    if not _ACTING.isdisjoint(text):
        return None
    words = [word.strip("'\"") for word in text.split()]
    while words and _assigns(words[0]):
        words.pop(0)
    if not words:
        return None
    program = words[0]
    if program == name:
        return paths.program(name)[0]
    if program.startswith("~/"):
        program = home + program[1:]
    return program if program.startswith("/") and os.access(program, os.X_OK) else None


def _assigns(word: str) -> bool:
    variable, equals, _ = word.partition("=")
    return bool(equals) and variable.isidentifier()
