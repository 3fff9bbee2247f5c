"""Paths that a store tells of are not followed, and what is none of ours is never opened."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import store, talk, transcript
from tests.cases.look import assert_no_fault, clis, listed
from tests.kit import slug, uuid
from tests.warm import sf

ID = uuid(1)
THREAD, OTHER = codex.thread_id(1), codex.thread_id(2)
CALLS: tuple[tuple[str, ...], ...] = (
    (),
    ("@ids",),
    ("--all",),
    ("show", ID),
    ("show", THREAD),
    ("resume", ID),
    ("build",),
)
CALLS += (("resume", THREAD), ("resume", OTHER), ("doctor",), ("doctor", "token"), ("apps",))


def secret(home: Path) -> Path:
    """A file of the person's that would make a fine session."""
    path = codex.rollout(home / "private", OTHER, "/srv", codex.exchange(OTHER, "/srv", "token"))
    return path.rename(home / "credentials")


def pipe(home: Path) -> Path:
    os.mkfifo(home / "pipe")
    return home / "pipe"


TARGETS: dict[str, Callable[[Path], object]] = {
    "credentials": secret,
    "another store": lambda home: codex.rollout(home / "private", OTHER, "/srv"),
    "a way out": lambda home: f"{home}/.codex/sessions/../../{secret(home).name}",
    "a pipe": pipe,
    "a device": lambda home: "/dev/zero",
    "a terminal": lambda home: "/dev/tty",
    "relative": lambda home: "../credentials",
    "a nul": lambda home: "/etc\0/passwd",
    "nothing": lambda home: "",
}


@pytest.mark.parametrize("make", TARGETS.values(), ids=TARGETS)
def test_the_path_in_a_row_is_not_followed(
    home: Path, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    transcript(home, ID, tmp_path)
    codex.rollout(home, THREAD, tmp_path)
    target = str(make(home))
    rows = [threads.thread(one, tmp_path, rollout_path=target) for one in (THREAD, OTHER)]
    threads.database(home, rows)
    assert {told["id"] for told in listed(home)} == {ID, THREAD}
    for words in CALLS:
        ran = sf(*words, home=home, **clis(home))
        assert_no_fault(ran)
        assert ran.seconds < 10
        assert target not in ran.opened()
        assert os.path.realpath(target.replace("\0", "")) not in ran.opened()


def test_an_index_of_claudes_own_is_not_read(home: Path, tmp_path: Path) -> None:
    # anthropics/claude-code#25032: it is out of date
    transcript(home, ID, tmp_path)
    lie = f'{{"version":1,"entries":[{{"sessionId":"{uuid(2)}","fullPath":"{secret(home)}"}}]}}'
    (store(home) / slug(str(tmp_path)) / "sessions-index.json").write_text(lie)
    assert [told["id"] for told in listed(home)] == [ID]


SECRETS: tuple[str, ...] = (
    ".claude.json",
    ".claude/.credentials.json",
    ".claude/x.key",
)
SECRETS += (".codex/auth.json", ".codex/history.jsonl", ".claude/history.jsonl", ".netrc")
SECRETS += (".codex/config.toml.bak", ".ssh/id_ed25519", ".aws/credentials", ".config/gh/hosts.yml")


def test_secrets_are_never_opened(home: Path, tmp_path: Path) -> None:
    transcript(home, ID, tmp_path, talk())
    codex.rollout(home, THREAD, tmp_path)
    threads.database(home, [threads.thread(THREAD, tmp_path)])
    for name in SECRETS:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"token":"token-of-alex"}\n')
    for words in CALLS:
        ran = sf(*words, home=home, **clis(home))
        assert_no_fault(ran)
        assert "token-of-alex" not in ran.out + ran.err
        assert not {str(home / name) for name in SECRETS} & set(ran.opened())
