"""`sf build`, `sf apps` and `sf doctor`; what the index reads again, and what it forgets."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sessidx import apps
from tests.kit import SF, Facts, both_clis, claude, codex, environment, run, sf, unpack, uuid
from tests.test_readonly import unprivileged


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three sessions, one of them scripted, and a file that is none."""
    claude(tmp_path, uuid(1), "/srv/a", "One", at="2026-10-03T10:00:00.000Z")
    claude(tmp_path, uuid(2), "/srv/a", "Two", at="2026-10-02T10:00:00.000Z", entrypoint="sdk-py")
    codex(tmp_path, uuid(3), "/srv/b", "Three", at="2026-10-01T10:00:00.000Z")
    (tmp_path / f".claude/projects/-srv-a/{uuid(4)}.jsonl").touch()
    return tmp_path


def built(home: Path) -> dict[str, Facts]:
    done = sf("build", "--json", home=home)
    assert (done.code, done.err) == (0, "")
    return {told["app"]: told for told in done.json}


def test_build_tells_what_was_found(home: Path) -> None:
    told = built(home)
    assert list(told) == ["claude-code", "codex"]
    assert told["claude-code"] | {"ms": 0} == {
        "app": "claude-code",
        "home": f"{home}/.claude",
        "listed": 1,
        "hidden": 1,
        "skipped": 1,
        "read": 3,
        "ms": 0,
    }
    assert told["codex"]["ms"] > 0
    assert [told["read"] for told in built(home).values()] == [0, 0]
    lines = sf("build", home=home).out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("claude-code: 1 sessions, 1 hidden, 1 skipped; 0 read again in ")


def touch(home: Path) -> None:
    path = home / f".claude/projects/-srv-a/{uuid(1)}.jsonl"
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def grow(home: Path) -> None:
    path = next(home.glob(".codex/sessions/*/*/*/*.jsonl"))
    with path.open("a") as file:
        said = {"type": "user_message", "message": "More"}
        file.write(
            json.dumps({"timestamp": "2026-10-09T00:00:00Z", "type": "event_msg", "payload": said})
        )


def name(home: Path) -> None:
    line = {"id": uuid(3), "thread_name": "A name of its own", "updated_at": "2026"}
    (home / ".codex/session_index.jsonl").write_text(json.dumps(line) + "\n")


def title(home: Path) -> None:
    side = home / f".claude/projects/-srv-a/{uuid(1)}"
    side.mkdir()
    (side / "custom-title.json").write_text('{"customTitle": "Chosen"}')


def more(home: Path) -> None:
    claude(home, uuid(5), "/srv/c", "Five")


def fewer(home: Path) -> None:
    (home / f".claude/projects/-srv-a/{uuid(1)}.jsonl").unlink()


@pytest.mark.parametrize(
    ("change", "read", "titles"),
    [
        (touch, [1, 0], ["One", "Three"]),
        (grow, [0, 1], ["Three", "One"]),
        (name, [0, 1], ["One", "A name of its own"]),
        (title, [1, 0], ["Chosen", "Three"]),
        (more, [1, 0], ["Five", "One", "Three"]),
        (fewer, [0, 0], ["Three"]),
    ],
)
def test_only_what_changed_is_read_again(
    change: Callable[[Path], None], read: list[int], titles: list[str], home: Path
) -> None:
    built(home)
    change(home)
    assert [told["read"] for told in built(home).values()] == read
    assert [row[5] for row in sf(home=home).rows] == titles
    (home / ".cache/sessidx/index").unlink()
    assert [row[5] for row in sf(home=home).rows] == titles


def test_many_at_once_are_all_right(home: Path) -> None:
    unpack("claude-home-2.1.332-closed", home)
    unpack("codex-home-0.171.0-live", home)
    for _ in ("cold", "warm"):
        children = [
            subprocess.Popen([SF, "--all", "--json"], env=environment(home), stdout=subprocess.PIPE)
            for _ in range(6)
        ]
        said = {child.communicate()[0] for child in children}
        assert [child.returncode for child in children] == [0] * 6
        assert len(said) == 1
        assert len(json.loads(said.pop())) == 48
    assert os.listdir(home / ".cache/sessidx") == ["index"]


