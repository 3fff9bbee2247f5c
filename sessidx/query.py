"""Which sessions a person means: filter, order, resolve an id or a beginning of one.  (pure)

Must not read files: what depends on the disk (a repository's work trees) is handed in.
"""

from . import text
from .entry import escape, needle, updated
from .session import LISTED

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .folders import Below
    from .session import Session
    from .store import Store


class Query:
    """What is asked for; `is_plain`: words alone.

    `below` and `here`: in these folders, `here` those of the repository that one stands in; `since`,
    `until`: as `times.iso` writes them; `also`: a limit that looks at the disk.
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
        also: "Callable[[Session], bool | None] | None" = None,
    ) -> None:
        self.typed = tuple(words)
        self.words = [text.fold(word) for word in self.typed]
        self.below = below
        self.branch = text.fold(branch) if branch else None
        self.since = since
        self.until = until
        self.everything = everything
        self.here = here
        self.also = also
        self.is_plain = not (below or branch or since or until or everything or here or also)

    def shows(self, session: "Session") -> bool:
        """Whether `session`, if it fits, is listed: all are, or only those of a person."""
        return self.everything or session.by_default

    def fits(self, session: "Session") -> bool:
        """Whether `session`, which holds the words, is asked for, the default list's limits aside."""
        for limit in (self.below, self.here):
            if limit is not None and not limit.holds(session.cwd):
                return False
        if self.branch and self.branch not in text.fold(session.branch or ""):
            return False
        updated = session.updated or ""
        if (self.since and updated < self.since) or (self.until and updated >= self.until):
            return False
        return not self.also or bool(self.also(session))


def select(stores: "Iterable[Store]", query: Query) -> "tuple[list[Session], int]":
    """The sessions asked for, newest first, and how many more fit but only `--all` lists."""
    found: list[Session] = []
    hidden = 0
    for store in stores:
        for session in _fitting(store, query):
            if query.shows(session):
                found.append(session)
            else:
                hidden += 1
    found.sort(key=_newest, reverse=True)
    return found, hidden


def rows(stores: "Iterable[Store]", words: list[str]) -> list[bytes]:
    """The rows of the sessions that hold all `words`, newest first: what `select` finds, as printed."""
    found: list[bytes] = []
    for store in stores:
        found += filter(None, store.by_default(_holding(store, words)))
    found.sort(key=updated, reverse=True)
    return found


def newest(stores: "Iterable[Store]", query: Query) -> "Iterator[Session]":
    """The same sessions, one after the other: the first of many is there at once."""
    for _, session in chosen(stores, query):
        yield session


def chosen(stores: "Iterable[Store]", query: Query) -> "Iterator[tuple[int, Session]]":
    """The same with the number of each in its store: that is to be had again by it."""
    from heapq import merge

    def told(store: "Store") -> "Iterator[tuple[int, Session]]":
        for number in _holding(store, query.words):
            for session in store.sessions((number,)):
                if session.origin in LISTED and query.fits(session) and query.shows(session):
                    yield number, session

    return merge(*map(told, stores), key=lambda pair: _newest(pair[1]), reverse=True)


def _fitting(store: "Store", query: Query) -> "Iterator[Session]":
    for session in store.sessions(_holding(store, query.words)):
        if session.origin in LISTED and query.fits(session):
            yield session


def _newest(session: "Session") -> str:
    return session.updated or ""


def _holding(store: "Store", words: list[str]) -> "Iterable[int]":
    """The numbers of the lines in which each of `words` stands, be it in the app's name."""
    numbers: Iterable[int] = range(len(store))
    for word in words:
        if word not in store.app:
            wanted, hays = needle(word), store.hays
            numbers = [number for number in numbers if wanted in hays[number]]
    return numbers


def resolve(
    stores: "Iterable[Store]", wanted: str, cwd: str | None = None, path: str | None = None
) -> "list[Session]":
    """The sessions that `wanted` names: an id or its beginning, `APP:ID`, a whole name; in any case.

    The name is one that the person gave. A full id beats the rest. `cwd`, as rows show it, tells twins in two folders apart; `path` is
    `wanted` as the path of a transcript.
    """
    app, _, rest = wanted.partition(":")
    word = wanted
    if rest and app in {store.app for store in stores}:
        word = rest
    else:
        app = ""
    word = text.fold(word)
    if not word:
        return []
    found: list[Session] = []
    for store in stores:
        if app and store.app != app:
            continue
        found += (
            session
            for session in store.sessions(_named(store, word, path))
            if session.origin in LISTED and _is_meant(session, word, path)
        )
    exact = [session for session in found if text.fold(session.id) == word]
    found = exact or found
    if cwd and len(found) > 1:
        found = [s for s in found if text.path(s.cwd or "-") == cwd] or found
    return sorted(found, key=_newest, reverse=True)


def _is_meant(session: "Session", word: str, path: str | None) -> bool:
    name = session.name
    by_id = text.fold(session.id).startswith(word)
    return by_id or session.path == path or (name is not None and text.fold(name) == word)


def _named(store: "Store", word: str, path: str | None) -> "Iterable[int]":
    """The numbers of the lines that could be meant by a part of an id, a name, or a path below the root."""
    found = _holding(store, [word])
    if path is None:
        return found
    key = escape(path.removeprefix(f"{store.root}/"))
    return {*found, *(n for n, mark in enumerate(store.marks) if mark.startswith(key))}
