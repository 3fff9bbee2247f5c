"""The pages of a database as of one commit: from its -wal what that holds of them, else from the file.

Nothing is locked: what was read is right only once `prove` has not raised.
"""

import os
from time import time_ns

from ..files import open_regular
from . import Changed, Hot, Torn, Unreadable
from .wal import Log

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable

BUDGET = 256 << 20  # bytes of pages that are read for one question; a small page counts for 4 KiB
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_INNER, _KEPT = (2, 5), 256  # how such pages begin, and how many are kept
_MOST = 20_000  # pages that are proved together, of one question after the other
_RACY = 20_000_000  # ns: a file changed this lately may change again and keep its time


class Snapshot:
    """One commit of the database at `path`: found on `begin`, proved on `prove`."""

    def __init__(self, path: str, is_late: "Callable[[], bool]") -> None:
        self._path, self._is_late = path, is_late
        self._fds: list[int] = []
        self._direct: set[int] = set()  # pages that were read from the file
        self._inner: dict[int, bytes] = {}  # pages that lead to others: they are asked for again
        self._left = BUDGET
        self._log = Log(self.open)

    def begin(self, trust: bool) -> None:
        """Find the last commit, by its -shm if that is to be trusted; OSError for no regular file."""
        self._fd = self.open("")
        self._marks = self._now()
        self._calm = all(abs(time_ns() - mark[-1]) > _RACY for mark in self._marks if mark)
        self._quiet = os.pread(self._fd, _HEADER, 0)
        log = self._log
        log.find(trust)
        if self._is_hot():
            raise Hot("it is being written to")
        if not (log.valid or self._calm):
            raise Changed("it is being written to")
        if (first := log.page(1)) is None:
            self._direct.add(1)
        self._know(first or self._quiet, log)

    def goes_on(self, is_late: "Callable[[], bool]") -> bool:
        """Whether nobody has written since: then another question may be asked of it."""
        self._is_late, self._left = is_late, BUDGET
        few, opened = len(self._direct) < _MOST, len(self._fds)
        still = few and self._calm and self._now() == self._marks and not self._is_hot()
        self.close(opened)
        return still

    def _know(self, first: bytes, log: Log) -> None:
        """Take from the first page how the others are to be read."""
        size = int.from_bytes(first[16:18], "big")
        self.size = 65536 if size == 1 else size
        if len(first) < _HEADER or not first.startswith(_MAGIC) or max(first[18:20]) > 2:
            raise Torn("no SQLite database")
        self.use = self.size - first[20]  # the end of each page may be reserved
        if self.size < 512 or self.size & (self.size - 1) or self.use < 480:
            raise Torn("no SQLite database")
        if (log.last and log.size != self.size) or first[59] > 3:
            raise Torn("malformed")
        self.encoding = ("utf-8", "utf-8", "utf-16-le", "utf-16-be")[first[59]]
        self.errors = "surrogateescape" if self.encoding == "utf-8" else "replace"
        self.top = log.top if log.last else os.fstat(self._fd).st_size // self.size
        self._cost = max(self.size, 4096)

    def open(self, suffix: str) -> int:
        """A descriptor of the file, or of what lies beside it, until `close`."""
        fd, _ = open_regular(self._path + suffix)
        self._fds.append(fd)
        return fd

    def close(self, but: int = 0) -> None:
        """Close all but the first ones that were opened."""
        while len(self._fds) > but:
            os.close(self._fds.pop())

    def _now(self) -> list[tuple[int, ...]]:
        """What any write to the file or its -wal changes, but for one that follows another at once."""
        marks: list[tuple[int, ...]] = []
        for suffix in ("", "-wal"):
            try:
                now = os.stat(self._path + suffix, follow_symlinks=False)
            except FileNotFoundError:
                marks.append(())
            else:
                marks.append((now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns))
        return marks

    def _is_hot(self) -> bool:
        """Whether a rollback journal waits to be played back: a writer is at work, or one has died.

        That is never done here: a journal may name another file, which is to be read and deleted.
        """
        try:
            return os.pread(self.open("-journal"), 8, 0).strip(b"\0") != b""
        except FileNotFoundError:
            return False
        except OSError:
            return True  # for all that is known

    def page(self, number: int) -> bytes:
        """The page of this number, all of it."""
        if (page := self._inner.get(number)) is not None:
            return page
        self._left -= self._cost
        if self._left < 0:
            raise Unreadable("it is too large")
        if self._is_late():
            raise Unreadable("it takes too long")
        if (page := self._log.page(number)) is None:
            if not 0 < number <= self.top:
                raise Torn("malformed")
            self._direct.add(number)
            page = os.pread(self._fd, self.size, (number - 1) * self.size)
            if len(page) < self.size:
                raise Torn("cut short")
        if page[0] in _INNER and len(self._inner) < _KEPT:
            self._inner[number] = page
        return page

    def prove(self) -> None:
        """Torn, unless all pages read are of the commit that this began with."""
        opened = len(self._fds)
        try:
            self._prove()
        finally:
            self.close(opened)

    def _prove(self) -> None:
        now, own = self._now(), os.fstat(self._fd)
        if now[0][:2] != (own.st_dev, own.st_ino):
            raise Changed("it was replaced")
        still = now == self._marks and not self._is_hot()
        if still and self._calm and self._log.checked:
            return  # nobody has written at all
        if self._log.valid:
            self._log.prove(self._direct)
        elif not still or os.pread(self._fd, _HEADER, 0) != self._quiet:
            raise Changed("it is written to all the time")

    def stands(self) -> bool:
        """Whether what was read is proved, and not on the word of a -shm alone."""
        try:
            self.prove()
        except (Torn, OSError):
            return False
        return self._log.checked
