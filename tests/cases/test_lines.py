"""Lines of a transcript that are torn, odd or no records at all: the rest is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases import claude, codex
from tests.cases.claude import answer, at, named, placed, store, talk, transcript, typed
from tests.cases.look import listed, only, shown
from tests.kit import slug, uuid

ID = uuid(1)
THREAD = codex.thread_id(1)
LAST = json.dumps(placed(answer("It passes now", 30), ID, "/srv/shop")).encode()


def put(home: Path, data: bytes, id: str = ID) -> Path:
    path = store(home) / slug("/srv/shop") / f"{id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def written(home: Path, *records: Any) -> bytes:
    return transcript(home, ID, "/srv/shop", list(records)).read_bytes()


@pytest.mark.parametrize("kept", [1, 2, 20, 60, 95, len(LAST) // 2, len(LAST) - 2, len(LAST) - 1])
def test_the_last_line_is_cut(home: Path, kept: int) -> None:
    # anthropics/claude-code#53821: a power loss
    whole = written(home, *talk("Fix the flaky test", 2), *talk("Run it ten times", 6))
    path = put(home, whole + LAST[:kept])
    told = only(home)
    assert (told["title"], told["branch"]) == ("Fix the flaky test", "main")
    assert told["updated"] == at(7)
    path.write_bytes(whole + LAST + b"\n")  # and it is written after all
    assert only(home)["updated"] == at(30)


def test_a_last_line_without_its_end_counts(home: Path) -> None:
    put(home, written(home, *talk()) + LAST)
    assert only(home)["updated"] == at(30)


def test_a_cut_line_that_was_gone_on_with(home: Path) -> None:
    put(home, written(home, *talk("Fix the cart")) + LAST[:80] + LAST + b"\n")
    told = only(home)
    assert (told["title"], told["updated"]) == ("Fix the cart", at(1))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"\0" * 4096,
        b"[]",
        b'"text"',
        b"42",
        b"null",
        b"{}",
        b"{",
        b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"type":"user"',
        b'{"type":"assistant","message":"text"}',
        b'{"type":"user","message":{"role":"user","content":[null,5,[],{"type":"text"}]}}',
        b'{"type":"user","n":' + b"9" * 10_000 + b"}",
        b'{"type":"user","n":NaN,"m":-Infinity}',
        b'{"type":"user","type":"progress","timestamp":"2030-01-01T00:00:00Z"}',
        b'{"type":"no-such-type","timestamp":"2030-01-01T00:00:00.000Z"}',
        b"\xff\xfe\x80",
        "{'type':'user'}".encode("utf-16"),
        b"\x00{\x00}",
    ],
    ids=lambda line: repr(line[:12]),
)
def test_lines_that_tell_nothing(home: Path, line: bytes) -> None:
    first, last = talk("Fix the cart", 3)
    records: list[claude.Record | bytes] = [line, first, line, last, line]
    transcript(home, ID, "/srv/shop", records)
    told = only(home)
    assert (told["title"], told["updated"], told["cwd"]) == ("Fix the cart", at(4), "/srv/shop")
    shown(home, ID)


@pytest.mark.parametrize("line", [b"\0" * 900, b"[]", b"{" * 900, b'{"type":"event_msg"', b"\xff"])
def test_lines_that_tell_nothing_in_a_rollout(home: Path, line: bytes) -> None:
    told = [line]
    for record in codex.exchange(THREAD, "/srv/shop"):
        told += [json.dumps(record).encode(), line]
    codex.rollout(home, THREAD, "/srv/shop", told)
    found = only(home)
    assert (found["title"], found["updated"], found["cwd"]) == ("Fix the cart", at(2), "/srv/shop")
    shown(home, THREAD)


def test_what_a_power_cut_leaves(home: Path) -> None:
    whole = written(home, *talk("Fix the cart"))
    put(home, whole + b"\0" * 5000 + LAST + b"\n" + b"\0" * 5000)
    assert only(home)["updated"] == at(30)
    put(home, b"\0" * 5000, uuid(2))
    assert [told["id"] for told in listed(home)] == [ID]


def test_byte_order_mark_and_crlf(home: Path) -> None:
    # anaclumos/tokenmaxxing#161: only the first line has the folder
    data = written(home, typed("Sort the prices", 1), answer(minute=2, cwd=..., gitBranch=...))
    put(home, b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    told = only(home)
    assert (told["title"], told["cwd"], told["branch"]) == ("Sort the prices", "/srv/shop", "main")
    assert told["updated"] == at(2)


def test_two_files_glued_together(home: Path) -> None:
    data = written(home, *talk("Sort the prices", 1))
    put(home, b"\xef\xbb\xbf" + data + b"\xef\xbb\xbf" + data.replace(b"09:0", b"09:4"))
    assert only(home)["updated"] == at(42)


@pytest.mark.parametrize("id", [ID, THREAD])
def test_bom_and_crlf_in_a_rollout(home: Path, id: str) -> None:
    path = codex.rollout(home, id, "/srv/shop")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    told = only(home)
    assert (told["title"], told["cwd"], told["model"]) == ("Fix the cart", "/srv/shop", "gpt-5.5")


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e"])
@pytest.mark.parametrize("escaped", [True, False])
def test_line_separators_inside_a_string(home: Path, char: str, escaped: bool) -> None:
    # volcengine/OpenViking#3984: JSON Lines are cut at LF alone
    said = json.dumps(placed(typed(f"Trace{char}from{char}prod", 1), ID, "/srv/shop"))
    mark = json.dumps(char)[1:-1]
    line = said if escaped else said.replace(mark, char)
    transcript(home, ID, "/srv/shop", [line.encode(), answer(f"a{char}b", 2)])
    told = only(home)
    assert (told["title"], told["updated"]) == ("Trace from prod", at(2))
    assert "Trace from prod" in shown(home, ID)


@pytest.mark.parametrize("half", [r"\ud83d", r"\ude80", r"\ud83d\ud83d", r"\ude80\ud83d"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "de_DE.ISO-8859-1"])
def test_half_a_surrogate_pair(home: Path, half: str, locale: str) -> None:
    # anthropics/claude-code#56064: a text that was cut inside an emoji
    title = rb'{"type":"ai-title","aiTitle":"Polish the %s banner"}' % half.encode()
    transcript(home, ID, "/srv/shop", [*talk("make it nicer"), title])
    told = only(home, LC_ALL=locale, PYTHONIOENCODING="ascii")
    assert told["title"] == f"Polish the {chr(0xFFFD) * half.count('u')} banner"


def test_a_whole_surrogate_pair(home: Path) -> None:
    transcript(home, ID, "/srv/shop", [*talk(), rb'{"type":"ai-title","aiTitle":"\ud83d\ude80!"}'])
    assert only(home)["title"] == "🚀!"


def test_bytes_that_are_not_utf_8(home: Path) -> None:
    told: list[claude.Record | bytes] = [
        *talk(),
        b'{"type":"ai-title","aiTitle":"caf\xe9 \xff\xfe bar"}',
    ]
    transcript(home, ID, "/srv/shop", told)
    assert only(home)["title"] == "caf\ufffd \ufffd\ufffd bar"


WRONG: list[object] = [
    None,
    True,
    7,
    -1.5e300,
    "",
    " ",
    "text",
    [],
    [[]],
    {},
    {"a": []},
    "\0",
    "x" * 5000,
]
KEYS = ["timestamp", "cwd", "gitBranch", "sessionId", "entrypoint", "isSidechain", "permissionMode"]


@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
def test_values_of_another_kind(home: Path, value: object) -> None:
    keys = (*KEYS, "effort", "teamName", "version", "uuid", "isMeta")
    wrong = dict.fromkeys(keys, value)
    wrong["isSidechain"] = None
    records: list[claude.Record | bytes] = [
        typed("Fix the cart", 1),
        {**answer(minute=2), **wrong},
        named(value),
        named(value, "ai-title", "aiTitle"),
        named(value, "summary", "summary"),
        {"type": "relocated", "relocatedCwd": value},
        {"type": "attachment", "attachment": {"type": "model", "identity": {"modelId": value}}},
        answer(minute=2, message=value),
        answer(minute=2, message={"role": value, "model": value, "content": value}),
        typed(value, 2, isMeta=value),
        answer(minute=3),
    ]
    transcript(home, ID, "/srv/shop", records)
    told = only(home)
    assert (told["cwd"], told["updated"]) == ("/srv/shop", at(3))
    shown(home, ID)


@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
def test_values_of_another_kind_in_a_rollout(home: Path, value: object) -> None:
    odd = {"approval_policy": value, "sandbox_policy": value, "effort": value, "model": value}
    records = [
        codex.meta(THREAD, "/srv/shop", git=value, originator=value, thread_source=None),
        codex.turn(value, 1, **odd, permission_profile=value, approvals_reviewer=value),
        codex.record("event_msg", 1, type="thread_settings_applied", thread_settings=value),
        codex.record("event_msg", 1, type="item_completed", item=value),
        codex.record("response_item", 1, type="message", role="user", content=value),
        codex.said(value),
        {"timestamp": value, "type": "event_msg", "payload": value},
        codex.said("Fix the cart", 2),
    ]
    codex.rollout(home, THREAD, "/srv/shop", records)
    codex.names(home, (THREAD, None), b'{"id":5,"thread_name":"x"}', b"[]")
    assert only(home)["updated"] == at(2)
    shown(home, THREAD)


def test_unknown_types_are_passed_over(home: Path) -> None:
    odd = [{"type": f"kind-{n}", "timestamp": at(n), "message": "x"} for n in range(40)]
    transcript(home, ID, "/srv/shop", [*odd, *talk("Fix the cart", 3), *odd])
    told = only(home)
    assert (told["title"], told["updated"]) == ("Fix the cart", at(4))


def test_ascii_and_utf_8_are_the_same(home: Path) -> None:
    text = "Größe der Liste 日本語 🚀"
    for number, ascii_ in enumerate((True, False)):
        records = [placed(r, uuid(number), "/srv/shop") for r in talk(text)]
        data = "".join(json.dumps(r, ensure_ascii=ascii_) + "\n" for r in records)
        put(home, data.encode(), uuid(number))
    assert [told["title"] for told in listed(home)] == [text, text]
    assert claude.store(home).exists()
