"""The -wal beside a database: which of its frames are committed, and that they are whole.

Two ways lead to them. The -shm, which all connections share, tells at once, where its checksum, its
salts and its last frame fit the -wal; the frames that are taken are then checked one by one. Else
the running checksum is followed from the first frame on, as SQLite does after a crash.
"""

import os
from sys import byteorder

from . import Changed, Torn, Unreadable

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MAGIC, _FORMAT = 0x377F0682, 3007000
_HEADER, _FRAME = 32, 24  # bytes before the first frame, and before the page in each
_SHARED, _UNIT = 136, 32768  # bytes of the -shm before its numbers of pages, and of each part of it
_BATCH = 1 << 20  # bytes of frames that are summed at once
_LONGEST = 64 << 20  # bytes that are followed: a quarter of a second
_FRAMES = 1 << 18  # that are believed of a -shm: 25 MB of memory


class Log:
    """The frames of a -wal that are committed now, once they are found."""

    def __init__(self, beside: "Callable[[str], int]") -> None:
        self._beside = beside  # opens what lies beside the database, by its suffix
        self.frames: dict[int, int] = {}  # number of a page -> that of its last frame
        self.last = self.top = 0  # the last frame, and how many pages the database has by it
        self.checked = True  # whether the frames' checksums were followed
        self._used: dict[int, bytes] = {}
        self.valid = False

    def find(self, trust: bool) -> None:
        """Find the committed frames; with `trust` the -shm is asked first."""
        self._fd, self._head = self._header()
        magic, version, self.size, _, *_, one, two = _numbers(self._head.ljust(_HEADER, b"\0"))
        self._salts, self._step = self._head[16:24], self.size + _FRAME
        self._order = "big" if magic & 1 else "little"
        if magic & ~1 == _MAGIC and version == _FORMAT and 512 <= self.size <= 65536:
            self._words = (0, 1, *range(6, self._step // 4))  # of a frame, that are summed
            self.valid = _sums(self._head[:24], 24, range(6), self._order) == [(one, two)]
        if self.valid and not self._shared(trust):
            self._follow()

    def _header(self) -> tuple[int, bytes]:
        try:
            fd = self._beside("-wal")
        except FileNotFoundError:
            return -1, b""
        return fd, os.pread(fd, _HEADER, 0)

    def _index(self) -> tuple[int, list[int]] | None:
        """The -shm and the numbers at its beginning; None unless they are whole and fit the -wal."""
        try:
            fd = self._beside("-shm")
        except OSError:
            return None
        head = os.pread(fd, _SHARED, 0)
        if len(head) < _SHARED or head[:48] != head[48:96] or head[32:40] != self._salts:
            return None
        told = memoryview(head).cast("I").tolist()  # in the order of this machine
        size = int.from_bytes(head[14:16], byteorder)
        known = told[0] == _FORMAT and head[12] and 0 < told[4] <= _FRAMES
        if not known or (size & 0xFE00) + ((size & 1) << 16) != self.size:
            return None
        sums = _sums(head[:40], 40, range(10), byteorder)
        return (fd, told) if sums == [tuple(told[10:12])] else None

    def _shared(self, trust: bool) -> bool:
        """Take the frames that the -shm tells of, if it is trusted or there are too many to follow.

        False when it does not fit the -wal.
        """
        if (index := self._index()) is None:
            return False
        fd, (_, _, _, _, last, top, one, two, *_) = index
        if not trust and last * self._step <= _LONGEST:
            return False
        frame = os.pread(self._fd, _FRAME, _HEADER + (last - 1) * self._step)
        if frame[8:16] != self._salts or _numbers(frame[4:8] + frame[16:]) != [top, one, two]:
            return False
        pages: list[int] = []
        at = _SHARED
        while (left := last - len(pages)) > 0:
            block = os.pread(fd, min(4 * left, _UNIT // 2 - at % _UNIT), at)
            if not block or len(block) & 3:
                return False
            pages += memoryview(block).cast("I").tolist()
            at += _UNIT - at % _UNIT
        self.frames = dict(zip(pages, range(1, last + 1), strict=True))
        self.last, self.top, self.checked = last, top, False
        return True

    def _follow(self) -> None:
        """Find how far the running checksum holds, and the last commit on the way."""
        sums, found, number = _numbers(self._head[24:]), {}, 0
        while number * self._step <= _LONGEST:
            batch = os.pread(
                self._fd, _BATCH // self._step * self._step, _HEADER + number * self._step
            )
            for i, own in enumerate(self._sums(batch)):
                head = batch[i * self._step :][:_FRAME]
                page, top, _, _, *told = _numbers(head)
                sums = _onto(sums, own, len(self._words))
                if head[8:16] != self._salts or sums != told or not page:
                    return
                number += 1
                found[page] = number
                if top:
                    self.frames.update(found)
                    found, self.last, self.top = {}, number, top
            if len(batch) < self._step:
                return
        raise Unreadable("its -wal is too long")

    def page(self, number: int) -> bytes | None:
        """The page of this number as the last commit has it; None when that is not in the -wal."""
        if (at := self.frames.get(number)) is None:
            return None
        frame = os.pread(self._fd, self._step, _HEADER + (at - 1) * self._step)
        if len(frame) < self._step or _numbers(frame[:4]) != [number]:
            raise Torn("-wal damaged")
        if not self.checked:
            self._used[at] = frame
            if len(self._used) * self._step > _BATCH:
                self._check()
        return frame[_FRAME:]

    def prove(self, direct: set[int]) -> None:
        """Torn, unless the frames used, and the pages of the file in `direct`, are of the last commit.

        A checkpoint writes to the file only pages that stand in the -wal of that generation: so
        none that was read from the file may stand in a frame that came later. Salts never come
        back: if they stand now, no frame was lost before it was looked at.
        """
        committed, pages = self._later()
        if committed:
            _, told = self._index() or (-1, [0] * 34)
            last, done, begun = told[4], told[24], told[32]
            if last < committed and not self.checked:
                raise Changed("-shm is old")
            # Harmless while no checkpoint has begun on those frames, as a -shm in use tells.
            waits = committed <= last and done <= begun <= self.last
            if not (waits or pages.isdisjoint(direct)):
                raise Changed("it is written to all the time")
        if self._header()[1] != self._head:
            raise Changed("it is written to all the time")
        self._check()

    def _later(self) -> tuple[int, set[int]]:
        """The last frame that may have been committed meanwhile, and the pages up to it."""
        committed, pages, pending = 0, set[int](), set[int]()
        for number in range(self.last, self.last + _FRAMES):
            head = os.pread(self._fd, 16, _HEADER + number * self._step)
            if len(head) < 16 or head[8:] != self._salts:
                return committed, pages
            page, top = _numbers(head[:8])
            pending.add(page)
            if top:
                committed, pages, pending = number + 1, pages | pending, set()
        raise Changed("it is written to all the time")

    def _check(self) -> None:
        """Torn, unless each frame used bears the checksum that goes on from the one before it."""
        owns = self._sums(b"".join(self._used.values()))
        for (number, frame), own in zip(self._used.items(), owns, strict=True):
            place = _HEADER + (number - 2) * self._step + 16 if number > 1 else 24
            sums = _onto(_numbers(os.pread(self._fd, 8, place)), own, len(self._words))
            if frame[8:16] != self._salts or sums != _numbers(frame[16:_FRAME]):
                raise Torn("-wal damaged")
        self._used = {}

    def _sums(self, frames: bytes) -> list[tuple[int, int]]:
        return _sums(frames, self._step, self._words, self._order)


def _numbers(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]


def _sums(data: bytes, step: int, words: "Sequence[int]", order: str) -> list[tuple[int, int]]:
    """The checksum from zero of each `step` bytes: all at once, each in a lane of one large number.

    Every one of the `words` adds the two sums before it. Lanes of 64 bits hold 32 words' growth.
    """
    many = len(data) // step
    turned = bytearray(data[: many * step])
    if order != byteorder:
        for i in range(4):
            turned[i::4] = data[3 - i : many * step : 4]
    all_words, lanes = memoryview(turned).cast("I"), bytearray(8 * many)
    low = memoryview(lanes).cast("I")[0 if byteorder == "little" else 1 :: 2]
    mask = int.from_bytes((0xFFFFFFFF).to_bytes(8, byteorder) * many, byteorder)
    one = two = 0
    for count, at in enumerate(words, 1):
        low[:] = all_words[at :: step // 4]
        one, two = two, one + two + int.from_bytes(lanes, byteorder)
        if count % 32 == 0 or count == len(words):
            one, two = one & mask, two & mask
    both = [memoryview(n.to_bytes(8 * many, byteorder)).cast("Q") for n in (one, two)]
    return [*zip(*both, strict=True)]


_fibonacci = [0, 1]


def _onto(sums: list[int], own: tuple[int, int], words: int) -> list[int]:
    """The running checksum `sums` carried on over `words` words whose own, from zero, is `own`."""
    while len(_fibonacci) < words + 2:
        _fibonacci.append(_fibonacci[-1] + _fibonacci[-2] & 0xFFFFFFFF)
    a, b, c = _fibonacci[words - 1 : words + 2]
    one, two = sums
    return [(a * one + b * two + own[0]) & 0xFFFFFFFF, (b * one + c * two + own[1]) & 0xFFFFFFFF]
