"""The first lines of a file of JSON Lines; of long ones the two ends. Knows no app and no keys."""

import os

from .blocks import FAR
from .jsonl import EDGE, LINE, ends

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = 80
_MOST = 2 * 1024 * 1024  # bytes of them, together
_CHUNK = 64 * 1024
_OPENING = 32 * 1024  # what is read at first: a header of Codex has 22 KB


def lines(fd: int, size: int) -> "Iterator[bytes]":
    """Those of the open file `fd` of `size` bytes, at most 80; of one over 256 KiB its two ends."""
    data, base, at = b"", 0, 0  # what was read ahead, where that begins, and the place in it
    held = 0
    for _ in range(LINES):
        while (end := data.find(b"\n", at)) < 0 and len(data) - at <= LINE:
            data, base, at = data[at:], base + at, 0
            room = max(_CHUNK if base or data else _OPENING, len(data))
            more = os.pread(fd, room, base + len(data))
            if not more:
                end = len(data)
                break
            data += more
        if 0 <= end <= at + LINE:
            line, at = data[at:end], end + 1
        else:
            line, base = _skip_long(fd, size, data[at : at + EDGE], base + at)
            data, at = b"", 0
        held += len(line)
        if line or base + at < size:
            yield line
        if held > _MOST or base + at > min(FAR, size - 1):
            break  # at the end; or eighty lines of megabytes tell no more than the first


def _skip_long(fd: int, size: int, front: bytes, offset: int) -> tuple[bytes, int]:
    """Both ends of the long line at `offset` and where the next begins; sought for 8 MiB."""
    at = offset + LINE
    while at < offset + FAR and (chunk := os.pread(fd, _CHUNK, at)):
        end = chunk.find(b"\n")
        if end >= 0:
            return ends(front, os.pread(fd, EDGE, at + end - EDGE)), at + end + 1
        at += len(chunk)
    return ends(front, b""), size
