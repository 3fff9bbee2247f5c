"""Models, efforts and modes of a session: passed on only as what the CLI takes, never looser."""

from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import answer, filling, talk, transcript, typed
from tests.cases.look import Facts, only, plan, shown
from tests.kit import uuid

ID = uuid(1)
THREAD = codex.thread_id(1)
ODD: list[object] = [None, "", 7, True, [], {"mode": "x"}, " ", "\x00"]


def value(argv: list[str], flag: str) -> str | None:
    """What stands behind `flag`, which stands there at most once."""
    assert argv.count(flag) <= 1
    return argv[argv.index(flag) + 1] if flag in argv else None


def of_claude(home: Path, tmp_path: Path, *options: str, **more: object) -> Facts:
    records = [typed("Fix", 1, **more), answer("Done.", 2, **more)]
    transcript(home, ID, tmp_path, records)
    shown(home, ID)
    return plan(home, ID, *options)


def of_codex(home: Path, tmp_path: Path, *options: str, **settings: object) -> Facts:
    records = [codex.meta(THREAD, str(tmp_path)), codex.said("Fix", 1)]
    codex.rollout(home, THREAD, tmp_path, [*records, codex.turn(str(tmp_path), 2, **settings)])
    shown(home, THREAD)
    return plan(home, THREAD, *options)


# --- models


MODELS = ["opus[1m]", "claude-opus-4-6[1m]", "us.anthropic/x:y@1", "a.b_c-d", "m" * 128]
NO_MODELS = ["--dangerously-skip-permissions", "-x", "a b", "a;b", "$(x)", "a'b", 'a"b', "a\\b"]
NO_MODELS += ["a\nb", "модель", "m" * 129, "[1m]", ".hidden", "/etc/passwd", "a=b", "a*"]


@pytest.mark.parametrize("model", MODELS)
def test_models_are_carried(home: Path, tmp_path: Path, model: str) -> None:
    # nubbymong/claude-command-center#144: brackets were taken for a file pattern
    found = of_claude(home, tmp_path, model=model)
    assert value(found["argv"], "--model") == model
    assert only(home)["model"] == model
    assert value(of_claude(home, tmp_path, "--no-model", model=model)["argv"], "--model") is None
    assert value(of_codex(home, tmp_path, model=model)["argv"], "-m") == model


@pytest.mark.parametrize("model", NO_MODELS)
def test_what_is_no_model_is_left_out(home: Path, tmp_path: Path, model: str) -> None:
    for found in (of_claude(home, tmp_path, model=model), of_codex(home, tmp_path, model=model)):
        assert not {"--model", "-m", model} & set(found["argv"])
        assert any("model" in note for note in found["notes"])


@pytest.mark.parametrize("model", [*ODD, "<synthetic>"])
def test_no_model_on_record(home: Path, tmp_path: Path, model: object) -> None:
    found = of_claude(home, tmp_path, model=model)
    assert (value(found["argv"], "--model"), found["notes"]) == (None, [])


def test_the_last_real_model(home: Path, tmp_path: Path) -> None:
    attachment = {"type": "model", "identity": {"modelId": "claude-opus-4-6[1m]"}}
    wide = {"type": "attachment", "attachment": attachment}
    marker = answer("resumed", 4, model="<synthetic>")
    helper = answer("of a helper", 5, model="claude-haiku-4-5", isSidechain=True)
    records = [*talk(model="claude-fable-5"), wide, *talk(minute=2), marker, helper]
    transcript(home, ID, tmp_path, records)
    assert only(home)["model"] == "claude-opus-4-6[1m]"
    transcript(home, ID, tmp_path, [*records, *talk(minute=9, model="claude-fable-5")])
    assert only(home)["model"] == "claude-fable-5"


# --- efforts


@pytest.mark.parametrize("effort", ["low", "medium", "high", "xhigh", "max"])
def test_efforts_are_carried(home: Path, tmp_path: Path, effort: str) -> None:
    assert value(of_claude(home, tmp_path, effort=effort)["argv"], "--effort") == effort
    wanted = f'model_reasoning_effort="{effort}"'
    assert value(of_codex(home, tmp_path, effort=effort)["argv"], "-c") == wanted


@pytest.mark.parametrize("effort", ["bogus", "HIGH", "high low", "-x", 'a"b', "high\n", "$(x)"])
def test_what_is_no_effort_is_left_out(home: Path, tmp_path: Path, effort: str) -> None:
    known = effort.strip() == "high"
    for found, flag in (
        (of_claude(home, tmp_path, effort=effort), "--effort"),
        (of_codex(home, tmp_path, effort=effort), "-c"),
    ):
        assert bool(value(found["argv"], flag)) == known
        assert any("effort" in note for note in found["notes"]) != known


# --- permission modes


STRICT = {"default": "default", "plan": "plan", "manual": "default"}
LOOSE = ["acceptEdits", "bypassPermissions", "dontAsk"]
UNKNOWN = [
    "bubble",
    "plan --dangerously-skip-permissions",
    "BYPASSPERMISSIONS",
    "Plan",
    "-x",
    "ask",
]


@pytest.mark.parametrize("mode", STRICT)
def test_strict_modes_are_carried(home: Path, tmp_path: Path, mode: str) -> None:
    found = of_claude(home, tmp_path, permissionMode=mode)
    assert value(found["argv"], "--permission-mode") == STRICT[mode]
    assert found["withheld"] == []


@pytest.mark.parametrize("mode", [*LOOSE, *UNKNOWN])
def test_other_modes_are_withheld(home: Path, tmp_path: Path, mode: str) -> None:
    # anthropics/claude-code#73574: an internal mode was handed on and the CLI refused to start
    found = of_claude(home, tmp_path, permissionMode=mode)
    assert value(found["argv"], "--permission-mode") == "default"
    assert any(mode in what for what in found["withheld"])
    found = of_claude(home, tmp_path, "--permissive", permissionMode=mode)
    assert value(found["argv"], "--permission-mode") == (mode if mode in LOOSE else "default")


def test_auto_is_withheld_where_the_person_chose_less(home: Path, tmp_path: Path) -> None:
    said = home / ".claude" / "settings.json"
    said.parent.mkdir(parents=True, exist_ok=True)
    said.write_text('{"permissions": {"defaultMode": "acceptEdits"}}')
    found = of_claude(home, tmp_path, permissionMode="auto")
    assert value(found["argv"], "--permission-mode") == "default"
    assert found["withheld"] == ["permission mode auto"]
    found = of_claude(home, tmp_path, "--permissive", permissionMode="auto")
    assert value(found["argv"], "--permission-mode") == "auto"


@pytest.mark.parametrize("mode", ODD)
def test_no_mode_on_record(home: Path, tmp_path: Path, mode: object) -> None:
    found = of_claude(home, tmp_path, permissionMode=mode)
    assert value(found["argv"], "--permission-mode") is None
    assert found["withheld"] == []


def test_the_last_mode_counts(home: Path, tmp_path: Path) -> None:
    opened = {"type": "permission-mode", "permissionMode": "plan"}
    transcript(home, ID, tmp_path, [*talk(permissionMode="bypassPermissions"), opened])
    assert only(home)["mode"] == "plan"
    helper = typed("helper", 5, permissionMode="bypassPermissions", isSidechain=True)
    transcript(home, ID, tmp_path, [*talk(), opened, helper])
    assert only(home)["mode"] == "plan"


def test_a_mode_before_a_long_answer(home: Path, tmp_path: Path) -> None:
    transcript(home, ID, tmp_path, [*talk(permissionMode="bypassPermissions"), *filling(3 << 20)])
    found = plan(home, ID)
    assert value(found["argv"], "--permission-mode") == "default"
    assert found["withheld"]


# --- Codex: approvals, sandbox, reviewer


def granular(**more: object) -> dict[str, object]:
    return {"granular": {"sandbox_approval": True, "rules": True, **more}}


def test_strict_settings_are_carried(home: Path, tmp_path: Path) -> None:
    for sandbox in ("read-only", "workspace-write"):
        found = of_codex(home, tmp_path, sandbox_policy={"type": sandbox})
        assert (value(found["argv"], "-a"), value(found["argv"], "-s")) == ("on-request", sandbox)
        assert found["withheld"] == []


