"""A transcript's bytes from its beginning to its end, a block at a time; one that is packed, unpacked.

No mmap: of a file that shrinks meanwhile it would kill the process. Nothing is written anywhere.
"""

import os

from .. import paths
from ..files import open_regular

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Generator

BLOCK = 256 * 1024
PACKED = ".zst"
_EXPANDS = 1000  # times its size: no text is packed better, what claims to be is a trap


class Source:
    """One open transcript; a context manager. OSError when it cannot be opened or unpacked."""

    is_packed = False

    def __init__(self, path: str) -> None:
        self._fd, self.size = open_regular(path)

    @property
    def inode(self) -> int:
        """What tells the file from another of its name."""
        return os.fstat(self._fd).st_ino

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._fd)

    def read(self, size: int, at: int) -> bytes:
        """At most `size` bytes from `at` on, fewer only at the end; `at` never goes back."""
        return os.pread(self._fd, size, at)


def opened(path: str) -> Source:
    """The transcript at `path`, plain or packed."""
    return _Packed(path) if path.endswith(PACKED) else Source(path)


class _Packed(Source):
    """One that Python 3.14 or the program zstd unpacks; what was read is let go block by block."""

    is_packed = True

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.size *= _EXPANDS
        self._base, self._held = 0, b""
        try:
            self._chunks = _unpacked(self._fd)
        except BaseException:
            os.close(self._fd)
            raise

    def __exit__(self, *error: object) -> None:
        self._chunks.close()
        super().__exit__()

    def read(self, size: int, at: int) -> bytes:
        """As of a plain one."""
        parts = [self._held[at - self._base :]]
        skipped = at - self._base - len(self._held)  # above 0: what lies between was never read
        held = len(parts[0])
        while held < size and (chunk := next(self._chunks, b"")):
            part = chunk[max(0, skipped) :]
            skipped -= len(chunk) - len(part)
            parts.append(part)
            held += len(part)
        self._held, self._base = b"".join(parts), at
        return self._held[:size]


def _unpacked(fd: int) -> "Generator[bytes]":
    """What the packed file `fd` holds, in chunks; as far as it can be unpacked."""
    try:
        from compression.zstd import (  # type: ignore[import-not-found, unused-ignore]
            ZstdError,
            ZstdFile,
        )
    except ImportError:
        return _by_program(fd)

    def chunks() -> "Generator[bytes]":
        with os.fdopen(os.dup(fd), "rb") as raw, ZstdFile(raw) as file:
            try:
                while chunk := file.read(BLOCK):
                    yield chunk
            except (ZstdError, EOFError):
                return

    return chunks()


def _by_program(fd: int) -> "Generator[bytes]":
    program, _ = paths.program("zstd")
    if program is None:
        raise OSError("zstd is not installed")
    out, to = os.pipe()
    try:
        child = os.posix_spawn(
            program,
            ["zstd", "-dcq", "--memory=32MB"],  # what is packed by default needs 2
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, fd, 0),
                (os.POSIX_SPAWN_DUP2, to, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
        )
    except OSError:
        os.close(out)
        raise
    finally:
        os.close(to)
    return _told(out, child)


def _told(out: int, child: int) -> "Generator[bytes]":
    """What the process `child` writes into the pipe `out`; it is ended with the generator."""
    try:
        while chunk := os.read(out, BLOCK):
            yield chunk
    finally:
        os.close(out)
        os.kill(child, 9)
        os.waitpid(child, 0)
