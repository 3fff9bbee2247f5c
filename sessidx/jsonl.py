"""One line of JSON Lines -> a record, forgivingly.

A byte-order mark, stray NULs, half a surrogate pair and bytes that are not UTF-8 do not cost a
record; of a line over 256 KiB only its two ends are looked at. Must not know any app's keys.
"""

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .session import Record

LINE = 256 * 1024
EDGE = 4096
_MOST = 32 * 1024 * 1024  # bytes that the parts of a document may take: each of `[{},{},…]` 80
_PAIRS = 40  # that are looked at in either end of a long line: real ones have half as many
_BLANKS = " \t\r\n"  # of JSON
_JUNK = b"\0 \t\r\n\xef\xbb\xbf"  # blanks, the NULs of a power cut, a byte-order mark


def ends(front: bytes, back: bytes) -> bytes:
    """The two ends of a long line as `parse` takes them, joined by a NUL."""
    return front + b"\0" + back


_parser: "Callable[[bytes], Any] | None" = None


class _Settings:
    """What json.loads tells json's own scanner."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def _expect_little() -> "Callable[[bytes], Any]":
    """Parse with json's own scanner, without json: that loads re, which takes as long as Python."""
    global _parser
    scan: Any
    try:
        import _json  # CPython's

        scan = _json.make_scanner(_Settings)  # type: ignore[arg-type]  # wants a JSONDecoder
    except ImportError:
        from json import JSONDecoder

        scan = JSONDecoder().scan_once  # type: ignore[attr-defined]

    def by_json(line: bytes) -> "Any":
        text = line.decode().strip(_BLANKS)
        try:
            value, end = scan(text, 0)
        except (StopIteration, SystemError):  # the second up to 3.12: its own error is json's
            raise ValueError("no value") from None
        if end != len(text):
            raise ValueError("more than one value")
        return value

    _parser = by_json
    return by_json


def expect_much() -> None:
    """Parse with orjson from now on: what it takes to load is what json loses in 700 sessions."""
    global _parser
    from orjson import loads

    _parser = loads


def parse(line: bytes) -> "Record | None":
    """The record in `line`, or None: torn, not an object, no JSON.

    A line given as its two ends (see `head`) yields a flat record of the plain values found there,
    with `capped` set. A byte-order mark, stray NULs, half a surrogate pair and bytes that are not
    UTF-8 (they become surrogates) do not cost a record.
    """
    if len(line) > LINE:
        line = ends(line[:EDGE], line[-EDGE:])
    try:
        value = (_parser or _expect_little())(line)
    except (ValueError, RecursionError):
        value = _mend(line)
    return value if isinstance(value, dict) else None


def document(data: bytes) -> "Record | None":
    """The record that `data` as a whole is, or None; as forgiving as `parse`.

    Of any length, but not of so many parts that these would take more than some 32 MB.
    """
    if len(data) > LINE and 80 * sum(map(data.count, (b"{", b"[", b","))) > _MOST:
        return None
    try:
        value = (_parser or _expect_little())(data)
    except (ValueError, RecursionError):
        value = _mend(data)
    return value if isinstance(value, dict) else None


def _mend(line: bytes) -> "Any":
    front, cut, back = line.partition(b"\0")
    if cut and len(front) == EDGE and len(back) in (0, EDGE):
        return _flat(front if front.lstrip(_JUNK).startswith(b"{") else b"", back)
    line = line.strip(_JUNK)
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return None
    import json

    try:
        return json.loads(line.decode("utf-8", "surrogateescape"), strict=False)
    except (ValueError, RecursionError):
        return None


def _flat(front: bytes, back: bytes) -> "Record":
    """The plain values at both ends of a long line: the first of a key in front, else the last.

    The keys that Claude Code writes behind a long message (timestamp, permissionMode, cwd, …) stand
    in the last 4 KiB, and so does the text that follows a pasted picture.
    """
    import re

    pair = re.compile(
        rb'"((?:\w|\\u00[2-7][0-9a-fA-F])+)": ?("(?:[^"\\]|\\.)*"|true|false|null|-?\d+)'
    )
    record: Record = {}
    for pairs, first in (
        (pair.findall(back)[-_PAIRS:], False),
        (pair.findall(front)[:_PAIRS], True),
    ):
        found: Record = {}
        for name, value in pairs:
            whole = parse(b'{"' + name + b'":' + value + b"}") or {}
            for key in whole:
                if not (first and key in found):
                    found[key] = whole[key]
        record.update(found)
    text = re.search(
        rb'"(?:text|content|message)": ?"((?:[^"\\]|\\.)*)', front + b" "
    ) or re.search(rb'"text": ?"((?:[^"\\]|\\.)*)"', back)
    if text:
        record["text"] = _string(text[1])
    record["capped"] = True
    return record


def _string(raw: bytes) -> str | None:
    """The JSON string that begins with `raw`, which may be cut inside an escape or a character."""
    for cut in range(13):
        record = parse(b'{"v":"' + raw[: len(raw) - cut] + b'"}')
        if record:
            return str(record["v"])
    return None
