"""Codex's name list, session_index.jsonl: the last name of each thread."""

import os

from ... import jsonl
from ...blocks import backward
from ...files import open_regular
from ...jsonl import parse
from ...text import one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMIT = 16 << 20
_PARSED = 8 << 20  # bytes of it, at most; a name counts for some besides its line
_COSTS = 128
_MUCH = 1 << 20  # bytes, for which a quicker parser is worth its loading


def read(path: str) -> dict[str, str]:
    """The last name of each thread in the list at `path`; a blank one is none. OSError."""
    names: dict[str, str] = {}
    for line in _lines(path):
        record = parse(line) or {}
        thread, name = record.get("id"), one_line(record.get("thread_name"))
        if isinstance(thread, str) and name:
            names.setdefault(thread, name)
    return names


def _lines(path: str) -> "Iterator[bytes]":
    """The lines that may name a thread, from the end; not too many to parse."""
    fd, size = open_regular(path)
    left = _PARSED
    try:
        if size > _MUCH:
            jsonl.expect_much()
        for block in backward(fd, size, max(0, size - _LIMIT)):
            for start, end in block.lines((b'"thread_name"',)):
                left -= end - start + _COSTS
                if left < 0:
                    return
                yield block.data[start:end]
    finally:
        os.close(fd)
