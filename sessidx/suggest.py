"""What to do about a session whose folder is gone. Suggestions alone: nothing here is ever run."""

import os

from . import git, paths, query, shells, text
from .folders import is_below, is_there

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .session import Session
    from .store import Store

_FOLDERS = 200  # of other sessions that are looked at
_OFFERED = 3


def after_gone(session: "Session", stores: "Iterable[Store]") -> tuple[str, ...]:
    """Lines that say how to get the folder of `session` back, or where it may have moved."""
    cwd = session.cwd or ""
    folders = _existing(stores)
    lines = [*_worktree(cwd, session.branch, folders), *_moved(cwd, folders)]
    return tuple(lines[:_OFFERED])


def _existing(stores: "Iterable[Store]") -> list[str]:
    """The folders of other sessions that are there, of the newest first."""
    found, _ = query.select(stores, query.Query(everything=True))
    folders = dict.fromkeys(s.cwd for s in found if s.cwd and s.cwd.startswith("/"))
    return [folder for folder in list(folders)[:_FOLDERS] if is_there(folder)]


def _worktree(cwd: str, branch: str | None, folders: list[str]) -> "Iterator[str]":
    """`git worktree add` for a removed work tree: git's own note of it, or its usual place, tells."""
    above = os.path.dirname(cwd)
    while above != "/" and not is_there(above):
        above = os.path.dirname(above)
    for folder in [above, *folders]:
        try:
            trees = git.roots(folder)
        except (OSError, ValueError):
            continue
        inside = "/.claude/worktrees/" in cwd and is_below(cwd, trees[0])
        if cwd in trees or inside:
            words = ["git", "-C", next(tree for tree in trees if tree != cwd), "worktree", "add"]
            words += ["-f"] if cwd in trees else []  # git still has a note of it
            words += [cwd] + ([branch] if branch and not branch.startswith("-") else [])
            try:
                told = " ".join(shells.quote(word, "posix") for word in words)
            except shells.Unprintable:  # not to be shown as something to paste
                return
            yield f"its worktree was removed: {told}"
            return


def _moved(cwd: str, folders: list[str]) -> "Iterator[str]":
    """Folders of the same name that hold a repository: it may have moved there."""
    name = os.path.basename(cwd)
    beside = [os.path.join(os.path.dirname(os.path.dirname(cwd)), name)]
    for folder in dict.fromkeys([*folders, *beside]):
        same = os.path.basename(folder) == name and folder != cwd and is_there(folder)
        if same and git.is_work_tree(folder):
            yield f"a repository of the same name, for --in: {text.path(paths.shown(folder))}"
