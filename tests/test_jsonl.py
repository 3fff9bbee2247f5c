"""One line of JSON Lines: the same record, whichever parser reads it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import example, given

from sessidx import jsonl
from tests import strategies


def both(line: bytes) -> list[object]:
    """What comes of the line by json and by orjson."""
    found: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_parser", None)
        found.append(jsonl.parse(line))
        jsonl.expect_much()
        found.append(jsonl.parse(line))
    return found


@strategies.cheap
@given(strategies.TRANSCRIPTS | strategies.ROLLOUTS)
@example(b'{"a":"\\ud800"}')  # half a pair, escaped
@example(b'{"a":"\xed\xa0\x80"}')  # and as bytes
@example(b'\xef\xbb\xbf{"a":1}')
@example(b'{"a":NaN,"b":-Infinity}')
@example(b'{"a":1,"a":2}')
@example(b'{"a":"\x01\t"}')
@example('{"a":1}'.encode("utf-16-le"))
@example('{"a":1}'.encode("utf-32"))
@example(b"{" * 5_000)
@example(b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}")
@example(b'{"a":123456789012345678}')
def test_both_parsers_tell_the_same(data: bytes) -> None:
    for line in data.split(b"\n"):
        by_json, by_orjson = both(line)
        with deep():
            assert repr(sized(by_json)) == repr(sized(by_orjson))


@contextmanager
def deep() -> Iterator[None]:
    """Room for what Python 3.12 and later parse: theirs is more than a call of ours for each level."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def sized(value: Any) -> Any:
    """What orjson makes of whole numbers that 64 bits do not hold; no fact is one."""
    if isinstance(value, dict):
        return {key: sized(each) for key, each in value.items()}
    if isinstance(value, list):
        return [sized(each) for each in value]
    is_large = isinstance(value, int) and not -(1 << 63) <= value < 1 << 64
    return float(value) if is_large else value
