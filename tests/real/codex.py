"""Codex for the check: its releases, its made-up home, its cases and what its rollouts say."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from tests.real import hostile
from tests.real.model import Agent, Case, Change, Found, Place, Settings, number
from tests.real.standin import StandIn

EFFORTS = ("none", "minimal", "low", "high", "xhigh", "max")
PROVIDERS = {"v1": "standin", "rival": "rival"}
CONFIG = """\
model = "{model}"
model_provider = "standin"
model_reasoning_effort = "high"
check_for_update_on_startup = false

[model_providers.standin]
name = "standin"
base_url = "{url}/v1"
env_key = "STANDIN_KEY"
wire_api = "responses"

[model_providers.rival]
name = "rival"
base_url = "{url}/rival/v1"
env_key = "STANDIN_KEY"
wire_api = "responses"

[projects."{work}"]
trust_level = "trusted"

[notice]
hide_full_access_warning = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"

[analytics]
enabled = false
"""


class Codex(Agent):
    """Codex under npm."""

    name = "codex"
    program = "codex"
    package = "@openai/codex"
    releases = ("0.45.0", "0.130.0", "0.145.0", "0.150.0", "0.160.0", "latest")
    quit = "/quit"
    dialogs = (
        ("Use existing model", ("Down", "Enter")),
        ("Yes, continue anyway", ("Enter",)),
        ("Continue anyway", ("Enter",)),
        ("This conversation is open in another app", ("r",)),
    )

    def takes_effort(self, release: str, effort: str) -> bool:
        """A list that grew with 0.58 and 0.59; since 0.142.2 any word."""
        new = number(release)
        if effort in ("minimal", "low", "medium", "high") or new >= (0, 142, 2):
            return True
        return new >= (0, 59) and effort in ("none", "xhigh")

    def forks(self, release: str) -> bool:
        """`codex fork` came with 0.87."""
        return number(release) >= (0, 87)

    def holds(self, release: str) -> str:
        """Since 0.160 a start without any -c uses a daemon, which lets a thread go after 60 s."""
        return "codex -m gpt-5.5 -a never" if number(release) >= (0, 160) else ""

    def hostile(self, release: str) -> dict[str, tuple[str, Change]]:
        """Where writable folders are restored out of the rollout."""
        start = "codex -m gpt-5.5 -a on-request -s workspace-write"
        return {"lent folders": (start, hostile.lent)} if number(release) >= (0, 160) else {}

    def bare(self, session: str) -> str:
        """No flag but the id."""
        return f"codex resume {session}"

    def cases(self, release: str) -> list[Case]:
        """Every approval with every sandbox, every effort, some models, and approve-for-me, as the release has them."""
        new = number(release)
        model = "gpt-5-codex" if new < (0, 60) else "gpt-5.5"
        base = ("-m", model, "-c", 'model_reasoning_effort="medium"')
        flags = {"on-request": ("-a", "on-request"), "never": ("-a", "never")}
        if new < (0, 149):
            flags["untrusted"] = ("-a", "untrusted")
        if new < (0, 142, 1):
            flags["on-failure"] = ("-a", "on-failure")
        cases = [
            Case(f"{approval} {sandbox}", (*base, *flag, "-s", sandbox))
            for approval, flag in flags.items()
            for sandbox in ("read-only", "workspace-write", "danger-full-access")
        ]
        if new >= (0, 147):
            cases.append(Case("approve for me", (*base, "--approve-for-me")))
        if new >= (0, 115):
            reviewed = (
                "-c",
                'approvals_reviewer="auto_review"',
                "-a",
                "on-request",
                "-s",
                "read-only",
            )
            cases.append(Case("auto_review read-only", (*base, *reviewed)))
        wider = ("-c", "sandbox_workspace_write.network_access=true")
        cases.append(Case("network", (*base, "-a", "on-request", "-s", "workspace-write", *wider)))
        wider = ("-c", 'sandbox_workspace_write.writable_roots=["/var/tmp"]')
        cases.append(
            Case("more roots", (*base, "-a", "on-request", "-s", "workspace-write", *wider))
        )
        efforts = [effort for effort in EFFORTS if self.takes_effort(release, effort)]
        cases += [
            Case(f"effort {effort}", ("-m", model, "-c", f'model_reasoning_effort="{effort}"'))
            for effort in efforts
        ]
        cases += [Case(f"model {name}", ("-m", name)) for name in ("gpt-5.1", "o4-mini")]
        rival = ("-c", 'model_provider="rival"')
        return [*cases, Case("rival provider", (*base, *rival, "-a", "on-request"))]

    def prepare(self, place: Place, release: str, url: str) -> dict[str, str]:
        """A provider that is the stand-in, the folder trusted, nothing else."""
        file = place.home / ".codex" / "config.toml"
        file.parent.mkdir(exist_ok=True)
        if file.exists():
            text = re.sub(r'"http://[^/"]*', f'"{url}', file.read_text())
        else:
            model = "gpt-5" if number(release) < (0, 60) else "gpt-5.4"
            text = CONFIG.format(model=model, url=url, work=place.work)
        file.write_text(text)
        return {"STANDIN_KEY": "made-up"}

    def ready(self, screen: str) -> bool:
        """The composer's arrow, which is not a choice in a list."""
        return (
            bool(re.search(r"^› (?!\d\.)", screen, re.MULTILINE))
            and "enter/esc confirm" not in screen
        )

    def read(self, place: Place, token: str, screen: str, standin: StandIn) -> Found | None:
        """The settings of the last turn in the rollout that holds the prompt."""
        for path in (place.home / ".codex" / "sessions").rglob("rollout-*.jsonl"):
            lines = path.read_text(encoding="utf-8").splitlines()
            asked = next((i for i, line in enumerate(lines) if token in line), None)
            if asked is None or not any(_answers(line) for line in lines[asked:]):
                continue
            contexts = [
                r for line in lines if (r := json.loads(line)).get("type") == "turn_context"
            ]
            if contexts:
                asked_of = {turn.path.split("/")[1] for turn in standin.that_say(token)}
                provider = "+".join(sorted(PROVIDERS.get(place, place) for place in asked_of))
                settings = _settings(contexts[-1]["payload"])
                if '"model_provider":' in lines[0]:
                    settings = replace(settings, provider=provider)
                return Found(path.stem[-36:], settings)
        return None


def _answers(line: str) -> bool:
    record = json.loads(line)
    payload = record.get("payload") or {}
    return record.get("type") == "response_item" and payload.get("role") == "assistant"


def _settings(payload: dict[str, Any]) -> Settings:
    """What was in force for a turn."""
    return Settings(
        model=payload.get("model"),
        effort=payload.get("effort"),
        approval=_word(payload.get("approval_policy")),
        sandbox=_policy(payload.get("sandbox_policy") or {}),
        reviewer=payload.get("approvals_reviewer"),
    )


def _word(value: object) -> str | None:
    return value if isinstance(value, str) or value is None else json.dumps(value)


def _policy(policy: dict[str, Any]) -> str | None:
    """A sandbox by its name, and by what it lets through beyond its default."""
    name = policy.get("type") or policy.get("mode")
    if name != "workspace-write":
        return name
    wider = ["network"] if policy.get("network_access") else []
    roots = [root for root in policy.get("writable_roots") or [] if "/.codex/memories" not in root]
    wider += ["roots"] if roots else []
    return "+".join([name, *wider])
