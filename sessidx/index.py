"""Discover, stat, reuse or read again; and the one cache file that remembers.

A TSV text file, newest session first, with a section for each store (app and root), so that homes
are kept apart. A plain call on unchanged stores needs no parser and makes no Session of a line that
nobody asked for. The file is input like any other: on any doubt it is built anew. Nothing is ever
written into a store.
"""

import os
from time import time_ns

from . import cache, jsonl, paths
from .apps import APPS
from .session import FIELDS, UNREADABLE, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .session import App, Reader

    Stale = tuple[str, str, str | None]  # path, stamp, the old line
    Job = tuple[str, Reader, str, str, str | None]  # the app and its reader before it

_MAGIC = "sessidx 1"
_NAME = "index"
_SECTION = "@"
_AGAIN = "?"  # sources that could not be read: no stamp is equal to it
_LIMIT = 256 * 1024 * 1024
_LARGE = 600_000  # bytes
_MANY = 1_500  # files to read, by two processes, for which a quicker parser is worth its loading
_SECTIONS = 64
_COLUMNS = (*FIELDS[:3], "beside", *FIELDS[3:])


class Store:
    """What the index holds of one app's home: a line for each file, and how its sources stood."""

    def __init__(self, app: str, root: str, sources: str, lines: list[str], seen: int = 0) -> None:
        self.app = app
        self.root = root
        self.sources = sources
        self.lines = lines
        self.seen = seen  # when its folders were last looked through, in ns
        self.read = 0  # files that were read again
        self.unread: list[str] = []  # folders that could not be

    @property
    def place(self) -> tuple[str, str]:
        """What tells it from other stores."""
        return self.app, self.root

    def differs(self, other: "Store") -> bool:
        """Whether the index must be written anew because of it."""
        return (self.sources, self.lines) != (other.sources, other.lines)


def is_large() -> bool:
    """Whether so many sessions are known that a look at all their files is felt: some 2,000."""
    try:
        return os.stat(os.path.join(paths.cache(), _NAME)).st_size >= _LARGE
    except OSError:
        return False


def kept(names: "Iterable[str]") -> list[Store]:
    """The stores of the apps in `names` as the cache file holds them: no look at the disk."""
    known = _load()
    return [_take(known, name) for name in names]


def stores(
    names: "Iterable[str]" = APPS,
    *,
    fresh: bool = False,
    glance: bool = False,
    quiet: bool = False,
) -> list[Store]:
    """The stores of the apps in `names` as they are now, and the cache file brought up to date.

    With `fresh` everything is read again. With `glance` a store in whose folders no file came or
    went since is taken as it is, however its files have grown. `quiet`: no bar on the terminal.
    """
    others = _load()
    known = [_take(others, name) for name in names]
    result: list[Store] = []
    reading: list[Iterator[tuple[Job, str]]] = []
    for old in known:
        app = APPS[old.app]
        try:
            store, stale = _compare(app, Store(*old.place, "", []) if fresh else old, glance)
        except Exception:  # noqa: BLE001  (one app's store never takes the others down)
            store, stale = Store(*old.place, old.sources, old.lines), []
            store.unread = [""]
        result.append(store)
        if stale:
            from .spread import spread

            # Other processes begin while this one looks at the next store.
            reading.append(spread(_line_of, stale))
    try:
        _read(result, reading, quiet)
    finally:  # interrupted, what was read is kept: the rest is stale again next time
        changed = [pair for pair in zip(result, known, strict=True) if pair[0] is not pair[1]]
        for store, _ in changed:
            store.lines.sort(reverse=True)
        if any(store.differs(old) for store, old in changed):
            _save(result, others.values())
    return result


def _take(kept: dict[tuple[str, str], Store], name: str) -> Store:
    place = (name, APPS[name].home())
    return kept.pop(place, None) or Store(*place, "", [])


