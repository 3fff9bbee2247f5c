"""Codex: the rollouts below sessions/ and archived_sessions/, joined with its state database.

Seen in homes written by 0.20, 0.45, 0.105, 0.145 and 0.171. The scan of the files is the authority:
a row without its file is out, a file without a row is in. Settings come from the rollout's tail,
names from the database.
"""

import os
import stat

from ... import files

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...session import Cli, Conversations, Look, Reader

NAME = "codex"

_LIVE, ARCHIVE = "sessions", "archived_sessions"
_DEEPEST = 3  # sessions/YYYY/MM/DD
_ID = 36


def commands() -> "Cli":
    """How its CLI is told to resume; loaded only for a plan."""
    from . import cli

    return cli


def sources(root: str) -> str:
    """The stamp of what all its sessions share: the state database, its -wal, the name list."""
    from . import databases

    return databases.stamp(root)


def discover(root: str, look: "Look") -> "Iterator[tuple[str, str]]":
    """Each rollout below `root`: its path from there, and its stamp.

    A linked folder is followed once; what cannot be read is unread. A thread that was reverted has
    several, each with a word for all of them in its stamp: the reader knows which one is in use.
    """
    look.held["files"] = found = rollouts(root, look)
    for told in found.values():
        if len(told) == 1:
            yield told[0]
            continue
        from zlib import crc32

        together = crc32("\n".join(sorted(path for path, _ in told)).encode(errors="replace"))
        for path, stamp in told:
            yield path, f"{stamp}:{together:x}"


def rollouts(root: str, look: "Look") -> "dict[str, list[tuple[str, str]]]":
    """The rollouts of each thread below `root`: path from there, and stamp.

    A thread that lies in both places counts in sessions/, a packed one only where no plain one is.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for top in (_LIVE, ARCHIVE):
        plain: dict[str, list[tuple[str, str]]] = {}
        packed: dict[str, list[tuple[str, str]]] = {}
        for file in _rollouts(root, top, look):
            kind = packed if file[0].endswith(".zst") else plain
            kind.setdefault(thread_id(file[0]), []).append(file)
        for kind in (plain, packed):
            for thread, told in kind.items():
                found.setdefault(thread, told)
    return found


def changed(root: str) -> int:
    """When a file last came to or went from the folders of rollouts, in ns."""
    last = 0
    for top in (_LIVE, ARCHIVE):
        todo = [f"{root}/{top}"]
        while todo:
            folder = todo.pop()
            last = max(last, files.modified(folder))
            if top == _LIVE and folder.count("/") - root.count("/") <= _DEEPEST:
                todo += [f"{folder}/{name}" for name in files.names(folder) if name.isdigit()]
    return last


def _rollouts(root: str, top: str, look: "Look") -> "Iterator[tuple[str, str]]":
    """Path and stamp of all files of `top` and, for sessions/, of its YYYY/MM/DD; newest first."""
    seen: set[tuple[int, int]] = set()
    todo = [top]
    while todo:
        path = todo.pop()
        fd = -1
        try:
            fd = files.open_folder(os.path.join(root, path))
            if not files.is_first(fd, seen):
                continue
            with os.scandir(fd) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
            for entry in reversed(found):
                if stamp := _stamp(entry, path, look.unread):
                    yield f"{path}/{entry.name}", stamp
                elif stamp is not None:
                    look.odd.append(f"{path}/{entry.name}")
        except OSError as error:
            files.remember(look.unread, path, error)
            continue
        finally:
            if fd >= 0:
                os.close(fd)
        if top == _LIVE and path.count("/") < _DEEPEST:
            # Nothing but the parts of a date: a link may lead anywhere.
            todo.extend(f"{path}/{entry.name}" for entry in found if entry.name.isdigit())


def _stamp(entry: "os.DirEntry[str]", path: str, unread: list[str]) -> str | None:
    """How the rollout stands; "" for one that is no regular file, None for what is none."""
    if not entry.name.startswith("rollout-") or not entry.name.endswith((".jsonl", ".jsonl.zst")):
        return None
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        files.remember(unread, f"{path}/{entry.name}", error)
        return None
    return f"{status.st_mtime_ns}:{status.st_size}" if stat.S_ISREG(status.st_mode) else ""


def thread_id(path: str) -> str:
    """The thread's id, which stands behind the time: rollout-<time>-<thread>.jsonl.

    A file in which a reverted thread goes on (0.159 and later) is named <thread>_<rollout>.
    """
    name = path.rpartition("/")[2].removesuffix(".zst").removesuffix(".jsonl")
    return name[-2 * _ID - 1 : -_ID - 1] if name[-_ID - 1 : -_ID] == "_" else name[-_ID:]


def trouble(root: str) -> list[str]:
    """What `sf doctor` should say of the store besides its files: a database not to be read."""
    from ...session import Look
    from . import state

    failed = state.State(root, rollouts(root, Look()), whole=True).failed
    return [f"state database not read, names may be missing: {failed}"] if failed else []


def held(root: str) -> dict[str, bool] | None:
    """Unknown: a lock file stays after a kill, and the daemon holds what no one has open."""
    return None


def may_be_held(root: str, thread: str) -> bool:
    """Whether a process has the thread loaded, or had when it was killed: a hint, no proof."""
    return os.path.lexists(os.path.join(root, "thread-writer-locks", f"{thread}.lock"))


def conversations(root: str) -> "Conversations":
    """What was said in its sessions."""
    from . import said

    return said.Rollouts(root, said.may_hold, said.messages)


def reader(root: str, look: "Look | None" = None) -> "Reader":
    """A reader of the store at `root`; loaded only when something is to be read."""
    from .facts import Reader

    if look is None:
        return Reader(root)
    found = Reader(root, look.held.get("files"), whole=look.sources != sources(root))
    look.again = found.again
    return found
