"""The demo's home: what is in it, that nothing lies outside it, and that it always goes away."""

import json
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sessidx import apps, demo
from sessidx.demo.chats import PROJECTS, WORKTREES, chats
from tests.kit import SF, environment, run, which
from tests.shell.terminal import Terminal

NOW = 1_795_000_000.0


@pytest.fixture
def made(tmp_path: Path) -> Path:
    demo.build(str(tmp_path / "home"), now=NOW)
    return tmp_path / "home"


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def transcripts(home: Path) -> list[Path]:
    return sorted(home.glob(".claude/projects/*/*.jsonl"))


def rollouts(home: Path) -> list[Path]:
    return sorted(home.glob(".codex/*sessions/**/rollout-*.jsonl"))


def threads(home: Path) -> list[sqlite3.Row]:
    database = sqlite3.connect(f"file:{home}/.codex/state_5.sqlite?mode=ro&immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    try:
        return database.execute("SELECT * FROM threads").fetchall()
    finally:
        database.close()


def branch_of(folder: Path) -> str:
    git = folder / ".git"
    if git.is_file():
        git = Path(git.read_text().removeprefix("gitdir: ").strip())
    return (git / "HEAD").read_text().strip().removeprefix("ref: refs/heads/")


def test_a_couple_of_dozen_sessions_of_both_apps(made: Path) -> None:
    told = list(chats())
    assert len(told) == 28
    assert len(transcripts(made)) == sum(chat.app == "claude" for chat in told) == 17
    assert len(rollouts(made)) == sum(chat.app == "codex" for chat in told) == 9
    assert (
        len([*made.glob(".qwen/projects/*/chats/*.jsonl"), *made.glob(".pi/agent/sessions/*/*")])
        == 2
    )
    assert len({chat.title for chat in told}) == 28


def test_claude_transcripts_lie_where_their_folder_says(made: Path) -> None:
    for path in transcripts(made):
        told = records(path)
        spoken = [record for record in told if record["type"] in ("user", "assistant")]
        cwd = str(spoken[0]["cwd"])
        assert path.parent.name == re.sub("[^a-zA-Z0-9]", "-", cwd)
        assert cwd.startswith(f"{made}/code/")
        assert {record["sessionId"] for record in spoken} == {path.stem}
        uuids = {record["uuid"] for record in told if "uuid" in record}
        assert {r["parentUuid"] for r in told if "parentUuid" in r} - uuids == {None}


def test_codex_rows_name_their_rollouts(made: Path) -> None:
    rows = {row["rollout_path"]: row for row in threads(made)}
    assert sorted(rows) == [str(path) for path in rollouts(made)]
    for path, row in rows.items():
        told = records(Path(path))
        meta = told[0]["payload"]
        assert isinstance(meta, dict)
        assert (meta["id"], meta["cwd"]) == (row["id"], row["cwd"])
        assert path.endswith(f"-{row['id']}.jsonl")
        assert [record["ordinal"] for record in told] == list(range(len(told)))
        assert row["archived"] == ("/archived_sessions/" in path)
    assert sum(row["archived"] for row in rows.values()) == 1
    assert sum(row["source"] == "exec" for row in rows.values()) == 1
    assert sorted(os.listdir(made / ".codex")) == [
        "archived_sessions",
        "session_index.jsonl",
        "sessions",
        "state_5.sqlite",
    ]


def test_one_folder_gone_one_branch_moved(made: Path) -> None:
    gone, moved = set(), set()
    for chat in chats():
        folder = made / "code" / chat.project
        if not folder.exists():
            gone.add(chat.title)
        elif branch_of(folder) != chat.branch:
            moved.add(chat.title)
    assert gone == {"Export the old invoices"}
    assert moved == {"Tighten the intro of the SQLite post"}
    assert len({chat.project for chat in chats()}) == len(PROJECTS) + len(WORKTREES)


def test_one_loose_mode_of_each_app(made: Path) -> None:
    modes = [str(records(path)[-1].get("permissionMode")) for path in transcripts(made)]
    assert modes.count("bypassPermissions") == 1
    assert not {"acceptEdits", "auto", "dontAsk"} & set(modes)
    loose = [row for row in threads(made) if row["sandbox_policy"] == '{"type":"disabled"}']
    assert [row["approval_mode"] for row in loose] == ["never"]


def test_ages_run_from_minutes_to_months(made: Path) -> None:
    ages = [(NOW - path.stat().st_mtime) / 60 for path in transcripts(made) + rollouts(made)]
    assert 0 < min(ages) < 10
    assert max(ages) > 60 * 24 * 90


def test_the_stand_ins_say_where_they_are(made: Path) -> None:
    for name, version in (("claude", "2.1.332 (Claude Code)"), ("codex", "codex-cli 0.171.0")):
        program = made / "bin" / name
        ask = ["resume", "a b"]
        told = subprocess.run(
            [program, *ask], cwd=made / "code/infra", text=True, capture_output=True, check=True
        )
        assert "stand-in" in told.stdout
        assert f"{made}/code/infra\narguments: resume a b\n" in told.stdout
        said = subprocess.run([program, "--version"], text=True, capture_output=True, check=True)
        assert said.stdout == version + "\n"


@pytest.mark.parametrize("key", ["\x1b", "\r"], ids=["left", "chosen"])
def test_it_ends_with_what_comes_next(tmp_path: Path, key: str) -> None:
    env = environment(tmp_path) | {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
    with Terminal([str(SF), "demo"], env, tmp_path, (40, 250)) as terminal:
        terminal.wait(lambda: "&& claude" in terminal.text(), "the preview")
        terminal.send(key)
        terminal.wait(lambda: "config.fish" in terminal.text(), "what comes next")
        screen = terminal.text()
    assert ("This is the demo's stand-in" in screen) == (key == "\r")
    for shell in ("zsh", "bash"):
        line = re.search(rf'  {shell} +(eval "\$\(\S+ init {shell}\)")', screen)
        assert line
        ends = run([which(shell), "-c", f"{line[1]}; type sf"], env)
        assert (ends.code, ends.err) == (0, "")
        assert "function" in ends.out
    line = re.search(r"  fish +(\S+ init fish \| source)", screen)
    assert line
    assert run([which("fish"), "-c", f"{line[1]}; functions -q sf"], env).code == 0


def test_children_see_no_other_store() -> None:
    mine = {"LANG": "C.UTF-8", "PATH": "/usr/bin", "CLAUDE_CONFIG_DIR": "/home/alex/.claude"}
    homes = {name for entry in apps.TABLE for name, _ in entry.variables}
    homes |= {name for entry in apps.TABLE for name in entry.also}
    homes |= {"HOME", "SESSIDX_HOME", "SESSIDX_HOMES", "SESSIDX_AGENTS", "XDG_CACHE_HOME"}
    seen = demo.environment("/tmp/demo", mine | dict.fromkeys(homes, "/home/alex/x"))
    assert seen == {
        "LANG": "C.UTF-8",
        "PATH": "/tmp/demo/bin:/usr/bin",
        "HOME": "/tmp/demo",
        "XDG_CACHE_HOME": "/tmp/demo/.cache",
    }
    assert demo.environment("/tmp/demo", {"PATH": ""})["PATH"] == f"/tmp/demo/bin:{os.defpath}"


def test_building_writes_below_its_folder_only(tmp_path: Path) -> None:
    opened: list[str] = []
    listening = True

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event in ("open", "os.mkdir", "os.rename", "sqlite3.connect"):
            writes = event != "open" or arguments[1] not in (None, "r", "rb")
            if writes and isinstance(arguments[0], str):
                opened.append(arguments[0])
        assert not (listening and event in ("subprocess.Popen", "os.exec", "os.posix_spawn"))

    sys.addaudithook(hear)
    home = f"{tmp_path}/home"
    try:
        demo.build(home)
    finally:
        listening = False
    assert len(opened) > 28
    assert [path for path in opened if not path.startswith(home)] == []


def test_the_home_is_private_and_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with demo.home() as home:
        assert stat.S_IMODE(os.stat(home).st_mode) == 0o700
        assert Path(home).parent == tmp_path
        os.symlink(outside, f"{home}/link")
        os.chmod(f"{home}/code/infra", 0)
    assert os.listdir(tmp_path) == ["outside"]
    assert os.listdir(outside) == ["file"]
    assert handlers == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]


def test_the_home_goes_away_after_an_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(FileNotFoundError), demo.home() as home:
        os.remove(f"{home}/never-there")
    assert os.listdir(tmp_path) == []


WAIT = """
import time
from sessidx import demo
with demo.home() as home:
    print(home, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_home_goes_away_after_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", WAIT], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdout is not None
        home = child.stdout.readline().decode().strip()
        assert os.path.isdir(home)
        began = time.monotonic()
        child.send_signal(number)
        child.wait(timeout=20)
    assert time.monotonic() - began < 20
    assert os.listdir(tmp_path) == []
    assert child.returncode == (-number if number == signal.SIGINT else 128 + number)
