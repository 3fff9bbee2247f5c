"""`sf --said WORD…`: print the sessions in which it was said, as they are found. Without click."""

import os
from itertools import islice
from time import time

from .. import index, output, query, rows, text
from ..apps import NAMES
from ..find import ON_A_TERMINAL, Asked, mark_interrupted, mark_live
from ..output import Failure
from .bar import Bar
from .phrases import Sought
from .search import Search
from .snippet import lit, snippet

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from ..find import Held
    from ..query import Query
    from ..session import Session
    from ..store import Store
    from .search import Told

DEFAULT = (*rows.DEFAULT, rows.SAID)
_LAYOUT = 200  # sessions by whose texts the columns of a table are laid out
HIT, _OFF = "\x1b[1;33m", "\x1b[0m"


def find(
    asked: "Query",
    words: "Sequence[str]",
    names: "Iterable[str]" = NAMES,
    limit: int | None = None,
    columns: "Sequence[str]" = DEFAULT,
    style: str | None = None,
) -> int:
    """Print each session that `asked` fits in which all `words` are said, and return the exit code.

    `style` is one of find.FORMATS, or None: a table on a terminal, else TSV.
    """
    sought = Sought(words)
    if not sought.phrases:
        raise Failure("say what was said: sf --said WORD…", 2)
    stores = index.stores(names)
    terminal = os.isatty(1)
    style = style or ("table" if terminal else "tsv")
    if limit is None and terminal:
        limit = ON_A_TERMINAL
    search = Search(stores, asked, sought)
    bar = Bar()
    line = _printer(style, columns, sought.phrases, stores, asked)
    count = 0
    together: list[Any] = []
    held: Held = {}
    tell = Asked("interrupted")
    found = search.hits(lambda: bar.tick(search))
    try:
        for session, told in islice(found, limit):
            count += 1
            if style == "json":
                together.append(facts(session, told, held, tell))
                continue
            bar.clear()
            output.lines([line(session, told)])
    finally:
        found.close()  # type: ignore[attr-defined]
        bar.clear()
    if style == "json":
        output.lines([rows.json(together, indent=True)])
    search.keep()
    if search.unread:
        output.note(f"{search.unread} sessions could not be read: sf doctor")
    if terminal and not count:
        output.note(
            f"not said in one message: {text.clean(' '.join(words))}; sf WORD looks in titles"
        )
    if terminal and count == limit:
        output.note(f"the newest {limit}; there may be more (--limit)")
    return 0 if count else 1


def _printer(
    style: str,
    columns: "Sequence[str]",
    phrases: "Sequence[str]",
    stores: "Sequence[Store]",
    asked: "Query",
) -> "Callable[[Session, Told], str]":
    """What makes a line of a session and what it says."""
    held: Held = {}
    tell = Asked("interrupted")

    def tsv(session: "Session", told: "Told") -> str:
        if "live" in columns:
            mark_live((session,), held)
        if "interrupted" in columns:
            mark_interrupted((session,), tell)
        return "\t".join(
            (told.words or "-") if column == rows.SAID else rows.tsv(session, (column,))
            for column in columns
        )

    def jsonl(session: "Session", told: "Told") -> str:
        return rows.json(facts(session, told, held, tell))

    if style == "table":
        colour = output.colour()
        first = list(islice(query.newest(stores, asked), _LAYOUT))
        return liner(first, phrases, output.columns(), colour=colour)
    return tsv if style == "tsv" else jsonl


def facts(session: "Session", told: "Told", held: "Held", tell: Asked) -> "dict[str, Any]":
    """A session as JSON tells it, and what it says."""
    mark_live((session,), held)
    mark_interrupted((session,), tell)
    said = {"who": told.who, "at": told.at, "text": told.words}
    return rows.facts(session) | {rows.SAID: said}


def liner(
    first: "Sequence[Session]", phrases: "Sequence[str]", columns: int, *, colour: bool
) -> "Callable[[Session, Told | None], str]":
    """What makes an aligned line with the words around the hit in the title's place.

    Laid out by the `first` sessions, in so many `columns`; without words the title stands there.
    """
    from ..find import Gone
    from ..table import Table

    held: Held = {}
    mark_live(first, held)
    table = Table(first, columns, int(time() * 1000), colour, Gone())

    def line(session: "Session", told: "Told | None") -> str:
        mark_live((session,), held)
        if told is None:
            return table.line(session)
        words = told.words
        on, off = (HIT, _OFF) if colour else ("", "")
        return table.line(
            session,
            lambda room: lit(rows.fit(snippet(words, phrases, room), room), phrases, on, off),
        )

    return line
