"""Session -> TSV row, JSON; ages and widths.  (pure)

Whatever a session holds, a row is one line without tabs, controls or escapes in its fields.
"""

from . import text, times
from .session import told

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .session import Session

SAID = "said"  # a column that a search through what was said has in addition
DEFAULT = ("id", "app", "updated", "cwd", "branch", "title")

# A contract: columns are only ever added at the end.
COLUMNS: "dict[str, Callable[[Session], str | None]]" = {
    "id": lambda s: s.id,
    "app": lambda s: s.app,
    "updated": lambda s: s.updated,
    "cwd": lambda s: text.path(s.cwd) if s.cwd else None,
    "branch": lambda s: s.branch,
    "title": lambda s: s.title,
    "model": lambda s: s.model,
    "effort": lambda s: s.effort,
    "mode": lambda s: told(s.mode),
    "approval": lambda s: told(s.approval),
    "sandbox": lambda s: told(s.sandbox),
    "origin": lambda s: s.origin,
    "archived": lambda s: "yes" if s.archived else "no",
    "live": lambda s: _yes(s.live),
    "size": lambda s: str(s.size),
    "path": lambda s: text.path(s.path),
    "home": lambda s: text.path(s.home),
    "fork_of": lambda s: s.fork_of,
    "interrupted": lambda s: _yes(s.interrupted),
}


def _yes(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def tsv(session: "Session", columns: "Sequence[str]" = DEFAULT) -> str:
    """One row, without a line end; an absent field is `-`."""
    if columns is DEFAULT:
        cwd = session.cwd
        fields = [
            session.id,
            session.app,
            session.updated or "-",
            text.path(cwd) if cwd else "-",
            session.branch or "-",
            session.title or "-",
        ]
    else:
        fields = [COLUMNS[column](session) or "-" for column in columns]
    if not "".join(fields).isprintable():
        fields = [text.clean(field) for field in fields]
    return "\t".join(fields)


def facts(session: "Session") -> "dict[str, Any]":
    """A session as JSON tells it: `cwd` and `path` raw, what is absent null."""
    return {
        "app": session.app,
        "id": session.id,
        "cwd": session.cwd or None,
        "branch": session.branch or None,
        "title": session.title or None,
        "updated": session.updated or None,
        "model": session.model or None,
        "effort": session.effort or None,
        "mode": told(session.mode) or None,
        "approval": told(session.approval) or None,
        "sandbox": told(session.sandbox) or None,
        "origin": session.origin,
        "archived": session.archived,
        "live": session.live,
        "path": session.path,
        "size": session.size,
        "home": session.home,
        "fork_of": session.fork_of or None,
        "interrupted": session.interrupted,
    }


def json(value: "Any", indent: bool = False) -> str:
    """`value` as JSON of printable characters (and line ends, when indented): all others are escaped.

    What UTF-8 cannot hold, a folder's odd bytes, stands as `\\udc80` and the like.
    """
    import orjson

    try:
        told = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except TypeError:
        from json import dumps

        return dumps(value, indent=2 if indent else None)
    if text.is_clean(told.replace("\n", "")):
        return told
    return "".join(c if c == "\n" or text.is_clean(c) else _escaped(c) for c in told)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def age(updated: str | None, now: int) -> str:
    """How long ago, in at most four characters: `5m`, `3h`, `12d`, `7w`, `2y`; `now` in ms."""
    then = times.millis(updated) if updated else None
    if then is None:
        return "-"
    minutes = max(0, now - then) // 60_000
    for most, size, unit in ((60, 1, "m"), (48, 60, "h"), (28, 1440, "d"), (104, 10_080, "w")):
        if minutes // size < most:
            return f"{minutes // size}{unit}"
    return f"{minutes // 525_600}y"


def width(value: str) -> int:
    """The columns that a terminal needs for clean text."""
    if value.isascii():
        return len(value)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(c) or c in "\ufe0e\ufe0f" else 1 + (east_asian_width(c) in "WF")
        for c in value
    )


def fit(value: str, columns: int, keep_end: bool = False) -> str:
    """`value` cut (with `…`, in front when `keep_end`) or padded to exactly `columns`."""
    if width(value) > columns:
        if columns < 1:
            return ""
        chars = value[::-1] if keep_end else value
        cut = ""
        for char in chars:
            if width(cut + char) > columns - 1:
                break
            cut += char
        value = "…" + cut[::-1] if keep_end else cut + "…"
    return value + " " * (columns - width(value))
