"""Sessions as aligned lines that fit a terminal: age, app, folder, branch, title, short id.  (pure)

The title is what a person looks for: it has more than half of the room, and where that is little
the id goes, then the branch, then the folder.
"""

from itertools import pairwise

from . import paths, text
from .rows import age, fit, tsv, width

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .session import Session

LIVE, GONE = "●", "✗"

_KNOWN = 1000  # sessions by whose texts the columns are laid out
_GAP = 2
_AGE = 4
_SHORT_ID = 8
# From how many columns on the id, the branch, the folder and the app are shown.
_WIDE, _MIDDLE, _NARROW, _TINY = 100, 60, 48, 24
_LEAST = 4  # of a branch that is worth showing


def _never(folder: str) -> bool:
    return False


class Table:
    """The layout of some lines; `is_gone` tells of a session's folder whether it is not there."""

    def __init__(
        self,
        sessions: "Iterable[Session]",
        columns: int,
        now: int,
        colour: bool,
        is_gone: "Callable[[str], bool]" = _never,
    ) -> None:
        """`columns` of the terminal, `now` in ms."""
        known = list(sessions)[:_KNOWN]
        self._now = now
        self._colour = colour
        self._is_gone = is_gone
        self._short = columns < _WIDE  # the first word of an app's name does
        self._marked = any(self._mark(session) for session in known)
        self._app = _widest(map(self._app_of, known)) if columns >= _TINY else 0
        self._ids = _lengths(known) if columns >= _WIDE else {}
        id_ = max(self._ids.values(), default=0)
        room = columns - 2 * self._marked - _AGE - _GAP
        room -= sum(shown + _GAP for shown in (self._app, id_) if shown)
        self._folder, self._branch = _shares(columns, room, known)
        self._title = max(1, room - sum(w + _GAP for w in (self._folder, self._branch) if w))

    def line(self, session: "Session", told: "Callable[[int], str] | None" = None) -> str:
        """One session, no wider than the terminal.

        `told` makes what stands in the title's place, as wide as it is told to.
        """
        mark = self._mark(session)
        gone = mark == GONE
        paint = self._painted
        cells = (
            paint(age(session.updated, self._now).rjust(_AGE), "32"),
            paint(fit(self._app_of(session), self._app), "36"),
            paint(fit(_folder(session), self._folder, keep_end=True), "2" if gone else "34"),
            paint(fit(session.branch or "-", self._branch), "33"),
            told(self._title) if told else paint(fit(session.title or "-", self._title), ""),
            paint(session.id[: self._ids.get(session.app, 0)], "2"),
        )
        front = paint(mark or " ", "31") + " " if self._marked else ""
        return (front + (" " * _GAP).join(filter(None, cells))).rstrip()

    def _mark(self, session: "Session") -> str:
        if session.live:
            return LIVE
        return GONE if session.cwd and self._is_gone(session.cwd) else ""

    def _app_of(self, session: "Session") -> str:
        return session.app.partition("-")[0] if self._short else session.app

    def _painted(self, cell: str, colour: str) -> str:
        cell = text.clean(cell)
        return f"\x1b[{colour}m{cell}\x1b[0m" if self._colour and colour and cell else cell


def _shares(columns: int, room: int, known: "Sequence[Session]") -> tuple[int, int]:
    """The widths of folder and branch out of `room` columns; 0 for one that is not shown."""
    if columns < _NARROW:
        return 0, 0
    folder = _widest(map(_folder, known))
    branch = _widest(session.branch or "-" for session in known) if columns >= _MIDDLE else 0
    title = _widest(session.title or "-" for session in known)
    others = room - min(title, room * 11 // 20) - (2 * _GAP if branch else _GAP)
    branch = min(branch, max(others * 2 // 5, others - folder))
    if branch < _LEAST:
        branch = min(branch, 1)  # where no session has one
    return max(1, min(folder, others - branch)), branch


def _lengths(known: "Sequence[Session]") -> dict[str, int]:
    """How much of an id tells the sessions of each app apart: UUIDv7 begin alike for a minute."""
    ids: dict[str, set[str]] = {}
    for session in known:
        ids.setdefault(session.app, set()).add(session.id)
    return {app: _telling(sorted(told)) for app, told in ids.items()}


def _telling(ids: list[str]) -> int:
    length = _SHORT_ID
    for one, next_ in pairwise(ids):
        while length < len(next_) and one[:length] == next_[:length]:
            length += 1
    return length


def _widest(values: "Iterable[str]") -> int:
    return max(map(width, values), default=1)


def _folder(session: "Session") -> str:
    return text.path(paths.shown(session.cwd)) if session.cwd else "-"


class Chosen:
    """Lines of the columns that were asked for: each as wide as it needs, as many as have room."""

    def __init__(self, sessions: "Iterable[Session]", columns: int, names: "Sequence[str]") -> None:
        known = list(sessions)[:_KNOWN]
        left, self._columns = columns, []
        for name in names:
            wide = min(_widest(tsv(session, (name,)) for session in known), max(0, left))
            self._columns.append((name, wide))
            left -= wide + _GAP

    def line(self, session: "Session") -> str:
        """One session, no wider than the room."""
        told = [fit(tsv(session, (name,)), wide) for name, wide in self._columns if wide]
        return (" " * _GAP).join(told).rstrip()
