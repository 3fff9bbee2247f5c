"""What had to be in force after a resume, against what was. Pure, and ignorant of how sf decides it."""

from __future__ import annotations

from tests.real.model import Agent, Found, Settings, number

STRICT = {
    "mode": ("default", "plan"),
    "approval": ("untrusted", "on-request"),
    "sandbox": ("read-only", "workspace-write"),
    "reviewer": ("user",),
}
DEFAULT = {
    "mode": "default",
    "approval": "on-request",
    "sandbox": "workspace-write",
    "reviewer": "user",
}


def loose(recorded: Settings) -> bool:
    """Whether there is anything to withhold, or a provider that is not the default."""
    return recorded.provider not in (None, "standin") or any(
        getattr(recorded, axis) not in (None, *strict) for axis, strict in STRICT.items()
    )


def wanted(agent: Agent, release: str, recorded: Settings, permissive: bool) -> Settings:
    """What `release` has to have in force after the line for a session that recorded `recorded`."""
    axes = {axis: _axis(axis, getattr(recorded, axis), permissive) for axis in STRICT}
    if agent.name == "codex" and axes["approval"] == "untrusted" and number(release) >= (0, 149):
        axes["approval"] = "on-request"
    if (
        agent.name == "codex"
        and axes["approval"] == "on-failure"
        and number(release) >= (0, 142, 1)
    ):
        axes["approval"] = "on-request"
    if agent.name == "claude-code" and recorded.mode == "auto" and number(release) >= (2, 1, 283):
        axes["mode"] = "auto"  # in which it starts by itself
    effort = recorded.effort
    carried = effort if effort and agent.takes_effort(release, effort) else None
    if agent.name == "codex" and recorded.provider is None:  # neither may then be named
        return Settings(**axes)
    return Settings(model=recorded.model, effort=carried, provider=recorded.provider, **axes)


def _axis(axis: str, recorded: str | None, permissive: bool) -> str | None:
    if recorded is None:
        return None
    if axis == "sandbox":  # -s knows only the three names: what was let through beside them is lost
        recorded = recorded.split("+")[0]
    return recorded if permissive or recorded in STRICT[axis] else DEFAULT[axis]


def deviations(
    agent: Agent, release: str, recorded: Settings, now: Found, permissive: bool
) -> list[str]:
    """Each axis that is not as wanted; one that is looser than allowed is called so."""
    want = wanted(agent, release, recorded, permissive)
    said = []
    for axis in ("model", "effort", "provider"):
        wish, fact = getattr(want, axis), getattr(now.force(), axis)
        if wish is not None and wish != fact:
            said.append(f"{axis} {fact}, not {wish}")
    for axis, strict in STRICT.items():
        for fact in {getattr(now.settings, axis), now.shown if axis == "mode" else None} - {None}:
            wish = getattr(want, axis) or DEFAULT[axis]
            if fact == wish or (permissive and fact == getattr(recorded, axis)):
                continue
            loose = fact not in strict
            said.append(f"{axis} {fact}, not {wish}" + (" (LOOSER)" if loose else ""))
    return said
