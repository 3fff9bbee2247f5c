"""State databases in use, locked or left by a crash: read quickly or not, never touched."""

import os
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.look import assert_no_fault, clis, name_of_one, only, plan, shown, titles
from tests.cases.threads import create, database, insert, path_of, thread, writer
from tests.warm import sf

CWD = "/srv/shop"
A = codex.thread_id(1)
FIRST = "First prompt"


WAL = ("journal_mode=WAL", "wal_autocheckpoint=0")


def left_behind(path: Path, *pragmas: str, rename: str = "In the log") -> None:
    """As a process leaves it that is killed: what it wrote last stands only in the log beside it."""
    work = path.parent.parent / "work"
    work.mkdir()
    shutil.move(path, work / path.name)
    with writer(work / path.name, *pragmas) as db:
        db.execute("UPDATE threads SET name = ?", (rename,))
        for suffix in ("", "-wal", "-shm", "-journal"):
            if (work / f"{path.name}{suffix}").exists():
                shutil.copyfile(work / f"{path.name}{suffix}", f"{path}{suffix}")
    shutil.rmtree(work)


@pytest.mark.parametrize("beside", ["-wal and -shm", "-wal"])
def test_rows_that_are_only_in_the_log(rollout: Path, beside: str) -> None:
    # openai/codex#31184: read as immutable, what was not checked in is missed
    path = database(rollout, [thread(A, CWD)])
    left_behind(path, *WAL)
    if beside == "-wal":
        Path(f"{path}-shm").unlink()
    assert titles(rollout) == ["In the log"]


def test_a_table_that_is_only_in_the_log(rollout: Path) -> None:
    path = path_of(rollout)
    with writer(path, *WAL) as db:
        create(db)
        insert(db, [thread(A, CWD, name="In the log")])
        assert name_of_one(rollout) == "In the log"


def test_a_writer_at_work(rollout: Path) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    with writer(path, *WAL) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE threads SET name = 'Not yet'")
        assert name_of_one(rollout) == "Named"
        db.execute("COMMIT")
        assert name_of_one(rollout) == "Not yet"


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
def test_a_locked_database(rollout: Path, mode: str) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    with writer(path, f"journal_mode={mode}", "locking_mode=EXCLUSIVE") as db:
        db.execute("BEGIN EXCLUSIVE")
        db.execute("UPDATE threads SET title = 'x'")
        assert name_of_one(rollout) in ("Named", FIRST)
        assert name_of_one(rollout) in ("Named", FIRST)
        db.execute("ROLLBACK")
    assert titles(rollout) == ["Named"]


def test_an_empty_log(rollout: Path) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    for suffix in ("-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").touch()
    assert titles(rollout) == ["Named"]


@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_a_log_of_anything(rollout: Path, suffix: str) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    for junk in (b"junk" * 5000, b"\0" * 70_000, bytes.fromhex("377f0682") + b"\xff" * 9000):
        Path(f"{path}{suffix}").write_bytes(junk)
        assert name_of_one(rollout) in ("Named", FIRST)


# --- a journal that a crash left


