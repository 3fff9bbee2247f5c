"""Discover, stat, reuse or read again; what is known stands in the one cache file, see store.py.

Nothing is ever written into a store.
"""

import gc
import os
from time import time_ns

from . import apps, cache, files, jsonl, paths, times
from .entry import entry, escape, mark, session, unescape
from .session import LISTED, UNREADABLE, Look, Session
from .store import NAME, Store, load, save

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .entry import Entry
    from .session import App, Place, Reader

    Stale = tuple[str, str, Entry | None]  # key, stamp, what was known
    Job = tuple[Place, Reader, str, str, Entry | None]  # the store and its reader before it

_AGAIN = "?"  # sources that could not be read: no stamp is equal to it
_LARGE = 750_000  # bytes
_MANY = 1_500  # files to read, by two processes, for which a quicker parser is worth its loading


def is_large() -> bool:
    """Whether so many sessions are known that a look at all their files is felt: some 2,000."""
    try:
        return os.stat(os.path.join(paths.cache(), NAME)).st_size >= _LARGE
    except OSError:
        return False


def kept(names: "Iterable[str]" = apps.NAMES) -> list[Store]:
    """The stores of the apps in `names` as the cache file holds them: no look at their sessions."""
    known = load()
    return [known[place] for place in apps.homes(names) if place in known]


def stores(
    names: "Iterable[str]" = apps.NAMES,
    *,
    glance: bool = False,
    quiet: bool = False,
) -> list[Store]:
    """The stores of the apps in `names` that are there, as they are now; the cache file follows.

    With `glance` a store in whose folders no file came or went since is taken as it is, however its
    files have grown. `quiet`: no bar on the terminal.
    """
    gc.disable()  # to look for circles among what is held of ten thousand sessions takes time
    cache.sweep()
    others = load()
    changed = False
    looks: list[_Look] = []
    reading: list[Iterator[tuple[Job, str]]] = []
    for place in apps.homes(names):
        known = others.pop(place, None)
        if not files.is_there(place[1]):
            changed = changed or known is not None
            continue
        looks.append(look := _Look(known or Store(place)))
        look.compare(glance)
        if look.stale:
            from .spread import spread

            # Other processes begin while this one looks at the next store.
            reading.append(spread(_told, look.stale))
    try:
        _read(looks, reading, quiet)
    finally:  # interrupted, what was read is kept: the rest is stale again next time
        for look in looks:
            changed = look.settle() or changed
        if changed:
            save([*(look.store for look in looks), *others.values()])
    return [look.store for look in looks]


class _Look:
    """One store as it was known, and what a look at it finds: `entries` that stand, `stale` jobs."""

    def __init__(self, known: Store) -> None:
        self.store = self.known = known
        self.entries: list[Entry] = []
        self.stale: list[Job] = []

    def compare(self, glance: bool) -> None:
        """Look at every session's stamp; whatever an app meets takes no other down."""
        known = self.known
        try:
            app = apps.load(known.app)
            if not (glance and known.seen and app.changed(known.root) < known.seen):
                self._compare(app)
        except Exception:  # noqa: BLE001
            self.store, self.stale = known, []
            known.unread = [""]

    def _compare(self, app: "App") -> None:
        known, seen = self.known, time_ns()
        sources = app.sources(known.root)
        at = dict(zip(known.marks, range(len(known.marks)), strict=True))
        look = Look(known.sources, known.marks)
        fresh: list[tuple[str, str]] = []
        for key, stamp in app.discover(known.root, look):
            if at.pop(f"{key}\t{stamp}", None) is None and at.pop(mark(key, stamp), None) is None:
                fresh.append((key, stamp))
        known.unread, known.odd = look.unread, look.odd
        stands = {*map(escape, look.unread), *map(escape, look.same)}
        left = {told.partition("\t")[0]: number for told, number in at.items()}
        gone = {key: number for key, number in left.items() if not _is_below(key, stands)}
        if not fresh and not gone and sources == known.sources and not look.again:
            return
        store = self.store = Store(known.place, sources, seen)
        store.unread, store.odd = look.unread, look.odd
        if len(fresh) > _MANY:
            jsonl.expect_much()
        entries = known.entries()
        numbers = ((key, stamp, left.get(escape(key))) for key, stamp in fresh)
        stale = [(key, stamp, None if n is None else entries[n]) for key, stamp, n in numbers]
        out = {*gone.values(), *(left[e[0].partition("\t")[0]] for _, _, e in stale if e)}
        self.entries = [e for n, e in enumerate(entries) if n not in out] if out else entries
        reader = app.reader(store.root, look)
        if look.again:
            store.sources = _AGAIN
        if sources != known.sources:
            stale += self._told_differently(reader)
        store.read = len(stale)
        self.stale = [(store.place, reader, *job) for job in stale]

    def _told_differently(self, reader: "Reader") -> "list[Stale]":
        """What the store's shared sources tell differently now, no longer among the entries."""
        kept: list[Entry] = []
        stale: list[Stale] = []
        for known in self.entries:
            key, stamp = map(unescape, known[0].split("\t"))
            beside = unescape(str(known[3].rpartition(b"\t")[2], "utf-8", "surrogatepass"))
            if reader.beside(key) in (beside, None):
                kept.append(known)
            else:
                stale.append((key, stamp, known))
        self.entries = kept
        return stale

    def settle(self) -> bool:
        """Put what was found into the store; whether the cache file must be written anew for it."""
        if self.store is self.known:
            return False
        self.store.put(self.entries)
        return (self.store.sources, self.store.written()) != (
            self.known.sources,
            self.known.written(),
        )


def _read(looks: "list[_Look]", reading: "list[Iterator[tuple[Job, str]]]", quiet: bool) -> None:
    """Put what is read to what stands; what was begun with last comes first."""
    if not reading:
        return
    gc.enable()
    from itertools import chain

    from .spread import with_bar

    entries = {look.store.place: look.entries for look in looks}
    count = sum(look.store.read for look in looks)
    read = chain(*reversed(reading))
    for job, told in read if quiet else with_bar(read, count, "reading sessions"):
        mark, *others = told.split("\r")
        hay, row, line = (part.encode("utf-8", "surrogatepass") for part in others)
        entries[job[0]].append((mark, hay, row, line))


def _told(job: "Job") -> str:
    """The new entry of one session, in one line; whatever is in it, it hides no other."""
    place, reader, key, stamp, old = job
    try:
        found = reader.read(key, stamp, session(place, old[0], *old[2:]) if old else None)
    except Exception:  # noqa: BLE001
        if old:
            return _joined(old)  # as it was; its old stamp has it tried again next time
        found = Session(place[0], "", key=key, origin=UNREADABLE)
        stamp = ""  # tried again each time: who mends its rights leaves its time alone
    found.stamp = stamp
    found.app, found.home = place
    if not found.updated and found.origin in LISTED:
        found.updated = times.of_file(stamp)
    return _joined(entry(found, reader.beside(key) or ""))


def _joined(told: "Entry") -> str:
    """An entry in one line: in none of its parts stands a carriage return."""
    return "\r".join((told[0], *(str(part, "utf-8", "surrogatepass") for part in told[1:])))


def _is_below(key: str, stands: set[str]) -> bool:
    """Whether `key` is, or lies in, one of `stands`; all of them as they are written."""
    if not stands or ".." in key.split("/"):
        return False  # the index is input like any other: what leads out is nothing of ours
    if key in stands:
        return True
    at = key.find("/", 1)
    while at >= 0 and key[:at] not in stands:
        at = key.find("/", at + 1)
    return at >= 0 or ("" in stands and not key.startswith("/"))
