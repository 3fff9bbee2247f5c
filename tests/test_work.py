"""What a hostile file costs, counted and not timed: records parsed, bytes read and searched, memory."""

import json
import os
import re
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, SupportsIndex, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import blocks, jsonl, transcript
from sessidx.apps import claude_code
from sessidx.apps import codex as codex_app
from sessidx.apps.claude_code import said
from sessidx.apps.codex import names, state
from sessidx.session import LISTED
from tests import strategies
from tests.cases import claude, codex
from tests.cases.claude import Record, dump, placed
from tests.kit import uuid

T = TypeVar("T")
MEGABYTE = 1 << 20
ID = uuid(1)
THREAD = codex.thread_id(1)
CWD = "/srv/shop"


class Work:
    """What was done since it was made."""

    def __init__(self) -> None:
        self.records = 0
        self.parsed = 0
        self.read = 0
        self.searched = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    done = Work()
    real_parse, real_pread, real_lines = jsonl.parse, os.pread, blocks.Block.lines

    def parse(line: bytes) -> Record | None:
        done.records += 1
        done.parsed += len(line)
        return real_parse(line)

    def pread(fd: int, size: int, offset: int) -> bytes:
        data = real_pread(fd, size, offset)
        done.read += len(data)
        return data

    def lines(
        block: blocks.Block, keys: tuple[bytes, ...], marks: Sequence[int] = ()
    ) -> Iterator[tuple[int, int]]:
        done.searched += len(block.data) * len(keys)
        return real_lines(block, keys, marks)

    for module in (transcript, names):
        monkeypatch.setattr(module, "parse", parse)
    monkeypatch.setattr(os, "pread", pread)
    monkeypatch.setattr(blocks.Block, "lines", lines)
    return done


def talk(text: str = "Fix the cart") -> list[bytes]:
    return [dump(placed(record, ID, CWD)) for record in claude.talk(text)]


def typed(text: str, **more: Any) -> bytes:
    return dump(placed(claude.typed(text, **more), ID, CWD))


KEYS = (
    *("user", "assistant", "cwd", "gitBranch", "permissionMode", "effort", "modelId", "summary"),
    *("customTitle", "aiTitle", "lastPrompt", "relocatedCwd", "entrypoint", "timestamp"),
    *("turn_context", "thread_settings_applied", "approval_policy", "sandbox_policy"),
    *("user_message", "UserMessage", "session_meta", "task_started"),
)
PARTS = b'{"k":' + json.dumps(KEYS).encode() + b',"a":[' + b"{}," * 80_000 + b"{}]}"
TEXT = b'{"k":' + json.dumps(KEYS).encode() + b',"a":"' + b"z" * 249_000 + b'"}'
SUITS_NONE = json.dumps(KEYS).join(('{"k":', "}")).encode()
NULLS = json.dumps(dict.fromkeys(KEYS)).encode()
ENDS = b",".join(b'"k%d":"v"' % number for number in range(370))
LONG = b'{"type":"user",' + ENDS + b',"z":"' + b"z" * 260_000 + b'",' + ENDS + b"}"

