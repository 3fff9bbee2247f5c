"""What a folder's `.git` says, read from its small files: git itself is never run.

A repository's own configuration can start programs, and a process costs a hundred times as much.
"""

import os

from .files import names, small
from .folders import Below

_LIMIT = 4096
_MOST = 1000  # work trees of one repository


def branch(folder: str) -> str | None:
    """The branch that `folder` is on; None without a repository, detached, or where it is not told."""
    found = _find(folder)
    if found is None:
        return None
    head = _read(os.path.join(found[1], "HEAD"))
    target = head.removeprefix("ref:").strip() if head.startswith("ref:") else ""
    name = target.removeprefix("refs/heads/")
    return name if name not in (target, ".invalid", "") else None


def has_branch(folder: str, name: str) -> bool | None:
    """Whether the repository that holds `folder` has the branch; None where that is not told.

    Not told: no repository, refs in a table (`reftable`), more packed ones than we read.
    """
    found = _find(folder)
    if found is None or name.startswith("/") or ".." in name:
        return None
    main = os.path.join(found[1], _read(os.path.join(found[1], "commondir")))
    if os.path.lexists(os.path.join(main, "refs", "heads", name)):
        return True
    packed = os.path.join(main, "packed-refs")
    listed = _read(packed)
    if f" refs/heads/{name}\n" in f"{listed}\n":
        return True
    is_told = not os.path.lexists(os.path.join(main, "reftable"))
    return False if is_told and (listed or not os.path.lexists(packed)) else None


def around(folder: str) -> Below:
    """The repository that holds `folder`, its work trees included; `folder` itself without one."""
    return Below(roots(folder))


def roots(folder: str) -> list[str]:
    """The work trees of the repository that holds `folder`, or `folder` itself without one.

    So is the folder over a bare repository that is named `.bare`, or to which its `.git` leads.
    """
    found = _find(folder)
    if found is None:
        return [folder]
    root, git = found
    main = os.path.realpath(os.path.join(git, _read(os.path.join(git, "commondir"))))
    trees = [root]
    over = os.path.dirname(main)
    if os.path.basename(main) in (".git", ".bare") or _leads(over, main):
        trees.append(over)
    for name in names(os.path.join(main, "worktrees"))[:_MOST]:
        # Relative to its own folder, where git was told so (2.48, worktree.useRelativePaths).
        pointer = _read(os.path.join(main, "worktrees", name, "gitdir"))
        if pointer:
            trees.append(os.path.dirname(os.path.join(main, "worktrees", name, pointer)))
    return list(dict.fromkeys(os.path.realpath(tree) for tree in trees))


def _leads(folder: str, git: str) -> bool:
    """Whether `folder` is the top of a work tree of the git folder at the real path `git`."""
    found = _find(folder)
    return found is not None and found[0] == folder and os.path.realpath(found[1]) == git


def is_work_tree(folder: str) -> bool:
    """Whether `folder` itself is the top of a work tree."""
    found = _find(folder)
    return found is not None and found[0] == folder


def _find(folder: str) -> tuple[str, str] | None:
    """The nearest work tree at or above `folder` and its git folder; None when there is none."""
    path = folder
    while True:
        git = os.path.join(path, ".git")
        if os.path.isdir(git):
            # A folder of that name alone is no repository; git looks further up, too.
            if os.path.lexists(os.path.join(git, "HEAD")):
                return path, git
        elif os.path.lexists(git):
            target = _read(git).removeprefix("gitdir:").strip()
            target = os.path.realpath(os.path.join(path, target)) if target else ""
            return (path, target) if target != git and os.path.isdir(target) else None
        parent = os.path.dirname(path)
        if parent == path:
            return None
        path = parent


def _read(path: str) -> str:
    """The text of one of git's small files, "" when it is none: not regular, too long, gone."""
    try:
        data = small(path, _LIMIT + 1)
    except OSError:
        return ""
    if len(data) > _LIMIT or b"\0" in data:
        return ""
    return data.decode("utf-8", "surrogateescape").rstrip("\n")
