"""Where sessions lie below a store's root: a pattern of names -> paths and stamps.

For stores in which each session is a file, with or without others beside it. Knows no app.
"""

import os
import stat

from . import files

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .session import Look

    Inode = tuple[int, int]


class Layout:
    """A pattern such as `sessions/*/*.jsonl`, where `*` stands for any part of one name.

    `beside` names files that a session's stamp depends on, too, from the folder of its own file;
    a `*` in one stands for what the last `*` of the pattern stood for.
    """

    def __init__(self, pattern: str, *beside: str) -> None:
        *self._folders, self._name = pattern.split("/")
        self._beside = beside

    def discover(self, root: str, look: "Look") -> "Iterator[tuple[str, str]]":
        """Each file that fits: its path from `root`, and its stamp.

        Only regular files count, what else is named so is odd. A linked folder is followed once;
        what cannot be read or looked at is unread.
        """
        unread = look.unread
        for folder in _below(root, self._folders, unread):
            try:
                fd = files.open_folder(os.path.join(root, folder))
            except OSError as error:
                files.remember(unread, folder, error)
                continue
            try:
                for name in _names(fd, self._name):
                    path = f"{folder}/{name}".lstrip("/")
                    if stamp := self._stamp(fd, name, path, look):
                        yield path, stamp
            except OSError as error:
                files.remember(unread, folder, error)
            finally:
                os.close(fd)

    def changed(self, root: str) -> int:
        """When a file last came to or went from one of the folders, in ns."""
        times = [0]
        for _ in _below(root, self._folders, [], times):
            pass
        return max(times)

    def _stamp(self, folder: int, name: str, path: str, look: "Look") -> str | None:
        own = _stood_for(name, self._name)
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            beside = [files.mark(side.replace("*", own), folder) for side in self._beside]
        except OSError as error:
            files.remember(look.unread, path, error)
            return None
        if not stat.S_ISREG(status.st_mode):
            look.odd.append(path)
            return None
        return ":".join((f"{status.st_mtime_ns}:{status.st_size}", *beside))


def _below(
    root: str, patterns: list[str], unread: list[str], times: list[int] | None = None
) -> "Iterator[str]":
    """The folders that fit `patterns`, one for each step down from `root`; each real one once.

    When a name last came to or went from each of them, and from those on the way, is put into `times`.
    """
    seen: set[Inode] = set()
    todo = [("", 0)]
    while todo:
        path, depth = todo.pop()
        if depth == len(patterns):
            yield path
            continue
        pattern = patterns[depth]
        if "*" not in pattern:
            folder = f"{path}/{pattern}".lstrip("/")
            if times is not None:
                times.append(files.modified(os.path.join(root, folder)))
            todo.append((folder, depth + 1))
            continue
        try:
            found = _folders(root, path, pattern, seen, unread)
        except OSError as error:
            files.remember(unread, path, error)
            continue
        if times is not None:
            times += found.values()
        front = f"{path}/" if path else ""
        if depth + 1 == len(patterns):
            yield from [front + name for name in found]
        else:
            todo += [(front + name, depth + 1) for name in found]


def _folders(
    root: str, path: str, pattern: str, seen: "set[Inode]", unread: list[str]
) -> dict[str, int]:
    """The names in the folder `path` that fit and lead to folders not `seen`, with their times.

    The real ones first.
    """
    with os.scandir(os.path.join(root, path)) as entries:
        fitting = [entry for entry in entries if _fits(entry.name, pattern)]
    names = {}
    for entry in sorted(fitting, key=lambda entry: (entry.is_symlink(), entry.name)):
        try:
            if not entry.is_dir():
                continue
            status = entry.stat()
        except OSError as error:
            if not entry.is_symlink():  # a link may lead anywhere
                files.remember(unread, f"{path}/{entry.name}", error)
            continue
        real = status.st_dev, status.st_ino
        if real not in seen:
            seen.add(real)
            names[entry.name] = status.st_mtime_ns
    return names


def _names(folder: int, pattern: str) -> list[str]:
    if "*" not in pattern:
        return [pattern]
    return [name for name in os.listdir(folder) if _fits(name, pattern)]


def _fits(name: str, pattern: str) -> bool:
    front, _, back = pattern.partition("*")
    return len(name) >= len(front) + len(back) and name.startswith(front) and name.endswith(back)


def _stood_for(name: str, pattern: str) -> str:
    front, star, back = pattern.partition("*")
    return name[len(front) : len(name) - len(back)] if star else ""
