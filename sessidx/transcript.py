"""A transcript by its head and its tail: bounded reading of JSON Lines, records backward from the end.

Never a whole transcript, never a whole long line. Lines are cut at LF alone. Must not know any
app's keys beyond those it is asked for.
"""

import os
from io import BytesIO

from .files import open_regular
from .jsonl import EDGE, LINE, ends, parse

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from .session import Record

    T = TypeVar("T")

HEAD_LINES = 80
TAIL = 512 * 1024
FAR = 8 * 1024 * 1024  # how far a tail grows, a long line is skipped and a chosen title is sought
_CHUNK = 64 * 1024
_RECORDS = 20_000  # that one search looks at
_REMEMBERED = 500
_SHORT = 1024
_FRONT = 200

# glibc hands every large block back to the kernel when it is freed, and fresh pages cost more than
# what is read into them, until it has seen a larger one freed.
bytes(2 * FAR)


def first_taken(records: "Iterator[Record]", take: "Callable[[Record], T | None]") -> "T | None":
    """What `take` makes of the first of `records` that suits it."""
    for record in records:
        if (value := take(record)) is not None:
            return value
    return None


def _last_of(keys: "tuple[bytes, ...]", data: bytes, start: int, end: int) -> int:
    """Where the last of `keys` between `start` and `end` stands; -1 for none.

    `rfind` also to see whether there is one: it is two to four times as quick as `find` and `in`.
    """
    last = -1
    for key in keys:
        at = data.rfind(key, max(start, last), end)
        last = last if at < 0 else at
    return last


def _backward(keys: "tuple[bytes, ...]", data: bytes, first: int, most: int) -> "Iterator[Record]":
    """The records from `first` on that hold one of `keys`, the last one first; `most` lines are tried."""
    stop = len(data)
    for _ in range(most):
        at = _last_of(keys, data, first, stop)
        if at < 0:
            return
        end = data.find(b"\n", at)
        stop = data.rfind(b"\n", 0, at) + 1
        record = parse(data[stop : end if end >= 0 else len(data)])
        if record is not None:
            yield record


