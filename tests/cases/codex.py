"""Codex rollouts, record by record."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.cases.claude import Record, at, dump
from tests.kit import lines

DAY = "sessions/2026/11/01"


def thread_id(number: int, head: str = "019f4a10") -> str:
    """A time-ordered id: all of one day begin alike."""
    return f"{head}-{0x1000 + number:04x}-7abc-9def-{number:012x}"


def record(kind: str, minute: float = 0, **payload: object) -> Record:
    return {"timestamp": at(minute), "type": kind, "payload": payload}


def meta(id: str, cwd: object, minute: float = 0, **more: object) -> Record:
    git = {"commit_hash": "c0ffee00", "branch": "main"}
    told: Record = {"cwd": cwd, "source": "cli", "originator": "codex-tui", "git": git}
    told["model_provider"] = "openai"
    return record("session_meta", minute, **{"id": id, "timestamp": at(minute), **told, **more})


def said(text: object, minute: float = 1) -> Record:
    return record("event_msg", minute, type="user_message", message=text)


def item(text: str, minute: float = 1) -> Record:
    """A message as the model gets it: what Codex itself adds stands in such ones, too."""
    content = [{"type": "input_text", "text": text}]
    return record("response_item", minute, type="message", role="user", content=content)


def turn(cwd: object, minute: float = 1, **more: object) -> Record:
    told: Record = {"approval_policy": "on-request", "sandbox_policy": {"type": "workspace-write"}}
    return record("turn_context", minute, **{"cwd": cwd, "model": "gpt-5.5", **told, **more})


def answered(minute: float = 2) -> Record:
    return record("event_msg", minute, type="agent_message", message="Done.")


def exchange(id: str, cwd: object, text: str = "Fix the cart", minute: float = 0) -> list[Record]:
    """A whole rollout of one turn, two minutes long."""
    return [
        meta(id, cwd, minute),
        turn(cwd, minute + 1),
        said(text, minute + 1),
        answered(minute + 2),
    ]


def based(
    id: str, cwd: object, base: str, minute: float = 5, end: object = 47054, **more: object
) -> Record:
    """The header of a file that goes on where one of `base` was left: a fork, or its own thread."""
    left = {"thread_id": base, "end_ordinal_exclusive": 14, "end_byte_offset": end}
    return meta(id, cwd, minute, history_mode="paginated", history_base=left, **more)


def applied(cwd: object, minute: float = 5, **more: object) -> Record:
    """The settings that stand behind such a header, and before each turn (0.150 and later)."""
    settings: Record = {"model": "gpt-5.5", "approval_policy": "on-request", "cwd": cwd}
    return record(
        "event_msg", minute, type="thread_settings_applied", thread_settings={**settings, **more}
    )


def store(home: Path) -> Path:
    return home / ".codex"


def name(id: str) -> str:
    return f"rollout-2026-11-01T09-00-00-{id}.jsonl"


def rollout(
    home: Path,
    id: str,
    cwd: object,
    records: Sequence[Record | bytes] | None = None,
    *,
    below: str = DAY,
    stem: str | None = None,
) -> Path:
    """Write a session; `stem` stands in the place of its id in the file's name."""
    cwd = str(cwd) if isinstance(cwd, Path) else cwd
    told = [r if isinstance(r, bytes) else dump(r) for r in records or exchange(id, cwd)]
    return lines(store(home) / below / name(stem or id), told)


def names(home: Path, *told: tuple[str, object] | bytes) -> Path:
    """session_index.jsonl, with bytes as they are."""
    records = [
        t if isinstance(t, bytes) else {"id": t[0], "thread_name": t[1], "updated_at": at()}
        for t in told
    ]
    return lines(store(home) / "session_index.jsonl", records)


def as_text(source: object) -> str:
    """A thread's source as the database keeps it."""
    return source if isinstance(source, str) else json.dumps(source, separators=(",", ":"))