def _compare(app: "App", known: Store, glance: bool) -> "tuple[Store, list[Job]]":
    """`known` itself when nothing changed, else a new Store, and what is to be read for it."""
    seen = time_ns()
    if glance and known.seen and app.changed(known.root) < known.seen:
        return known, []
    sources = app.sources(known.root)
    unread: list[str] = []
    by_path: dict[str, tuple[str, str]] = {}
    for line in known.lines:
        _, path, before, _ = line.split("\t", 3)
        by_path[path] = (before, line)
    lines: list[str] = []
    stale: list[Stale] = []
    for path, stamp in app.discover(known.root, unread):
        key = path if path.isprintable() and "\\" not in path else escape(path)
        old = by_path.pop(key, None)
        if old is not None and stamp == old[0]:
            lines.append(old[1])
        else:
            stale.append((path, stamp, old[1] if old else None))
    gone = [line for key, (_, line) in by_path.items() if not _is_below(key, unread)]
    lines += [line for key, (_, line) in by_path.items() if _is_below(key, unread)]
    known.unread = unread
    if not (stale or gone or sources != known.sources):
        return known, []
    store = Store(*known.place, sources, lines, seen)
    store.unread = unread
    if len(stale) > _MANY:
        jsonl.expect_much()
    reader = app.reader(store.root)
    if reader.again:
        store.sources = _AGAIN
    if sources != known.sources:
        stale += _told_differently(reader, store)
    store.read = len(stale)
    return store, [(store.app, reader, *job) for job in stale]


def _told_differently(reader: "Reader", store: Store) -> "list[Stale]":
    """What the store's shared sources tell differently now, no longer among its lines."""
    kept: list[str] = []
    stale: list[Stale] = []
    for line in store.lines:
        _, path, stamp, beside, _ = line.split("\t", 4)
        if reader.beside(unescape(path)) in (beside, None):
            kept.append(line)
        else:
            stale.append((unescape(path), stamp, line))
    store.lines = kept
    return stale


def _read(result: list[Store], reading: "list[Iterator[tuple[Job, str]]]", quiet: bool) -> None:
    """Put what is read into its store; what was begun with last comes first."""
    if not reading:
        return
    from itertools import chain

    from .spread import with_bar

    lines = {store.app: store.lines for store in result}
    count = sum(store.read for store in result)
    told = chain(*reversed(reading))
    for job, line in told if quiet else with_bar(told, count, "reading sessions"):
        lines[job[0]].append(line)


def _line_of(job: "Job") -> str:
    """The new line of one file; whatever is in it, it hides no other."""
    app, reader, path, stamp, old = job
    try:
        found = reader.read(path, stamp, session(app, old) if old else None)
    except Exception:  # noqa: BLE001
        if old:
            return old  # as it was; its old stamp has it tried again next time
        found = Session(app, "", path=path, origin=UNREADABLE)
        stamp = ""  # tried again each time: who mends its rights leaves its time alone
    found.stamp = stamp
    return _line(found, reader.beside(path) or "")


def _is_below(path: str, folders: list[str]) -> bool:
    if ".." in path.split("/"):  # nothing of ours: the index is input like any other
        return False
    return any(path.startswith(escape(folder) + "/") for folder in folders)


def session(app: str, line: str) -> Session:
    """The Session of one line; ValueError when the line is none."""
    values = line.split("\t")
    if len(values) != len(_COLUMNS):
        raise ValueError(line)
    if "\\" in line:
        values = [unescape(value) for value in values]
    found = Session.__new__(Session)
    (
        found.updated,
        found.path,
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
        archived,
        _,
        size,
        found.found,
    ) = values
    found.app, found.live, found.archived = app, None, archived != ""
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


def _load() -> dict[tuple[str, str], Store]:
    """The stores that the cache file holds; nothing at all on any doubt about it."""
    try:
        lines = cache.read(_NAME, _LIMIT).split("\n")
    except (OSError, ValueError, MemoryError):
        return {}
    if lines.pop() != "" or not lines or lines[0] != _MAGIC or lines[-1] != _MAGIC:
        return {}
    return _sections(lines[1:-1])


def _sections(lines: list[str]) -> dict[tuple[str, str], Store]:
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
        found[app, root] = Store(app, root, sources, block, int(parts[4]))
        at += 1 + count
    return found


def _save(new: list[Store], others: "Iterable[Store]") -> None:
    out = [_MAGIC]
    for store in [*new, *others][:_SECTIONS]:
        head = (_SECTION, store.app, escape(store.root), escape(store.sources))
        out.append("\t".join((*head, str(store.seen), str(len(store.lines)))))
        out += store.lines
    cache.replace(_NAME, "\n".join([*out, _MAGIC, ""]))
