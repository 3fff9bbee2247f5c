"""What a person is told on a terminal where a list is empty: what was looked for, and what comes next."""

from . import query, shells, text

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .query import Query
    from .store import Store

# What people type for what is called otherwise here.
_MEANT = {
    **dict.fromkeys(("help", "usage", "man"), "--help"),
    **dict.fromkeys(("ls", "list", "search", "all"), "find"),
    **dict.fromkeys(("open", "continue", "go", "cd", "attach", "switch"), "resume"),
    **dict.fromkeys(("info", "view", "cat", "preview"), "show"),
    **dict.fromkeys(("update", "index", "reindex", "refresh"), "build"),
    **dict.fromkeys(("install", "setup", "shell"), "init"),
    **dict.fromkeys(("check", "status", "debug"), "doctor"),
    "version": "--version",
}
_NEAR = 0.75  # by difflib: `reume` is, `review` is not


def found(asked: "Query", stores: "Sequence[Store]", hidden: int) -> str:
    """One line on the words that none of the listed sessions holds; `hidden` ones fit, too."""
    words = asked.typed
    fewer = f"{hidden} that --all lists" if hidden else ""
    if not words:
        if not any(map(len, stores)):
            return "there are no sessions of any agent yet: sf doctor says where was looked"
        return "no session fits" + (f", but {fewer}" if fewer else ": sf alone lists all")
    told = [shells.quote(text.clean(word), "posix") for word in words]
    shown = " ".join(told)
    if fewer:
        return f"no listed session holds {shown}, but {fewer}"
    if command := _command(words[0]):
        line = " ".join(("sf", command, *told[1:]))
        return f"no session holds {shown}; did you mean `{line}`?"
    count = len(query.select(stores, query.Query(everything=True))[0])
    return (
        f"none of {count} sessions holds {shown} in title, folder, branch, app or id; "
        f"try sf --said {shown} (what was said), sf doctor {told[0]} (what is left out)"
    )


def _command(word: str) -> str | None:
    """The command that may have been meant by `word`."""
    from difflib import get_close_matches

    from .__main__ import COMMANDS

    if word.lower() in _MEANT:
        return _MEANT[word.lower()]
    return next(iter(get_close_matches(word.lower(), COMMANDS, 1, _NEAR)), None)
