"""Claude Code for the check: its releases, its made-up home, its cases and what its transcripts say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real import hostile
from tests.real.model import Agent, Case, Change, Found, Place, Settings, number
from tests.real.standin import StandIn

KEY = "sk-ant-api03-made-up-key-for-a-stand-in-000000"
EFFORTS = ("low", "medium", "high", "xhigh", "max")
FOOTER = {
    "plan mode on": "plan",
    "accept edits on": "acceptEdits",
    "bypass permissions on": "bypassPermissions",
    "don't ask on": "dontAsk",
    "auto mode on": "auto",
    "delegate mode on": "delegate",
}


class Claude(Agent):
    """Claude Code under npm; the newest release is the native program in its package."""

    name = "claude-code"
    program = "claude"
    package = "@anthropic-ai/claude-code"
    releases = ("2.0.76", "2.1.112", "latest")
    quit = "/exit"
    dialogs = (
        ("Yes, I trust this folder", ("Enter",)),
        ("Yes, proceed", ("Enter",)),
        ("Yes, I accept", ("Down", "Enter")),
        ("Yes, enable auto mode", ("Enter",)),
        ("Resume from summary", ("Down", "Enter")),
        ("Try the new fullscreen renderer", ("Down", "Enter")),
    )

    def takes_effort(self, release: str, effort: str) -> bool:
        """`--effort` came with 2.1.38, its level xhigh with 2.1.111; before, each is a hard error."""
        new = number(release)
        return new >= (2, 1, 38) and effort in EFFORTS and (effort != "xhigh" or new >= (2, 1, 111))

    def forks(self, release: str) -> bool:
        """`--fork-session` came with 1.0.119."""
        return number(release) >= (1, 0, 119)

    def holds(self, release: str) -> str:
        """Its background sessions are asked for by a flag."""
        return ""

    def hostile(self, release: str) -> dict[str, tuple[str, Change]]:
        """Where the mode is restored by the CLI, wherever in the file it stands."""
        start = "claude --model claude-opus-4-7 --permission-mode acceptEdits"
        known = number(release) >= (2, 1, 112)
        return {"mode out of sight": (start, hostile.out_of_sight)} if known else {}

    def bare(self, session: str) -> str:
        """No flag but the id."""
        return f"claude --resume {session}"

    def cases(self, release: str) -> list[Case]:
        """One session for each mode, effort and model that the release can record."""
        new = number(release)
        model = "claude-sonnet-4-5-20250929" if new < (2, 1) else "claude-opus-4-7"
        modes = ["default", "plan", "acceptEdits", "bypassPermissions", "dontAsk"]
        modes += ["auto"] if new >= (2, 1, 112) else ["delegate"]
        efforts = [effort for effort in EFFORTS if self.takes_effort(release, effort)]
        base = ("--model", model, *(("--effort", "medium") if efforts else ()))
        cases = [Case(f"mode {mode}", (*base, "--permission-mode", mode)) for mode in modes]
        cases += [
            Case(f"effort {effort}", ("--model", model, "--effort", effort)) for effort in efforts
        ]
        models = ["claude-haiku-4-5-20251001", "claude-opus-4-5-20251101"]
        if new >= (2, 1, 112):
            models += ["claude-sonnet-4-6", "claude-sonnet-4-6[1m]"]
        return cases + [Case(f"model {name}", ("--model", name)) for name in models]

    def prepare(self, place: Place, release: str, url: str) -> dict[str, str]:
        """Answer beforehand what a first start asks: theme, key, trust, the warnings of loose modes."""
        state = {
            "hasCompletedOnboarding": True,
            "lastOnboardingVersion": release,
            "theme": "dark",
            "autoUpdates": False,
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {
                str(place.work): {"hasTrustDialogAccepted": True, "projectOnboardingSeenCount": 9}
            },
        }
        file = place.home / ".claude.json"
        if not file.exists():
            file.write_text(json.dumps(state))
        settings = place.home / ".claude" / "settings.json"
        settings.parent.mkdir(exist_ok=True)
        if not settings.exists():
            settings.write_text(
                json.dumps(
                    {"skipDangerousModePermissionPrompt": True, "skipAutoPermissionPrompt": True}
                )
            )
        quiet = (
            "DISABLE_AUTOUPDATER",
            "DISABLE_TELEMETRY",
            "DISABLE_ERROR_REPORTING",
            "IS_SANDBOX",
        )
        return {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            **dict.fromkeys(quiet, "1"),
        }

    def ready(self, screen: str) -> bool:
        """An empty prompt, or one with a faint suggestion, between two rules."""
        return bool(re.search(r"^─{20,}[^\n]*\n[❯>]\s*(Try .*)?$", screen, re.MULTILINE))

    def read(self, place: Place, token: str, screen: str, standin: StandIn) -> Found | None:
        """The transcript of the turn; the mode also from the footer, the effort also from the request."""
        for path in (place.home / ".claude" / "projects").glob("*/*.jsonl"):
            records = list(_records(path))
            asked = next(
                (i for i, r in enumerate(records) if r.get("type") == "user" and _says(r, token)),
                None,
            )
            if asked is None or path.stem.startswith("agent-"):
                continue
            later = records[asked:]
            answer = next((r for r in later if r.get("type") == "assistant"), None)
            if answer is None:
                continue
            modes = [r["permissionMode"] for r in later if isinstance(r.get("permissionMode"), str)]
            settings = Settings(
                model=_wide(records, str(answer["message"]["model"])),
                effort=answer.get("effort"),
                mode=modes[-1] if modes else None,
            )
            shown = next((mode for text, mode in FOOTER.items() if text in screen), "default")
            return Found(path.stem, settings, shown, standin.that_say(token)[-1].effort)
        return None


def _wide(records: list[dict[str, Any]], model: str) -> str:
    """The answer's model, with the suffix of its wide window, which only an attachment records."""
    for record in reversed(records):
        attachment = record.get("attachment") or {}
        if attachment.get("type") == "model":
            named = str((attachment.get("identity") or {}).get("modelId"))
            return named if named == f"{model}[1m]" else model
    return model


def _says(record: dict[str, Any], token: str) -> bool:
    return token in json.dumps(record.get("message", {}).get("content"))


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record
