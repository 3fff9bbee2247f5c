"""Another program's files: opened only when regular, without waiting, without following a link."""

import os
import stat


def open_regular(path: str) -> int:
    """A descriptor of the regular file at `path`, to read; OSError for anything else.

    Opened without following a link or waiting (a FIFO would block, a device could act), and
    checked after opening, so that nothing can be swapped in between.
    """
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(f"not a regular file: {path!r}")
    return fd


def small(path: str, limit: int) -> bytes:
    """The first `limit` bytes of a regular file; OSError as `open_regular`."""
    fd = open_regular(path)
    try:
        return os.read(fd, limit)
    finally:
        os.close(fd)


def end(path: str, limit: int) -> bytes:
    """The last `limit` bytes of a regular file; OSError as `open_regular`."""
    fd = open_regular(path)
    try:
        return os.pread(fd, limit, max(0, os.fstat(fd).st_size - limit))
    finally:
        os.close(fd)


def modified(folder: str) -> int:
    """When a name last came to or went from `folder`, in ns; 0 when it is not there."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def names(folder: str) -> list[str]:
    """The names in `folder`; none when it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []
