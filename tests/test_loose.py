"""Loose modes that a CLI takes up again by itself: taken back where it can be, asked about where not.

Which do was seen by running them, see tests/real/README.md.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit import sf, unpack

Loosen = Callable[[Path], str]


def kimi(home: Path, mode: str = "auto", fill: int = 0) -> str:
    """A session in that mode, which stands behind and before so many bytes."""
    unpack("kimi-code-home-2.1.0", home)
    own = "session_1651966e-826d-4322-98b8-9c535d953da8"
    wire = next(home.rglob(f"{own}/agents/main/wire.jsonl"))
    filler = json.dumps({"type": "filler", "filler": "x" * 99_000}).encode() + b"\n"
    said = [
        line for line in wire.read_bytes().splitlines(True) if b"permission.set_mode" not in line
    ]
    set_mode = json.dumps({"type": "permission.set_mode", "agentId": "main", "mode": mode})
    far = filler * (fill // len(filler))
    wire.write_bytes(b"".join([said[0], far, set_mode.encode(), b"\n", far, *said[1:]]))
    return own


def copilot(home: Path, mode: str = "", allowed: str = "on") -> str:
    unpack("copilot-cli-home-1.0.102", home)
    own = "4a64bbbf-af41-4147-acb6-8ea8033d2c2d"
    told = [{"type": "session.mode_changed", "data": {"newMode": mode}}] if mode else []
    data = {"allowAllPermissions": allowed != "off", "allowAllPermissionMode": allowed}
    told.append({"type": "session.permissions_changed", "data": data})
    with next(home.rglob(f"{own}/events.jsonl")).open("a") as events:
        events.writelines(json.dumps(record) + "\n" for record in told)
    return own


def vibe(home: Path, agent: str = "auto-approve") -> str:
    unpack("vibe-home-3.0.2", home)
    own = "d8f90547-c746-28ec-06e2-489b61211a08"
    for state in home.rglob(f"{own}/generations/*/runtime-state.json"):
        told = re.sub('"agent_name": ?"accept-edits"', f'"agent_name":"{agent}"', state.read_text())
        state.write_text(told)
    return own


MANUAL = ["-i", "/permissions manual"]
# What the line says against the mode; None: nothing can be said, so it is asked about.
CASES: dict[str, tuple[Loosen, list[str] | None]] = {
    "kimi manual": (lambda home: kimi(home, "manual"), []),
    "kimi auto": (kimi, None),
    "kimi yolo": (lambda home: kimi(home, "yolo"), None),
    "kimi unheard of": (lambda home: kimi(home, "wild"), None),
    "kimi auto, far back": (lambda home: kimi(home, fill=12 << 20), None),
    "vibe ask": (lambda home: vibe(home, "ask"), []),
    "vibe auto-approve": (vibe, None),
    "vibe with an agent of the person's": (lambda home: vibe(home, "wild"), None),
    "copilot off": (lambda home: copilot(home, allowed="off"), []),
    "copilot plan": (lambda home: copilot(home, "plan", "off"), []),
    "copilot allow all": (copilot, MANUAL),
    "copilot assisted": (
        lambda home: copilot(home, allowed="assisted"),
        ["--mode", "interactive", *MANUAL],
    ),
    "copilot plan, allow all": (lambda home: copilot(home, "plan"), MANUAL),
    "copilot autopilot": (
        lambda home: copilot(home, "autopilot", "off"),
        ["--mode", "interactive", *MANUAL],
    ),
}


@pytest.mark.parametrize(("make", "taken_back"), CASES.values(), ids=list(CASES))
def test_a_mode_that_comes_back_by_itself(
    make: Loosen, taken_back: list[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    own = make(home)
    for path in home.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            path.write_bytes(data.replace(b"/home/sam", str(home).encode()))
    for folder in ("notes", "code/shop-api"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    plan = sf("resume", "--json", own, home=home).json
    permissive = sf("resume", "--json", "--permissive", own, home=home).json
    assert (permissive["questions"], permissive["withheld"]) == ([], [])
    assert not {"-i", "--mode"} & {*permissive["argv"]}
    done = sf("resume", own, home=home)
    if taken_back is None:
        assert len(plan["questions"]) == 1
        assert "takes up mode " in plan["questions"][0]
        assert (done.code, done.out) == (1, "")
        assert done.err.endswith("no flag takes it back; --yes resumes anyway\n")
    else:
        assert plan["questions"] == []
        assert bool(plan["withheld"]) == bool(taken_back)
        assert [word for word in plan["argv"] if word not in permissive["argv"]] == taken_back
        assert done.code == 0
