"""What counts as said, by records as the real CLIs write them, and that the first look passes each."""

import json
from pathlib import Path
from typing import Any

import pytest

from sessidx.apps.claude_code import said as claude
from sessidx.apps.codex import said as codex
from sessidx.said.lines import Lines
from sessidx.said.phrases import Sought
from tests.kit import ROOT

DATA = ROOT / "tests" / "data" / "said"
AT = "2026-11-30T10:00:00.000Z"
TEXT = [{"type": "text", "text": "words"}]
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 99}}


def said(name: str) -> list[tuple[str, str]]:
    """Who says what in a recorded transcript."""
    lines = (DATA / f"{name}.jsonl").read_bytes().splitlines()
    found = [message for line in lines for message in claude.messages(json.loads(line))]
    return [(who, words) for who, _, words in found]


@pytest.mark.parametrize("name", ["claude-2.0.76", "claude-2.1.112", "claude-2.1.332"])
def test_what_a_person_types_wherever_it_stands(name: str) -> None:
    typed = [words for who, words in said(name) if who == "you"]
    # To a refused tool, beside an allowed one, to a question, and while the agent works.
    told = ["no zebrarefuse rather put it in docs", "zebraother five tries please"]
    if name != "claude-2.0.76":
        told += ["yes zebraaccept and keep it short", "zebraqueued while you sleep"]
    assert [words for words in told if typed.count(words) != 1] == []
    assert "please usewrite first" in typed


@pytest.mark.parametrize("name", ["claude-2.0.76", "claude-2.1.112", "claude-2.1.332"])
def test_what_is_not_said(name: str) -> None:
    everything = "\n".join(words for _, words in said(name))
    raw = (DATA / f"{name}.jsonl").read_text("utf-8")
    for hidden in ("zebrathink", "zebraplan\\n", "The user doesn't want", "<command-", "caveat"):
        assert hidden in raw or name != "claude-2.1.332"
        assert hidden not in everything
    assert everything.count("I will run Write now, zebrasay.") == raw.count(
        '"content":[{"type":"text","text":"I will run Write now, zebrasay."}]'
    )


def test_commands_count_with_their_arguments() -> None:
    typed = [words for who, words in said("claude-2.1.332") if who == "you"]
    assert "/compact zebracompactarg keep the budget" in typed
    assert "! echo zebrabang" in typed
    assert not [words for words in typed if words.startswith("/plan")]


def user(content: object, **more: object) -> dict[str, Any]:
    message = {"role": "user", "content": content}
    return {"isSidechain": False, "type": "user", "message": message, "timestamp": AT, **more}


def assistant(*blocks: object, **more: object) -> dict[str, Any]:
    message = {"role": "assistant", "model": "claude-opus-5-5", "content": list(blocks), **more}
    return {"isSidechain": False, "message": message, "type": "assistant", "timestamp": AT}


THINKING = {"type": "thinking", "thinking": "hidden", "signature": "c2ln"}
CALL = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"text": "hidden"}}
RESULT = {
    "tool_use_id": "t",
    "type": "tool_result",
    "content": [{"type": "text", "text": "hidden"}],
}
REFUSED = "The user doesn't want to proceed with this tool use."
CLAUDE = {
    "prompt": (user("words"), "you"),
    "blocks": (user(TEXT), "you"),
    "text after a picture": (user([IMAGE, *TEXT]), "you"),
    "text after a result": (user([RESULT, *TEXT]), "you"),
    "pasted": (
        user('\n\n<pasted_content id="8e46">\nwords\n</pasted_content id="8e46">\n\n'),
        "you",
    ),
    "answer": (assistant(*TEXT), "agent"),
    "answer after thinking": (assistant(THINKING, *TEXT), "agent"),
    "answer between thinking and a call": (assistant(THINKING, *TEXT, CALL), "agent"),
    "command": (
        {
            "type": "system",
            "subtype": "local_command",
            "content": "<command-name>/cd</command-name><command-args>words</command-args>",
        },
        "you",
    ),
    "queued": (
        {
            "isSidechain": False,
            "attachment": {"type": "queued_command", "prompt": TEXT, "commandMode": "prompt"},
            "type": "attachment",
        },
        "you",
    ),
    "result": (user([RESULT]), None),
    "refused without a word": (
        user([{"type": "tool_result", "content": REFUSED, "is_error": True}]),
        None,
    ),
    "made by a tool": (
        user([{"type": "tool_result", "content": f"{REFUSED} the user said:\nwords"}]),
        None,
    ),
    "thinking": (assistant(THINKING), None),
    "call": (assistant(CALL), None),
    "of the CLI itself": (assistant(*TEXT, model="<synthetic>"), None),
    "meta": (user("words", isMeta=True), None),
    "summary of what was compacted": (user("words", isCompactSummary=True), None),
    "sub-agent": (user("words", isSidechain=True), None),
    "reminder": (user("<system-reminder>words</system-reminder>"), None),
    "interrupted": (user("[Request interrupted by user]"), None),
    "task": (user("words", origin={"kind": "task-notification"}), None),
    "request": ({"type": "api-request-blob", "message": {"role": "user", "content": TEXT}}, None),
    "queue": ({"type": "queue-operation", "operation": "enqueue", "content": "words"}, None),
    "title": ({"type": "last-prompt", "lastPrompt": "words"}, None),
}


