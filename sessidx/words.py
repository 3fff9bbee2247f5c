"""What an agent's word means in the person's shell, as the shell's integration tells it.

SESSIDX_AGENTS holds a line for each: `claude=alias TEXT`, or `claude=function`.
"""

import os

from . import paths

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it

VARIABLE = "SESSIDX_AGENTS"
_ACTING = frozenset(";&|<>()`$")  # in an alias: more than a program and its arguments
_AHEAD = ("command", "noglob", "nocorrect")  # words of the shells that start what follows them


def told(name: str) -> tuple[bool, str | None]:
    """Whether the shell has another meaning for the word `name` than PATH, and the program it starts.

    None where that is not plain to see: a function, or an alias that does more than start one.
    An alias that starts its own name leaves it open which program that is.
    """
    for line in (paths.setting(VARIABLE) or "").splitlines():
        word, _, meaning = line.partition("=")
        if word == name:
            kind, _, text = meaning.partition(" ")
            program = _first(text) if kind == "alias" else None
            if program != name:
                return True, _path(program)
    return False, None


def found(name: str) -> tuple[str | None, str]:
    """The program that the word `name` starts, and what to say where that is not known."""
    by_shell, program = told(name)
    if by_shell:
        return program, "a function or alias"
    return paths.program(name)[0], "not on PATH"


def _first(text: str) -> str | None:
    """The word that an alias starts; None where it does more."""
    home = paths.own_home()
    text = text.strip().strip("'").replace("${HOME}", home).replace("$HOME", home)
    if not _ACTING.isdisjoint(text):
        return None
    words = [word.strip("'\"") for word in text.split()]
    while words and (_assigns(words[0]) or words[0] in _AHEAD):
        words.pop(0)
    return words[0] if words else None


def _path(program: str | None) -> str | None:
    """`program` where it is the absolute path of one that is there, `~` for the home."""
    if program and program.startswith("~/"):
        program = paths.own_home() + program[1:]
    return program if program and program[0] == "/" and os.access(program, os.X_OK) else None


def _assigns(word: str) -> bool:
    variable, equals, _ = word.partition("=")
    return bool(equals) and variable.isidentifier()
