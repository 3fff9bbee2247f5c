"""When a session was last used: as its records say, whatever dates its file bears."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import Record, answer, at, talk, transcript, typed
from tests.cases.look import listed, only, shown
from tests.kit import uuid
from tests.warm import sf

ID = uuid(1)
CWD = "/srv/shop"
NOW = 1_795_000_000


def test_dates_of_files_do_not_count(home: Path) -> None:
    # anthropics/claude-code#79572: after a restore old sessions stood on top
    for number, (day, mtime) in enumerate(((20, NOW - 9_000_000), (10, NOW - 60), (1, NOW))):
        path = transcript(home, uuid(number), CWD, talk(f"Of day {day}", timestamp=at(5, day)))
        os.utime(path, (mtime, mtime))
        one = codex.thread_id(number)
        moment = [{**record, "timestamp": at(5, day)} for record in codex.exchange(one, CWD)]
        path = codex.rollout(home, one, CWD, moment)
        os.utime(path, (mtime, mtime))
    told = listed(home)
    assert [session["updated"] for session in told] == [
        at(5, day) for day in (20, 20, 10, 10, 1, 1)
    ]


def test_a_mere_opening_does_not_count(home: Path) -> None:
    opened: list[Record] = [
        {"type": "permission-mode", "permissionMode": "default", "timestamp": at(90)},
        {"type": "last-prompt", "lastPrompt": "Fix", "timestamp": at(90)},
        {"type": "system", "subtype": "local_command", "timestamp": at(90)},
        {"type": "file-history-snapshot", "snapshot": {"timestamp": at(90)}, "timestamp": at(90)},
    ]
    transcript(home, ID, CWD, [*talk(minute=3), *opened])
    one = codex.thread_id(1)
    applied = {"type": "thread_settings_applied", "thread_settings": {"cwd": CWD}}
    codex.rollout(
        home, one, CWD, [*codex.exchange(one, CWD), codex.record("event_msg", 90, **applied)]
    )
    assert [session["updated"] for session in listed(home)] == [at(4), at(2)]


def test_touching_a_file_moves_nothing(home: Path) -> None:
    path = transcript(home, ID, CWD)
    before = only(home)
    os.utime(path)
    assert only(home) == before


KNOWN = {
    "2026-11-01T09:05:00.000Z": at(5),
    "2026-11-01T09:05:00Z": at(5),
    "2026-11-01T09:05:00": at(5),
    "2026-11-01T09:05:00.1Z": "2026-11-01T09:05:00.100Z",
    "2026-11-01T09:05:00.123456789Z": "2026-11-01T09:05:00.123Z",
    "2026-11-01T10:05:00+01:00": at(5),
    "2026-11-01T10:05:00.000+0100": at(5),
    "2026-11-01T04:05:00.000-05:00": at(5),
    "2026-11-01T14:35:00.000+05:30": at(5),
    "2026-11-01 09:05:00": at(5),
    1_793_523_900: at(5),
    1_793_523_900_000: at(5),
    1_793_523_900.5: "2026-11-01T09:05:00.500Z",
    "2024-02-29T00:00:00.000Z": "2024-02-29T00:00:00.000Z",
    "2026-12-31T23:30:00.000-01:00": "2027-01-01T00:30:00.000Z",
    "2999-01-01T00:00:00.000Z": "2999-01-01T00:00:00.000Z",
}


@pytest.mark.parametrize("written", KNOWN)
def test_ways_to_write_a_time(home: Path, written: object) -> None:
    transcript(home, ID, CWD, talk(timestamp=written))
    one = codex.thread_id(1)
    codex.rollout(home, one, CWD, [{**codex.said("x"), "timestamp": written}, codex.meta(one, CWD)])
    assert [session["updated"] for session in listed(home)] == [KNOWN[written]] * 2


NO_TIMES: list[object] = [
    *(None, "", " ", "now", True, [], {}, -1, 0, 1e300, "1793523900x", "0000-00-00T00:00:00.000Z"),
    *("+026-11-01T09:05:00.000Z", "2_26-11-01T09:05:00.000Z", " 026-11-01T09:05:00.000Z"),
    *("\n026-11-01T09:05:00.000Z", "2026-11-01x09x05x00.000Z", "2026-11-01T 9:05:00.000Z"),
    *("٢٠٢٦-11-01T09:05:00.000Z", "2026-13-01T09:05:00.000Z", "2026-11-31T09:05:00.000Z"),
    *("2026-02-29T09:05:00.000Z", "2026-11-01T24:05:00.000Z", "2026-11-01T09:60:00.000Z"),
    *("2026-11-01T09:05:61.000Z", "2026-11-01T09:05:00.0_0Z", "2026-11-01T09:05:00.000\x1b"),
    *("2026-11-01T09:05:00.000+", "2026-11-01T09:05:00.000+99:99", "2026-11-01T09:05:00.000Zz"),
    "2026-11-01T09:05:00.000Z" + "0" * 100_000,
]


@pytest.mark.parametrize("written", NO_TIMES, ids=lambda written: repr(written)[:30])
def test_what_is_no_time(home: Path, written: object) -> None:
    transcript(home, ID, CWD, talk(timestamp=written))
    told = only(home)["updated"]
    assert told is None or datetime.fromisoformat(told).tzinfo == UTC
    assert told is None or told == datetime.fromisoformat(told).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    assert "None" not in shown(home, ID)
    transcript(home, ID, CWD, [*talk(minute=3), typed("x", timestamp=written)])
    assert only(home)["updated"] in (at(4), told)
    sf("find", "--format", "table", home=home)


def test_the_last_record_counts_not_the_latest_time(home: Path) -> None:
    # anthropics/claude-code: a fork keeps the times of what it copied
    transcript(home, ID, CWD, [*talk("Later", 30), *talk("After the clock was set", 3)])
    assert only(home)["updated"] == at(4)


def test_sessions_without_a_time_come_last(home: Path) -> None:
    transcript(home, uuid(1), CWD, talk("No time", timestamp=...))
    transcript(home, uuid(2), CWD, talk("Old", timestamp="1999-01-01T00:00:00.000Z"))
    transcript(home, uuid(3), CWD, talk("New"))
    assert [session["title"] for session in listed(home)] == ["New", "Old", "No time"]
    assert sf(home=home).rows[2][2] == "-"
    assert len(listed(home, "--since", "1d")) + len(listed(home, "--until", "1d")) >= 2


def test_of_the_future(home: Path) -> None:
    transcript(home, ID, CWD, [typed("x", timestamp="2999-01-01T00:00:00.000Z"), answer(minute=5)])
    transcript(home, uuid(2), CWD, talk(timestamp="2999-01-01T00:00:00.000Z"))
    assert listed(home)[0]["id"] == uuid(2)
    table = sf("find", "--format", "table", home=home).out
    assert table.split("\n")[0].split()[0] == "0m"