def hot_journal(path: Path, super_journal: bytes = b"") -> None:
    """A database in the middle of a change, with the journal that would undo it."""
    work = path.parent.parent / "work.sqlite"
    with writer(work, "page_size=1024", "cache_size=1") as db:
        create(db)
        insert(db, [thread(A, CWD, name="Before")])
        db.execute("BEGIN")
        db.execute("UPDATE threads SET name = 'Half done'")
        db.execute("CREATE TABLE big (x)")
        db.executemany("INSERT INTO big VALUES (?)", [("z" * 900,)] * 300)
        data, journal = work.read_bytes(), Path(f"{work}-journal").read_bytes()
    if super_journal:
        journal += b"\0" * (-len(journal) % 512)
        total = sum(byte - 256 * (byte > 127) for byte in super_journal) % 2**32
        journal += struct.pack(">I", 0x40000000 // 1024 + 1) + super_journal
        journal += struct.pack(">II", len(super_journal), total) + journal[:8]
    path.write_bytes(data)
    Path(f"{path}-journal").write_bytes(journal)


def test_a_hot_journal_is_left_alone(rollout: Path) -> None:
    hot_journal(path_of(rollout))
    assert name_of_one(rollout) in ("Before", FIRST)
    shown(rollout, A)


@pytest.mark.parametrize("content", [b"/nowhere/child-journal\0", b"anything at all"])
def test_a_journal_that_names_a_file_to_be_deleted(rollout: Path, content: bytes) -> None:
    """SQLite deletes what the end of a hot journal calls its super-journal, when that has no others."""
    victim = rollout / "letter.txt"
    victim.write_bytes(content)
    hot_journal(path_of(rollout), os.fsencode(victim))
    control = rollout / "control"
    control.mkdir()
    shutil.copy(victim, rollout / "kept.txt")
    for suffix in ("", "-journal"):
        shutil.copy(f"{path_of(rollout)}{suffix}", f"{control}/db.sqlite{suffix}")
    for words in ((), ("@ids",), ("show", A), ("resume", A), ("build",), ("doctor",)):
        assert_no_fault(sf(*words, home=rollout, **clis(rollout)))
        assert victim.read_bytes() == content
    with closing(sqlite3.connect(control / "db.sqlite")) as db:
        db.execute("SELECT count(*) FROM threads").fetchone()
    assert not victim.exists()  # by itself SQLite does


def test_what_was_known_stands_while_a_journal_does(rollout: Path) -> None:
    """The database has a newer folder than the rollout; a crash leaves it in the middle of a change."""
    new = rollout / "moved"
    new.mkdir()
    path = database(rollout, [thread(A, new, name="Named", git_branch="newer")])
    before = only(rollout)
    assert (before["cwd"], before["branch"], before["title"]) == (str(new), "newer", "Named")
    assert not [note for note in plan(rollout, A)["notes"] if "last known" in note]
    hot_journal(path)
    for _ in range(2):
        assert only(rollout) == before
        made = plan(rollout, A, "--yes")
        assert made["cwd"] == str(new)
        (note,) = [note for note in made["notes"] if "last known" in note]
        assert "state_5.sqlite: it is being written to" in note
    assert "state_5.sqlite" in sf("doctor", home=rollout, **clis(rollout)).out
    path.unlink()
    Path(f"{path}-journal").unlink()
    database(rollout, [thread(A, CWD, name="After")])
    assert (only(rollout)["cwd"], only(rollout)["title"]) == (CWD, "After")


def test_a_failed_read_is_not_remembered(rollout: Path) -> None:
    """The file stands as before, to all that its time and size tell, and can be read again."""
    path = database(rollout, [thread(A, CWD, name="Named")])
    whole, status = path.read_bytes(), path.stat()
    path.write_bytes(b"x" * len(whole))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert titles(rollout) == [FIRST]
    path.write_bytes(whole)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert titles(rollout) == ["Named"]


# --- a link that the store has itself


@pytest.mark.parametrize("kind", ["absolute", "relative"])
def test_a_linked_database(rollout: Path, kind: str) -> None:
    """As people have it who keep their settings in a repository; the -wal lies beside the target."""
    path = database(rollout, [thread(A, CWD, name="Named")])
    target = rollout / "dotfiles" / "codex.sqlite"
    target.parent.mkdir()
    path.rename(target)
    path.symlink_to(target if kind == "absolute" else "../dotfiles/codex.sqlite")
    assert titles(rollout) == ["Named"]
    with writer(target, *WAL) as db:
        db.execute("UPDATE threads SET name = 'In the log'")
        assert name_of_one(rollout) == "In the log"
        db.execute("UPDATE threads SET name = 'Again'")
        assert name_of_one(rollout) == "Again"
    assert "state_5" not in sf("doctor", home=rollout, **clis(rollout)).out


def test_a_link_that_goes_on_is_not_followed(rollout: Path) -> None:
    path = database(rollout, [thread(A, CWD, name="Named")])
    path.rename(path.with_name("target"))
    path.with_name("link").symlink_to("target")
    path.symlink_to("link")
    assert titles(rollout) == [FIRST]
    assert "state_5.sqlite" in sf("doctor", home=rollout, **clis(rollout)).out
