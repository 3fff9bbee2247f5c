"""Discover, stat, reuse or read again; and the one cache file that remembers.

A TSV text file, newest session first, with a section for each store (app and root), so that homes
are kept apart. A plain call on unchanged stores needs no parser and makes no Session of a line that
nobody asked for. The file is input like any other: on any doubt it is built anew. Nothing is ever
written into a store.
"""

import os
from time import time_ns

from . import paths
from .apps import APPS
from .session import FIELDS, UNREADABLE, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .session import App

_MAGIC = "sessidx 1"
_NAME = "index"
_SECTION = "@"
_AGAIN = "?"  # sources that could not be read: no stamp is equal to it
_LIMIT = 256 * 1024 * 1024
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
        self.interrupted = False


def stores(
    names: "Iterable[str]" = APPS, *, fresh: bool = False, glance: bool = False
) -> list[Store]:
    """The stores of the apps in `names` as they are now, and the cache file brought up to date.

    With `fresh` everything is read again. With `glance` a store in whose folders no file came or
    went since is taken as it is, however its files have grown.
    """
    kept = _load()
    result = []
    changed = False
    for name in names:
        app = APPS[name]
        root = app.home()
        known = kept.pop((name, root), None) or Store(name, root, "", [])
        try:
            store = _refresh(app, Store(name, root, "", []) if fresh else known, glance)
        except Exception:  # noqa: BLE001  (one app's store never takes the others down)
            store = Store(name, root, known.sources, known.lines)
            store.unread = [""]
        changed = changed or store.lines is not known.lines
        result.append(store)
        if store.interrupted:
            break
    if changed:
        _save(result, kept.values())
    if any(store.interrupted for store in result):
        raise KeyboardInterrupt
    return result


def _refresh(app: "App", known: Store, glance: bool) -> Store:
    """`known` itself when nothing changed, else a new Store."""
    seen = time_ns()
    if glance and known.seen and app.changed(known.root) < known.seen:
        return known
    sources = app.sources(known.root)
    unread: list[str] = []
    by_path: dict[str, tuple[str, str]] = {}
    for line in known.lines:
        _, path, before, _ = line.split("\t", 3)
        by_path[path] = (before, line)
    lines: list[str] = []
    stale: list[tuple[str, str, str | None]] = []
    for path, stamp in app.discover(known.root, unread):
        key = path if path.isprintable() and "\\" not in path else escape(path)
        old = by_path.pop(key, None)
        if old is not None and stamp == old[0]:
            lines.append(old[1])
        else:
            stale.append((path, stamp, old[1] if old else None))
    gone = [line for key, (_, line) in by_path.items() if not _is_below(key, unread)]
    lines += [line for key, (_, line) in by_path.items() if _is_below(key, unread)]
    store = known
    if stale or gone or sources != known.sources:
        store = Store(known.app, known.root, sources, lines, seen)
        _reread(app, store, stale, sources != known.sources)
        store.lines.sort(reverse=True)
        if store.lines == known.lines and store.sources == known.sources:
            store.lines = known.lines
    store.unread = unread
    return store


def _reread(
    app: "App", store: Store, stale: list[tuple[str, str, str | None]], sources_changed: bool
) -> None:
    """Read again what is stale, and what the store's shared sources tell differently now.

    Interrupted, it keeps what was read: the rest is stale again next time.
    """
    from .spread import spread, with_bar

    reader = app.reader(store.root)
    if reader.again:
        store.sources = _AGAIN
    if sources_changed:
        kept = []
        for line in store.lines:
            _, path, stamp, beside, _ = line.split("\t", 4)
            if reader.beside(unescape(path)) in (beside, None):
                kept.append(line)
            else:
                stale.append((unescape(path), stamp, line))
        store.lines = kept
    store.read = len(stale)

    def line_of(job: tuple[str, str, str | None]) -> str:
        path, stamp, old = job
        try:
            found = reader.read(path, stamp, session(store.app, old) if old else None)
        except Exception:  # noqa: BLE001  (no file, whatever is in it, may hide the others)
            if old:
                return old  # as it was; its old stamp has it tried again next time
            found = Session(store.app, "", path=path, origin=UNREADABLE)
            stamp = ""  # tried again each time: who mends its rights leaves its time alone
        found.stamp = stamp
        return _line(found, reader.beside(path) or "")

    lines = with_bar(spread(line_of, stale), len(stale), f"reading {store.app}")
    try:
        for line in lines:
            store.lines.append(line)
    except KeyboardInterrupt:
        store.interrupted = True


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
    from .files import small

    folder = paths.cache()
    try:
        if not paths.is_private(os.lstat(folder)):
            return {}
        data = small(os.path.join(folder, _NAME), _LIMIT)
        lines = data.decode("utf-8", "surrogatepass").split("\n")
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
        if len(block) != count or any(line.count("\t") != tabs for line in block):
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
    replace_file(_NAME, "\n".join([*out, _MAGIC, ""]))


def replace_file(name: str, content: str) -> None:
    """Put `content` in the place of our file `name` at once, 0600; in vain where not allowed."""
    folder = paths.scratch()
    if folder is None:
        return
    draft = os.path.join(folder, f"{name}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        fd = os.open(draft, flags, 0o600)
        try:
            data = content.encode("utf-8", "surrogatepass")
            while data:
                data = data[os.write(fd, data) :]
        finally:
            os.close(fd)
        os.replace(draft, os.path.join(folder, name))
    except OSError:
        _discard(draft)


def _discard(draft: str) -> None:
    try:
        os.unlink(draft)
    except OSError:
        pass
