"""`sf init SHELL`: the lines that load the shipped shell files."""

import os
import sys

from . import output, shells

SHELLS = ("zsh", "bash", "fish")
_HERE = os.path.dirname(os.path.abspath(__file__))


def init(shell: str) -> int:
    """Print the lines to be evaluated: each sources a file, so a person's aliases cannot bite."""
    # A backslash keeps zsh and bash from taking an alias; fish has none of that kind.
    source = "source" if shell == "fish" else "\\builtin source"
    if own := script():
        name = shells.quote(own, shell, bare=False)
        output.lines([f"set -g __sf_init {name}" if shell == "fish" else f"__sf_init={name}"])
    output.lines([f"{source} {_quoted(f'shell/sf.{shell}', shell)}"])
    if shell == "zsh":
        folder = shells.quote(os.path.dirname(shipped("completions/_sf")), shell, bare=False)
        load = (
            "{ \\builtin autoload -Uz _sf _sf_sessions _sf_agents; compdef _sf sf sessidx; "
            "compdef -p _sf_agents '(|*/)(claude|codex)' }"
        )
        # Found by a compinit that comes later, and told to one that was there before.
        output.lines([f"fpath+=({folder})", f"(( ! ${{+functions[compdef]}} )) || {load}"])
    else:
        output.lines([f"{source} {_quoted(f'completions/sf.{shell}', shell)}"])
    return 0


def script() -> str | None:
    """The absolute path of the console script that runs, or of the one beside this Python."""
    beside = os.path.join(os.path.dirname(sys.executable), "sf")
    for path in (os.path.abspath(sys.argv[0]), beside):
        if os.path.basename(path) in ("sf", "sessidx") and os.access(path, os.X_OK):
            return path
    return None


def word() -> str:
    """What calls this program at a prompt: a name of it where PATH has that, else its path."""
    from . import paths

    own = script() or "sessidx"
    for name in ("sf", "sessidx"):
        there, _ = paths.program(name)
        if there and _folder(there) == _folder(own):
            return name
    return shells.quote(own, "bash")


def _folder(path: str) -> str:
    return os.path.dirname(os.path.realpath(path))


def _quoted(name: str, shell: str) -> str:
    return shells.quote(shipped(name), shell, bare=False)


def shipped(name: str) -> str:
    """The path of a shipped file: of the checkout when run from one, so that edits are live."""
    checkout = os.path.join(os.path.dirname(_HERE), name)
    return checkout if os.path.exists(checkout) else os.path.join(_HERE, "_data", name)
