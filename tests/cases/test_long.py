"""Long lines, long files, and facts that stand late or in the middle of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cases import codex
from tests.cases.claude import (
    Record,
    answer,
    at,
    dump,
    filling,
    generated,
    named,
    placed,
    talk,
    transcript,
    typed,
)
from tests.cases.look import only, plan, shown
from tests.kit import uuid
from tests.warm import sf

ID = uuid(1)
CWD = "/srv/shop"
THREAD = codex.thread_id(1)
PICTURE = {"type": "image", "source": {"type": "base64", "data": "QUJD" * 750_000}}
MEGABYTE = 1 << 20
MEMORY = 100  # megabytes, of which the server of the tests is some 30


def result(size: int, minute: float) -> Record:
    """What a tool gave back."""
    block = {"type": "tool_result", "tool_use_id": "t1", "content": "z" * size}
    return typed([block], minute, toolUseResult="big")


def grow(path: Path, records: Sequence[Record]) -> None:
    """What the agent appends."""
    with path.open("ab") as file:
        for record in records:
            file.write(dump(placed(record, ID, CWD)) + b"\n")


def lean(home: Path) -> None:
    """Neither a list nor a preview takes long or much memory."""
    (home / ".cache" / "sessidx" / "index").unlink(missing_ok=True)
    for words in ([], ["show", ID]):
        ran = sf(*words, home=home)
        assert ran.code == 0
        assert ran.seconds < 10
        assert ran.megabytes < MEMORY


def test_a_pasted_picture_and_a_tools_output(home: Path) -> None:
    # anthropics/claude-code#24118: a line of many megabytes froze the list
    asked = typed([PICTURE, {"type": "text", "text": "Why is the footer off?"}], 1)
    transcript(home, ID, CWD, [asked, result(12_000_000, 2), answer("The grid", 3)])
    told = only(home)
    assert (told["title"], told["updated"]) == ("Why is the footer off?", at(3))
    assert told["mode"] == "default"
    lean(home)


@pytest.mark.parametrize("megabytes", [0.3, 0.6, 3, 7, 9, 20])
def test_the_last_line_is_long(home: Path, megabytes: float) -> None:
    records = [*talk("Fix the cart", 1), result(int(megabytes * MEGABYTE), 5)]
    transcript(home, ID, CWD, records)
    told = only(home)
    assert (told["title"], told["cwd"], told["branch"]) == ("Fix the cart", CWD, "main")
    assert told["updated"] in (at(5), at(2))
    lean(home)


@pytest.mark.parametrize("megabytes", [0.3, 3, 9, 20])
def test_the_first_line_is_long(home: Path, megabytes: float) -> None:
    queued = {"type": "queue-operation", "content": "z" * int(megabytes * MEGABYTE)}
    transcript(home, ID, CWD, [queued, *talk("Fix the cart", 1)])
    told = only(home)
    assert (told["title"], told["cwd"], told["updated"]) == ("Fix the cart", CWD, at(2))
    lean(home)


def test_a_long_prompt_is_the_title_by_its_beginning(home: Path) -> None:
    transcript(home, ID, CWD, [typed("Read this: " + "lorem ipsum " * 90_000, 1), answer(minute=2)])
    told = only(home)
    assert told["title"].startswith("Read this: lorem ipsum")
    assert len(told["title"]) <= 200
    assert told["mode"] == "default"
    assert "Read this" in shown(home, ID)


@pytest.mark.parametrize("count", [80, 300])
def test_many_long_lines(home: Path, count: int) -> None:
    long: list[Record] = [{"type": "api-request-blob", "message": "b" * 300_000}]
    transcript(home, ID, CWD, [typed("Fix the cart", 1), *(long * count), answer(minute=5)])
    told = only(home)
    assert (told["title"], told["cwd"], told["updated"]) == ("Fix the cart", CWD, at(5))
    lean(home)


SHORT = {
    "user": {"user": 1},
    "text that says user": {"a": ["user", "assistant"]},
    "summary": {"type": "summary", "leafUuid": "no", "summary": "x", "a": "user"},
    "cwd": {"cwd": "x"},
    "tool": {"type": "user", "message": {"content": [{"type": "tool_result"}]}},
    "title": {"type": "custom-title", "customTitle": 5, "aiTitle": 5, "lastPrompt": 5},
}


@pytest.mark.parametrize("megabytes", [2, 7.5, 30])
@pytest.mark.parametrize("record", SHORT.values(), ids=SHORT)
def test_very_many_short_lines(home: Path, record: Record, megabytes: float) -> None:
    line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    path = transcript(home, ID, CWD, talk("Fix the cart"))
    with path.open("ab") as file:
        file.write(line * int(megabytes * MEGABYTE / len(line)))
        file.write(json.dumps(placed(answer(minute=9), ID, CWD)).encode())
    told = only(home)
    assert (told["cwd"], told["updated"]) == (CWD, at(9))
    lean(home)


@pytest.mark.parametrize("word", ["timestamp", "turn_context", "user_message", "task_started"])
def test_very_many_short_lines_in_a_rollout(home: Path, word: str) -> None:
    path = codex.rollout(home, THREAD, CWD)
    line = json.dumps({"a": word}).encode() + b"\n"
    with path.open("ab") as file:
        file.write(line * int(7.5 * MEGABYTE / len(line)))
    ran = sf(home=home)
    assert [row[0] for row in ran.rows] == [THREAD]
    assert ran.seconds < 10
    assert ran.megabytes < MEMORY


def test_a_late_first_prompt(home: Path) -> None:
    noise = [{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}] * 400
    transcript(home, ID, CWD, [*noise, *talk("Late to come", 3)])
    told = only(home)
    assert (told["title"], told["cwd"], told["updated"]) == ("Late to come", CWD, at(4))


@pytest.mark.parametrize("before", [1, 100, 1500])
def test_a_late_first_folder(home: Path, before: int) -> None:
    nowhere = [answer("x" * 300, 0.5, cwd=..., gitBranch=...)] * before
    transcript(home, ID, CWD, [typed("Where", 0, cwd=...), *nowhere, *talk("Here", 3)])
    told = only(home)
    assert (told["title"], told["cwd"], told["branch"]) == ("Where", CWD, "main")


def test_a_long_header(home: Path) -> None:
    # getagentseal/codeburn#189: all instructions stand in a rollout's first line
    for number, size in enumerate((1_000, 12_000, 80_000, 600_000)):
        thread = codex.thread_id(number)
        rules = {"text": 'rule "x" \\ { } ' * (size // 15)}
        head = codex.meta(thread, CWD, base_instructions=rules, git={"branch": "late-key"})
        codex.rollout(
            home, thread, CWD, [head, codex.turn(CWD), codex.said(f"Of {size}", number + 1)]
        )
        told = sf("show", "--json", thread, home=home).json
        assert (told["title"], told["branch"], told["cwd"]) == (f"Of {size}", "late-key", CWD)


def test_a_late_first_prompt_in_a_rollout(home: Path) -> None:
    # openai/codex#21619: it came as record 424
    payload = {"type": "reasoning", "summary": [], "encrypted_content": "g" * 300}
    noise = [codex.record("response_item", 1, **payload)] * 424
    codex.rollout(home, THREAD, CWD, [codex.meta(THREAD, CWD), *noise, codex.said("Late", 3)])
    told = only(home)
    assert (told["title"], told["cwd"], told["updated"]) == ("Late", CWD, at(3))


# --- a title that the person chose, in the middle of a big file


def big(home: Path, *middle: Record, before: int = MEGABYTE, after: int = MEGABYTE) -> Path:
    records: list[Any] = [*talk("lets look at the cart", 1), generated("Look at cart")]
    records += [*filling(before), *middle, *filling(after)]
    records += [generated("Review cart totals"), *talk("thanks", 20)]
    return transcript(home, ID, CWD, records)


def test_a_chosen_title_in_the_middle(home: Path) -> None:
    # anthropics/claude-code#51284: only both ends were looked at
    big(home, named("Cart rewrite"))
    told = only(home)
    assert (told["title"], told["updated"]) == ("Cart rewrite", at(21))


def test_the_last_one_of_several(home: Path) -> None:
    big(home, named("First"), *filling(MEGABYTE), named("Second"), *filling(MEGABYTE))
    assert only(home)["title"] == "Second"


def test_one_that_was_taken_back_in_the_middle(home: Path) -> None:
    records: list[Any] = [named("Old name"), *talk("Fix the cart"), *filling(MEGABYTE)]
    path = transcript(home, ID, CWD, [*records, named(""), *filling(MEGABYTE)])
    assert only(home)["title"] == "Fix the cart"
    grow(path, [*filling(2 * MEGABYTE), *talk("More", 30)])
    assert only(home)["title"] == "Fix the cart"


@pytest.mark.parametrize("growth", [1, MEGABYTE, 12 * MEGABYTE])
def test_the_answer_is_remembered(home: Path, growth: int) -> None:
    path = big(home, named("Cart rewrite"))
    assert only(home)["title"] == "Cart rewrite"
    # The search would not reach so far back: 8 MiB is all that it reads.
    grow(path, [*filling(growth), *talk("And on", 40)])
    told = only(home)
    assert (told["title"], told["updated"]) == ("Cart rewrite", at(41))
    grow(path, [named("Renamed"), *filling(2 * MEGABYTE), *talk("And on", 50)])
    assert only(home)["title"] == "Renamed"
    grow(path, [named(""), *filling(2 * MEGABYTE), *talk("And on", 60)])
    assert only(home)["title"] in ("Look at cart", "Review cart totals")


def test_that_there_is_none_is_remembered_too(home: Path) -> None:
    path = big(home, after=6 * MEGABYTE)
    assert only(home)["title"] == "Review cart totals"
    grow(path, talk("And on", 40))
    assert only(home)["title"] == "Review cart totals"
    grow(path, [named("At last"), *filling(MEGABYTE)])
    assert only(home)["title"] == "At last"


def test_a_transcript_that_was_replaced_is_read_anew(home: Path) -> None:
    big(home, named("Cart rewrite"))
    assert only(home)["title"] == "Cart rewrite"
    transcript(home, ID, CWD, talk("Another one"))
    assert only(home)["title"] == "Another one"


def test_the_plan_knows_it(home: Path, tmp_path: Path) -> None:
    records: list[Any] = [*talk("Hi", model="claude-opus-4-6"), *filling(3 * MEGABYTE)]
    transcript(home, ID, tmp_path, [*records, *talk("Go on", 5, model="claude-fable-5")])
    assert plan(home, ID)["argv"][-4:-2] == ["--model", "claude-fable-5"]
