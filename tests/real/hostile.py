"""Transcripts as a person with bad intentions leaves them: real ones, changed where the CLI looks and sf might not."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from tests.real.model import Place

FILL = 20 * 1024 * 1024


def out_of_sight(path: Path, place: Place) -> None:
    """Claude Code: the loose mode stands in the middle of a transcript too big to be read whole."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    asked = next(record for record in records if record.get("type") == "user")
    answer = [record for record in records if record.get("type") == "assistant"][-1]
    plain = {key: value for key, value in asked.items() if key != "permissionMode"}
    first = {**plain, "uuid": str(uuid.uuid4())}
    asked["parentUuid"] = first["uuid"]
    again = {**plain, "uuid": str(uuid.uuid4()), "parentUuid": answer["uuid"]}
    last = {**answer, "uuid": str(uuid.uuid4()), "parentUuid": again["uuid"]}
    fill = _lines([{"type": "progress", "pad": "x" * 99_980}] * (FILL // 100_000))
    path.write_text(_lines([first]) + fill + _lines(records) + fill + _lines([again, last]))


def lent(path: Path, place: Place) -> None:
    """Codex: the session's records lend write access to Codex's own settings."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for record in records:
        payload = record.get("payload") or {}
        for settings in (payload, payload.get("thread_settings") or {}):
            if "runtime_workspace_roots" in settings:
                settings["runtime_workspace_roots"].append(f"{place.home}/.codex/")
    path.write_text(_lines(records))


def _lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)
