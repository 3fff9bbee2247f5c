"""Our own files, in a folder that nobody else may write in: replaced as a whole, never trusted."""

import os

from . import output, paths
from .files import small


def scratch() -> str | None:
    """The private folder, made when it is not there; None where there can be none."""
    folder = paths.cache()
    try:
        # A home is never made.
        if os.path.isdir(paths.own_home()) or paths.setting("XDG_CACHE_HOME"):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder if is_private(folder) else None
    except OSError:
        return None


def is_private(folder: str) -> bool:
    """Whether a folder is a real one, ours, and nobody else may write in it; OSError if not there."""
    status = os.lstat(folder)
    return status.st_mode & 0o170022 == 0o040000 and status.st_uid == os.geteuid()


def read(name: str, limit: int) -> str:
    """What our file `name` holds, at most `limit` bytes; OSError or ValueError when not to be had."""
    folder = paths.cache()
    if not is_private(folder):
        raise OSError(f"not private: {folder!r}")
    return small(os.path.join(folder, name), limit).decode("utf-8", "surrogatepass")


def replace(name: str, content: str) -> None:
    """Put `content` in the place of our file `name` at once, 0600; in vain where not allowed."""
    folder = scratch()
    if folder is None:
        return
    draft = os.path.join(folder, f"{name}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        fd = os.open(draft, flags, 0o600)
        try:
            output.write(fd, content.encode("utf-8", "surrogatepass"))
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
