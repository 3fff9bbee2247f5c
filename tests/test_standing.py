"""Words that a person adds to each line of an app."""

from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import talk, transcript
from tests.cases.look import clis, plan, refused
from tests.kit import uuid

ID = uuid(1)
THREAD = codex.thread_id(1)
MODEL, MODE = ("--model", "claude-opus-4-6"), ("--permission-mode", "default")


@pytest.fixture
def both(home: Path, tmp_path: Path) -> Path:
    records = talk(permissionMode="bypassPermissions", model="claude-opus-4-6")
    transcript(home, ID, tmp_path, records)
    codex.rollout(home, THREAD, tmp_path)
    return home


@pytest.mark.parametrize(
    ("told", "argv"),
    [
        (
            "--verbose --add-dir '/srv/a b'",
            ["--verbose", "--add-dir", "/srv/a b", "--resume", ID, *MODEL, *MODE],
        ),
        ("--model opus", ["--model", "opus", "--resume", ID, *MODE]),
        (
            "--permission-mode=acceptEdits",
            ["--permission-mode=acceptEdits", "--resume", ID, *MODEL],
        ),
        ("", ["--resume", ID, *MODEL, *MODE]),
    ],
)
def test_of_claude(both: Path, told: str, argv: list[str]) -> None:
    found = plan(both, ID, SESSIDX_CLAUDE_ARGS=told, SESSIDX_CODEX_ARGS="--search")
    assert found["argv"] == ["claude", *argv]


def test_of_codex(both: Path) -> None:
    found = plan(both, THREAD, SESSIDX_CODEX_ARGS="--search -a untrusted", SESSIDX_CLAUDE_ARGS="-x")
    assert found["argv"][:5] == ["codex", "resume", "--search", "-a", "untrusted"]
    assert found["argv"].count("-a") == 1
    assert found["argv"][-1] == THREAD


def test_codex_stays_with_its_provider(both: Path) -> None:
    told = '-c model_provider="rival"'
    found = plan(both, THREAD, SESSIDX_CODEX_ARGS=told)
    named = [word for word in found["argv"] if word.startswith("model_provider=")]
    assert named == ["model_provider=rival", 'model_provider="openai"']  # the last one counts


@pytest.mark.parametrize("told", ["'", "a\nb", "\x1b[2J", "x" * 5000, "\u202e", '"open'])
def test_what_is_not_to_be_understood(both: Path, told: str) -> None:
    assert "SESSIDX_CLAUDE_ARGS" in refused(both, ID, code=2, SESSIDX_CLAUDE_ARGS=told)


def test_they_are_quoted(both: Path) -> None:
    more = clis(both) | {"SESSIDX_CLAUDE_ARGS": "'$(touch canary)' \\;"}
    argv = plan(both, ID, **more)["argv"]
    assert argv[1:3] == ["$(touch canary)", ";"]
    assert "'$(touch canary)' ';' --resume" in plan(both, ID, **more)["line"]
