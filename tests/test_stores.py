"""Whatever lies in a store, what is good in it is listed, and the exit code is 0."""

import os
import random
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit import SF, Done, claude, codex, environment, run, uuid
from tests.test_readonly import unprivileged

CLAUDE, CODEX = uuid(1), uuid(2)
PROJECT = ".claude/projects/-srv"
ROLLOUT = ".codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-{}.jsonl"

Spoil = Callable[[Path], object]


def listing(home: Path, *words: str) -> Done:
    """A run without the rights of root, who reads everything; twice, for the index."""
    env = environment(home)
    first, second = (run([*unprivileged(), SF, *words], env) for _ in range(2))
    assert first == second
    assert first.code == 0
    assert first.err.count("\n") <= 1
    return first


def good(home: Path) -> None:
    claude(home, CLAUDE, "/srv/a", "A good one")
    codex(home, CODEX, "/srv/b", "Another good one", at="2026-10-30T10:00:00.000Z")


def put(name: str, data: bytes = b"") -> Spoil:
    """Spoils a home by a file of that name below it."""

    def spoil(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)

    return spoil


def make(name: str, how: Callable[[Path], object]) -> Spoil:
    def spoil(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        how(home / name)

    return spoil


def listen(path: Path) -> None:
    os.chdir(path.parent)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path.name)


RUBBISH = {
    "empty": b"",
    "noise": random.Random(1).randbytes(300_000),
    "nothing but NULs": bytes(5000),
    "scalars": b'1\n"a"\nnull\ntrue\n[]\n[{}]\n',
    "empty objects": b"{}\n" * 500,
    "torn": b'{"type":"user","cwd":"/srv","message":{"role":"us',
    "deep": b'{"type":"user","message":' + b"[" * 100_000 + b"\n",
    "one long line": b'{"type":"user","message":"' + b"x" * 3_000_000,
    "wrong types": b'{"type":["user"],"cwd":7,"timestamp":{},"message":[1],"payload":3,"isSidechain":"no"}\n'
    b'{"type":"user","cwd":{"a":1},"timestamp":"soon","message":{"role":"user","content":{"x":1}}}\n'
    b'{"type":"session_meta","payload":{"id":5,"cwd":[],"git":"main","source":[[]]}}\n'
    b'{"type":"turn_context","payload":{"approval_policy":[],"sandbox_policy":{"type":{}},"effort":1e999}}\n'
    b'{"type":"event_msg","payload":{"type":"user_message","message":["a"]}}\n',
    "times": b'{"type":"user","cwd":"/srv","timestamp":"99999-13-99T99:99:99Z","message":{"content":"a"}}\n',
    "UTF-16": '{"type":"user","cwd":"/srv","message":{"content":"a"}}\n'.encode("utf-16"),
}


@pytest.mark.parametrize("data", RUBBISH.values(), ids=list(RUBBISH))
def test_rubbish_hides_nothing(data: bytes, tmp_path: Path) -> None:
    good(tmp_path)
    for spoil in (
        put(f"{PROJECT}/{uuid(3)}.jsonl", data),
        put(f"{PROJECT}/{uuid(3)}/custom-title.json", data),
        put(f"{PROJECT}/{uuid(3)}/archived.json", data),
        put(ROLLOUT.format(uuid(4)), data),
        put(ROLLOUT.format(uuid(5)) + ".zst", data),
        put(".codex/archived_sessions/rollout-x.jsonl", data),
        put(".codex/state_5.sqlite", data),
        put(".codex/state_5.sqlite-wal", data),
        put(".codex/state_99999999999999999999.sqlite", b"SQLite format 3\0" + data),
        put(".codex/session_index.jsonl", data),
        put(".codex/config.toml", data + b'\nsqlite_home = "'),
        put(".claude/sessions/1.json", data),
        put(".claude/projects/-srv/sessions-index.json", data),
    ):
        spoil(tmp_path)
    done = listing(tmp_path, "--json", "--all")
    found = {row["id"]: row for row in done.json}
    assert found[CLAUDE]["title"] == "A good one"
    assert found[CODEX]["title"] == "Another good one"
    for words in (
        ["doctor"],
        ["doctor", "--json"],
        ["build"],
        ["apps"],
        ["@ids"],
        ["show", CLAUDE],
    ):
        told = run([SF, *words], environment(tmp_path))
        assert told.code in (0, 1)
        assert "Traceback" not in told.err
        assert "fault" not in told.err
        assert told.err.count("\n") <= 1


