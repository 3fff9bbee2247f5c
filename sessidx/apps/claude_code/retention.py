"""When Claude Code removes a transcript: `cleanupPeriodDays` after the last change of its file.

Read in the program of 2.1.332, and reported (anthropics/claude-code#62476, #59248): ten minutes after a
start, at most once a day, it removes each transcript whose file was last changed longer ago than
that; silently and for good. 30 days unless the person's settings, or managed ones before them, say
otherwise; with settings that it cannot read it removes nothing. Not seen to run: with a made-up key
and no network it kept all of them for the quarter of an hour that was waited, four times.
"""

import os

from ...documents import at
from ...times import DAY
from . import KEEPS, settings

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...session import Session

_DAYS = 30


def kept_until(root: str) -> "Callable[[Session], int | None] | None":
    """What tells until when a session is kept, in ms since 1970; None where nothing is removed."""
    days = _days(root)
    if days is None:
        return None

    def tell(session: "Session") -> int | None:
        try:
            return os.stat(session.path).st_mtime_ns // 1_000_000 + days * DAY
        except OSError:
            return None

    return tell


def _days(root: str) -> int | None:
    """The period in force; None where a file of settings is not to be understood."""
    days = None
    for path in settings.files(root):
        told = settings.read(path)
        if told is None:
            return None
        found = at(told, KEEPS)
        if found is None:
            continue
        if not isinstance(found, int) or isinstance(found, bool) or found < 1:
            return None
        days = found  # the person's come first, what is managed after them
    return _DAYS if days is None else days