class Transcript:
    """One open transcript: `records()` from its end, `front()` from its beginning."""

    def __init__(self, path: str) -> None:
        """Opens `path`; OSError when it is not a readable regular file."""
        self._fd, self.size = open_regular(path)
        self._start = self.size
        self.tail = b""
        self._parsed: dict[int, Record | None] = {}
        self._short: bytes | None = None
        self._fronts = b""
        self._head: list[bytes] | None = None
        self._reach_back(TAIL)

    def __enter__(self) -> "Transcript":
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._fd)

    @property
    def tail_start(self) -> int:
        """Offset of the first whole line of the tail."""
        return self._start

    def head(self) -> list[bytes]:
        """The first lines, at most 80; of a line over 256 KiB its two ends, joined by a NUL."""
        if self._head is None:
            self._head = self._read_head()
        return self._head

    def _read_head(self) -> list[bytes]:
        lines: list[bytes] = []
        data, base, at = b"", 0, 0  # what was read ahead, where that begins, and the place in it
        for _ in range(HEAD_LINES):
            while (end := data.find(b"\n", at)) < 0 and len(data) - at <= LINE:
                data, base, at = data[at:], base + at, 0
                more = os.pread(self._fd, max(_CHUNK, len(data)), base + len(data))
                if not more:
                    end = len(data)
                    break
                data += more
            if 0 <= end <= at + LINE:
                line, at = data[at:end], end + 1
            else:
                line, base = self._skip_long(data[at : at + EDGE], base + at)
                data, at = b"", 0
            if line or base + at < self.size:
                lines.append(line)
            if base + at > min(FAR, self.size - 1):
                break  # at the end; or eighty lines of megabytes tell no more than the first
        return lines

    def records(self, keys: "tuple[bytes, ...]", grow: bool = False) -> "Iterator[Record]":
        """The records of the tail that hold one of `keys` anywhere, the last one first.

        With `grow`, a tail that has no more of them is doubled, up to 8 MiB.
        """
        end = len(self.tail)
        for _ in range(_RECORDS):
            newest = _last_of(keys, self.tail, 0, end)
            if newest >= 0:
                end = self.tail.rfind(b"\n", 0, newest) + 1
                record = self._record_at(end)
                if record is not None:
                    yield record
            else:
                covered = self._start
                if not grow or not self._reach_back(2 * (self.size - self._start)):
                    return
                end = covered - self._start

    def last(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]", grow: bool = False
    ) -> "T | None":
        """What `take` makes of the last record that holds one of `keys` and suits it."""
        return first_taken(self.records(keys, grow), take)

    def last_short(self, key: bytes, take: "Callable[[Record], T | None]") -> "T | None":
        """`last` for a key that stands in short records, or at the beginning of long ones.

        Lines of at most 1 KiB hold only a tenth of a tail's bytes.
        """
        if len(self.tail) > TAIL:  # one that has grown may be cut into millions of lines
            return self.last((key,), take)
        if self._short is None:
            lines = BytesIO(self.tail).readlines()  # quicker than split
            self._short = b"".join([line for line in lines if len(line) <= _SHORT])
            self._fronts = b"".join([line[:_FRONT] for line in lines if len(line) > _SHORT])
        if self._fronts.rfind(key) >= 0:
            return self.last((key,), take)
        return first_taken(_backward((key,), self._short, 0, _RECORDS), take)

    def recorded(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]"
    ) -> "T | None":
        """`last`, or else the last such record of the head."""
        found = self.last(keys, take)
        return self.last_of_head(keys, take) if found is None else found

    def last_of_head(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]"
    ) -> "T | None":
        """What `take` makes of the last record of the head that holds one of `keys` and suits it.

        None where the tail holds all there is: `last` has seen that.
        """
        if not self._start:
            return None
        found = None
        for record in self._head_records(keys):
            value = take(record)
            found = found if value is None else value
        return found

    def _head_records(self, keys: "tuple[bytes, ...]") -> "Iterator[Record]":
        for line in self.head():
            if _last_of(keys, line, 0, len(line)) >= 0:
                record = parse(line)
                if record is not None:
                    yield record

    def front(self, keys: "tuple[bytes, ...]") -> "Iterator[Record]":
        """The records at the beginning that hold one of `keys`, in order.

        Those of the head; where the tail holds all there is, of that.
        """
        return self._head_records(keys) if self._start else self._forward(keys)

    def opening(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]"
    ) -> "T | None":
        """What `take` makes of the first record of `front`, else of the tail, that suits it."""
        found = first_taken(self.front(keys), take)
        if found is None and self._start:
            found = first_taken(self._forward(keys), take)
        return found

    def _forward(self, keys: "tuple[bytes, ...]") -> "Iterator[Record]":
        tail, start = self.tail, 0
        for _ in range(_RECORDS):
            end = tail.find(b"\n", start)
            if end < 0:
                end = len(tail)
            if start >= end == len(tail):
                return
            if _last_of(keys, tail, start, end) >= 0:
                record = self._record_at(start)
                if record is not None:
                    yield record
            start = end + 1

    def before(self, keys: "tuple[bytes, ...]", since: int = 0) -> "Iterator[Record]":
        """The records ahead of the tail that hold one of `keys`, the last one first.

        Back to the offset `since`, at most 8 MiB; a block at a time is held.
        """
        start = max(since, self._start - FAR, 0)
        end, rest = self._start, b""
        while end > start:
            begun = end - len(rest)
            base = max(start, begun - max(LINE, len(rest)))
            block = os.pread(self._fd, begun - base, base) + rest
            first = block.find(b"\n") + 1 if base > start else 0
            if base > start and first in (0, len(block)):  # all of it is one line
                rest = block
                continue
            yield from _backward(keys, block, first, len(block))
            end, rest = base + first, b""

    def _record_at(self, start: int) -> "Record | None":
        end = self.tail.find(b"\n", start)
        if end < 0:
            end = len(self.tail)
        key = start - len(self.tail)  # stays the same when the tail grows to the front
        if key not in self._parsed:
            if len(self._parsed) > _REMEMBERED:
                self._parsed.clear()
            long = end - start > LINE
            self._parsed[key] = parse(
                ends(self.tail[start : start + EDGE], self.tail[end - EDGE : end])
                if long
                else self.tail[start:end]
            )
        return self._parsed[key]

    def _reach_back(self, length: int) -> bool:
        """Let the tail hold the last `length` bytes, cut to whole lines; False when it cannot grow."""
        length = min(max(length, TAIL), FAR)
        while True:
            start = max(0, self.size - length)
            if start >= self._start:
                return False
            # Looked for by itself: half a megabyte is not to be copied for the sake of its first line.
            cut = os.pread(self._fd, _CHUNK, start).find(b"\n") + 1 if start else 0
            more = os.pread(self._fd, self._start - start - cut, start + cut)
            if start and not cut:
                cut = more.find(b"\n") + 1
                more = more[cut:]
            if start == 0 or (cut and more) or length == FAR:
                break
            length = min(2 * length, FAR)
        if not (more or self.tail):  # all of one long line: its end is still to be had
            cut, more = 0, os.pread(self._fd, self.size - start, start)
        self.tail, self._start = more + self.tail, start + cut
        return more != b""

    def _skip_long(self, front: bytes, offset: int) -> tuple[bytes, int]:
        """Both ends of the long line at `offset` and where the next begins; sought for 8 MiB."""
        at = offset + LINE
        while at < offset + FAR and (chunk := os.pread(self._fd, _CHUNK, at)):
            end = chunk.find(b"\n")
            if end >= 0:
                return ends(front, os.pread(self._fd, EDGE, at + end - EDGE)), at + end + 1
            at += len(chunk)
        return ends(front, b""), self.size
