"""Discover, stat, reuse or read again; and the one cache file that remembers.

A TSV text file, newest session first, with a section for each store (app and root), so that homes
are kept apart. A plain call on unchanged stores needs no parser and makes no Session of a line that
nobody asked for. The file is input like any other: on any doubt it is built anew. Nothing is ever
written into a store.
"""

import os
from time import time_ns

from . import apps, cache, files, jsonl, paths, times
from .session import FIELDS, LISTED, UNREADABLE, Look, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .session import App, Place, Reader

    Stale = tuple[str, str, str | None]  # key, stamp, the old line
    Job = tuple[Place, Reader, str, str, str | None]  # the store and its reader before it

_MAGIC = "sessidx 2"
_NAME = "index"
_SECTION = "@"
_AGAIN = "?"  # sources that could not be read: no stamp is equal to it
_LIMIT = 256 * 1024 * 1024
_LARGE = 600_000  # bytes
_MANY = 1_500  # files to read, by two processes, for which a quicker parser is worth its loading
_SECTIONS = 64
_COLUMNS = (*FIELDS[:3], "beside", *FIELDS[3:])
_ID, _ORIGIN, _CONTINUED = map(_COLUMNS.index, ("id", "origin", "continued_in"))
_HALVES = 50  # that are followed from one to the next


class Store:
    """What the index holds of one home: a line for each session, and how its sources stood."""

    def __init__(self, place: "Place", sources: str, lines: list[str], seen: int = 0) -> None:
        self.place = place
        self.sources = sources
        self.lines = lines
        self.seen = seen  # when its folders were last looked through, in ns
        self.read = 0  # sessions that were read again
        self.unread: list[str] = []  # files, folders and databases that could not be
        self.odd: list[str] = []  # named like sessions, and no regular files
        self._halves: dict[str, str] | None = None  # of each listed id the one it goes on under

    @property
    def app(self) -> str:
        """The name of the app."""
        return self.place[0]

    @property
    def root(self) -> str:
        """Its home."""
        return self.place[1]

    def sessions(self, lines: "Iterable[str] | None" = None) -> "Iterator[Session]":
        """The Session of each of its lines, or of those `lines` of it."""
        for line in self.lines if lines is None else lines:
            found = session(self.place, line)
            if found.continued_in:
                found.continued_in = self._newest_half(found.id)
            yield found

    def _newest_half(self, id: str) -> str | None:
        """Under which id what began as `id` goes on now; None where nothing listed is at the end."""
        if self._halves is None:
            told = (line.split("\t", _CONTINUED + 1) for line in self.lines)
            self._halves = {v[_ID]: v[_CONTINUED] for v in told if v[_ORIGIN] in LISTED}
        met = [id]
        while len(met) < _HALVES and self._halves.get(met[-1]) in self._halves:
            met.append(self._halves[met[-1]])
            if met[-1] in met[:-1]:
                return None  # they point at each other: neither is the old one
        return met[-1] if len(met) > 1 else None

    def differs(self, other: "Store") -> bool:
        """Whether the index must be written anew because of it."""
        return (self.sources, self.lines) != (other.sources, other.lines)


def is_large() -> bool:
    """Whether so many sessions are known that a look at all their files is felt: some 2,000."""
    try:
        return os.stat(os.path.join(paths.cache(), _NAME)).st_size >= _LARGE
    except OSError:
        return False


def kept(names: "Iterable[str]" = apps.NAMES) -> list[Store]:
    """The stores of the apps in `names` as the cache file holds them: no look at their sessions."""
    known = _load()
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
    cache.sweep()
    others = _load()
    changed = False
    result: list[Store] = []
    before: list[Store] = []
    reading: list[Iterator[tuple[Job, str]]] = []
    for place in apps.homes(names):
        old = others.pop(place, None)
        if not files.is_there(place[1]):
            changed = changed or old is not None
            continue
        old = old or Store(place, "", [])
        store, stale = _looked_at(old, glance)
        result.append(store)
        before.append(old)
        if stale:
            from .spread import spread

            # Other processes begin while this one looks at the next store.
            reading.append(spread(_line_of, stale))
    try:
        _read(result, reading, quiet)
    finally:  # interrupted, what was read is kept: the rest is stale again next time
        for store, old in zip(result, before, strict=True):
            if store is not old:
                store.lines.sort(reverse=True)
                changed = changed or store.differs(old)
        if changed:
            _save(result, others.values())
    return result


def _looked_at(known: Store, glance: bool) -> "tuple[Store, list[Job]]":
    """`known` itself when nothing changed, else a new Store, and what is to be read for it."""
    try:
        return _compare(apps.load(known.app), known, glance)
    except Exception:  # noqa: BLE001  (one app's store never takes the others down)
        store = Store(known.place, known.sources, known.lines)
        store.unread = [""]
        return store, []


