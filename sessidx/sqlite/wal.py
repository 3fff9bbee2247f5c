"""The -wal beside a database: which of its frames are committed, and that they are whole.

Two ways lead to the frames. The -shm tells at once what every connection shares, when its
checksums, salts and last frame fit the -wal; what is taken by it is checked afterwards, frame by
frame. Else the running checksum is followed from the first frame, as SQLite does after a crash.
"""

import os
import sys

from ..files import open_regular
from . import Changed, Torn, Unreadable

_MAGIC, _FORMAT = 0x377F0682, 3007000
_HEADER, _FRAME = 32, 24  # bytes before the first frame, and before the page in each
_BATCH = 1 << 20  # bytes of frames that are summed at once
_LONGEST = 64 << 20  # bytes that are summed one after another: a quarter of a second
_FRAMES = 1 << 18  # that a -shm may tell of: 25 MB of memory
_FIRST_HASH, _HASH, _UNIT = 4062, 4096, 32768  # page numbers in the -shm's first unit, in others


class Log:
    """The frames of a -wal that were committed when it was opened; none where it holds none."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.frames: dict[int, int] = {}  # number of a page -> that of its last frame
        self.last = 0  # the last frame that is committed
        self.top = 0  # pages of the database as of then
        self.checked = True  # whether their checksums were followed
        self._used: dict[int, bytes] = {}
        self._fd = -1
        self.valid = False

    def open(self) -> None:
        """Read its header, if it has one."""
        try:
            self._fd, _ = open_regular(self._path + "-wal")
        except FileNotFoundError:
            self._head = b""
            return
        head = self._head = os.pread(self._fd, _HEADER, 0)
        if len(head) < _HEADER or _number(head, 0) & ~1 != _MAGIC or _number(head, 4) != _FORMAT:
            return
        self.size = _number(head, 8)  # of a page
        self._salts = head[16:24]
        self._order = "big" if head[3] & 1 else "little"
        whole = _sum(head[:24], self._order) == _pair(head, 24)
        self.valid = whole and 512 <= self.size <= 65536

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def find(self, trust: bool) -> None:
        """Find the committed frames; with `trust` the -shm is asked first."""
        if not (trust and self._shared()):
            self._follow()

    # --- by the -shm

    def _shared(self) -> bool:
        """Take the frames that the -shm names; False when it does not fit the -wal."""
        index = Index.read(self._path, self.size, self._salts)
        if index is None:
            return False
        place = _HEADER + (index.last - 1) * (self.size + _FRAME)
        if os.pread(self._fd, _FRAME, place)[4:] != index.commit(self._salts):
            return False
        if (numbers := index.numbers(self._path)) is None:
            return False
        self.frames = dict(zip(numbers, range(1, index.last + 1), strict=True))
        self.last, self.top, self.checked = index.last, index.top, False
        return True

    # --- by the checksums

    def _follow(self) -> None:
        """Find how far the running checksum holds, and the last commit on the way."""
        step, number = self.size + _FRAME, 0
        sums, found = _pair(self._head, 24), {}
        while batch := self._batch(number):
            for i, own in enumerate(_sums(batch, step, self._order)):
                head = batch[i * step : i * step + _FRAME]
                sums = _onto(sums, own, self.size // 4 + 2)
                page, top = _pair(head, 0)
                if head[8:16] != self._salts or sums != _pair(head, 16) or not page:
                    return
                number += 1
                found[page] = number
                if top:
                    self.frames.update(found)
                    found, self.last, self.top = {}, number, top

    def _batch(self, number: int) -> bytes:
        """The frames after the one of this number, as many as are summed at once."""
        step = self.size + _FRAME
        if number * step > _LONGEST:
            raise Unreadable("its -wal is too long")
        batch = os.pread(self._fd, max(1, _BATCH // step) * step, _HEADER + number * step)
        return batch[: len(batch) // step * step]

    # --- pages, and that they were right

    def page(self, number: int) -> bytes:
        """The page in the frame of this number."""
        step = self.size + _FRAME
        frame = os.pread(self._fd, step, _HEADER + (number - 1) * step)
        if len(frame) < step:
            raise Torn("-wal cut short")
        if not self.checked:
            self._used[number] = frame
            if len(self._used) * step > _BATCH:
                self._check()
        return frame[_FRAME:]

    def prove(self, direct: set[int]) -> None:
        """Torn, unless all pages used, and those of the file in `direct`, are of the last commit.

        A checkpoint writes to the file only pages that stand in the -wal of that generation: so
        none that was read from the file may stand in a frame that came later. Salts never come
        back: if they stand now, no frame was lost before it was looked at.
        """
        committed, pages = self._later()
        if committed:
            index = Index.read(self._path, self.size, self._salts)
            fresh = index is not None and index.last >= committed
            if not (fresh or self.checked):
                raise Changed("-shm is old")
            # Harmless while no checkpoint has begun on those frames, as a -shm in use tells.
            waits = fresh and index is not None and index.done <= index.begun <= self.last
            if not (waits or pages.isdisjoint(direct)):
                raise Changed("it is written to all the time")
        now = Log(self._path)
        try:
            now.open()
            if now._head != self._head or not _same(now._fd, self._fd):
                raise Changed("it is written to all the time")
        finally:
            now.close()
        self._check()

    def _later(self) -> tuple[int, set[int]]:
        """The last frame that may have been committed meanwhile, and the pages up to it."""
        number, committed, step = self.last, 0, self.size + _FRAME
        pages: set[int] = set()
        pending: set[int] = set()
        while len(frame := os.pread(self._fd, 16, _HEADER + number * step)) == 16:
            if frame[8:] != self._salts:
                break
            number += 1
            if number - self.last > _FRAMES:
                raise Changed("it is written to all the time")
            pending.add(_number(frame, 0))
            if _number(frame, 4):
                pages |= pending
                pending, committed = set(), number
        return committed, pages

    def _check(self) -> None:
        """Torn, unless each frame used bears the checksum that goes on from the one before it."""
        step, used = self.size + _FRAME, self._used
        owns = _sums(b"".join(used.values()), step, self._order)
        for (number, frame), own in zip(used.items(), owns, strict=True):
            place = _HEADER + (number - 2) * step + 16 if number > 1 else 24
            sums = _onto(_pair(os.pread(self._fd, 8, place), 0), own, self.size // 4 + 2)
            if frame[8:16] != self._salts or sums != _pair(frame, 16):
                raise Torn("-wal damaged")
        self._used = {}


class Index:
    """What the -shm tells of the -wal: `last` frame, `top` page, frames `done` and `begun` to be checked in."""

    def __init__(self, head: bytes) -> None:
        words = memoryview(head).cast("I").tolist()  # in the order of this machine
        self.last, self.top, *self._sums = words[4:8]
        self.done, self.begun = words[24], words[32]

    @classmethod
    def read(cls, path: str, size: int, salts: bytes) -> "Index | None":
        """The one beside the database at `path`; None unless it is whole and fits the -wal."""
        try:
            fd, _ = open_regular(path + "-shm")
        except OSError:
            return None
        try:
            head = os.pread(fd, 136, 0)
        finally:
            os.close(fd)
        if len(head) < 136 or head[:48] != head[48:96] or head[32:40] != salts:
            return None
        own = memoryview(head[:48]).cast("I").tolist()
        if own[0] != _FORMAT or not head[12] or not 0 < own[4] <= _FRAMES:
            return None
        code = int.from_bytes(head[14:16], sys.byteorder)
        if (code & 0xFE00) + ((code & 1) << 16) != size:
            return None
        return cls(head) if _sum(head[:40], sys.byteorder) == (own[10], own[11]) else None

    def commit(self, salts: bytes) -> bytes:
        """How the header of the last frame goes on after the number of its page."""
        one, two = self._sums
        return _bytes(self.top) + salts + _bytes(one) + _bytes(two)

    def numbers(self, path: str) -> list[int] | None:
        """The number of the page in each frame; None when they are not all there."""
        found: list[int] = []
        at, room = 136, _FIRST_HASH
        fd, _ = open_regular(path + "-shm")
        try:
            while (left := self.last - len(found)) > 0:
                block = os.pread(fd, 4 * min(left, room), at)
                if not block or len(block) & 3:
                    return None
                found += memoryview(block).cast("I").tolist()
                at, room = (at | _UNIT - 1) + 1, _HASH
        finally:
            os.close(fd)
        return found


def _same(one: int, other: int) -> bool:
    if min(one, other) < 0:
        return one == other
    return os.path.sameopenfile(one, other)


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _pair(data: bytes, at: int) -> tuple[int, int]:
    return int.from_bytes(data[at : at + 4], "big"), int.from_bytes(data[at + 4 : at + 8], "big")


def _bytes(number: int) -> bytes:
    return number.to_bytes(4, "big")


# --- checksums: each word adds the two sums before it, so a sum is carried on as Fibonacci's are

_fibonacci = [0, 1]


def _onto(sums: tuple[int, int], own: tuple[int, int], words: int) -> tuple[int, int]:
    """The running checksum `sums` carried on over `words` words whose own, from zero, is `own`."""
    while len(_fibonacci) < words + 2:
        _fibonacci.append(_fibonacci[-1] + _fibonacci[-2] & 0xFFFFFFFF)
    a, b, c = _fibonacci[words - 1 : words + 2]
    one, two = sums
    return (a * one + b * two + own[0]) & 0xFFFFFFFF, (b * one + c * two + own[1]) & 0xFFFFFFFF


def _sum(data: bytes, order: str) -> tuple[int, int]:
    one = two = 0
    for word in memoryview(_native(data, order)).cast("I"):
        one, two = two, one + two + word & 0xFFFFFFFF
    return one, two


def _native(data: bytes, order: str) -> bytes:
    """Words of four bytes in the order of this machine."""
    if order == sys.byteorder:
        return data
    turned = bytearray(len(data))
    for i in range(4):
        turned[i::4] = data[3 - i :: 4]
    return bytes(turned)


def _sums(frames: bytes, step: int, order: str) -> list[tuple[int, int]]:
    """The checksum from zero of each frame: all at once, each in a lane of one large number.

    A frame's sum is that of its header's first eight bytes and its page. Lanes of 64 bits hold the
    growth of 32 words.
    """
    many, each = len(frames) // step, step // 4
    words = memoryview(_native(frames, order)).cast("I")
    lanes = bytearray(8 * many)
    low = memoryview(lanes).cast("I")[0 if sys.byteorder == "little" else 1 :: 2]
    mask = int.from_bytes((0xFFFFFFFF).to_bytes(8, sys.byteorder) * many, sys.byteorder)
    one = two = 0
    for k, at in enumerate((0, 1, *range(6, each))):
        low[:] = words[at::each]
        one, two = two, one + two + int.from_bytes(lanes, sys.byteorder)
        if k & 31 == 31:
            one, two = one & mask, two & mask
    one, two = one & mask, two & mask
    columns = [
        memoryview(n.to_bytes(8 * many, sys.byteorder)).cast("Q").tolist() for n in (one, two)
    ]
    return [*zip(*columns, strict=True)]