# Lines that either app's transcript could be full of, and how many of them.
LINES: dict[str, tuple[bytes, int]] = {
    "parts of parts": (PARTS, 60),
    "parts of parts, torn": (PARTS[:-1], 60),
    "parts of parts, and a control character": (PARTS.replace(b"[{}", b'["\x01",{}', 1), 40),
    "all keys in text": (TEXT, 80),
    "all keys and none suits": (SUITS_NONE, 30_000),
    "all keys and nothing": (NULLS, 30_000),
    "two ends of many pairs": (LONG, 40),
    "nothing": (b"", 12 * MEGABYTE),
    "a digit": (b"1", 6 * MEGABYTE),
    "quotes": (b'"' * 2000, 6000),
    "letters of keys": (b"eimoTstul" * 300, 4000),
    "almost keys": (b'"permissionModx"customTitlx"turn_contexx"' * 100, 3000),
    "escapes": (b'{"a":"' + b"\\u0041" * 20_000 + b'"}', 100),
    "backslashes": (b'{"a":"' + b"\\\\" * 60_000 + b'\\u0041"}', 100),
    "depth": (b'{"user":' + b"[" * 900 + b"]" * 900 + b"}", 5000),
    "digits": (b'{"user":' + b"9" * 4000 + b"}", 2000),
    "blank prompts": (typed("\u200b" * 3000), 1000),
    "deleted prompts": (typed("\x7f" * 3200), 1000),
    "what the app put in": (typed("x", isMeta=True), 20_000),
    "folders": (typed("x", cwd="/" + "a" * 60_000), 100),
    "titles of escapes": (dump(claude.named("\x1b[" + "0" * 12_000)), 300),
    "prompts of tags": (
        dump(claude.named("<command-name>" * 900, "last-prompt", "lastPrompt")),
        900,
    ),
    "summaries of others": (b'{"type":"summary","summary":"s","leafUuid":"x"}', 30_000),
    "settings of parts": (dump(codex.turn(CWD, 1, sandbox_policy=[{}] * 2000)), 900),
    "settings without any": (
        dump(codex.record("event_msg", 1, type="thread_settings_applied", thread_settings={})),
        40_000,
    ),
}
PARSED = 2 * transcript._PARSED
RECORDS = PARSED // transcript._RECORD


