"""`sf [WORD]…`: print the sessions that are asked for. Without click: this is the plainest call."""

import os
from time import time

from . import apps, index, output, query, rows, text
from .output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from .query import Query
    from .session import Place, Session

    Held = dict[Place, dict[str, bool] | None]  # of each store the ids that are held

ON_A_TERMINAL = 50
_OFFERED = 200  # to completion
FORMATS = ("tsv", "table", "json", "jsonl")


def find(
    asked: "Query",
    names: "Iterable[str]" = apps.NAMES,
    limit: int | None = None,
    columns: "Sequence[str]" = rows.DEFAULT,
    style: str | None = None,
) -> int:
    """Print the sessions that `asked` fits and return the exit code.

    `style` is one of FORMATS, or None: a table on a terminal, else TSV.
    """
    stores = index.stores(names)
    terminal = os.isatty(1)
    if asked.is_plain and not terminal and style in (None, "tsv") and columns is rows.DEFAULT:
        plain = query.rows(stores, asked.words)
        if output.rows(plain if limit is None else plain[:limit]):
            return 1 if asked.words and not plain else 0
    found, hidden = query.select(stores, asked)
    if not found:
        must_be_there(asked, hidden)
    style = style or ("table" if terminal else "tsv")
    if limit is None and terminal:
        limit = ON_A_TERMINAL
    shown = found if limit is None else found[:limit]
    if style == "table":
        mark_live(shown, {})
    else:
        marked(shown, columns if style == "tsv" else rows.COLUMNS)
    if style == "tsv":
        output.lines(rows.tsv(session, columns) for session in shown)
    elif style == "table":
        from .table import Table

        now, gone = int(time() * 1000), Gone()
        table = Table(shown, output.columns(), now, output.colour(), gone)
        output.lines(map(table.line, shown))
    elif style == "jsonl":
        output.lines(rows.json(rows.facts(session)) for session in shown)
    else:
        output.lines([rows.json([rows.facts(session) for session in shown], indent=True)])
    if terminal and not found:
        from . import nothing

        output.note(nothing.found(asked, stores, hidden))
    elif terminal and (len(shown) < len(found) or hidden):
        told = f", {hidden} hidden (--all)" if hidden else ""
        output.note(f"{len(shown)} of {len(found)}{told}")
    return 1 if asked.words and not found else 0


def must_be_there(asked: "Query", hidden: int) -> None:
    """Failure when nothing was found, nor `hidden`, in a folder that is not there."""
    if not hidden and asked.below and (gone := asked.below.gone()):
        raise Failure(f"no such folder: {text.path(gone)}", 2)


def marked(sessions: "list[Session]", columns: "Iterable[str]") -> "list[Session]":
    """The sessions, told of each what `columns` need that no index knows."""
    if "live" in columns:
        mark_live(sessions, {})
    if "interrupted" in columns:
        mark_interrupted(sessions)
    return sessions


def mark_live(sessions: "Iterable[Session]", held: "Held") -> None:
    """Say of each session whether it is proved to be open now; None where that is not told.

    `held` remembers for the next call what each store tells.
    """
    for session in sessions:
        place = session.place
        if place not in held:
            held[place] = apps.load(session.app).held(session.home)
        known = held[place]
        session.live = None if known is None else known.get(session.id, False)


class Asked:
    """What an app that has the function `name` tells of its sessions, None elsewhere.

    Each store is asked once. `name`: "interrupted" or "kept_until", as session.App says.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: dict[Place, Callable[[Session], Any] | None] = {}

    def __call__(self, session: "Session") -> "Any":
        """What is told of `session`."""
        place = session.place
        if place not in self._known:
            ask = getattr(apps.load(session.app), self._name, None)
            self._known[place] = ask(session.home) if ask else None
        tell = self._known[place]
        return tell(session) if tell else None


def mark_interrupted(sessions: "Iterable[Session]", tell: Asked | None = None) -> None:
    """Say of each session whether its process ended without leaving it; None where that is not told."""
    tell = tell or Asked("interrupted")
    for session in sessions:
        session.interrupted = tell(session)


class Gone:
    """Tells whether a folder is not there: of each once, and of no more than so many in all."""

    MOST = 200

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def __call__(self, folder: str) -> bool:
        known = self._known.get(folder)
        if known is None:
            if len(self._known) >= self.MOST:
                return False
            from .folders import entered

            known = self._known[folder] = entered(folder) is None
        return known


def ids(app: str | None = None) -> int:
    """`sf @ids`: `id TAB description` for completion, newest first, at most 200; then `name TAB …`.

    The names are those that the person gave, of the same sessions. `sf @ids APP`, for the app's own
    command: of that alone, those of this repository or folder first, and no names.
    """
    if app not in (None, *apps.NAMES):
        raise Failure(f"no app {app!r}", 2)
    found = query.newest(index.stores([app] if app else apps.NAMES, glance=True), query.Query())
    offered = [session for _, session in zip(range(_OFFERED), found, strict=False)]
    if app:
        from .git import around

        here = around(os.getcwd())
        offered.sort(key=lambda session: not here.holds(session.cwd))
    now = int(time() * 1000)
    told = [(s, rows.age(s.updated, now)) for s in offered]
    output.lines(f"{rows.tsv(s, ('id',))}\t{age} {rows.tsv(s, ('title',))}" for s, age in told)
    if not app:
        output.lines(
            f"{rows.tsv(s, ('title',))}\t{age} {s.id}"
            for s, age in told
            if (s.name or "-")[0] != "-"
        )
    return 0
