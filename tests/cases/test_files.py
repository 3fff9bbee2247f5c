"""What lies in a store besides sessions: nothing of it hides a session or is followed astray."""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from sessidx.apps import claude_code
from sessidx.session import Look
from tests.cases import codex, threads
from tests.cases.claude import Record, store, talk, transcript
from tests.cases.look import listed, only, refused, shown
from tests.kit import lines, slug, uuid
from tests.warm import sf, sf_without_powers

CWD = "/srv/shop"
ID = uuid(1)
THREAD = codex.thread_id(1)


def below(home: Path) -> Path:
    """The project's folder in the store, with one session in it."""
    return transcript(home, ID, CWD, talk("Real work", 1)).parent


NO_TALK: dict[str, list[Record | bytes]] = {
    "empty": [],
    "blank lines": [b"", b"", b"  "],
    "a snapshot": [{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}],
    "no objects": [b"[]", b'"text"', b"42", b"null"],
    "started and quit": [{"type": "mode", "mode": "normal"}, {"type": "permission-mode"}],
    "a title": [{"type": "custom-title", "customTitle": "user assistant"}],
    "helpers": [*talk("Find it", isSidechain=True), *talk("And it", isSidechain=True)],
    "binary": [os.urandom(4096)],
}


@pytest.mark.parametrize("records", NO_TALK.values(), ids=NO_TALK)
def test_a_file_without_a_conversation(home: Path, records: list[Record | bytes]) -> None:
    # getagentseal/codeburn#9
    below(home)
    path = transcript(home, uuid(2), CWD)
    path.write_bytes(b"")
    if records:
        transcript(home, uuid(2), CWD, records)
    assert only(home)["title"] == "Real work"
    assert "no such session" in refused(home, uuid(2))


def test_names_that_are_no_sessions(home: Path) -> None:
    folder = below(home)
    said = talk("No session", 9)
    for name in ("notes", "agent-1234abcd", uuid(2)[:-1], f"{uuid(3)}0", uuid(4).replace("-", "_")):
        transcript(home, name, CWD, said)
    (folder / f"{uuid(5)}.jsonl" / "inner").mkdir(parents=True)
    (folder / uuid(6) / "tool-results").mkdir(parents=True)
    (folder / "memory").mkdir()
    lines(folder / f"{uuid(7)}.json", said)
    lines(folder / f"{uuid(8)}.jsonl.bak", said)
    lines(folder / f".{uuid(9)}.jsonl", said)
    (folder / "sessions-index.json").write_text('{"version":1,"entries":[{"sessionId":"x"}]}')
    lines(store(home) / f"{uuid(10)}.jsonl", said)
    lines(folder / uuid(1) / "subagents" / f"{uuid(11)}.jsonl", said)
    assert only(home)["id"] == ID


@pytest.mark.parametrize("bad", ["\x1b[31mred\x07", "a\nb", "a\tb", "\u202e", "g", " ", "\udcff"])
def test_ids_are_no_other_text(home: Path, bad: str) -> None:
    below(home)
    stem = f"aaaaaaaa-{bad}{'a' * 40}"[:36]
    transcript(home, stem, CWD, talk("No session"))
    codex.rollout(home, stem, CWD)
    codex.rollout(home, bad, CWD)
    codex.rollout(home, THREAD, CWD)
    assert {told["id"] for told in listed(home)} == {ID, THREAD}
    assert {row[0] for row in sf("@ids", home=home).rows} == {ID, THREAD}


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        here = os.getcwd()
        os.chdir(path.parent)  # the name of a socket is short
        try:
            end.bind(path.name)
        finally:
            os.chdir(here)


