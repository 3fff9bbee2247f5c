"""Rollouts and the state database together: the files say what there is, the database how it is called."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import Record, at, dump
from tests.cases.look import listed, only, refused, shown, titles
from tests.cases.threads import COLUMNS, NINE, database, thread

CWD = "/srv/shop"
A, B, C, D = (codex.thread_id(number) for number in range(4))


def test_the_scan_is_the_authority(home: Path) -> None:
    # openai/codex#20165, #28559: only one of the two was asked
    later = [codex.turn(CWD, 45), codex.said("later", 46)]
    codex.rollout(home, A, CWD, [codex.meta(A, CWD), codex.said("In both"), *later])
    codex.rollout(home, B, CWD, codex.exchange(B, CWD, "Only on disk", 50))
    codex.rollout(home, D, CWD, codex.exchange(D, CWD, "Moved home", 55))
    moved = thread(D, CWD, rollout_path=f"/home/other/.codex/{codex.DAY}/{codex.name(D)}")
    database(
        home,
        [
            thread(A, CWD, "In both"),
            thread(C, CWD, "File is gone"),
            {**moved, "title": "Moved home"},
        ],
    )
    told = listed(home)
    assert [session["title"] for session in told] == ["Moved home", "Only on disk", "In both"]
    assert told[0]["path"].startswith(str(home))
    assert told[2]["updated"] == at(46)  # not the row's, which is old
    refused(home, C)


@pytest.mark.parametrize("release", COLUMNS)
def test_the_table_of_each_release(home: Path, release: str) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD, "prompt"))
    row = thread(A, CWD, "Title", model="gpt-6", reasoning_effort="high", git_branch="feat/x")
    database(home, [row], release=release)
    told = only(home)
    assert (told["title"], told["branch"]) == ("Title", "feat/x")
    assert told["effort"] == ("high" if release != "0.105" else None)
    shown(home, A)


def test_the_order_of_names(home: Path) -> None:
    # zed-industries/codex-acp#309: a renamed thread still showed its first prompt
    for number, one in enumerate((A, B, C, D)):
        codex.rollout(home, one, CWD, codex.exchange(one, CWD, f"prompt {number}", number * 5))
    database(
        home,
        [
            thread(A, CWD, "title"),
            thread(B, CWD, "title", name="Named in the table"),
            thread(C, CWD, "Title of C"),
            thread(D, CWD, "", preview="parent's first message", first_user_message=""),
        ],
    )
    codex.names(
        home,
        (A, "Checkout"),
        b'{"id":"cut',
        b"",
        (A, "Checkout v3"),
        (A, "  "),
        (codex.thread_id(99), "no such thread"),
        (B, "older name"),
    )
    assert titles(home) == ["Checkout v3", "Named in the table", "Title of C", "prompt 3"]


def test_a_name_that_comes_later(home: Path) -> None:
    codex.rollout(home, A, CWD)
    assert titles(home) == ["Fix the cart"]
    codex.names(home, (A, "Renamed"))
    assert titles(home) == ["Renamed"]
    database(home, [thread(A, CWD, name="Named")])
    assert titles(home) == ["Named"]
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        db.execute("UPDATE threads SET name = 'Again'")
    assert titles(home) == ["Again"]
    threads.path_of(home).unlink()
    (codex.store(home) / "session_index.jsonl").unlink()
    assert titles(home) == ["Fix the cart"]


@pytest.mark.parametrize(
    "value", [None, "", 5, -1, 1.5, b"blob", "\0", "x" * 9000, 2**62, float("inf")]
)
def test_values_of_another_kind_in_a_row(home: Path, value: object) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD, "prompt"))
    names = [column.split()[0] for column in threads.NEWEST]
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        db.execute(f"CREATE TABLE threads ({','.join(names)})")
        row = {**dict.fromkeys(names, value), "attached_thread_parent_id": None}
        threads.insert(db, [{**row, "id": A}, row])
    assert only(home, "--all")["id"] == A
    shown(home, A)


def test_bytes_that_are_not_utf_8_in_a_row(home: Path) -> None:
    codex.rollout(home, A, CWD)
    database(home, [])
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        threads.insert(db, [thread(A, CWD)])
        db.execute("UPDATE threads SET name = CAST(x'636166e9ff00' AS TEXT)")
    assert titles(home) == ["caf\ufffd\ufffd"]


def test_two_rows_of_one_thread(home: Path) -> None:
    codex.rollout(home, A, CWD)
    names = [column.split()[0] for column in threads.NEWEST]
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        db.execute(f"CREATE TABLE threads ({','.join(names)})")
        threads.insert(db, [thread(A, CWD, name="One"), thread(A, CWD, name="Two")])
    assert only(home)["title"] in ("One", "Two")


@pytest.mark.parametrize(
    ("row", "updated"),
    [
        ({"recency_at_ms": (NINE + 7 * 60) * 1000}, at(7)),  # its last turn, where no rollout says
        ({"updated_at_ms": (NINE + 9 * 60) * 1000}, at(9)),
        ({"updated_at_ms": None, "updated_at": NINE + 11 * 60}, at(11)),
        ({"updated_at_ms": None, "updated_at": None}, at(13)),  # the file's
    ],
)
def test_a_time_that_only_the_database_has(
    home: Path, row: dict[str, object], updated: str | None
) -> None:
    records = [codex.meta(A, CWD), {"type": "response_item", "payload": {"type": "message"}}]
    path = codex.rollout(
        home, A, CWD, [{**records[0], "timestamp": None}, {**codex.said("Hi"), "timestamp": None}]
    )
    os.utime(path, (0, NINE + 13 * 60))
    names = [column.split()[0] for column in threads.NEWEST]
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        db.execute(f"CREATE TABLE threads ({','.join(names)})")
        threads.insert(db, [{**thread(A, CWD), **row}])
    assert only(home)["updated"] == updated


def test_opening_a_thread_is_no_turn(home: Path) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD))
    database(home, [thread(A, CWD, updated_at=NINE + 9999, updated_at_ms=(NINE + 9999) * 1000)])
    assert only(home)["updated"] == at(2)


def test_a_last_turn_longer_than_the_tail(home: Path) -> None:
    # The time is that of the turn, however far back it was started.
    long = [codex.item("x" * 100_000, minute=3) for _ in range(7)]
    begun = codex.record("event_msg", 2, type="task_started")
    codex.rollout(home, A, CWD, [*codex.exchange(A, CWD), begun, *long])
    database(home, [thread(A, CWD, recency_at_ms=(NINE + 7 * 60) * 1000)])
    assert only(home)["updated"] == at(7)


def test_a_very_long_list_of_names(home: Path) -> None:
    codex.rollout(home, A, CWD)
    path = codex.names(home, *((codex.thread_id(n), f"Name {n}") for n in range(1000)))
    path.write_bytes(path.read_bytes() * 180)  # 20 MB
    with path.open("ab") as file:
        file.write(dump({"id": A, "thread_name": "At the end"}) + b"\n")
    assert titles(home) == ["At the end"]


# --- which database


def test_the_highest_number_with_rows(home: Path) -> None:
    # Dailin521/codex-provider-sync#46: old and new lie side by side, and "9" > "10" as text
    codex.rollout(home, A, CWD)
    for name, title in (
        ("state.sqlite", "Ancient"),
        ("state_9.sqlite", "Old"),
        ("state_10.sqlite", "New"),
    ):
        database(home, [thread(A, CWD, name=title)], name)
    database(home, [], "state_13.sqlite")
    database(home, [thread(A, CWD, name="Elsewhere")], "sqlite/state_99.sqlite")
    database(home, [thread(A, CWD, name="Other")], "logs_14.sqlite")
    for name in ("state_11.sqlite", "state_12.sqlite-wal", "state_old.sqlite", "state_-1.sqlite"):
        (codex.store(home) / name).write_bytes(b"")
    for name in ("state_14.sqlite", "state_٣.sqlite", "state_15.sqlite.bak"):
        (codex.store(home) / name).write_bytes(b"junk" * 2000)
    (codex.store(home) / "state_16.sqlite").mkdir()
    assert titles(home) == ["New"]


def test_where_the_databases_lie(home: Path, tmp_path: Path) -> None:
    codex.rollout(home, A, CWD)
    for folder in ("env", "config", ".codex", ".codex/relative"):
        place = home / folder
        place.mkdir(exist_ok=True)
        database(home, [thread(A, CWD, name=f"of {place.name}")], f"../{folder}/state_5.sqlite")
    config = codex.store(home) / "config.toml"
    assert titles(home) == ["of .codex"]
    env = {"CODEX_SQLITE_HOME": f" {home}/env "}
    assert titles(home, **env) == ["of env"]
    config.write_text(f'model = "x"\nsqlite_home = "{home}/config"\n')
    assert titles(home, **env) == titles(home) == ["of config"]
    config.write_text('sqlite_home = "relative"\n')
    assert titles(home) == ["of relative"]
    config.write_text('[profile]\nsqlite_home = "relative"\n')
    assert titles(home) == ["of .codex"]


CONFIGS = {
    "empty": b"",
    "not TOML": b"sqlite_home = [[[",
    "deep": b"sqlite_home = " + b"[" * 20_000,
    "deep tables": b"a=" + b"{a=" * 5_000 + b"\nsqlite_home=1",
    "a number": b"sqlite_home = 5",
    "nothing": b'sqlite_home = ""',
    "blank": b'sqlite_home = " "',
    "a nul": b'sqlite_home = "a\\u0000b"',
    "escapes": b'sqlite_home = "\\u001b[31m\\n\\t"',
    "not UTF-8": b'sqlite_home = "\xff\xfe"',
    "nowhere": b'sqlite_home = "/nonexistent/folder"',
    "a file": b'sqlite_home = "/etc/passwd"',
    "a device": b'sqlite_home = "/dev/zero"',
    "long": b'sqlite_home = "' + b"a" * 100_000 + b'"',
    "no such person": b'sqlite_home = "~nobody-here/x"',
    "huge": b"# " + b"x" * 3_000_000 + b"\nsqlite_home = 1",
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_a_config_of_any_kind(home: Path, config: bytes) -> None:
    codex.rollout(home, A, CWD)
    (codex.store(home) / "config.toml").write_bytes(config)
    assert titles(home) == ["Fix the cart"]
    shown(home, A)


@pytest.mark.parametrize(
    "where", ["", " ", "nowhere", "/nonexistent", "/dev/null", "\x1b[31m", "a\nb"]
)
def test_a_variable_of_any_kind(home: Path, where: str) -> None:
    codex.rollout(home, A, CWD)
    assert titles(home, CODEX_SQLITE_HOME=where) == ["Fix the cart"]


# --- threads in several files, and forks


def back(home: Path, time: str, number: int, records: list[Record]) -> Path:
    """A file in which the thread A goes on since it was taken back, as 0.171 names it."""
    path = codex.rollout(home, A, CWD, records, stem=f"{A}_{codex.thread_id(number)}")
    return path.rename(path.with_name(path.name.replace("T09-00-00", time)))


def test_a_thread_that_was_taken_back_goes_on_in_a_new_file(home: Path) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD, "First words", 0))
    goes_on = [
        codex.based(A, CWD, A),
        codex.applied(CWD, model="gpt-6-sol"),
        codex.turn(CWD, 6, model="gpt-6-sol"),
        codex.said("The better turn", 6),
    ]
    back(home, "T09-05-00", 91, goes_on)
    told = only(home)
    assert (told["id"], told["updated"], told["model"]) == (A, at(6), "gpt-6-sol")
    assert told["path"].endswith(f"T09-05-00-{A}_{codex.thread_id(91)}.jsonl")
    refused(home, codex.thread_id(91))
    last = back(home, "T09-20-00", 90, [codex.based(A, CWD, A, 20), codex.said("Third", 21)])
    assert only(home)["updated"] == at(21)
    last.unlink()
    assert only(home)["updated"] == at(6)


@pytest.mark.parametrize("named", [0, 1, 2])
def test_the_file_that_the_database_names(home: Path, named: int, tmp_path: Path) -> None:
    files = [
        codex.rollout(home, A, CWD, codex.exchange(A, CWD, "First words", 0)),
        back(home, "T09-05-00", 91, [codex.based(A, CWD, A, 5), codex.said("Second", 6)]),
        back(home, "T09-20-00", 90, [codex.based(A, CWD, A, 20), codex.said("Third", 21)]),
    ]
    assert only(home)["updated"] == at(21)
    database(home, [thread(A, CWD, "First words", rollout_path=str(files[named]))])
    told = only(home)
    assert (told["path"], told["title"]) == (str(files[named]), "First words")
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        db.execute("UPDATE threads SET rollout_path = ?", [f"/home/sam/.codex/x/{files[1].name}"])
    assert only(home)["path"] == str(files[1])  # the home has moved
    outside = tmp_path / "rollout-2026-11-01T09-00-00-elsewhere.jsonl"
    outside.write_bytes(files[0].read_bytes())
    for path in (outside, home / "gone.jsonl", "", "..", f"{files[1]}/"):
        with closing(sqlite3.connect(threads.path_of(home))) as db, db:
            db.execute("UPDATE threads SET rollout_path = ?", [str(path)])
        assert only(home)["path"] == str(files[2])


def test_taken_back_and_nothing_said_since(home: Path) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD, "First words", 0))
    back(home, "T09-05-00", 91, [codex.based(A, CWD, A, 5), codex.applied(CWD)])
    told = only(home)
    assert (told["title"], told["updated"], told["fork_of"]) == ("First words", at(5), None)


def fork(home: Path, id: str, of: str, minute: int, end: object = 47054) -> Path:
    """A fork of 0.156 and later as it stands before anything is said in it."""
    head = codex.based(id, CWD, of, minute, end, forked_from_id=of)
    return codex.rollout(home, id, CWD, [head, codex.applied(CWD, minute)])


def test_a_fork_in_which_nothing_was_said_yet(home: Path) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD, "First words", 0))
    fork(home, B, A, 5)
    fork(home, C, B, 7)
    told = {session["id"]: session for session in listed(home)}
    assert {key: (s["title"], s["updated"], s["fork_of"]) for key, s in told.items()} == {
        A: ("First words", at(2), None),
        B: ("First words", at(5), A),
        C: ("First words", at(7), B),
    }
    assert f"fork of {A}" in shown(home, B)
    rows = [
        thread(A, CWD, "First words", name="Checkout"),
        thread(B, CWD, "", preview="As the parent was", first_user_message=""),
        thread(C, CWD, "", name="Of its own", preview="First words"),
    ]
    database(home, rows)
    assert titles(home) == ["Checkout", "As the parent was", "Of its own"]
    with closing(sqlite3.connect(threads.path_of(home))) as db, db:
        db.execute("UPDATE threads SET name = NULL, preview = '' WHERE id IN (?, ?)", [B, C])
    assert titles(home) == ["Checkout"] * 3


def test_what_was_said_before_a_fork(home: Path) -> None:
    parent = codex.rollout(home, A, CWD, codex.exchange(A, CWD, "First words", 0))
    size = parent.stat().st_size
    with parent.open("ab") as file:
        file.write(dump(codex.said("Said since", 9)) + b"\n")
    later = fork(home, B, A, 5, size)
    later = later.rename(later.with_name(later.name.replace("T09-00-00", "T09-05-00")))
    last = fork(home, C, B, 7, later.stat().st_size)
    last.rename(last.with_name(last.name.replace("T09-00-00", "T09-07-00")))
    for each in (B, C):
        told = shown(home, each)
        assert "First words" in told and "Done." in told
        assert "Said since" not in told
    assert "Said since" in shown(home, A)


@pytest.mark.parametrize("end", [None, "x", -1, 0, 1, 2**40, 1.5, [], True])
def test_a_place_that_a_fork_could_not_have_left(home: Path, end: object) -> None:
    codex.rollout(home, A, CWD, codex.exchange(A, CWD, "First words", 0))
    later = fork(home, B, A, 5, end)
    later.rename(later.with_name(later.name.replace("T09-00-00", "T09-05-00")))
    assert "\nyou:" not in shown(home, B)
    assert titles(home) == ["First words", "First words"]


def test_forks_in_a_circle(home: Path) -> None:
    fork(home, A, B, 5)
    fork(home, B, A, 7)
    fork(home, C, C, 9)
    assert titles(home) == [None, None, None]
    for each in (A, B, C):
        shown(home, each)


# --- packed rollouts


def test_a_packed_rollout_that_no_database_names(home: Path) -> None:
    path = codex.rollout(home, A, CWD)
    packed = path.with_name(f"{path.name}.zst")
    path.rename(packed)
    os.utime(packed, ns=(NINE * 10**9, NINE * 10**9))
    assert listed(home) == []
    told = only(home, "--all")
    assert (told["id"], told["origin"], told["updated"]) == (A, "packed", at(0))
    assert f"{A} is packed: `codex resume {A}` brings it back" in refused(home, A)
    shown(home, A)
    archived = codex.store(home) / "archived_sessions" / packed.name
    archived.parent.mkdir()
    packed.rename(archived)
    assert f"`codex unarchive {A}` brings it back" in refused(home, A)


def test_a_packed_rollout_is_known_by_its_row(home: Path) -> None:
    path = codex.rollout(home, A, CWD)
    packed = path.with_name(f"{path.name}.zst")
    path.rename(packed)
    assert listed(home) == []
    database(home, [thread(A, CWD, "Packed")])
    told = only(home)
    assert (told["title"], told["path"], told["cwd"]) == ("Packed", str(packed), CWD)
    os.link(packed, path)  # unpacked again: the plain one counts
    assert only(home)["path"] == str(path)
