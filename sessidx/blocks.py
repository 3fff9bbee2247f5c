"""A file of JSON Lines from its end: blocks of whole lines, of a long line its two ends.

What is held is one block, whatever stands in the file. Knows no app and no keys of its own.
"""

import os
from io import BytesIO
from itertools import islice

from .jsonl import EDGE, LINE, ends

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIRST = 64 * 1024  # what is read at first: in nearly all files it holds what is wanted
SIZE = 256 * 1024  # and from then on
FAR = 8 * 1024 * 1024  # how far a tail grows, a line's ends and a chosen title are sought,
FARTHEST = 256 * 1024 * 1024  # and that of the last of all
_OVERLAP = 31
_SHORT = 1024
_LINES = 4096  # of a block that are told apart
_FRONT = 200
_STEP = 16 * 1024

# glibc hands every large block back to the kernel when it is freed, and fresh pages cost more than
# what is read into them, until it has seen a larger one freed.
bytes(16 * 1024 * 1024)


class Block:
    """Whole lines of a file, from `first` in `data` on; they stand between `start` and `end` there.

    `elided` when they are one long line of which `data` holds the two ends, joined by a NUL.
    """

    __slots__ = ("_short", "data", "elided", "end", "first", "start")

    def __init__(self, data: bytes, first: int, start: int, end: int, elided: bool = False) -> None:
        self.data = data
        self.first = first
        self.start = start
        self.end = end
        self.elided = elided
        self._short: bytes | None = None

    def lines(
        self, keys: "tuple[bytes, ...]", marks: "Sequence[int]" = ()
    ) -> "Iterator[tuple[int, int]]":
        """Where in `data` its lines stand that hold one of `keys` or one of the places `marks`.

        The last one first. No byte is looked at twice for the same key: `rfind`, which is two to
        four times as quick as `find` and `in`, goes on from where each key was found, or was not.
        """
        data, first, stop = self.data, self.first, len(self.data)
        more = [at for at in marks if at >= first]
        places = [-1] * len(keys)  # where each key was found last,
        searched = [stop] * len(keys)  # or from where on it is known not to stand
        while True:
            at = -1
            for number, key in enumerate(keys):
                place = places[number]
                if place >= stop:
                    place, searched[number] = -1, stop
                low = max(first, at)
                if place < 0 and low < searched[number]:
                    high = min(searched[number] + len(key) - 1, stop)
                    place, searched[number] = data.rfind(key, low, high), low
                places[number] = place
                at = max(at, place)
            while more and more[-1] >= stop:
                more.pop()
            at = max(at, more[-1]) if more else at
            if at < 0:
                return
            end = data.find(b"\n", at, stop)
            end = end if end >= 0 else stop
            stop = data.rfind(b"\n", first, at) + 1 or first
            yield stop, end

    def forward(self, keys: "tuple[bytes, ...]") -> "Iterator[tuple[int, int]]":
        """Where in `data` its lines stand that hold one of `keys`, in order."""
        data, start = self.data, self.first
        while (at := _first_of(keys, data, start)) >= 0:
            start = data.rfind(b"\n", start, at) + 1 or start
            end = data.find(b"\n", at)
            end = end if end >= 0 else len(data)
            yield start, end
            start = end + 1

    def short(self) -> bytes:
        """Its lines, of those over 1 KiB the first 200 bytes: where a short record would stand.

        A tenth of the bytes of most transcripts; the rest is what tools gave back. Where there are
        very many lines, all but the first are whole.
        """
        if self._short is None:
            lines = BytesIO(self.data)
            lines.seek(self.first)
            first = islice(lines, _LINES)
            kept = [line if len(line) <= _SHORT else line[:_FRONT] for line in first]
            self._short = b"".join((*kept, lines.read()))
        return self._short

    def apart(self, beginning: bytes) -> bytes:
        """Its lines without those that begin so, which are most: quicker than to look through all.

        Where there are very many, all but the first are among what is told.
        """
        lines = BytesIO(self.data)
        lines.seek(self.first)
        after = beginning[:-1] + bytes((beginning[-1] + 1,))
        # Half of what `startswith` costs.
        kept = [line for line in islice(lines, _LINES) if not beginning <= line < after]
        return b"".join((*kept, lines.read()))


def _first_of(keys: "tuple[bytes, ...]", data: bytes, start: int) -> int:
    """Where the first of `keys` from `start` on stands; -1 for none.

    In steps: one that is not there at all is not to be sought far behind another.
    """
    step = _STEP
    while start < len(data):
        stop = start + step
        found = [at for key in keys if (at := data.find(key, start, stop + len(key))) >= 0]
        if found:
            return min(found)
        start, step = stop, 2 * step
    return -1


def backward(
    fd: int, end: int, since: int = 0, size: int = SIZE, far: int = FAR
) -> "Iterator[Block]":
    """The blocks of the open file `fd` from `end`, where a line ends, back to the line at `since`.

    A line that is longer than `far` comes in parts, of which the last is met first.
    """
    while end > since:
        base = max(0, end - size)
        data = os.pread(fd, end - base, base)
        if not data:  # it has become shorter
            return
        first = data.find(b"\n") + 1 if base else 0
        if base and first in (0, len(data)):  # no line begins here
            block = _one_line(fd, data, base, max(base - far, since))
        else:
            block = Block(data, first, base + first, end)
        yield block
        end, size = block.start, SIZE


def within(fd: int, start: int, end: int) -> "Iterator[bytes]":
    """What stands between `start` and `end`, as it is: parts that overlap by what a key may be long."""
    while start < end:
        data = os.pread(fd, min(SIZE, end - start + 2 * _OVERLAP), start - _OVERLAP)
        if len(data) <= _OVERLAP:
            return
        yield data
        start += len(data) - _OVERLAP


def _one_line(fd: int, data: bytes, base: int, floor: int) -> Block:
    """The line that `data`, read at `base`, ends: whole, or when it is long its two ends."""
    start, known = _line_start(fd, base, max(0, floor))
    end = base + len(data)
    stop = end - data.endswith(b"\n")
    if stop - start <= LINE:
        return Block(os.pread(fd, base - start, start) + data, 0, start, end)
    front = os.pread(fd, EDGE, start) if known else b" " * EDGE
    back = os.pread(fd, EDGE, stop - EDGE)
    return Block(ends(front, back), 0, start, end, elided=True)


def _line_start(fd: int, end: int, floor: int) -> tuple[int, bool]:
    """Where the line begins that stands at `end`, and whether that was found before `floor`."""
    while end > floor:
        base = max(floor, end - SIZE)
        newline = os.pread(fd, end - base, base).rfind(b"\n")
        if newline >= 0:
            return base + newline + 1, True
        end = base
    return end, end == 0