NO_FILES: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a socket": make_socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a link out of the store": lambda path: path.symlink_to("/etc/passwd"),
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_no_regular_file_in_the_place_of_one(home: Path, make: Callable[[Path], object]) -> None:
    make(below(home) / f"{uuid(2)}.jsonl")
    for name in ("custom-title.json", "archived.json"):
        (store(home) / slug(CWD) / ID).mkdir(exist_ok=True)
        make(store(home) / slug(CWD) / ID / name)
    other = codex.name(codex.thread_id(2))
    make(codex.rollout(home, THREAD, CWD).parent / other)
    for name in ("config.toml", "session_index.jsonl", "state_5.sqlite", "state_6.sqlite-wal"):
        make(codex.store(home) / name)
    make(home / ".claude" / "sessions")
    assert {told["id"] for told in listed(home)} == {ID, THREAD}
    for session in (ID, THREAD):
        shown(home, session)
    assert "root:" not in sf("doctor", home=home).out
    found = sf("doctor", "--json", home=home).json
    odd = [f for f in found if f["told"].endswith("with a session's name")]
    assert [os.path.basename(path) for f in odd for path in f["files"]] == [
        f"{uuid(2)}.jsonl",
        other,
    ]
    [why] = sf("doctor", other, "--json", home=home).json
    assert why["told"].startswith("not listed: a ")