def write(path: Path, lines: Sequence[bytes], more: bytes, count: int, *, first: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    told = b"".join(line + b"\n" for line in lines)
    noise = (more + b"\n") * count
    path.write_bytes(noise + told if first else told + noise)


def assert_bounded(work: Work, *, reach: int) -> None:
    assert work.parsed <= PARSED + 64 * blocks.SIZE  # headers of Codex are looked at by themselves
    assert work.records <= RECORDS + 64
    assert work.read <= reach
    assert work.searched <= 12 * reach


def held(read: Callable[[], T]) -> tuple[T, float]:
    """What `read` gives, and how much memory it took at most, in MB."""
    tracemalloc.start()
    session = read()
    peak = tracemalloc.get_traced_memory()[1] / MEGABYTE
    tracemalloc.stop()
    return session, peak


@pytest.mark.parametrize("first", [False, True], ids=["behind", "before"])
@pytest.mark.parametrize(("line", "count"), LINES.values(), ids=LINES)
def test_a_transcript(home: Path, work: Work, line: bytes, count: int, first: bool) -> None:
    key = f"projects/-srv-shop/{ID}.jsonl"
    write(home / ".claude" / key, talk(), line, count, first=first)
    root = str(home / ".claude")
    reader = claude_code.reader(root)
    session, peak = held(lambda: reader.read(key, "1:1", None))
    assert session.origin in LISTED
    assert_bounded(work, reach=48 * MEGABYTE)
    assert peak < 40
    session.home = root
    assert hasattr(reader, "rights")
    reader.rights(session)
    assert work.read <= 100 * MEGABYTE
    claude_code.conversations(root).last(key)


@pytest.mark.parametrize("first", [False, True], ids=["behind", "before"])
@pytest.mark.parametrize(("line", "count"), LINES.values(), ids=LINES)
def test_a_rollout(home: Path, work: Work, line: bytes, count: int, first: bool) -> None:
    key = f"{codex.DAY}/{codex.name(THREAD)}"
    told = [dump(record) for record in codex.exchange(THREAD, CWD)]
    write(home / ".codex" / key, told, line, count, first=first)
    root = str(home / ".codex")
    reader = codex_app.reader(root)
    session, peak = held(lambda: reader.read(key, "1:1", None))
    assert first or session.origin in LISTED
    assert_bounded(work, reach=48 * MEGABYTE)
    assert peak < 40
    session.home = root
    assert hasattr(reader, "rights")
    reader.rights(session)
    assert work.read <= 100 * MEGABYTE
    codex_app.conversations(root).last(key)


NAMES = {
    "of nothing": b"{}",
    "of parts": b'{"thread_name":[' + b"{}," * 80_000 + b"{}]}",
    "without a thread": b'{"thread_name":1}',
    "of one thread": dump({"id": THREAD, "thread_name": "Checkout", "updated_at": ""}),
}


@pytest.mark.parametrize("line", NAMES.values(), ids=NAMES)
def test_the_list_of_names(home: Path, work: Work, line: bytes) -> None:
    path = home / ".codex" / "session_index.jsonl"
    write(path, [], line, 16 * MEGABYTE // (len(line) + 1), first=False)
    known, peak = held(lambda: state.State(str(home / ".codex")))
    assert (known.get(THREAD) is None) == (b"Checkout" not in line)
    assert work.parsed <= 8 * MEGABYTE
    assert work.records <= 8 * MEGABYTE // 128
    assert work.read <= 17 * MEGABYTE
    assert peak < 40


# --- what was typed: no part of it is looked at twice


class Counted(str):
    """Text that counts the characters of it that are looked at, and of what is cut from it."""

    __slots__ = ()

    looked = 0

    def __getitem__(self, key: SupportsIndex | slice) -> "Counted":
        return Counted(super().__getitem__(key))

    def find(self, *args: Any) -> int:
        start = args[1] if len(args) > 1 else 0
        end = min(args[2], len(self)) if len(args) > 2 else len(self)
        at = super().find(*args)
        Counted.looked += (at if at >= 0 else end) - start
        return at

    def partition(self, sep: str) -> tuple[str, str, str]:
        Counted.looked += len(self)
        front, found, back = super().partition(sep)
        return Counted(front), found, Counted(back)

    def lstrip(self, chars: str | None = None) -> "Counted":
        told = Counted(super().lstrip(chars))
        Counted.looked += len(self) - len(told)
        return told


OPENED, CLOSED = '<pasted_content id="a">', '</pasted_content id="a">'
PROMPTS = {
    "a command of blanks": "<command-name>" + " " * 250_000,
    "arguments": "<command-name>/x</command-name>" + "<command-args>" * 17_000,
    "openings": OPENED * 9000,
    "openings and line breaks": f"{OPENED}\n" * 9000,
    "an opening and ends of another kind": f"{OPENED}\n" + '\n</pasted_content id="' * 9000,
    "openings and one end": f"{OPENED}\n" * 9000 + f"\n{CLOSED}",
    "ends": f"\n{CLOSED}" * 9000,
    "one in the other": f"{OPENED}\n" * 5000 + f"\n{CLOSED}" * 5000,
    "many": f"\n\n{OPENED}\nx\n{CLOSED}\n\n" * 5000,
    "a shell's line": "<bash-input>" * 20_000,
    "a tag": "<" + "a" * 250_000,
    "blanks": " " * 250_000,
}


@pytest.mark.parametrize("text", PROMPTS.values(), ids=PROMPTS)
def test_a_prompt(text: str) -> None:
    Counted.looked = 0
    said.words(Counted(text))
    assert Counted.looked <= 8 * len(text)


PASTED = re.compile(
    r"\n{0,2}<pasted_content id=\"[0-9a-f]+\">\n(.*?)\n</pasted_content id=\"[0-9a-f]+\">\n{0,2}",
    re.DOTALL,
)
TAG = re.compile(r"\s*<[a-z][A-Za-z0-9_-]*[ >/]")
PIECES = st.sampled_from(
    (
        *(OPENED, CLOSED, f"{OPENED}\n", f"\n{CLOSED}", f"\n\n{OPENED}\nTrace\n{CLOSED}\n\n"),
        *('<pasted_content id="', '</pasted_content id="', "\n", "\n", "x", " ", "<b>", '"', "<"),
    )
)


@strategies.cheap
@given(st.lists(PIECES, max_size=14).map("".join))
def test_what_was_pasted_is_unwrapped_as_a_plain_expression_would(text: str) -> None:
    told = PASTED.sub(r"\n\1\n", text)
    expected = "" if TAG.match(told) else told
    assert said.words(text) == expected
