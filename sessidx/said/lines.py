"""What was said in transcripts of JSON Lines: the lines that may hold it are parsed, no others.

The query is no part of the first look, the app's structure is (`may_hold`; 6 % of a transcript's bytes
pass), so no way of escaping hides a hit. A message's place is the offset of its line.
"""

import os

from ..jsonl import EDGE, document, ends
from ..session import SAID
from ..transcript import Transcript
from .source import BLOCK, opened

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..session import Hit, Message, Record
    from .phrases import Sought
    from .sites import Sites
    from .source import Source

    MayHold = Callable[[bytes, int, int], bool]
    Line = tuple[int, bytes]  # where it begins

# Of a longer line only the two ends are looked at: parsed, one of wide letters takes twelve times
# its size, any other four times.
_LONG, _LONG_WIDE = 3 << 20, 1 << 20
_PICTURE = 64 * 1024  # so much of base64 in a row is nothing said
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_LINES = 20_000  # that are looked at: so many hold something, or are none
_BESIDE = 2  # messages before a hit, and behind it


class Lines:
    """The conversations of an app whose sessions are files of JSON Lines."""

    def __init__(
        self,
        root: str,
        may_hold: "MayHold",
        messages: "Callable[[Record], list[Message]]",
        *,
        beside: str = "",
        block: int = BLOCK,
    ) -> None:
        """`may_hold`: whether a part of some bytes, a line, may hold something said.

        `beside`: the transcript's name, where it is not a session's own file but lies beside that.
        """
        self._root = root
        self._beside = beside
        self._may_hold = may_hold
        self._messages = messages
        self._block = block

    def first(self, key: str, sought: "Sought", sites: "Sites | None" = None) -> "Hit | None":
        """The first message in which all that is sought is said; OSError as the file has it."""
        likely = sought.likely
        with opened(self._path(key)) as source:
            for place, line in self._lines(source, None if source.is_packed else sites):
                if likely(line):
                    for message in self._said(line):
                        if sought.said_in(message[2]):
                            return place, message
        return None

    def last(self, key: str) -> "list[Message]":
        """The last things said, oldest first, from the tail alone; OSError as the file has it."""
        found: list[Message] = []
        with Transcript(self._path(key)) as transcript:
            for block in transcript.blocks():
                data = block.data
                found[:0] = self._backward(data, block.first, len(data), SAID - len(found))
                if len(found) >= SAID:
                    break
        return found

    def around(
        self, key: str, place: int, sought: "Sought"
    ) -> "tuple[list[Message], Message, list[Message]] | None":
        """The message at `place`, what was said before it and after it; None where it is no more.

        By one read, unless the message is longer than a block.
        """
        base = max(0, place - self._block)
        with opened(self._path(key)) as source:
            data = source.read(2 * self._block, base)
            start = place - base
            if start and data[start - 1 : start] != b"\n":
                return None
            end = data.find(b"\n", start)
            line = data[start:end]
            if end < 0:
                line, _, _ = _long_line(source, place, data[start:], self._block)
                end = len(data)
        found = [message for message in self._said(line) if sought.said_in(message[2])]
        if not found:
            return None
        begin = data.find(b"\n", 0, start) + 1 if base else 0
        before = self._backward(data, begin, start, _BESIDE)
        return before, found[0], self._forward(data, end + 1, _BESIDE)

    def _lines(self, source: "Source", sites: "Sites | None") -> "Iterator[Line]":
        """Where each line begins that may hold something said, and the line without its end."""
        if sites is None:
            return _found(source, self._may_hold, self._block)
        return _by_sites(source, self._may_hold, self._block, sites)

    def _path(self, key: str) -> str:
        if self._beside:
            key = os.path.join(os.path.dirname(key), self._beside)
        return os.path.join(self._root, key)

    def _said(self, line: bytes) -> "list[Message]":
        record = document(line)
        return self._messages(record) if record else []

    def _backward(self, data: bytes, start: int, end: int, most: int) -> "list[Message]":
        """The last messages of the lines in `data[start:end]`, oldest first."""
        found: list[Message] = []
        for _ in range(_LINES):
            if end <= start or len(found) >= most:
                break
            begin = max(data.rfind(b"\n", start, end - 1) + 1, start)
            if self._may_hold(data, begin, end):
                found += reversed(self._said(_bounded(data[begin:end])))
            end = begin
        return found[:most][::-1]

    def _forward(self, data: bytes, start: int, most: int) -> "list[Message]":
        found: list[Message] = []
        while (end := data.find(b"\n", start)) >= 0 and len(found) < most:
            if self._may_hold(data, start, end):
                found += self._said(data[start:end])
            start = end + 1
        return found[:most]


