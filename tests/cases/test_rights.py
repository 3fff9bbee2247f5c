"""What a session may do is sought back to its beginning, each part on its own; never guessed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sessidx import rights
from sessidx.apps.claude_code import facts
from sessidx.apps.codex import settings
from sessidx.session import UNSEEN
from sessidx.transcript import Transcript
from tests.cases import codex, threads
from tests.cases.claude import Record, answer, dump, placed, talk, transcript, typed
from tests.cases.look import Facts, clis, only, plan
from tests.kit import uuid

ID = uuid(1)
THREAD = codex.thread_id(1)
MEGABYTE = 1 << 20


def result(size: int) -> Record:
    """What a tool gave back: such a record bears no mode."""
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "z" * size}
    return typed([block], 2, permissionMode=...)


def results(megabytes: float, size: int = 10_000) -> list[Record]:
    return [result(size)] * int(megabytes * MEGABYTE / size)


def of_claude(home: Path, folder: Path, records: Sequence[Record | bytes], *more: str) -> Facts:
    transcript(home, ID, folder, records)
    return plan(home, ID, *more)


def mode(found: Facts) -> str | None:
    return behind("--permission-mode", found)


def behind(flag: str, found: Facts) -> str | None:
    argv = found["argv"]
    assert argv.count(flag) <= 1
    return argv[argv.index(flag) + 1] if flag in argv else None


def told(found: Facts) -> list[str]:
    """What is said of parts that were not found."""
    return [note for note in found["notes"] if "too far back" in note]


# --- Claude Code


@pytest.mark.parametrize("megabytes", [0.1, 0.7, 9, 20])
def test_a_mode_before_a_long_turn(home: Path, tmp_path: Path, megabytes: float) -> None:
    asked = talk(permissionMode="plan")
    found = of_claude(home, tmp_path, [*asked, *results(megabytes)])
    assert (mode(found), told(found), found["withheld"]) == ("plan", [], [])


def test_the_last_of_several_modes(home: Path, tmp_path: Path) -> None:
    modes: list[Record] = []
    for word in ("default", "bypassPermissions", "plan"):
        modes += [{"type": "permission-mode", "permissionMode": word}, *results(0.7)]
    assert mode(of_claude(home, tmp_path, [*talk(), *modes])) == "plan"


def test_a_list_shows_no_mode_that_may_be_another(home: Path, tmp_path: Path) -> None:
    records = [*talk(permissionMode="default"), *results(10)]
    transcript(home, ID, tmp_path, records)
    assert only(home)["mode"] is None
    transcript(home, ID, tmp_path, [*talk(permissionMode="plan"), *results(5)])
    assert only(home)["mode"] == "plan"


def test_what_was_known_stands_when_the_transcript_grows(home: Path, tmp_path: Path) -> None:
    path = transcript(home, ID, tmp_path, [*talk(permissionMode="plan"), *results(6)])
    assert only(home)["mode"] == "plan"
    with path.open("ab") as file:
        for record in results(6):
            file.write(dump(placed(record, ID, str(tmp_path))) + b"\n")
    assert only(home)["mode"] == "plan"


def test_no_mode_is_recorded_anywhere(home: Path, tmp_path: Path) -> None:
    """As up to 2.0.76: nothing that the CLI could restore, so it starts as it does by itself."""
    found = of_claude(home, tmp_path, [typed("Hi", permissionMode=...), answer(), *results(9)])
    assert (mode(found), found["notes"]) == (None, [])


def test_the_reach_ends(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = transcript(home, ID, tmp_path, [*talk(permissionMode="default"), *results(3)])
    with Transcript(str(path)) as opened:
        found = rights.newest(opened, facts.RIGHTS, 2 * MEGABYTE)
        assert found == {"mode": UNSEEN}
        assert rights.newest(opened, facts.RIGHTS, 4 * MEGABYTE) == {"mode": "default"}
        monkeypatch.setattr(rights, "_SECONDS", 0)
        assert rights.newest(opened, facts.RIGHTS, 4 * MEGABYTE) == {"mode": UNSEEN}


SPARSE = 300 * MEGABYTE


def far(path: Path, records: Sequence[bytes]) -> None:
    """Put 300 MB of lines of nothing, a hole, between what is there and `records`."""
    with path.open("r+b") as file:
        file.seek(SPARSE)
        file.write(b"\n" + b"\n".join(records) + b"\n")


def test_a_mode_beyond_all_reach(home: Path, tmp_path: Path) -> None:
    path = transcript(home, ID, tmp_path, talk(permissionMode="default"))
    far(path, [dump(placed(result(10), ID, str(tmp_path)))])
    found = plan(home, ID)
    assert mode(found) == "plan"
    assert len(told(found)) == 1
    assert found["withheld"] == []
    assert mode(plan(home, ID, "--permissive")) is None


ESCAPED = {
    "key": b'"\\u0070ermissionMode":"plan"',
    "in the middle": b'"permission\\u004dode":"plan"',
    "and value": b'"permissionMod\\u0065":"\\u0070lan"',
    "behind a backslash": b'"a\\\\":1,"permissionMod\\u0065":"plan"',
}


@pytest.mark.parametrize("escaped", ESCAPED.values(), ids=ESCAPED)
def test_a_key_with_an_escape(home: Path, tmp_path: Path, escaped: bytes) -> None:
    line = dump(placed(typed("More", 5, permissionMode="PLACE"), ID, str(tmp_path)))
    line = line.replace(b'"permissionMode":"PLACE"', escaped)
    assert json.loads(line)["permissionMode"] == "plan"
    assert mode(of_claude(home, tmp_path, [*talk(), line, *results(0.2)])) == "plan"


def test_an_escape_that_is_none_of_a_key(home: Path, tmp_path: Path) -> None:
    texts = ["\x1b[31m", '"\\u0070ermissionMode":"plan"', "é\x00\x1f", "a\\\\u0041"]
    records = [*talk(permissionMode="default"), *[answer(text, 3) for text in texts]]
    assert mode(of_claude(home, tmp_path, records)) == "default"


def long_line(front: bytes, back: bytes, middle: bytes = b"") -> bytes:
    half = b"z" * (200 * 1024)
    opened = b'{"type":"user","isSidechain":false,"message":{"role":"user","content":"' + front
    closed = b'"},"timestamp":"2026-11-01T09:05:00.000Z"' + back + b',"userType":"external"}'
    return opened + half + middle + half + closed


LONG = {
    "at its end": (long_line(b"", b',"permissionMode":"plan"'), "plan", 0),
    "not": (long_line(b"", b""), "default", 0),
    "in its middle": (long_line(b"", b"", b'","permissionMode":"plan","x":"'), "plan", 1),
    "escaped": (long_line(b"", b"", b'","permissionMod\\u0065":"plan","x":"'), "plan", 1),
    "twice": (
        long_line(b'"},"permissionMode":"plan","x":{"y":"', b',"permissionMode":"default"'),
        "plan",
        1,
    ),
    "no word": (long_line(b"", b',"permissionMode":[]'), "plan", 1),
}


@pytest.mark.parametrize(("line", "expected", "notes"), LONG.values(), ids=LONG)
def test_a_mode_in_a_long_line(
    home: Path, tmp_path: Path, line: bytes, expected: str, notes: int
) -> None:
    found = of_claude(home, tmp_path, [*talk(permissionMode="default"), line, answer(minute=9)])
    assert (mode(found), len(told(found))) == (expected, notes)


# --- Codex


def output(size: int = 10_000) -> Record:
    return codex.record("response_item", 3, type="function_call_output", output="x" * size)


def outputs(megabytes: float) -> list[Record]:
    return [output()] * int(megabytes * MEGABYTE / 10_000)


def applied(minute: float = 2, **told: object) -> Record:
    """Settings that are applied before a turn, as 0.171 records them; some may be absent."""
    return codex.record("event_msg", minute, type="thread_settings_applied", thread_settings=told)


def settings_of(cwd: Path, approval: str, sandbox: str) -> Record:
    return codex.turn(str(cwd), 1, approval_policy=approval, sandbox_policy={"type": sandbox})


def of_codex(
    home: Path, folder: Path, records: Sequence[Record | bytes], *more: str, **env: str
) -> Facts:
    told = [codex.meta(THREAD, str(folder)), codex.said("Fix", 1), *records]
    codex.rollout(home, THREAD, folder, told)
    return plan(home, THREAD, *more, **env)


def parts(found: Facts) -> tuple[str | None, str | None]:
    return behind("-a", found), behind("-s", found)


@pytest.mark.parametrize("megabytes", [0.1, 0.7, 9.6, 20])
def test_settings_before_a_long_turn(home: Path, tmp_path: Path, megabytes: float) -> None:
    records = [settings_of(tmp_path, "on-request", "workspace-write")]
    records += [settings_of(tmp_path, "untrusted", "read-only"), *outputs(megabytes)]
    found = of_codex(home, tmp_path, records)
    assert (parts(found), told(found)) == (("on-request", "read-only"), [])
    assert any("untrusted" in note for note in found["notes"])


@pytest.mark.parametrize("megabytes", [0.1, 0.7, 9])
def test_each_part_on_its_own(home: Path, tmp_path: Path, megabytes: float) -> None:
    records = [settings_of(tmp_path, "never", "read-only"), *outputs(megabytes)]
    records += [applied(approval_policy="on-request"), *[applied(model="gpt-5.5")] * 9]
    found = of_codex(home, tmp_path, records)
    assert (parts(found), found["withheld"], told(found)) == (("on-request", "read-only"), [], [])


def test_a_reviewer_and_folders_before_a_long_turn(home: Path, tmp_path: Path) -> None:
    told_early: Record = {
        "approvals_reviewer": "auto_review",
        "runtime_workspace_roots": ["/srv/other"],
    }
    records = [applied(cwd=str(tmp_path), **told_early), *outputs(9)]
    records += [settings_of(tmp_path, "on-request", "read-only"), *outputs(0.7)]
    found = of_codex(home, tmp_path, records)
    flags = [word for word in found["argv"] if "=" in word]
    assert 'approvals_reviewer="user"' in flags
    assert "sandbox_workspace_write.writable_roots=[]" in flags
    assert len(found["withheld"]) == 2


def test_settings_beyond_all_reach(home: Path, tmp_path: Path) -> None:
    records = [codex.meta(THREAD, str(tmp_path)), settings_of(tmp_path, "on-request", "read-only")]
    path = codex.rollout(home, THREAD, tmp_path, [*records, codex.said("Fix", 1)])
    far(path, [dump(output())])
    found = plan(home, THREAD)
    assert parts(found) == ("on-request", "read-only")
    assert len(told(found)) == 4
    assert found["withheld"] == []
    row = threads.thread(
        THREAD, tmp_path, approval_mode="never", sandbox_policy='{"type":"disabled"}'
    )
    threads.database(home, [row])
    assert plan(home, THREAD)["argv"] == found["argv"]


def test_the_strictest_is_what_the_release_takes(home: Path, tmp_path: Path) -> None:
    unknown = codex.turn(str(tmp_path), 1, approval_policy="bubble", sandbox_policy={"type": "x"})
    for release, approval in (("0.140.0", "untrusted"), ("0.171.0", "on-request")):
        new = home / release
        found = of_codex(new, tmp_path, [unknown], **clis(new, codex=release))
        assert parts(found) == (approval, "read-only")
        assert len(found["withheld"]) == 2


ROOT = {"path": {"type": "special", "value": {"kind": "root"}}, "access": "read"}
TMP = [
    {"path": {"type": "special", "value": {"kind": kind}}, "access": "write"}
    for kind in ("slash_tmp", "tmpdir")
]


def entry(path: object, access: str = "write", **more: object) -> Record:
    return {"path": {"type": "path", "path": str(path)}, "access": access, **more}


def guarded(cwd: str) -> list[Record]:
    """What 0.171 adds to the writable folder."""
    names = (".git", ".agents", ".codex", ".aws")
    return [entry(f"{cwd}/{name}", "read", missing_path_behavior="skip") for name in names]


def profile(entries: object, network: str = "restricted", kind: str = "restricted") -> Record:
    return {
        "type": "managed",
        "file_system": {"type": kind, "entries": entries},
        "network": network,
    }


CWD = "/srv/shop"
WRITABLE = [ROOT, entry(CWD), *TMP, *guarded(CWD)]
# As 0.145 and 0.171 record them; then what a person's own profile can be.
PROFILES: dict[str, tuple[Any, str]] = {
    "read-only": (profile([ROOT]), "read-only"),
    "workspace-write": (profile(WRITABLE), "workspace-write"),
    "danger-full-access": ({"type": "disabled"}, "danger-full-access"),
    "more is writable": (profile([*WRITABLE, entry("/srv/other")]), "workspace-write"),
    "and the network": (profile(WRITABLE, "enabled"), "workspace-write"),
    "another folder alone": (profile([ROOT, entry("/srv/other"), *TMP]), "custom"),
    "not the temporary ones": (profile([ROOT, entry(CWD)]), "custom"),
    "a folder in it is not": (profile([*WRITABLE, entry(f"{CWD}/keys", "read")]), "custom"),
    "something is not to be read": (profile([*WRITABLE, entry("/srv/keys", "none")]), "custom"),
    "not all is to be read": (profile([entry(CWD), *TMP]), "custom"),
    "nothing at all": (profile([]), "custom"),
    "everything is writable": (profile([{**ROOT, "access": "write"}, *WRITABLE]), "custom"),
    "unrestricted": (profile(None, kind="unrestricted"), "custom"),
    "a pattern": (
        profile([*WRITABLE, {"path": {"type": "glob_pattern"}, "access": "read"}]),
        "custom",
    ),
    "of a kind to come": ({"type": "remote"}, "custom"),
    "no profile": ([], "custom"),
    "as text": (json.dumps(profile(WRITABLE)), "workspace-write"),
}


@pytest.mark.parametrize(("told", "word"), PROFILES.values(), ids=PROFILES)
def test_profiles(told: Any, word: str) -> None:
    assert settings.sandbox_of(None, told, CWD) == word
    if "file_system" in told:  # as the database has it
        assert settings.sandbox_of(told, None, CWD) == word
    for policy in ("read-only", "workspace-write", "danger-full-access"):
        expected = word if word == policy else "custom"
        assert settings.sandbox_of({"type": policy}, told, CWD) == expected


def test_what_a_policy_excludes_need_not_be_writable() -> None:
    policy: dict[str, Any] = {"type": "workspace-write", "exclude_slash_tmp": True}
    without = profile([ROOT, entry(CWD), TMP[1]])
    assert settings.sandbox_of(policy, without, CWD) == "workspace-write"
    assert settings.sandbox_of({"type": "workspace-write"}, without, CWD) == "custom"


def test_a_profile_of_ones_own_is_not_the_name_beside_it(home: Path, tmp_path: Path) -> None:
    entries = [ROOT, entry(tmp_path), *TMP, entry(tmp_path / "keys", "none")]
    told = codex.turn(str(tmp_path), 1, permission_profile=profile(entries))
    found = of_codex(home, tmp_path, [told])
    assert parts(found) == ("on-request", "read-only")
    assert any("custom" in what for what in found["withheld"])


KEYS = {
    "approval": (b'"approval_policy"', b'"approval_polic\\u0079"'),
    "sandbox": (b'"sandbox_policy"', b'"\\u0073andbox_policy"'),
    "kind": (b'"turn_context"', b'"turn\\u005fcontext"'),
}


@pytest.mark.parametrize(("plain", "escaped"), KEYS.values(), ids=KEYS)
def test_a_setting_with_an_escape(home: Path, tmp_path: Path, plain: bytes, escaped: bytes) -> None:
    later = dump(settings_of(tmp_path, "untrusted", "read-only")).replace(plain, escaped)
    records: list[Record | bytes] = [settings_of(tmp_path, "on-request", "workspace-write")]
    records += [later, output()]
    found = of_codex(home, tmp_path, records)
    assert behind("-s", found) == "read-only"
    assert any("untrusted" in note for note in found["notes"])


def test_a_long_record_of_settings(home: Path, tmp_path: Path) -> None:
    """With instructions of 300 KB its approval stands in front, its sandbox is not to be had."""
    rules = "rule " * 60_000
    late = codex.turn(str(tmp_path), 2, approval_policy="never", user_instructions=rules)
    found = of_codex(home, tmp_path, [settings_of(tmp_path, "on-request", "read-only"), late])
    assert parts(found) == ("on-request", "read-only")
    assert (len(told(found)), len(found["withheld"])) == (1, 1)
