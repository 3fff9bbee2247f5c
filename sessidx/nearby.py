"""Homes that hold sessions and are not looked in: the app's own place and what stands beside it.

Only what a person's home shows at one look is tried: `~/.claude-work` beside `~/.claude`.
"""

import os
from fnmatch import filter as fitting
from itertools import islice

from . import apps, files, paths, shells, text
from .session import LISTED, Look

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .session import Place

_MARKS = (
    "-_.0123456789"  # what follows the name of a home in that of another: .claude-work, .codex2
)
_TRIED = 50  # sessions that are read to find one that would be listed


def homes() -> "list[Place]":
    """The homes near those that are looked in which hold a session and can be named in one line."""
    met = {os.path.realpath(root) for _, root in apps.homes()}
    found = []
    for entry in apps.TABLE:
        for root in _candidates(entry):
            real = os.path.realpath(root)
            if real not in met and _is_tellable(root) and _holds(entry.name, root):
                met.add(real)
                found.append((entry.name, root))
    return found


def line(found: "list[Place]") -> str:
    """What is to be typed for `found` to be looked in, too, in the shell that one types in."""
    told = [f"{name}={paths.shown(root)}" for name, root in found]
    value = ":".join([*filter(None, (paths.setting("SESSIDX_HOMES"),)), *told])
    shell = paths.setting("SESSIDX_LOADED") or os.path.basename(paths.setting("SHELL") or "")
    if shell == "fish":
        return f"set -gx SESSIDX_HOMES {shells.quote(value, shell)}"
    return f"export SESSIDX_HOMES={shells.quote(value, 'bash')}"


def _candidates(entry: apps.Entry) -> "Iterator[str]":
    """Where the app's home lies by itself, and the same with more behind one of the names."""
    home = paths.home()
    below = entry.variables[-1][1]
    if below and not f"/{entry.folder}".endswith(f"/{below}"):
        return  # it could not be named in SESSIDX_HOMES
    yield f"{home}/{entry.folder}"
    if entry.profiles:
        within = f"{home}/{entry.folder}/{entry.profiles}"
        yield from (f"{within}/{name}" for name in sorted(files.names(within)))
    # Where the variable names the folder above: ~/.gemini-work/.gemini.
    steps = [below, below] if below == entry.folder else entry.folder.split("/")
    for depth, step in enumerate(steps[: len(steps) - bool(below)]):
        above = "/".join([home, *steps[:depth]])
        for name in sorted(fitting(files.names(above), f"{step}[{_MARKS}]*")):
            yield "/".join([above, name, *steps[depth + 1 :]])


def _is_tellable(root: str) -> bool:
    return ":" not in root and text.is_clean(root)


def _holds(name: str, root: str) -> bool:
    """Whether a session that is listed lies there, among the first that are met."""
    if not os.path.isdir(root):
        return False
    look = Look()
    try:
        app = apps.load(name)
        found = islice(app.discover(root, look), _TRIED)
        reader = app.reader(root, look)
        return any(reader.read(key, stamp, None).origin in LISTED for key, stamp in found)
    except Exception:  # noqa: BLE001  (a guess, and no home of the person's choice)
        return False