@pytest.mark.parametrize(
    "approval", ["never", "on-failure", "bubble", "-x", "never ask", granular()]
)
def test_other_approvals_are_withheld(home: Path, tmp_path: Path, approval: object) -> None:
    found = of_codex(home, tmp_path, approval_policy=approval)
    assert value(found["argv"], "-a") == "on-request"
    assert found["withheld"]
    found = of_codex(home, tmp_path, "--permissive", approval_policy=approval)
    assert value(found["argv"], "-a") == ("never" if approval == "never" else "on-request")


def test_untrusted_becomes_what_the_release_takes(home: Path, tmp_path: Path) -> None:
    found = of_codex(home, tmp_path, approval_policy="untrusted")
    assert value(found["argv"], "-a") == "on-request"
    assert found["withheld"] == []
    assert any("untrusted" in note for note in found["notes"])


POLICIES: list[tuple[object, str, bool]] = [
    ({"type": "danger-full-access"}, "workspace-write", True),
    ({"mode": "danger-full-access"}, "workspace-write", True),
    ({"type": "external-sandbox", "network_access": "enabled"}, "workspace-write", True),
    ("danger-full-access", "workspace-write", True),
    ({"type": "no-such"}, "read-only", True),
    ({"mode": "read-only"}, "read-only", False),
    ({"type": "workspace-write", "network_access": True}, "workspace-write", False),
]


@pytest.mark.parametrize(("policy", "sandbox", "withheld"), POLICIES)
def test_sandboxes(
    home: Path, tmp_path: Path, policy: object, sandbox: str, withheld: bool
) -> None:
    found = of_codex(home, tmp_path, sandbox_policy=policy)
    assert value(found["argv"], "-s") == sandbox
    assert bool(found["withheld"]) == withheld
    loose = of_codex(home, tmp_path, "--permissive", sandbox_policy=policy)
    assert value(loose["argv"], "-s") in (sandbox, "danger-full-access")


@pytest.mark.parametrize("reviewer", ["auto_review", "guardian_subagent", "no-such"])
def test_who_answers_is_named(home: Path, tmp_path: Path, reviewer: str) -> None:
    found = of_codex(home, tmp_path, approvals_reviewer=reviewer)
    assert value(found["argv"], "-c") == 'approvals_reviewer="user"'
    assert found["withheld"]


@pytest.mark.parametrize("megabytes", [0.2, 0.7, 3, 7])
def test_settings_before_a_long_turn(home: Path, tmp_path: Path, megabytes: float) -> None:
    """Today's CLI would restore them by itself: not to find them is not enough."""
    loose = {"approval_policy": "never", "sandbox_policy": {"type": "danger-full-access"}}
    output = codex.record("response_item", 3, type="function_call_output", output="x" * 10_000)
    records = [codex.meta(THREAD, str(tmp_path)), codex.turn(str(tmp_path), 1, **loose)]
    records += [codex.said("Fix", 1), *[output] * int(megabytes * 100)]
    codex.rollout(home, THREAD, tmp_path, records)
    found = plan(home, THREAD)
    assert (value(found["argv"], "-a"), value(found["argv"], "-s")) == (
        "on-request",
        "workspace-write",
    )
    assert len(found["withheld"]) == 2


def test_settings_that_only_the_database_has(home: Path, tmp_path: Path) -> None:
    codex.rollout(home, THREAD, tmp_path, [codex.meta(THREAD, str(tmp_path)), codex.said("Fix", 1)])
    loose = {"approval_mode": "never", "sandbox_policy": '{"type":"disabled"}', "model": "gpt-5.5"}
    threads.database(home, [threads.thread(THREAD, tmp_path, **loose)])
    found = plan(home, THREAD)
    assert (value(found["argv"], "-a"), value(found["argv"], "-s")) == (
        "on-request",
        "workspace-write",
    )
    assert value(found["argv"], "-m") == "gpt-5.5"
    assert len(found["withheld"]) == 2


def test_the_rollouts_settings_beat_the_databases(home: Path, tmp_path: Path) -> None:
    found = of_codex(home, tmp_path, approval_policy="never", sandbox_policy={"type": "read-only"})
    threads.database(home, [threads.thread(THREAD, tmp_path)])  # filled in afterwards, and wrong
    assert plan(home, THREAD)["argv"] == found["argv"]