THINGS: dict[str, Spoil] = {
    "a FIFO": make(f"{PROJECT}/{uuid(3)}.jsonl", os.mkfifo),
    "a FIFO for a rollout": make(ROLLOUT.format(uuid(3)), os.mkfifo),
    "a FIFO for a database": make(".codex/state_5.sqlite", os.mkfifo),
    "a FIFO for the names": make(".codex/session_index.jsonl", os.mkfifo),
    "a FIFO for a process": make(".claude/sessions/1.json", os.mkfifo),
    "a FIFO for a title": make(f".claude/projects/-srv-a/{CLAUDE}/custom-title.json", os.mkfifo),
    "a folder": make(f"{PROJECT}/{uuid(3)}.jsonl", Path.mkdir),
    "a folder for a database": make(".codex/state_5.sqlite", Path.mkdir),
    "a socket": make(f"{PROJECT}/{uuid(3)}.jsonl", listen),
    "a device": make(f"{PROJECT}/{uuid(3)}.jsonl", lambda p: p.symlink_to("/dev/zero")),
    "a device for a rollout": make(ROLLOUT.format(uuid(3)), lambda p: p.symlink_to("/dev/zero")),
    "a link to a secret": make(f"{PROJECT}/{uuid(3)}.jsonl", lambda p: p.symlink_to("/etc/passwd")),
    "a dangling link": make(f"{PROJECT}/{uuid(3)}.jsonl", lambda p: p.symlink_to("none")),
    "a link to itself": make(PROJECT, lambda p: p.symlink_to(p.name)),
    "a link to the projects": make(PROJECT, lambda p: p.symlink_to("../projects")),
    "a link upwards": make(".codex/sessions/loop", lambda p: p.symlink_to("..")),
    "a link round": make(
        ".codex/sessions/2026/11/round", lambda p: p.symlink_to("../../../sessions")
    ),
    "a file among projects": put(".claude/projects/stray", b"x"),
    "a name of odd bytes": make(f".claude/projects/-srv-\udcff/{uuid(3)}.jsonl", Path.touch),
    "a name with a line break": make(f".claude/projects/-srv\n\t/{uuid(3)}.jsonl", Path.touch),
    "a rollout without an id": put(".codex/sessions/rollout-.jsonl", b"{}\n"),
}


@pytest.mark.parametrize("spoil", THINGS.values(), ids=list(THINGS))
def test_things_that_are_no_files(
    spoil: Spoil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good(tmp_path)
    spoil(tmp_path)
    done = listing(tmp_path, "--all")
    assert [row[0] for row in done.rows] == [CLAUDE, CODEX]
    assert done.err == ""


def test_links_are_followed_once(tmp_path: Path) -> None:
    good(tmp_path)
    projects = tmp_path / ".claude/projects"
    (projects / "-srv-a").rename(tmp_path / "elsewhere")
    for name in ("-srv-a", "-srv-x", "-srv-y"):
        (projects / name).symlink_to(tmp_path / "elsewhere")
    (tmp_path / ".codex/sessions").rename(tmp_path / "shared")
    (tmp_path / ".codex/sessions").symlink_to(tmp_path / "shared")
    assert [row[0] for row in listing(tmp_path, "--all").rows] == [CLAUDE, CODEX]


@pytest.mark.parametrize("name", [".claude", ".codex", ".claude/projects", ".codex/sessions"])
@pytest.mark.parametrize("kind", ["a file", "empty", "unreadable", "absent"])
def test_the_other_store_is_listed(name: str, kind: str, tmp_path: Path) -> None:
    good(tmp_path)
    (tmp_path / name).rename(tmp_path / "gone")
    if kind == "a file":
        (tmp_path / name).write_text("{}\n")
    elif kind != "absent":
        (tmp_path / name).mkdir(mode=0o755 if kind == "empty" else 0)
    done = listing(tmp_path)
    assert [row[1] for row in done.rows] == ["codex" if "claude" in name else "claude-code"]
    assert listing(tmp_path, "--app", "codex" if "codex" in name else "claude-code").out == ""
    if kind == "unreadable":
        told = run([*unprivileged(), SF, "doctor"], environment(tmp_path))
        assert told.code == 1
        assert f"{tmp_path}/{name}" in told.out
        (tmp_path / name).chmod(0o755)


def locked(home: Path) -> Iterator[Path]:
    """What may be forbidden, one after the other, with the rows still in the index."""
    for name in (
        f".claude/projects/-srv-a/{CLAUDE}.jsonl",
        ".claude/projects/-srv-a",
        ".codex/sessions",
    ):
        yield home / name
    for name in (".claude/projects", ".claude", ".codex", ".codex/sessions/2026/11/01"):
        yield home / name
    yield home / ROLLOUT.format(CODEX)


def test_what_cannot_be_read_now_is_not_forgotten(tmp_path: Path) -> None:
    good(tmp_path)
    before = listing(tmp_path)
    for path in locked(tmp_path):
        mode = path.stat().st_mode
        # A folder may be read without being searched, or searched without being read.
        for forbidden in (0,) if path.suffix else (0, 0o444, 0o111):
            path.chmod(forbidden)
            assert listing(tmp_path) == before, (path, forbidden)
        if path.suffix:
            told = path.stat()
            os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns + 10**9))
            assert listing(tmp_path) == before, path
        path.chmod(mode)


def test_an_unreadable_file_is_named_by_doctor(tmp_path: Path) -> None:
    good(tmp_path)
    path = claude(tmp_path, uuid(3), "/srv/c")
    path.chmod(0)
    done = listing(tmp_path)
    assert [row[0] for row in done.rows] == [CLAUDE, CODEX]
    told = run([*unprivileged(), SF, "doctor"], environment(tmp_path))
    assert told.code == 1
    assert f"    {path}\n" in told.out
    path.chmod(0o600)
    assert len(listing(tmp_path).rows) == 3


def test_a_half_written_line_costs_nothing_else(tmp_path: Path) -> None:
    good(tmp_path)
    whole = listing(tmp_path).out
    for path in (
        tmp_path / f".claude/projects/-srv-a/{CLAUDE}.jsonl",
        tmp_path / ROLLOUT.format(CODEX),
    ):
        with path.open("ab") as file:
            file.write(b'{"type":"user","timestamp":"2026-11-02T00:00:00.000Z","cwd":"/x","messa')
    assert listing(tmp_path).out == whole
    (tmp_path / ".cache/sessidx/index").unlink()
    assert listing(tmp_path).out == whole
