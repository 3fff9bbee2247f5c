"""A transcript by its head and its tail: bounded reading of JSON Lines, records backward from the end.

Never a whole transcript, never a whole long line, and of what is in it no more is parsed than a
sane one needs. Lines are cut at LF alone. Must not know any app's keys beyond those it is asked for.
"""

import os

from . import head
from .blocks import FAR, FARTHEST, FIRST, Block, backward
from .files import open_regular
from .jsonl import parse

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeVar

    from .session import Record, Session

    T = TypeVar("T")

TAIL = 512 * 1024
_SINGLY = 8  # lines of a head that are looked through one by one
_NEAR = 16 * 1024
_BACK, _FORTH = 0, 1
# What may be parsed in either direction, in bytes; a record counts for some besides its own. The
# slowest there are (`[{},{},…]`, by json) take 40 ns a byte, and 30 times their size.
_PARSED = 3 * 512 * 1024
_RECORD = 256
_HELD = 256 * 1024  # bytes of lines whose records are held, to be asked again


def first_taken(records: "Iterator[Record]", take: "Callable[[Record], T | None]") -> "T | None":
    """What `take` makes of the first of `records` that suits it."""
    for record in records:
        if (value := take(record)) is not None:
            return value
    return None


class Transcript:
    """One open transcript: `records()` from its end, `front()` from its beginning."""

    def __init__(self, path: str) -> None:
        """Opens `path`; OSError when it is not a readable regular file."""
        self.fd, self.size = open_regular(path)
        self._blocks: list[Block] = []  # of the tail, the last one first
        self._tail = TAIL
        self._older = self._read_tail()
        self._head: list[bytes] = []
        self._rest: bytes | None = None  # of it, as one
        self._more_head = head.lines(self.fd, self.size)
        self._left = [_PARSED, _PARSED]  # backward from its end, forward from its beginning
        self._held: dict[int, Record | None] = {}
        self._held_bytes = 0

    def __enter__(self) -> "Transcript":
        return self

    def __exit__(self, *error: object) -> None:
        """Closes it, and lets go at once of what was read: the readers refer to it and it to them."""
        os.close(self.fd)
        self._older, self._more_head = iter(()), iter(())

    def known(self, previous: "Session | None") -> "Session | None":
        """`previous`, what was known of the session, where the transcript only grew since."""
        return previous if previous and 0 < previous.size <= self.size else None

    @property
    def spent(self) -> bool:
        """Whether as much was parsed as is allowed: nothing more is found from the end."""
        return self._left[_BACK] <= 0

    # --- its end

    def blocks(
        self, reach: int | None = None, hold: bool = False, far: int = FAR
    ) -> "Iterable[Block]":
        """The last `reach` bytes, or the tail, from where a line begins; the last block first.

        Read when they are wanted; what lies before the tail is read anew each time, or with `hold`
        becomes a part of it. `far` as `backward` has it.
        """
        reach = self._tail if reach is None else reach
        if self._start == 0 and reach >= self.size:
            return self._blocks  # all there is
        return self._more_blocks(reach, hold, far)

    def _more_blocks(self, reach: int, hold: bool, far: int) -> "Iterator[Block]":
        number = 0
        while number < len(self._blocks) or self._grows(reach if hold else min(reach, self._tail)):
            block = self._blocks[number]
            if block.end <= self.size - reach:
                return
            if hold:
                self._tail = max(self._tail, self.size - block.start)
            yield block
            number += 1
        if not hold:
            yield from backward(self.fd, self._start, max(0, self.size - reach), far=far)

    @property
    def _start(self) -> int:
        """Where what is held of the tail begins."""
        return self._blocks[-1].start if self._blocks else self.size

    def _read_tail(self) -> "Iterator[Block]":
        start = self.size
        for block in backward(self.fd, self.size, size=FIRST, far=FARTHEST):
            yield block
            start = block.start
            if block.data[block.first :].strip():  # else the last line is still to come
                break
        yield from backward(self.fd, start)

    def _grows(self, reach: int) -> bool:
        if self._start <= max(0, self.size - reach):
            return False
        block = next(self._older, None)
        if block is not None:
            self._blocks.append(block)
        return block is not None

    def records(self, keys: "tuple[bytes, ...]", grow: bool = False) -> "Iterator[Record]":
        """The records of the tail that hold one of `keys` anywhere, the last one first.

        With `grow`, a tail that has no more of them grows up to 8 MiB.
        """
        for block in self.blocks(FAR, hold=True) if grow else self.blocks():
            yield from self.inside(block, keys)

    def nearest(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]"
    ) -> "T | None":
        """`last` of the last 16 KiB alone: for what is written as a session is left, if at all."""
        for block in self.blocks(1):
            near = max(block.first, len(block.data) - _NEAR)
            if any(block.data.rfind(key, near) >= 0 for key in keys):
                return self._last(keys, take, (block,))
        return None

    def last(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]", grow: bool = False
    ) -> "T | None":
        """What `take` makes of the last record that holds one of `keys` and suits it."""
        return self._last(keys, take, self.blocks(FAR, hold=True) if grow else self.blocks())

    def last_apart(
        self, key: bytes, beginning: bytes, take: "Callable[[Record], T | None]", since: int = -1
    ) -> "T | None":
        """`last` back to the line at the offset `since`, for a key of no line that begins so."""
        for block in self.blocks() if since < 0 else self.blocks(self.size - since):
            if block.apart(beginning).rfind(key) >= 0:
                value = self._last((key,), take, (block,))
                if value is not None:
                    return value
        return None

    def last_short(self, key: bytes, take: "Callable[[Record], T | None]") -> "T | None":
        """`last` for a key that stands in short records, or at the beginning of long ones.

        Quicker where several are looked for that are not there.
        """
        for number, block in enumerate(self.blocks()):
            data = block.short() if number else block.data
            if data.rfind(key) >= 0:
                value = self._last((key,), take, (block,))
                if value is not None:
                    return value
        return None

    def _last(
        self,
        keys: "tuple[bytes, ...]",
        take: "Callable[[Record], T | None]",
        blocks: "Iterable[Block]",
    ) -> "T | None":
        for block in blocks:
            record = self.newest(block, keys)
            if record is None:
                continue
            value = take(record)
            if value is None:
                value = first_taken(self.inside(block, keys), take)
            if value is not None:
                return value
        return None

    def newest(self, block: Block, keys: "tuple[bytes, ...]") -> "Record | None":
        """The last record of `block` that holds one of `keys`: quicker than the first of `inside`."""
        data, first, at = block.data, block.first, -1
        for key in keys:
            at = max(at, data.rfind(key, max(first, at)))
        if at < 0:
            return None
        start = data.rfind(b"\n", first, at) + 1 or first
        end = data.find(b"\n", at)
        line = data[start:end] if end >= 0 else data[start:]
        record = self.record(block.start + start - first, line)
        return next(self.inside(block, keys), None) if record is None else record

    def holds(self, text: bytes) -> bool:
        """Whether `text` stands anywhere in the tail."""
        return any(block.data.rfind(text, block.first) >= 0 for block in self.blocks())

    def inside(
        self, block: Block, keys: "tuple[bytes, ...]", marks: "Sequence[int]" = ()
    ) -> "Iterator[Record]":
        """The records of `block` that hold one of `keys`, or one of the places `marks` in its data.

        The last one first.
        """
        data, base = block.data, block.start - block.first
        for start, end in block.lines(keys, marks):
            record = self.record(base + start, data[start:end])
            if record is not None:
                yield record
            if self.spent:
                return

    def _forward(self, keys: "tuple[bytes, ...]") -> "Iterator[Record]":
        """The records of the tail that hold one of `keys`, in order."""
        for block in reversed(list(self.blocks())):
            data, base = block.data, block.start - block.first
            for start, end in block.forward(keys):
                if self._left[_FORTH] <= 0:
                    return
                record = self.record(base + start, data[start:end], _FORTH)
                if record is not None:
                    yield record

    # --- its beginning

    def head(self) -> list[bytes]:
        """The first lines, at most 80; of a line over 256 KiB its two ends, joined by a NUL."""
        self._head += self._more_head
        return self._head

    def _lines_of_head(self) -> "Iterator[tuple[int, bytes]]":
        number = 0
        while True:
            if number == len(self._head):
                line = next(self._more_head, None)
                if line is None:
                    return
                self._head.append(line)
            yield number, self._head[number]
            number += 1

    def front(self, keys: "tuple[bytes, ...]") -> "Iterator[Record]":
        """The records at the beginning that hold one of `keys`, in order.

        Those of the head; where all there is is held, of that.
        """
        if self._start == 0:
            yield from self._forward(keys)
            return
        for number, line in self._lines_of_head():
            if number == _SINGLY and not self._rest_holds(keys):
                return
            for key in keys:
                if line.rfind(key) >= 0 and self._left[_FORTH] > 0:
                    record = self.record(-1 - number, line, _FORTH)
                    if record is not None:
                        yield record
                    break

    def _rest_holds(self, keys: "tuple[bytes, ...]") -> bool:
        """Whether one of `keys` stands in what follows the first lines of the head."""
        if self._rest is None:
            self._rest = b"\n".join(self.head()[_SINGLY:])
        return any(self._rest.rfind(key) >= 0 for key in keys)

    def opening(
        self, keys: "tuple[bytes, ...]", take: "Callable[[Record], T | None]"
    ) -> "T | None":
        """What `take` makes of the first record of `front`, else of the tail, that suits it."""
        held = self._start == 0
        found = first_taken(self.front(keys), take)
        if found is None and not held:
            found = first_taken(self._forward(keys), take)
        return found

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
        found = None
        if self.size > TAIL:
            for record in self.front(keys):
                value = take(record)
                found = found if value is None else value
        return found

    # --- its records

    def record(self, place: int, line: bytes, way: int = _BACK) -> "Record | None":
        """The record in `line`; None for none, and when as much was parsed as is allowed.

        `place` is its offset, or for the lines of the head -1, -2, …
        """
        if place in self._held:
            return self._held[place]
        self._left[way] -= len(line) + _RECORD
        if self._left[way] < 0:
            return None
        record = parse(line)
        if self._held_bytes + len(line) > _HELD:
            self._held.clear()
            self._held_bytes = 0
        if len(line) <= _HELD:
            self._held[place] = record
            self._held_bytes += len(line)
        return record