def _compare(app: "App", known: Store, glance: bool) -> "tuple[Store, list[Job]]":
    seen = time_ns()
    if glance and known.seen and app.changed(known.root) < known.seen:
        return known, []
    sources = app.sources(known.root)
    by_key: dict[str, tuple[str, str]] = {}
    for line in known.lines:
        _, key, before, _ = line.split("\t", 3)
        by_key[key] = (before, line)
    look = Look(known.sources, by_key)
    lines: list[str] = []
    stale: list[Stale] = []
    for key, stamp in app.discover(known.root, look):
        written = key if key.isprintable() and "\\" not in key else escape(key)
        old = by_key.pop(written, None)
        if old is not None and stamp == old[0]:
            lines.append(old[1])
        else:
            stale.append((key, stamp, old[1] if old else None))
    stands = {*map(escape, look.unread), *map(escape, look.same)}
    left = [line for key, (_, line) in by_key.items() if _is_below(key, stands)]
    known.unread, known.odd = look.unread, look.odd
    if len(left) == len(by_key) and not stale and sources == known.sources and not look.again:
        return known, []
    store = Store(known.place, sources, lines + left, seen)
    store.unread, store.odd = look.unread, look.odd
    if len(stale) > _MANY:
        jsonl.expect_much()
    reader = app.reader(store.root, look)
    if look.again:
        store.sources = _AGAIN
    if sources != known.sources:
        stale += _told_differently(reader, store)
    store.read = len(stale)
    return store, [(store.place, reader, *job) for job in stale]


def _told_differently(reader: "Reader", store: Store) -> "list[Stale]":
    """What the store's shared sources tell differently now, no longer among its lines."""
    kept: list[str] = []
    stale: list[Stale] = []
    for line in store.lines:
        _, key, stamp, beside, _ = line.split("\t", 4)
        if reader.beside(unescape(key)) in (beside, None):
            kept.append(line)
        else:
            stale.append((unescape(key), stamp, line))
    store.lines = kept
    return stale


def _read(result: list[Store], reading: "list[Iterator[tuple[Job, str]]]", quiet: bool) -> None:
    """Put what is read into its store; what was begun with last comes first."""
    if not reading:
        return
    from itertools import chain

    from .spread import with_bar

    lines = {store.place: store.lines for store in result}
    count = sum(store.read for store in result)
    told = chain(*reversed(reading))
    for job, line in told if quiet else with_bar(told, count, "reading sessions"):
        lines[job[0]].append(line)


def _line_of(job: "Job") -> str:
    """The new line of one session; whatever is in it, it hides no other."""
    place, reader, key, stamp, old = job
    try:
        found = reader.read(key, stamp, session(place, old) if old else None)
    except Exception:  # noqa: BLE001
        if old:
            return old  # as it was; its old stamp has it tried again next time
        found = Session(place[0], "", key=key, origin=UNREADABLE)
        stamp = ""  # tried again each time: who mends its rights leaves its time alone
    found.stamp = stamp
    if not found.updated and found.origin in LISTED:
        found.updated = times.of_file(stamp)
    return _line(found, reader.beside(key) or "")


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


def session(place: "Place", line: str) -> Session:
    """The Session of one line of a store; ValueError when the line is none."""
    values = line.split("\t")
    if len(values) != len(_COLUMNS):
        raise ValueError(line)
    if "\\" in line:
        values = [unescape(value) for value in values]
    found = Session.__new__(Session)
    (
        found.updated,
        found.key,
        found.stamp,
        _,
        found.origin,
        _,
        found.id,
        found.cwd,
        found.branch,
        found.title,
        found.model,
        found.effort,
        found.mode,
        found.approval,
        found.sandbox,
        found.reviewer,
        found.roots,
        found.provider,
        found.fork_of,
        found.continued_in,
        archived,
        _,
        size,
        found.found,
    ) = values
    found.app, found.home = place
    found.live, found.archived = None, archived != ""
    found.size = int(size) if _is_number(size) else 0
    return found


def _line(found: Session, beside: str) -> str:
    values = [
        beside if name == "beside" else str(value) if (value := getattr(found, name)) else ""
        for name in _COLUMNS
    ]
    if not "".join(values).isprintable() or "\\" in "".join(values):
        values = [escape(value) for value in values]
    return "\t".join(values)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 20


def escape(value: str) -> str:
    """`value` without tabs and line ends, reversibly."""
    for char, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        value = value.replace(char, written)
    return value


def unescape(value: str) -> str:
    """What `escape` was given."""
    if "\\" not in value:
        return value
    parts = value.split("\\\\")
    for char, written in (("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        parts = [part.replace(written, char) for part in parts]
    return "\\".join(parts)


def _load() -> "dict[Place, Store]":
    """The stores that the cache file holds; nothing at all on any doubt about it."""
    try:
        lines = cache.read(_NAME, _LIMIT).split("\n")
    except (OSError, ValueError, MemoryError):
        return {}
    if lines.pop() != "" or not lines or lines[0] != _MAGIC or lines[-1] != _MAGIC:
        return {}
    return _sections(lines[1:-1])


def _sections(lines: list[str]) -> "dict[Place, Store]":
    found = {}
    at = 0
    while at < len(lines):
        parts = lines[at].split("\t")
        if len(parts) != 6 or parts[0] != _SECTION:
            return {}
        if not _is_number(parts[4]) or not _is_number(parts[5]):
            return {}
        app, root, sources, count = parts[1], unescape(parts[2]), unescape(parts[3]), int(parts[5])
        block = lines[at + 1 : at + 1 + count]
        tabs = len(_COLUMNS) - 1
        if len(block) != count or not {*map(str.count, block, ["\t"] * count)} <= {tabs}:
            return {}
        place = app, root
        found[place] = Store(place, sources, block, int(parts[4]))
        at += 1 + count
    return found


def _save(new: list[Store], others: "Iterable[Store]") -> None:
    out = [_MAGIC]
    for store in [*new, *others][:_SECTIONS]:
        head = (_SECTION, store.app, escape(store.root), escape(store.sources))
        out.append("\t".join((*head, str(store.seen), str(len(store.lines)))))
        out += store.lines
    cache.replace(_NAME, "\n".join([*out, _MAGIC, ""]))
