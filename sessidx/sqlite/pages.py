"""The pages of a database as of one commit: from its -wal what that holds of them, else from the file.

Nothing is locked: what was read is right only once `prove` has not raised.
"""

import os
from time import monotonic, time_ns

from ..files import open_regular
from . import Changed, Hot, Torn, Unreadable
from .wal import Log

MAGIC = b"SQLite format 3\0"
BUDGET = 256 << 20  # bytes of pages that are read for one question; a small page counts for 4 KiB
_HEADER = 100
_RACY = 20_000_000  # ns: a file changed this lately may change again and keep its time


class Snapshot:
    """One commit of the database at `path`, found on `begin`, proved on `prove`."""

    def __init__(self, path: str, end: float, trust: bool) -> None:
        self._path, self._end, self._trust = path, end, trust
        self._fd = -1
        self._log = Log(path)
        self._direct: set[int] = set()  # pages that were read from the file
        self._left = BUDGET

    def begin(self) -> None:
        """Find the last commit; OSError when there is no file to be read."""
        self._fd, length = open_regular(self._path)
        self._marks = self._now()
        own = os.fstat(self._fd)
        if self._marks[0][:2] != (own.st_dev, own.st_ino):
            raise Changed("it was replaced")
        self._calm = all(abs(time_ns() - mark[-1]) > _RACY for mark in self._marks if mark)
        self._quiet = os.pread(self._fd, _HEADER, 0)
        log = self._log
        log.open()
        if log.valid:
            log.find(self._trust)
        if _is_hot(self._path):
            raise Hot("it is being written to")
        if not (log.valid or self._calm):
            raise Changed("it is being written to")
        self._read_header(log)
        self.top = log.top if log.last else length // self.size

    def _read_header(self, log: Log) -> None:
        first = log.page(log.frames[1]) if 1 in log.frames else self._quiet
        if len(first) < _HEADER or not first.startswith(MAGIC):
            raise Torn("no SQLite database")
        size = int.from_bytes(first[16:18], "big")
        self.size = 65536 if size == 1 else size
        self.use = self.size - first[20]  # without what is reserved at the end of each page
        if self.size < 512 or self.size & (self.size - 1) or self.use < 480:
            raise Torn("no SQLite database")
        if (log.last and log.size != self.size) or max(first[18:20]) > 2 or first[59] > 3:
            raise Torn("malformed")
        self.encoding = ("utf-8", "utf-8", "utf-16-le", "utf-16-be")[first[59]]
        self.errors = "surrogateescape" if self.encoding == "utf-8" else "replace"
        self._cost = max(self.size, 4096)
        if 1 not in log.frames:
            self._direct.add(1)

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

    def page(self, number: int) -> bytes:
        """The page of this number, all of it."""
        self._left -= self._cost
        if self._left < 0:
            raise Unreadable("it is too large")
        if monotonic() > self._end:
            raise Unreadable("it takes too long")
        if frame := self._log.frames.get(number):
            return self._log.page(frame)
        if not 0 < number <= self.top:
            raise Torn("malformed")
        self._direct.add(number)
        page = os.pread(self._fd, self.size, (number - 1) * self.size)
        if len(page) < self.size:
            raise Torn("cut short")
        return page

    def prove(self) -> None:
        """Torn, unless all pages read are of the commit that this began with."""
        log = self._log
        still = self._marks == self._now() and not _is_hot(self._path)
        if still and self._calm and log.checked:
            return  # nobody has written at all
        if log.valid:
            log.prove(self._direct)
            if self._now()[0][:2] != self._marks[0][:2]:
                raise Changed("it was replaced")
        elif not still or os.pread(self._fd, _HEADER, 0) != self._quiet:
            raise Changed("it is written to all the time")

    def stands(self) -> bool:
        """Whether what was read is proved, and not on the word of a -shm alone."""
        if not self._log.checked:
            return False
        try:
            self.prove()
        except (Torn, OSError):
            return False
        return True

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        self._log.close()


def _is_hot(path: str) -> bool:
    """Whether a rollback journal waits to be played back: a writer is at work, or one has died.

    One that cannot be looked at may be such a journal.
    """
    try:
        fd, _ = open_regular(path + "-journal")
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        return os.read(fd, 8).strip(b"\0") != b""
    finally:
        os.close(fd)
