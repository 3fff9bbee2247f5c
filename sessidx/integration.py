"""`sf init SHELL`: the lines that load the shipped shell files."""

import os

from . import output, shells

_HERE = os.path.dirname(os.path.abspath(__file__))


def init(shell: str) -> int:
    """Print the lines to be evaluated: each sources a file, so a person's aliases cannot bite."""
    widget = shells.quote(shipped(f"shell/sf.{shell}"), shell, bare=False)
    name = "_sf" if shell == "zsh" else f"sf.{shell}"
    completion = shells.quote(shipped(f"completions/{name}"), shell, bare=False)
    # A backslash keeps zsh and bash from taking an alias; fish has none of that kind.
    source = "source" if shell == "fish" else "\\builtin source"
    guard = "(( ! ${+functions[compdef]} )) || " if shell == "zsh" else ""
    output.lines((f"{source} {widget}", f"{guard}{source} {completion}"))
    return 0


def shipped(name: str) -> str:
    """The path of a shipped file: of the checkout when run from one, so that edits are live."""
    checkout = os.path.join(os.path.dirname(_HERE), name)
    return checkout if os.path.exists(checkout) else os.path.join(_HERE, "_data", name)
