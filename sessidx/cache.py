"""Our own files, in a folder that nobody else may write in: replaced as a whole, never trusted.

Each ends in a line with the checksum of all before it: a disk, too, may change a byte.
"""

import os
from binascii import crc32  # zlib's, which takes twice as long to load

from . import output, paths
from .files import names, small

SUM = 9  # bytes of the last line
_IN_PASSING = ("fzf-", "db-")  # the second was once made for copies of databases


def scratch() -> str | None:
    """The private folder, made when it is not there; None where there can be none."""
    folder = paths.cache()
    try:
        # A home is never made.
        if os.path.isdir(paths.own_home()) or paths.setting("XDG_CACHE_HOME"):
            if os.geteuid() == 0 and is_of_another():
                return None
            os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder if is_private(folder) else None
    except OSError:
        return None


def is_of_another() -> bool:
    """Whether the folder would stand in another's home, where root (`sudo -E`) is to make nothing."""
    base = paths.cache_home() or paths.own_home()
    while not os.path.exists(base):
        base = os.path.dirname(base) or "."
    return os.stat(base).st_uid != os.geteuid()


def is_private(folder: str) -> bool:
    """Whether a folder is a real one, ours, and nobody else may write in it; OSError if not there."""
    status = os.lstat(folder)
    return status.st_mode & 0o170022 == 0o040000 and status.st_uid == os.geteuid()


def read(name: str, limit: int) -> str:
    """What our file `name` holds, of at most `limit` bytes; OSError, ValueError when not to be had."""
    return str(sealed(name, limit)[:-SUM], "utf-8", "surrogatepass")


def sealed(name: str, limit: int) -> bytes:
    """The same as it stands, its checksum of SUM bytes behind it: megabytes are not copied for that."""
    folder = paths.cache()
    if not is_private(folder):
        raise OSError(f"not private: {folder!r}")
    data = small(os.path.join(folder, name), limit)
    if data[-SUM:] != _sum(memoryview(data)[:-SUM]):
        raise ValueError("damaged")
    return data


def _sum(content: "bytes | memoryview") -> bytes:
    return b"%08x\n" % crc32(content)


def replace(name: str, content: str | bytes) -> None:
    """Put `content` in the place of our file `name` at once, 0600; in vain where not allowed."""
    folder = scratch()
    if folder is None:
        return
    from . import passing

    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    draft = os.path.join(folder, f"{name}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        fd = os.open(draft, flags, 0o600)
        try:
            passing.lock(fd)
            output.write(fd, data)
            output.write(fd, _sum(data))
            os.replace(draft, os.path.join(folder, name))
        finally:
            os.close(fd)
    except OSError:
        passing.remove(draft)


def sweep() -> None:
    """Remove what ended processes left in the private folder."""
    folder = paths.cache()
    try:
        if not is_private(folder):
            return
    except OSError:
        return
    for name in names(folder):
        stem, _, number = name.rpartition(".")
        if name.startswith(_IN_PASSING) or (stem and number.isdecimal()):  # a draft
            from . import passing

            passing.sweep(os.path.join(folder, name))
