"""Another program's files: opened only when regular, without waiting, without following a link."""

import os
import stat

GONE = (FileNotFoundError, NotADirectoryError)  # all else is there, whatever else it is

FOLDER, FIFO = "a folder", "a FIFO"
_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: FIFO,
    stat.S_IFSOCK: "a socket",
}


def open_regular(path: str) -> tuple[int, int]:
    """A descriptor of the regular file at `path`, to read, and its size; OSError for anything else.

    Opened without following a link or waiting (a FIFO would block, a device could act), and
    checked after opening, so that nothing can be swapped in between.
    """
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        os.close(fd)
        raise OSError(f"not a regular file: {path!r}")
    return fd, status.st_size


def open_folder(path: str) -> int:
    """A descriptor of the folder at `path`, to scan; OSError when it is none or not to be read.

    What `os.scandir` finds by it is looked up by its name alone: a fifth of a stat is its path.
    """
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def is_first(fd: int, seen: set[tuple[int, int]]) -> bool:
    """Whether what is opened as `fd` was not met before, by whatever name; it is put into `seen`.

    Its inode's number alone does not tell: two devices may have the same.
    """
    status = os.fstat(fd)
    real = status.st_dev, status.st_ino
    new = real not in seen
    seen.add(real)
    return new


def small(path: str, limit: int) -> bytes:
    """The first `limit` bytes of a regular file; OSError as `open_regular`."""
    fd, _ = open_regular(path)
    try:
        return os.read(fd, limit)
    finally:
        os.close(fd)


def whole(path: str, limit: int) -> bytes:
    """All of a regular file; OSError as `open_regular`, and for one of more than `limit` bytes."""
    fd, size = open_regular(path)
    try:
        if size > limit:
            from errno import EFBIG

            raise OSError(EFBIG, os.strerror(EFBIG), path)
        data = b""
        while len(data) <= limit and (more := os.read(fd, limit + 1 - len(data))):
            data += more
        return data
    finally:
        os.close(fd)


def end(path: str, limit: int) -> bytes:
    """The last `limit` bytes of a regular file; OSError as `open_regular`."""
    fd, size = open_regular(path)
    try:
        return os.pread(fd, limit, max(0, size - limit))
    finally:
        os.close(fd)


def is_there(path: str) -> bool:
    """Whether anything is: one that cannot be looked at is."""
    try:
        os.stat(path)
    except GONE:
        return False
    except (OSError, ValueError):
        pass
    return True


def kind(path: str) -> str:
    """What lies at `path`, in words."""
    try:
        mode = os.stat(path, follow_symlinks=False).st_mode
    except OSError:
        return "nothing any more"
    return _KINDS.get(stat.S_IFMT(mode), "a device")


def modified(folder: str) -> int:
    """When a name last came to or went from `folder`, in ns; 0 when it is not there."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def remember(unread: list[str], path: str, error: OSError) -> None:
    """Put `path` among what could not be read, unless there is nothing at all."""
    if not isinstance(error, GONE):
        unread.append(path)


def mark(path: str, folder: int | None = None) -> str:
    """Time and size of the file that `path`, in an open `folder`, leads to by itself; "" for none.

    OSError when it cannot be looked at.
    """
    try:
        status = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except GONE:
        return ""
    return f"{status.st_mtime_ns}.{status.st_size}"


def names(folder: str) -> list[str]:
    """The names in `folder`; none when it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []
