"""What was said, in the picker: what fzf is told, the rows that it asks for as one types, the preview.

fzf starts a process of ours for each query, and ends it with its whole group at the next letter.
"""

from itertools import islice
from select import select
from time import monotonic

from .. import glance, index, output, paths, query, rows, text
from ..find import Asked
from ..folders import Below
from ..output import Failure
from . import around
from .find import liner
from .phrases import Sought, split
from .search import Search

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..query import Query
    from ..session import Session
    from ..store import Store
    from .search import Told

_SETTLED = 0.1  # seconds after the last letter
_LAYOUT = 200  # sessions by whose texts the columns are laid out
_MOST = 1_000  # rows: who wants more types on
_NOWHERE = "-"


def options(
    itself: str, shell: str, columns: int, asked: "Query", names: "Sequence[str]", limit: int | None
) -> list[str]:
    """fzf's options for this mode; `itself` are the words that start this program again.

    In a row a message's place and the query stand behind what is shown.
    """
    told = _packed(asked, names, limit)
    shown = len(rows.DEFAULT) + 1
    return [
        "--disabled",
        "--prompt=said> ",
        f"--bind=start:reload({itself} @said now {columns} {told} {{q}})",
        f"--bind=change:reload({itself} @said soon {columns} {told} {{q}})",
        f"--preview={itself} @heard {shell} {{2}}:{{1}} {{{shown + 1}}} {{{shown + 2}}} {{q}}",
    ]


def _packed(asked: "Query", names: "Sequence[str]", limit: int | None) -> str:
    """What is asked for, in letters and digits: fzf acts on braces, wherever they stand."""
    from json import dumps

    below, here = (limit_.tops if limit_ else None for limit_ in (asked.below, asked.here))
    told = (asked.words, below, asked.branch, asked.since, asked.until, asked.everything, here)
    return dumps([[*told, asked.also is not None], list(names), limit]).encode().hex()


def _unpacked(told: str) -> "tuple[Query, list[str], int | None]":
    from json import loads

    try:
        (words, below, branch, since, until, everything, here, also), names, limit = loads(
            bytes.fromhex(told)
        )
    except (ValueError, TypeError):
        raise Failure("not what the picker asks", 2) from None
    folders = (Below(tops) if tops is not None else None for tops in (below, here))
    below, here = folders
    only = Asked("interrupted") if also else None
    asked = query.Query(words, below, branch, since, until, everything, here, only)
    return asked, names, limit


def said(when: str, columns: str, told: str, typed: str) -> int:
    """`sf @said`: a row for each session that says what is `typed`, as they are found.

    `when` is `now`, or `soon`: not before the person may have stopped to type.
    """
    begun = monotonic()
    asked, names, limit = _unpacked(told)
    stores = index.stores(names, glance=True, quiet=True)
    sought = Sought(split(typed))
    if when == "soon" and (left := begun + _SETTLED - monotonic()) > 0:
        select((), (), (), left)
    line = liner(
        list(islice(query.newest(stores, asked), _LAYOUT)),
        sought.phrases,
        _width(paths.setting("FZF_COLUMNS"), int(columns)),
        colour=paths.setting("NO_COLOR") is None,
    )
    asks = text.clean(typed.replace("\t", " "))
    search = Search(stores, asked, sought)
    for session, hit in islice(_hits(search, stores, asked), limit or _MOST):
        place = hit.place if hit else _NOWHERE
        output.lines([f"{rows.tsv(session)}\t{line(session, hit)}\t{place}\t{asks}"])
    search.keep()
    return 0


def _width(told: str | None, otherwise: int) -> int:
    """The columns of a row: fzf's, who tells 0 as it starts and nothing in 0.38, less its own four."""
    known = told is not None and told.isascii() and told.isdigit() and int(told[:6]) > 0
    return max(16, int(str(told)[:6]) - 4) if known else otherwise


def _hits(
    search: Search, stores: "list[Store]", asked: "Query"
) -> "Iterator[tuple[Session, Told | None]]":
    """Of no words every session, as in the list of titles."""
    if not search.sought.phrases:
        return ((session, None) for session in query.newest(stores, asked))
    return search.hits(output.must_be_read)


def heard(shell: str, wanted: str, place: str, typed: str, now: str = "") -> int:
    """`sf @heard`: the preview of a row, the message at `place` with the hits of what was typed.

    Where that is no more, the preview of every session; where nobody said it, that.
    """
    if wanted == glance.NO_ROW:
        output.lines(
            (f"Not said in one message: {text.clean(now)}", "", "Alt-S goes back to titles.")
        )
        return 0
    found = query.resolve(index.stores(glance=True), wanted) if place.isdecimal() else []
    sought = Sought(split(typed))
    for session in found[:1]:
        try:
            told = around.found(session, sought, int(place))
        except (OSError, OverflowError):
            break
        if told:
            output.lines(_preview(glance.Screen(), session, shell, told, sought.phrases))
            return 0
    return glance.glance(wanted, shell)


def _preview(
    screen: glance.Screen,
    session: "Session",
    shell: str,
    told: "around.Around",
    phrases: "Sequence[str]",
) -> "Iterator[str]":
    """The message and what was said before and after; all, or some words around the hit and all below."""
    plain = list(around.lines(told, phrases, colour=False))
    whole = list(around.lines(told, phrases, colour=True)) if screen.colour else plain

    def opening(room: int) -> "Iterator[str]":
        if sum(map(screen.height, plain)) <= room:
            return iter(whole)
        columns = max(1, room - 1) * screen.columns - 2
        return around.excerpt(told, phrases, columns, colour=screen.colour)

    return screen.framed(session, shell, opening, whole)
