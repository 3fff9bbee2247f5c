"""Which sessions a person means: filter, order, resolve an id or a beginning of one.  (pure)

Must not read files: what depends on the disk (a repository's work trees) is handed in.
"""

from . import text
from .session import LISTED

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .folders import Below
    from .index import Store
    from .session import Session


class Query:
    """What is asked for.

    `below` and `here`: in these folders, `here` those of the repository that one stands in; `since`,
    `until`: as `times.iso` writes them.
    """

    def __init__(
        self,
        words: "Iterable[str]" = (),
        below: "Below | None" = None,
        branch: str | None = None,
        since: str | None = None,
        until: str | None = None,
        everything: bool = False,
        here: "Below | None" = None,
    ) -> None:
        self.words = [word.lower() for word in words]
        self.below = below
        self.branch = branch.lower() if branch else None
        self.since = since
        self.until = until
        self.everything = everything
        self.here = here

    def shows(self, session: "Session") -> bool:
        """Whether `session`, if it fits, is listed: all are, or only those of a person."""
        return self.everything or session.by_default

    def fits(self, session: "Session") -> bool:
        """Whether `session` is one that is asked for, the default list's limits aside."""
        if self.words:
            told = (session.title, session.cwd, session.branch, session.app, session.id)
            hay = "\0".join(part for part in told if part).lower()
            if not all(word in hay for word in self.words):
                return False
        for limit in (self.below, self.here):
            if limit is not None and not limit.holds(session.cwd):
                return False
        if self.branch and self.branch not in (session.branch or "").lower():
            return False
        updated = session.updated or ""
        return not ((self.since and updated < self.since) or (self.until and updated >= self.until))


def select(
    stores: "Iterable[Store]", query: Query, most: int | None = None
) -> "tuple[list[Session], int]":
    """The sessions asked for, newest first, and how many more fit but only `--all` lists.

    With `most`, no more than that many of each store, whose lines stand newest first.
    """
    found: list[Session] = []
    hidden = 0
    for store in stores:
        end = len(found) + most if most is not None else None
        for session in _fitting(store, query):
            if len(found) == end:
                break
            if query.shows(session):
                found.append(session)
            else:
                hidden += 1
    found.sort(key=_newest, reverse=True)
    return found, hidden


def newest(stores: "Iterable[Store]", query: Query) -> "Iterator[Session]":
    """The same sessions, one after the other: the first of many is there at once."""
    for _, session in chosen(stores, query):
        yield session


def chosen(stores: "Iterable[Store]", query: Query) -> "Iterator[tuple[str, Session]]":
    """The same with the line of each: ten thousand lines take a third of what their sessions take."""
    from heapq import merge

    def told(store: "Store") -> "Iterator[tuple[str, Session]]":
        lines = _likely(store, query.words)
        for line, session in zip(lines, store.sessions(lines), strict=True):
            if session.origin in LISTED and query.fits(session) and query.shows(session):
                yield line, session

    return merge(*map(told, stores), key=lambda pair: _newest(pair[1]), reverse=True)


def _fitting(store: "Store", query: Query) -> "Iterator[Session]":
    for session in store.sessions(_likely(store, query.words)):
        if session.origin in LISTED and query.fits(session):
            yield session


def _newest(session: "Session") -> str:
    return session.updated or ""


def _likely(store: "Store", words: list[str]) -> list[str]:
    """The lines that could hold all `words`: a quick look before a Session is made of each."""
    lines = store.lines
    for word in words:
        # In a line, backslashes and blanks are escaped; an app's name stands in none of its lines.
        if word in store.app or not word.isprintable() or "\\" in word:
            continue
        if not lines:
            break
        lowered = "\n".join(lines).lower().split("\n")
        lines = [line for line, low in zip(lines, lowered, strict=True) if word in low]
    return lines


def resolve(stores: "Iterable[Store]", wanted: str, cwd: str | None = None) -> "list[Session]":
    """The sessions that `wanted` names: an id or its beginning in either case, `APP:ID`, a path.

    A full id beats a mere beginning. `cwd`, as rows show it, tells twins in two folders apart.
    """
    app, _, rest = wanted.partition(":")
    word = wanted
    if rest and app in {store.app for store in stores}:
        word = rest
    else:
        app = ""
    word = word.lower()
    if not word:
        return []
    found = []
    for store in stores:
        if app and store.app != app:
            continue
        for session in store.sessions(_likely(store, [word.rpartition("/")[2]])):
            named = session.id.lower().startswith(word) or wanted == session.path
            if session.origin in LISTED and named:
                found.append(session)
    exact = [session for session in found if session.id.lower() == word]
    found = exact or found
    if cwd and len(found) > 1:
        found = [s for s in found if text.path(s.cwd or "-") == cwd] or found
    return sorted(found, key=_newest, reverse=True)