def _found(
    source: "Source", may_hold: "MayHold", block: int, sites: "Sites | None" = None
) -> "Iterator[Line]":
    """The lines that may hold something said; with `sites` behind those known, which learn them."""
    at, read = sites.end if sites else 0, source.read
    while at < source.size and (data := read(block, at)):
        last = data.rfind(b"\n") + 1
        if not last:  # one longer than a block, or the last, which has no end
            line, length, is_ended = _long_line(source, at, data, block)
            held = may_hold(line, 0, len(line))
            if sites and is_ended:
                if held:
                    sites.add(at, length - 1)
                sites.reach(at + length)
            if held:
                yield at, line
            at += length
            continue
        start, find = 0, data.find
        while start < last:
            end = find(b"\n", start)
            if may_hold(data, start, end):
                if sites:
                    sites.add(at + start, end - start)
                    sites.reach(at + end + 1)
                yield at + start, data[start:end]
            start = end + 1
        at += last
        if sites:
            sites.reach(at)


def _by_sites(
    source: "Source", may_hold: "MayHold", block: int, sites: "Sites"
) -> "Iterator[Line]":
    """The same by what is known; where that is no more so, all is looked through."""
    try:
        if source.inode != sites.inode or source.size < sites.end:
            raise _Changed
        yield from _known(source, block, sites)
    except _Changed:
        sites.forget(source.inode)
    yield from _found(source, may_hold, block, sites)


class _Changed(Exception):
    """A transcript is no more what was known of it."""


def _known(source: "Source", block: int, sites: "Sites") -> "Iterator[Line]":
    """The lines that are known, read in runs, with the line ends around each."""
    for start, run in sites.runs():
        at, length = run[-1]
        is_long = len(run) == 1 and length > block
        data = source.read(1 + block if is_long else at + length + 2, max(0, start - 1))
        data = data if start else b"\n" + data
        if is_long:
            line, told, _ = _long_line(source, start, data[1:], block)
            if data[:1] != b"\n" or told != length + 1:
                raise _Changed
            yield start, line
            continue
        find = data.find
        for at, length in run:
            begin, end = at + 1, at + 1 + length
            if data[at:begin] != b"\n" or find(b"\n", begin) != end:
                raise _Changed
            yield start + at, data[begin:end]


def _long_line(source: "Source", at: int, begun: bytes, block: int) -> tuple[bytes, int, bool]:
    """The line at `at`, which `begun` begins, its length in the file, its end included if it has one.

    Without its pictures; of one that is longer all the same its two ends, as `parse` takes them.
    """
    parts, held, read = [begun], len(begun), len(begun)
    front, end = b"", -1
    while end < 0 and (data := source.read(block, at + read)):
        end = data.find(b"\n")
        part = data if end < 0 else data[:end]
        read += len(part) + (end >= 0)
        if len(part) >= _PICTURE and b"\\" not in parts[-1][-6:] and _is_picture(part):
            continue
        parts.append(part)
        held += len(part)
        if held > _LONG:
            line = b"".join(parts)
            front = front or line[:EDGE]
            parts, held = [line[-EDGE:]], EDGE
    line = b"".join(parts)
    return (ends(front, line[-EDGE:]) if front else _bounded(line)), read, end >= 0


def _is_picture(part: bytes) -> bool:
    return not part.translate(None, _BASE64)


def _bounded(line: bytes) -> bytes:
    """The line itself, or its two ends."""
    if len(line) > _LONG or (len(line) > _LONG_WIDE and (not line.isascii() or b"\\u" in line)):
        return ends(line[:EDGE], line[-EDGE:])
    return line