def test_linked_folders_of_two_devices_may_have_one_inode_number(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(home).mkdir(parents=True)
    for number in (1, 2):
        path = transcript(tmp_path / str(number), uuid(number), CWD)
        (store(home) / str(number)).symlink_to(path.parent)
        (store(home) / f"{number}-again").symlink_to(path.parent)
    real = os.fstat
    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", lambda fd: SimpleNamespace(st_dev=real(fd).st_ino, st_ino=2))
        found = [key for key, _ in claude_code.discover(str(home / ".claude"), Look())]
    assert sorted(found) == [f"projects/{number}/{uuid(number)}.jsonl" for number in (1, 2)]


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_no_folder_in_the_place_of_a_store(home: Path, make: Callable[[Path], object]) -> None:
    codex.rollout(home, THREAD, CWD)
    make(home / ".claude")
    assert only(home)["id"] == THREAD
    shutil.rmtree(home / ".codex")
    transcript(home / "other", ID, CWD)
    make(home / "other" / ".codex")
    assert only(home / "other")["id"] == ID
    make(home / "third")
    ran = sf(home=home / "third")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


# --- links


def test_a_linked_project_folder(home: Path) -> None:
    # anthropics/claude-code#46342: dotfile managers
    for link in (slug(CWD), "-another-name", "-and-another"):
        store(home).mkdir(parents=True, exist_ok=True)
        (store(home) / link).symlink_to(home / "shared" / slug(CWD))
    lines(home / "shared" / slug(CWD) / f"{ID}.jsonl", [])
    transcript(home, ID, CWD, talk("Behind a link"))
    assert only(home)["title"] == "Behind a link"


@pytest.mark.parametrize("target", [".", "..", "../..", "-loop", "gone", "/", "/dev", "/proc/self"])
def test_links_that_lead_astray(home: Path, target: str) -> None:
    folder = below(home)
    (store(home) / "-loop").symlink_to(target)
    (folder / "memory").symlink_to(target)
    (folder / uuid(2)).symlink_to(target)
    rollouts = codex.rollout(home, THREAD, CWD).parent
    for place in (
        rollouts,
        rollouts.parent,
        rollouts.parent.parent,
        codex.store(home) / "sessions",
    ):
        (place / "30").symlink_to(target)
        (place / "up").symlink_to(target)
    ran = sf(home=home)
    assert sorted(row[0] for row in ran.rows) == [ID, THREAD]
    assert ran.err == ""
    assert ran.seconds < 5
    assert sum(event == "os.scandir" for event, _ in ran.events) < 50


def test_a_linked_sessions_folder(home: Path) -> None:
    # openai/codex#39504
    shared = home / "shared"
    codex.rollout(shared, THREAD, CWD)
    codex.store(home).mkdir()
    (codex.store(home) / "sessions").symlink_to(codex.store(shared) / "sessions")
    (codex.store(shared) / "sessions" / "2026" / "up").symlink_to("..")
    assert only(home)["id"] == THREAD


def test_a_linked_home(home: Path) -> None:
    for name in (".claude", ".codex"):
        (home / name).symlink_to(home / "elsewhere" / name)
        (home / "elsewhere" / name).mkdir(parents=True)
    below(home)
    codex.rollout(home, THREAD, CWD)
    assert {told["id"] for told in listed(home)} == {ID, THREAD}


def test_a_linked_transcript_is_not_followed(home: Path) -> None:
    real = transcript(home / "elsewhere", uuid(2), CWD, talk("Somewhere else"))
    (below(home) / real.name).symlink_to(real)
    assert only(home)["id"] == ID


# --- what cannot be read


def test_an_unreadable_file_hides_no_other(home: Path) -> None:
    folder = below(home)
    bad = transcript(home, uuid(2), CWD, talk("Secret words"))
    bad.chmod(0)
    rollout = codex.rollout(home, THREAD, CWD, codex.exchange(THREAD, CWD, "Secret words"))
    rollout.chmod(0)
    for _ in ("cold", "warm"):
        ran = sf_without_powers(home=home)
        assert (ran.code, ran.err) == (0, "")
        assert [row[0] for row in ran.rows] == [ID]
    told = sf_without_powers("doctor", home=home)
    assert told.code == 1
    assert str(bad) in told.out
    assert str(rollout) in told.out
    assert "Secret words" not in told.out + told.err
    bad.chmod(0o600)
    assert {row[0] for row in sf_without_powers(home=home).rows} == {ID, uuid(2)}
    assert folder.exists()


def test_what_cannot_be_read_just_now_stays(home: Path) -> None:
    below(home)
    transcript(home, uuid(2), "/srv/other", talk("Of yesterday", 5))
    before = sf_without_powers(home=home)
    assert len(before.rows) == 2
    for place in (store(home) / slug("/srv/other"), store(home), home / ".claude"):
        place.chmod(0)
        ran = sf_without_powers(home=home)
        place.chmod(0o700)
        assert (ran.out, ran.err) == (before.out, "")
    assert sf_without_powers(home=home).out == before.out


def test_an_unreadable_store_leaves_the_other_app(home: Path) -> None:
    below(home)
    codex.rollout(home, THREAD, CWD)
    for name, left in ((".claude", THREAD), (".codex", ID)):
        (home / name).chmod(0)
        ran = sf_without_powers(home=home, XDG_CACHE_HOME=str(home / name[1:]))
        assert [row[0] for row in ran.rows] == [left]
        told = sf_without_powers("doctor", home=home)
        assert told.code == 1
        assert name in told.out
        (home / name).chmod(0o700)


def test_an_unreadable_database_leaves_the_rollouts(home: Path) -> None:
    codex.rollout(home, THREAD, CWD, codex.exchange(THREAD, CWD, "First prompt"))
    path = threads.database(home, [threads.thread(THREAD, CWD, name="Named")])
    path.chmod(0)
    assert [row[5] for row in sf_without_powers(home=home).rows] == ["First prompt"]
    assert path.name in sf_without_powers("doctor", home=home).out
    path.chmod(0o600)
    assert [row[5] for row in sf_without_powers(home=home).rows] == ["Named"]
    os.utime(path)
    path.chmod(0)
    # It is there and was read before: what it said is kept.
    assert [row[5] for row in sf_without_powers(home=home).rows] == ["Named"]


def test_a_store_without_write_permission(home: Path) -> None:
    folder = below(home)
    codex.rollout(home, THREAD, CWD)
    threads.database(home, [threads.thread(THREAD, CWD, name="Named")])
    for place in (folder, codex.store(home)):
        place.chmod(0o500)
    home.chmod(0o500)
    ran = sf_without_powers(home=home, XDG_CACHE_HOME="/nonexistent")
    home.chmod(0o700)
    assert {row[5] for row in ran.rows} == {"Named", "Real work"}


# --- what changes meanwhile


def test_a_transcript_that_vanishes(home: Path) -> None:
    path = below(home) / f"{ID}.jsonl"
    codex.rollout(home, THREAD, CWD)
    assert len(listed(home)) == 2
    path.unlink()
    assert only(home)["id"] == THREAD
    assert "no such session" in refused(home, ID)
    shutil.rmtree(codex.store(home))
    assert listed(home) == []


def test_a_transcript_that_moves(home: Path) -> None:
    path = below(home) / f"{ID}.jsonl"
    assert only(home)["path"] == str(path)
    to = store(home) / "-srv-other" / path.name
    to.parent.mkdir()
    path.rename(to)
    assert only(home)["path"] == str(to)
