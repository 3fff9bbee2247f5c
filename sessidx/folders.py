"""Folders as people and agents name them: through links, with `~`, letters composed or not.

An `é` is one character or two, and a file system that keeps both apart holds a folder in one form. A
Mac's are decomposed. Of one like that Claude Code 2.1.112 records the composed form, 2.1.211 and later
its own; from there 2.1.112 and 2.1.332 both go on with a session of either.
"""

import os

from . import paths

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable


def named(word: str) -> str:
    """The absolute path that a person means by `word`; `~/` is the home, as in a shell."""
    if word == "~" or word.startswith("~/"):
        word = paths.own_home() + word[1:]
    return os.path.abspath(word)


def is_name(folder: str) -> bool:
    """Whether a folder could be named so: no zero byte, no half of a character beside odd bytes."""
    try:
        return b"\0" not in folder.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False


def is_there(folder: str) -> bool:
    """Whether a recorded folder is one; its odd bytes stand as surrogates."""
    return is_name(folder) and os.path.isdir(folder.encode("utf-8", "surrogateescape"))


def entered(folder: str) -> str | None:
    """`folder` when it is there, else the one that differs in the form of its letters alone, or None."""
    if is_there(folder):
        return folder
    if folder.isascii() or not folder.startswith("/"):
        return None
    from unicodedata import normalize

    path = ""
    for name in folder[1:].split("/"):
        forms = (name, normalize("NFC", name), normalize("NFD", name))
        path = next((there for form in forms if is_there(there := f"{path}/{form}")), "")
        if not path:
            return None
    return path


def is_below(cwd: str, folder: str) -> bool:
    """Whether `cwd` is `folder` or lies in it, by their names alone."""
    return cwd == folder or cwd.startswith(folder.rstrip("/") + "/")


class Below:
    """Tells whether a session's folder is one of some, or lies in one.

    By its recorded name, or by where that leads: a project that moved may have left a link behind.
    """

    def __init__(self, tops: "Iterable[str]") -> None:
        self.tops = tuple(dict.fromkeys(_composed(top) for top in tops))
        self._known: dict[str, bool] = {}

    def gone(self) -> str | None:
        """The folder that was named, when there is none."""
        return None if any(map(entered, self.tops)) else self.tops[0]

    def holds(self, cwd: str | None) -> bool:
        """Whether `cwd`, as recorded, is at or below one of the folders."""
        if not cwd:
            return False
        known = self._known.get(cwd)
        if known is None:
            known = self._is_below(cwd) or (cwd.startswith("/") and self._is_below(_real(cwd)))
            self._known[cwd] = known
        return known

    def _is_below(self, cwd: str) -> bool:
        cwd = _composed(cwd)
        return any(is_below(cwd, top) for top in self.tops)


def _composed(path: str) -> str:
    if path.isascii():
        return path
    from unicodedata import normalize

    return normalize("NFC", path)


def _real(path: str) -> str:
    try:
        return os.fsdecode(os.path.realpath(path.encode("utf-8", "surrogateescape")))
    except (OSError, ValueError):
        return path
