"""Claude Code transcripts, record by record: `...` as a value leaves a key out."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.kit import lines, slug

Record = dict[str, Any]
VERSION = "2.1.332"


def at(minute: float = 0, day: int = 1) -> str:
    """A time of the morning of that day in November."""
    second = round(minute * 60)
    hour, second = divmod(second, 3600)
    return f"2026-11-{day:02}T{9 + hour:02}:{second // 60:02}:{second % 60:02}.000Z"


def typed(text: object, minute: float = 0, **more: object) -> Record:
    """A prompt, or a content of blocks."""
    return {
        "type": "user",
        "message": {"role": "user", "content": text},
        "uuid": f"{round(minute * 60):08x}-0000-4000-8000-000000000000",
        "timestamp": at(minute),
        "permissionMode": "default",
        **more,
    }


def answer(text: str = "Done.", minute: float = 1, **more: object) -> Record:
    model = more.pop("model", "claude-opus-4-6")
    content = [{"type": "text", "text": text}]
    return {
        "type": "assistant",
        "message": {"role": "assistant", "model": model, "content": content},
        "uuid": f"{round(minute * 60):08x}-0000-4000-8000-111111111111",
        "timestamp": at(minute),
        **more,
    }


def talk(text: object = "Fix the cart", minute: float = 0, **more: object) -> list[Record]:
    """A prompt and its answer a minute later."""
    return [typed(text, minute, **more), answer("Done.", minute + 1, **more)]


def named(title: object, kind: str = "custom-title", key: str = "customTitle") -> Record:
    """A title that the person chose; `kind` and `key` make it another."""
    return {"type": kind, key: title}


def generated(title: object) -> Record:
    return named(title, "ai-title", "aiTitle")


def filling(bytes_: int) -> list[Record]:
    """So many bytes of answers that say nothing."""
    return [answer("x" * 900, 0.5)] * (bytes_ // 1100)


def placed(record: Record, id: str, cwd: object) -> Record:
    """A record with what ends each of them, unless it says otherwise itself."""
    common: Record = {"sessionId": id}
    if record.get("type") in ("user", "assistant"):
        common |= {"isSidechain": False, "entrypoint": "cli", "cwd": cwd, "version": VERSION}
        common["gitBranch"] = "main"
    return {key: value for key, value in {**common, **record}.items() if value is not ...}


def dump(record: Record) -> bytes:
    """A line as both apps write it: without blanks, what is not ASCII as it is.

    Half a surrogate pair stands as an escape; those of os.fsdecode are the bytes they stand for.
    """
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    text = re.sub("[\ud800-\udc7f\udd00-\udfff]", lambda half: f"\\u{ord(half[0]):x}", text)
    return text.encode("utf-8", "surrogateescape")


def store(home: Path) -> Path:
    return home / ".claude" / "projects"


def transcript(
    home: Path,
    id: str,
    cwd: object,
    records: Sequence[Record | bytes] | None = None,
    folder: str | None = None,
) -> Path:
    """Write a session; bytes among the records stand as they are, on a line of their own."""
    name = folder or slug(os.fsdecode(cwd) if isinstance(cwd, bytes | Path) else str(cwd))
    cwd = str(cwd) if isinstance(cwd, Path) else cwd
    told = [r if isinstance(r, bytes) else dump(placed(r, id, cwd)) for r in records or talk()]
    return lines(store(home) / name / f"{id}.jsonl", told)