@pytest.mark.parametrize("name", CLAUDE)
def test_a_record_of_claude_code(name: str, tmp_path: Path) -> None:
    record, who = CLAUDE[name]
    told = [(speaker, words.strip()) for speaker, _, words in claude.messages(record)]
    shown = "/cd words" if name == "command" else "words"
    assert told == ([(who, shown)] if who else [])
    check_lines(record, who is not None, Lines(str(tmp_path), claude.may_hold, claude.messages))


def event(**payload: object) -> dict[str, Any]:
    return {"timestamp": AT, "ordinal": 7, "type": "event_msg", "payload": payload}


def item(kind: str, **more: object) -> dict[str, Any]:
    told = {"type": kind, "id": "i", **more}
    return event(type="item_completed", thread_id="t", turn_id="u", item=told)


IDE = "# Context from my IDE setup:\nhidden\n## My request for Codex:\nwords"
CODEX = {
    "prompt": (event(type="user_message", message="words", images=[]), "you"),
    "prompt in an editor": (event(type="user_message", message=IDE), "you"),
    "prompt of 0.150": (item("UserMessage", content=[{"type": "text", "text": "words"}]), "you"),
    "answer": (event(type="agent_message", message="words", phase=None), "agent"),
    "answer of 0.150": (item("AgentMessage", content=[{"type": "Text", "text": "words"}]), "agent"),
    "the same for the model": (
        {
            "timestamp": AT,
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": TEXT},
        },
        None,
    ),
    "end of the turn": (event(type="task_complete", last_agent_message="words"), None),
    "compaction": (item("ContextCompaction"), None),
    "settings": ({"type": "turn_context", "payload": {"cwd": "words", "message": "words"}}, None),
    "compacted": ({"type": "compacted", "payload": {"message": "words"}}, None),
}


@pytest.mark.parametrize("name", CODEX)
def test_a_record_of_codex(name: str, tmp_path: Path) -> None:
    record, who = CODEX[name]
    told = [(speaker, words.strip()) for speaker, _, words in codex.messages(record)]
    assert told == ([(who, "words")] if who else [])
    check_lines(record, who is not None, Lines(str(tmp_path), codex.may_hold, codex.messages))


def check_lines(record: object, is_said: bool, lines: Lines) -> None:
    """The record is found or not, however JSON is spaced and wherever its line stands."""
    path = Path(lines._root) / "one.jsonl"
    for separators in ((",", ":"), (", ", ": ")):
        line = json.dumps(record, separators=separators)
        for ahead in ("", '{"type":"mode"}\n', '{"text":"x"}\n' * 3):
            path.write_text(f"{ahead}{line}\n{{}}\n", "utf-8")
            hit = lines.first("one.jsonl", Sought(["Words"]))
            assert (hit is not None) == is_said, (separators, ahead)
            assert hit is None or hit[0] == len(ahead)