def test_apps(home: Path) -> None:
    programs = both_clis(home / "clis", "exit 1")
    env = environment(home) | {"PATH": f"{programs}:/usr/bin:/bin"}
    told = run([SF, "apps", "--json"], env).json
    assert [app["app"] for app in told] == list(apps.NAMES)
    assert told[:2] == [
        {
            "app": "claude-code",
            "home": f"{home}/.claude",
            "sessions": 1,
            "hidden": 1,
            "program": f"{programs}/claude",
            "release": "2.1.332",
            "untried": False,
        },
        {
            "app": "codex",
            "home": f"{home}/.codex",
            "sessions": 1,
            "hidden": 0,
            "program": f"{programs}/codex",
            "release": "0.171.0",
            "untried": False,
        },
    ]
    head, one, two, *others = run([SF, "apps"], env).out.splitlines()
    assert head.split() == ["APP", "SESSIONS", "HIDDEN", "HOME", "CLI"]
    assert one.split() == ["claude-code", "1", "1", "~/.claude", f"{programs}/claude", "2.1.332"]
    assert two.split()[:4] == ["codex", "1", "0", "~/.codex"]
    bare = run([SF, "apps"], environment(home / "empty"), cwd="/").out
    assert len(others) == len(apps.NAMES) - 2
    assert bare.count("~/.") == bare.count("(none)") == bare.count("not on PATH") == len(apps.NAMES)


def report(home: Path, *words: str, **more: str) -> tuple[int, list[Facts]]:
    done = run([*unprivileged(), SF, "doctor", "--json", *words], environment(home, **more))
    assert done.err == ""
    told: list[Facts] = done.json
    assert done.code == any(finding["wrong"] for finding in told)
    return done.code, told


def test_doctor_says_how_to_mend_whatever_is_wrong(home: Path) -> None:
    (home / ".claude/projects/-srv-x").mkdir(mode=0)
    (home / f".claude/projects/-srv-a/{uuid(1)}.jsonl").chmod(0)
    (home / ".codex/state_5.sqlite").write_bytes(b"SQLite format 3\0" + b"rubbish" * 999)
    code, told = report(home, PATH="/usr/bin:.:/bin")
    assert code == 1
    wrong = [finding for finding in told if finding["wrong"]]
    assert len(wrong) >= 5
    assert [finding["told"] for finding in wrong if not finding["mend"]] == []
    named = {path for finding in told for path in finding["files"]}
    assert f"{home}/.claude/projects/-srv-x" in named
    assert f"{home}/.claude/projects/-srv-a/{uuid(1)}.jsonl" in named
    assert any("state_5.sqlite" in finding["told"] for finding in wrong)
    (home / ".claude/projects/-srv-x").chmod(0o700)


def test_doctor_names_what_is_skipped_and_why(home: Path) -> None:
    _, told = report(home)
    (skipped,) = (finding for finding in told if "skipped" in finding["told"])
    assert skipped["told"] == "1 skipped: no conversation"
    assert skipped["files"] == [f"{home}/.claude/projects/-srv-a/{uuid(4)}.jsonl"]
    assert not skipped["wrong"]
    text = sf("doctor", home=home).out
    assert f"· claude-code: 1 skipped: no conversation\n    {skipped['files'][0]}\n" in text


def test_doctor_names_what_an_agent_told_this_shell(home: Path) -> None:
    inside = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1"}
    for shell, mend in (("nu", "hide-env"), ("ksh", "unset")):
        _, told = report(home, SHELL=f"/bin/{shell}", **inside)
        assert [f"{mend} {' '.join(inside)}"] == [f["mend"] for f in told if "inside" in f["told"]]
    _, told = report(home, SHELL="/bin/pwsh", **inside)
    assert [f["mend"] for f in told if "inside" in f["told"]] == ["open another terminal"]
    for shell, mend in (("bash", "unset"), ("fish", "set -e")):
        _, told = report(home, SESSIDX_LOADED=shell, **inside)
        (finding,) = (found for found in told if "inside" in found["told"])
        assert (finding["about"], finding["wrong"]) == ("claude-code", False)
        assert finding["mend"] == f"{mend} {' '.join(inside)}"
    assert not [found for found in report(home)[1] if "inside" in found["told"]]


def test_doctor_names_few_of_many_that_are_as_they_should_be(home: Path) -> None:
    for number in range(10, 60):
        (home / f".claude/projects/-srv-a/{uuid(number)}.jsonl").touch()
    lines = sf("doctor", home=home).out.split("\n")
    assert sum(".jsonl" in line for line in lines) == 3
    assert "    … and 48 more (--json names them)" in lines
    _, told = report(home)
    (skipped,) = (finding for finding in told if "skipped" in finding["told"])
    assert len(skipped["files"]) == 51


def test_doctor_on_a_word(home: Path) -> None:
    for word, said in (
        ("one", "listed"),
        (uuid(2)[:9], "only with --all: scripted"),
        ("two", "only with --all: scripted"),
        (uuid(4), "not listed: no conversation"),
        ("/srv/b", "listed"),
    ):
        code, told = report(home, word)
        assert code == 0
        assert [finding["told"] for finding in told] == [said]
    code, told = report(home, "nothing like it")
    assert code == 1
    assert told[0]["about"] == "nothing like it"
    done = sf("doctor", "\x1b[31mred", home=home)
    assert "\x1b" not in done.out
