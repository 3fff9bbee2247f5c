"""Head, tail and the stretch between, compared with a reading of the whole, in windows of a few bytes."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import blocks, head, jsonl, transcript
from sessidx.blocks import Block
from sessidx.jsonl import ends, parse
from sessidx.transcript import Transcript
from tests import strategies

LINE, EDGE, TAIL, FAR, LINES = 256, 32, 512, 4096, 8
SMALL = {"LINE": LINE, "EDGE": EDGE, "TAIL": TAIL, "FAR": FAR, "LINES": LINES}
SMALL |= {"FIRST": 96, "SIZE": 160, "FARTHEST": 1 << 20}
SMALL |= {"_LINES": 3, "_CHUNK": 64, "_OPENING": 48, "_SHORT": 64, "_FRONT": 16, "_HELD": 300}
KEYS = (b'"a"', b'"b"')
LINKED = b'{"a":'
Take = dict[str, object]


@pytest.fixture(autouse=True)
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        for module in (blocks, head, jsonl, transcript):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)


def line(key: str, pad: int, number: int, torn: bool) -> bytes:
    data = json.dumps({key: number, "pad": "x" * pad}, separators=(",", ":")).encode()
    return data[: len(data) // 2] if torn else data


LINES_OF_ALL_LENGTHS = st.builds(
    line,
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from([0, 0, 1, 20, 100, 230, 250, 300, 700, 3000, 5000]) | st.integers(0, 300),
    st.integers(0, 9),
    st.sampled_from([False, False, False, True]),
)
ODD_LINES = st.sampled_from([b"", b"", b"\0" * 300, b"[]", b'"a"', b"{" * 300, b"x" * 6000])
FILES = st.tuples(
    st.lists(LINES_OF_ALL_LENGTHS | ODD_LINES, max_size=30), st.sampled_from([b"\n", b""])
).map(lambda pair: b"\n".join(pair[0]) + pair[1])


def cut(told: bytes) -> bytes:
    """A line as it may be looked at."""
    return told if len(told) <= LINE else ends(told[:EDGE], told[-EDGE:])


def lines_from(data: bytes, start: int) -> Iterator[bytes]:
    yield from data[start:].split(b"\n")


def records(data: bytes, start: int, keys: tuple[bytes, ...]) -> list[Take]:
    """What a reading of everything from `start` on finds, the last one first."""
    found = [parse(cut(told)) for told in lines_from(data, start) if any(k in told for k in keys)]
    return [record for record in found if record is not None][::-1]


def whole(record: Take) -> Take:
    return record


@strategies.cheap
@given(FILES)
def test_windows_see_what_is_there(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / f"windows-{os.getpid()}"
    Path(path).write_bytes(data)
    with Transcript(str(path)) as opened:
        check_head(opened, data)
        front = list(opened.front(KEYS))
        for reach in (TAIL, 2 * TAIL, len(data) + 1):
            start = check_blocks(opened, data, reach)
        for grow in (False, True):
            start = check_blocks(opened, data, FAR if grow else TAIL)
            told = records(data, start, KEYS)
            assert list(opened.records(KEYS, grow)) == told
            assert opened.last(KEYS, whole) == (told[0] if told else None)
            assert opened.opening(KEYS, whole) == next(iter(front + told[::-1]), None)
            check_short(opened, data, start)
        check_apart(opened, data)
        check_head(opened, data)


def check_head(opened: Transcript, data: bytes) -> None:
    """The first lines, at most eight: fewer only at the end, or where they are very long."""
    head = list(opened.head())
    all_lines = data.split(b"\n")
    while all_lines and all_lines[-1] == b"":
        all_lines.pop()
    while head and head[-1] == b"":
        head.pop()
    told = [cut(each) for each in all_lines[:LINES]]
    while told and told[-1] == b"":
        told.pop()
    for seen, real in zip(head, told, strict=False):
        given_up = len(real) > len(seen)  # the end of a line over 4 KiB is not sought
        assert seen == real or (given_up and seen[:EDGE] == real[:EDGE])
    assert len(head) <= len(told)
    if len(head) < len(told):
        assert sum(len(each) + 1 for each in all_lines[: len(head)]) > FAR


def check_blocks(opened: Transcript, data: bytes, reach: int) -> int:
    """Blocks of whole lines that follow each other, back to where `reach` begins; that place."""
    met = list(opened.blocks(reach, hold=reach == FAR))
    end = len(data)
    for block in met:
        assert block.end == end
        check_block(block, data)
        end = block.start
    assert end <= max(0, len(data) - reach)
    assert not met or met[-1].end > len(data) - reach
    return end


def check_block(block: Block, data: bytes) -> None:
    stretch = data[block.start : block.end]
    begins = block.start == 0 or data[block.start - 1 : block.start] == b"\n"
    if not block.elided:
        assert begins
        assert block.data[block.first :] == stretch
        return
    assert len(stretch.removesuffix(b"\n")) > LINE
    assert b"\n" not in stretch[:-1]
    front, back = block.data[:EDGE], block.data[EDGE + 1 :]
    assert back == stretch.removesuffix(b"\n")[-EDGE:]
    assert front == (stretch[:EDGE] if begins else b" " * EDGE)
    assert begins or len(stretch) > FAR


def check_short(opened: Transcript, data: bytes, start: int) -> None:
    for key in KEYS:
        found = opened.last_short(key, whole)
        told = records(data, start, (key,))
        if found is None:
            assert all(len(json.dumps(each)) > 40 for each in told)
        else:
            assert found in told


def check_apart(opened: Transcript, data: bytes) -> None:
    for since in (0, len(data) // 2, len(data)):
        for key in KEYS:
            start = check_blocks(opened, data, len(data) - since)
            told = records(data, start, (key,))
            others = [
                each
                for each in told
                if not json.dumps(each, separators=(",", ":")).encode().startswith(LINKED)
            ]
            found = opened.last_apart(key, LINKED, whole, since)
            assert found in told if found else not others
            assert not others or told.index(found or {}) <= told.index(others[0])
