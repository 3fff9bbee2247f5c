"""Where a plan leads: the folder, the branch, the program on PATH, the home that is passed on."""

import os
from pathlib import Path
from typing import Any

import pytest

from sessidx import plan
from sessidx.apps import load, own
from sessidx.plan import Plan, Refusal, Wish
from sessidx.session import Session
from tests.kit import stand_in, uuid


def make(cwd: str | None, app: str = "claude-code", **facts: Any) -> Plan:
    return plan.make(
        load(app), Session(app, uuid(1), key="x", home=own(app), cwd=cwd, **facts), Wish()
    )


@pytest.mark.parametrize(
    "cwd", ["relative", "./x", "~", "", None, "/none/such", "/etc/passwd", "/x\0y"]
)
def test_a_folder_that_is_none(cwd: str | None) -> None:
    with pytest.raises(Refusal) as refused:
        make(cwd)
    assert refused.value.code == 1
    assert "\n" not in refused.value.message


def test_the_refusal_names_the_folder_without_its_controls() -> None:
    with pytest.raises(Refusal, match=r"/none/\\x1b\[2J\\n"):
        make("/none/\x1b[2J\n")


def test_a_link_to_a_folder_is_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    assert make(f"{tmp_path}/link").cwd == f"{tmp_path}/link"


def head(folder: Path, text: str) -> None:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / ".git" / "HEAD").write_text(text)


@pytest.mark.parametrize(
    ("recorded", "now", "asked"),
    [
        ("main", "ref: refs/heads/main\n", False),
        ("main", "ref: refs/heads/dev\n", True),
        ("main", "ref: refs/heads/Main\n", True),
        ("feat/a", "ref: refs/heads/feat/a", False),
        ("main", "0123456789abcdef0123456789abcdef01234567\n", False),  # detached
        ("main", "ref: refs/heads/.invalid\n", False),  # reftable
        ("main", "", False),
        ("main", "ref: refs/remotes/origin/dev\n", False),
        (None, "ref: refs/heads/dev\n", False),
    ],
)
def test_the_question_of_the_branch(
    recorded: str | None, now: str, asked: bool, tmp_path: Path
) -> None:
    head(tmp_path, now)
    for folder in (tmp_path, tmp_path / "below"):
        folder.mkdir(exist_ok=True)
        made = make(str(folder), branch=recorded)
        assert len(made.questions) == asked
        if asked:
            assert "main" in made.questions[0]
            assert now.removeprefix("ref: refs/heads/").strip() in made.questions[0]


def test_no_repository_no_question(tmp_path: Path) -> None:
    assert make(str(tmp_path), branch="main").questions == []


def test_a_live_session_is_asked_for_unless_forked(tmp_path: Path) -> None:
    session = Session(
        "claude-code", uuid(1), key="x", home=own("claude-code"), cwd=str(tmp_path), live=True
    )
    assert len(plan.make(load("claude-code"), session, Wish()).questions) == 1
    assert plan.make(load("claude-code"), session, Wish(fork=True)).questions == []


def test_an_archived_session(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=f"`codex unarchive {uuid(1)}`"):
        make(str(tmp_path), "codex", archived=True)
    assert make(str(tmp_path), archived=True).argv[1:] == ["--resume", uuid(1)]


@pytest.mark.parametrize("before", [".", "", "bin", "./bin", ":", "~/bin"])
def test_a_relative_entry_before_the_hit(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell in the session's folder would start whatever lies there."""
    stand_in(tmp_path, "claude", "@anthropic-ai/claude-code", "2.1.332")
    (tmp_path / "trap" / "bin").mkdir(parents=True)
    for folder in (tmp_path / "trap", tmp_path / "trap" / "bin"):
        (folder / "claude").write_text("#!/bin/sh\ntouch PWN\n")
        (folder / "claude").chmod(0o755)
    monkeypatch.chdir(tmp_path / "trap")
    monkeypatch.setenv("PATH", f"/usr/bin:{before}:{tmp_path}/bin")
    assert make("/", effort="max").argv == (
        [f"{tmp_path}/bin/claude", "--resume", uuid(1), "--effort", "max"]
    )
    monkeypatch.setenv("PATH", f"/usr/bin:{tmp_path}/bin:{before}")
    assert make("/").argv[0] == "claude"
    monkeypatch.setenv("PATH", f"{before}:/usr/bin")
    with pytest.raises(Refusal, match="claude is in no absolute entry of PATH"):
        make("/")
    assert list(tmp_path.rglob("PWN")) == []


def test_what_is_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "claude").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "claude").touch(mode=0o644)
    monkeypatch.setenv("PATH", f"{tmp_path}/a:{tmp_path}/b:/none")
    assert make("/").notes == ["claude is not on PATH"]


@pytest.mark.parametrize(
    ("given", "claude", "codex"),
    [
        ({}, {}, {}),
        ({"SESSIDX_HOME": ""}, {}, {}),
        (
            {"SESSIDX_HOME": "h"},
            {"CLAUDE_CONFIG_DIR": "{}/h/.claude"},
            {"CODEX_HOME": "{}/h/.codex"},
        ),
        ({"SESSIDX_HOME": "/h/"}, {"CLAUDE_CONFIG_DIR": "/h/.claude"}, {"CODEX_HOME": "/h/.codex"}),
        ({"CLAUDE_CONFIG_DIR": "c"}, {"CLAUDE_CONFIG_DIR": "{}/c"}, {}),
        ({"CLAUDE_CONFIG_DIR": "/c/../d"}, {"CLAUDE_CONFIG_DIR": "/d"}, {}),
        ({"CODEX_HOME": "./x"}, {}, {"CODEX_HOME": "{}/x"}),
        (
            {"SESSIDX_HOME": "/h", "CODEX_HOME": "/x"},
            {"CLAUDE_CONFIG_DIR": "/h/.claude"},
            {"CODEX_HOME": "/x"},
        ),
        ({"CODEX_SQLITE_HOME": " db "}, {}, {"CODEX_SQLITE_HOME": "{}/db"}),
    ],
)
def test_a_chosen_home_is_passed_on_absolute(
    given: dict[str, str],
    claude: dict[str, str],
    codex: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    for app, told in (("claude-code", claude), ("codex", codex)):
        made = make("/", app)
        assert made.env == {name: value.format(os.getcwd()) for name, value in told.items()}
