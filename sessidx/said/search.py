"""The sessions in which it is said, newest first, each as soon as it is sure that no newer one is left.

The newest are looked through here, the rest by children: two for each processor, in our own process
group, so that whoever ends that ends them; they end by themselves when we are gone.
"""

import os
from itertools import chain
from select import POLLIN, poll

from .. import apps, query
from ..spread import BLOCKS, Blocks, Child, processors
from .sites import Kept, Sites
from .snippet import snippet

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..query import Query
    from ..session import Conversations, Place, Session
    from ..store import Store
    from .phrases import Sought

    Job = tuple[Place, int]  # the store, and the session's number in it

_ALONE = 4_000_000  # bytes: so much is looked through sooner than a child is made
_BLOCK = 2_000_000  # bytes that a child takes at once, so that a hit in them is soon told
_FILES = 64  # or so many sessions
_FEWEST, _MOST = 4, 8  # children
_LEARNED = "\x1e"  # in a child's line before what it learned
_WORTH = 4_000_000  # bytes looked through now, for which our file is written anew
_TICK = 100  # ms
_WATCH = 0.2  # seconds


class Told:
    """What one session says of it: a message's place, who said it, when, and some words around the hit."""

    __slots__ = ("at", "place", "who", "words")

    def __init__(self, place: int, who: str, at: str | None, words: str) -> None:
        self.place = place
        self.who = who
        self.at = at
        self.words = words


class Search:
    """One search through the sessions that are `asked` for.

    `done` of `size` bytes are looked through; `unread` sessions could not be read.
    """

    def __init__(self, stores: "list[Store]", asked: "Query", sought: "Sought") -> None:
        self._stores = {store.place: store for store in stores}
        self._asked = asked
        self.sought = sought
        self._of: dict[Place, Conversations] = {}
        self._kept: Kept | None = None
        self._learned: list[tuple[Session, str]] = []
        self._news = 0
        self.done = self.size = self.unread = 0

    def hits(self, tick: "Callable[[], None]") -> "Iterator[tuple[Session, Told]]":
        """Each session that says it, newest first; `tick` is called ten times a second and may raise."""
        found = query.chosen(self._stores.values(), self._asked)
        for _, session in found:
            if self.done + session.size > _ALONE:
                found = chain(((_, session),), found)
                break
            told = self._read(self._look(session))
            self.done += session.size
            if told:
                yield session, told
        else:
            return
        self._kept = Kept()
        jobs, runs = self._shared_out(found)
        for number, line in _by_children(self._line, jobs, runs, tick):
            session = self._session(jobs[number])
            self.done += session.size
            line, _, learned = line.partition(_LEARNED)
            if learned:
                self._learn(session, learned)
            if told := self._read(line):
                yield session, told

    def keep(self) -> None:
        """Remember where things were said, when that was found out of more than a little."""
        if self._kept and self._news >= _WORTH:
            self._kept.keep(self._learned, self._stores.values())

    def _learn(self, session: "Session", learned: str) -> None:
        news, _, told = learned.partition(_LEARNED)
        self._news += int(news)
        self._learned.append((session, told))

    def _shared_out(
        self, found: "Iterator[tuple[int, Session]]"
    ) -> "tuple[list[Job], list[range]]":
        """All that is left, by number, and in runs that are looked through by one child each."""
        from ..jsonl import document

        document(b"{}")  # the parser is loaded once, not in each child
        jobs: list[Job] = []
        sizes: list[int] = []
        for number, session in found:
            jobs.append((session.place, number))
            sizes.append(session.size)
            self._conversations(session)
        self.size = self.done + sum(sizes)
        most = max(_BLOCK, sum(sizes) * 2 // BLOCKS)
        files = max(_FILES, len(jobs) * 2 // BLOCKS)
        runs: list[range] = []
        first = held = 0
        for number, size in enumerate(sizes, 1):
            held += size
            if held > most or number - first == files or number == len(sizes):
                runs.append(range(first, number))
                first, held = number, 0
        return jobs, runs

    def _conversations(self, session: "Session") -> "Conversations":
        place = session.place
        if place not in self._of:
            self._of[place] = apps.load(session.app).conversations(session.home)
        return self._of[place]

    def _line(self, job: "Job") -> str:
        session = self._session(job)
        sites = self._kept.of(session) if self._kept else Sites()
        line = self._look(session, sites)
        return f"{line}{_LEARNED}{sites.read}{_LEARNED}{sites.told()}" if sites.read else line

    def _session(self, job: "Job") -> "Session":
        """The session of a job: ten thousand numbers take next to nothing of what those take."""
        place, number = job
        return next(self._stores[place].sessions((number,)))

    def _look(self, session: "Session", sites: Sites | None = None) -> str:
        """What a session says of it, in one line: "" for nothing, "!" where it cannot be read."""
        sought = self.sought.beyond("\0".join(shown(session)))
        try:
            hit = self._conversations(session).first(session.key, sought, sites)
        except Exception:  # noqa: BLE001  (whatever is in one file, it hides no other)
            return "!"
        if hit is None:
            return ""
        place, (who, at, words) = hit
        return f"{place}\t{who}\t{at or ''}\t{snippet(words, sought.phrases)}"

    def _read(self, line: str) -> Told | None:
        if line == "!":
            self.unread += 1
        if line in ("", "!"):
            return None
        place, who, at, words = line.split("\t", 3)
        return Told(int(place), who, at or None, words)


def shown(session: "Session") -> "Iterator[str]":
    """What the row of a session shows by itself."""
    told = (session.title, session.cwd, session.branch, session.app, session.id)
    return (part for part in told if part)


def _by_children(
    make: "Callable[[Job], str]", jobs: "list[Job]", runs: "list[range]", tick: "Callable[[], None]"
) -> "Iterator[tuple[int, str]]":
    """The number of each job and the line that is made of it, in order; all by children."""
    import signal

    us = os.getpid()

    def leave(*_: object) -> None:
        if os.getppid() != us:
            os._exit(1)

    def begin() -> None:
        signal.signal(signal.SIGALRM, leave)
        signal.setitimer(signal.ITIMER_REAL, _WATCH, _WATCH)

    blocks = Blocks(runs)
    children: dict[int, Child] = {}
    try:
        for _ in range(min(len(runs), _children())):
            try:
                child = Child(make, jobs, blocks, begin)
            except OSError:  # no more processes allowed
                break
            children[child.fd] = child
        yield from _in_order(len(jobs), make, jobs, children, tick)
    finally:
        blocks.close()
        for child in children.values():
            child.end()


def _children() -> int:
    return max(_FEWEST, min(_MOST, 2 * processors()))


def _in_order(
    count: int,
    make: "Callable[[Job], str]",
    jobs: "list[Job]",
    children: "dict[int, Child]",
    tick: "Callable[[], None]",
) -> "Iterator[tuple[int, str]]":
    made: dict[int, str] = {}
    at_work = poll()
    for fd in children:
        at_work.register(fd, POLLIN)
    left = set(children)
    for number in range(count):
        while left and number not in made:
            for fd, _ in at_work.poll(_TICK):
                if chunk := os.read(fd, 1 << 16):
                    made.update(children[fd].told(chunk))
                else:
                    at_work.unregister(fd)
                    left.discard(fd)
            tick()
        # Of a child that died early: what it had taken is looked through here.
        yield number, made.pop(number) if number in made else make(jobs[number])
