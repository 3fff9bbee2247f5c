"""What stands in our own folder in passing: a draft, a folder of one process.

Whoever makes it holds a lock on it as long as that process lives; what is not locked is left from one
that has ended, and removed. A pid would prove nothing: it is used again, and a home may be shared by
machines and containers.
"""

import fcntl
import os

from . import cache
from .files import FIFO, kind, names


def folder(name: str) -> tuple[str, int] | None:
    """A new folder for this process, and the descriptor that locks it; None where there can be none."""
    ours = cache.scratch()
    if ours is None:
        return None
    path = os.path.join(ours, f"{name}-{os.getpid()}")
    try:
        os.mkdir(path, 0o700)
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    lock(fd)
    return path, fd


def lock(fd: int) -> bool:
    """Whether it is locked now: not when another holds it, or where there are no locks."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def sweep(path: str) -> None:
    """Remove what is at `path`, unless the process that made it lives."""
    try:
        if kind(path) == FIFO:  # they once stood beside the rest; opened, it would act
            os.unlink(path)
            return
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if lock(fd):
            remove(path)
    finally:
        os.close(fd)


def remove(path: str) -> None:
    """Remove a file, or a folder with its files; in vain where that cannot be."""
    try:
        try:
            os.unlink(path)
        except (IsADirectoryError, PermissionError):  # the latter on macOS
            for name in names(path):
                os.unlink(os.path.join(path, name))
            os.rmdir(path)
    except OSError:
        pass
