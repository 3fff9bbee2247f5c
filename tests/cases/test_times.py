"""When a session was last used: as its records say, whatever dates its file bears."""

import os
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import Record, answer, at, dump, placed, talk, transcript, typed
from tests.cases.look import listed, only
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
    ...,
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
    """Where no record has one the file's stands in, which it does not where one has."""
    one = codex.thread_id(1)
    moment = [{**record, "timestamp": written} for record in codex.exchange(one, CWD)]
    if written is ...:
        moment = [{k: v for k, v in record.items() if v is not ...} for record in moment]
    paths = [
        transcript(home, ID, CWD, talk(timestamp=written)),
        codex.rollout(home, one, CWD, moment),
    ]
    for path in paths:
        os.utime(path, ns=(0, 1_793_523_900_123_456_789))
    transcript(home, uuid(2), CWD, talk("Old", timestamp="1999-01-01T00:00:00.000Z"))
    told = listed(home)
    assert [session["updated"] for session in told[:2]] == ["2026-11-01T09:05:00.123Z"] * 2
    assert told[2]["title"] == "Old"
    transcript(home, ID, CWD, [*talk(minute=3), typed("x", timestamp=written)])
    assert at(4) in [session["updated"] for session in listed(home)]


def test_the_last_record_counts_not_the_latest_time(home: Path) -> None:
    # anthropics/claude-code: a fork keeps the times of what it copied
    transcript(home, ID, CWD, [*talk("Later", 30), *talk("After the clock was set", 3)])
    assert only(home)["updated"] == at(4)


@pytest.mark.parametrize("end", [b"\n", b"", b"\n\n\n"])
@pytest.mark.parametrize("megabytes", [0.3, 9, 20, 70])
def test_a_transcript_of_one_line(home: Path, megabytes: float, end: bytes) -> None:
    asked = dump(placed(typed("Read this: " + "z" * int(megabytes * (1 << 20)), 5), ID, CWD))
    path = transcript(home, ID, CWD, [])
    path.write_bytes(asked + end)
    told = only(home)
    assert (told["updated"], told["cwd"], told["branch"]) == (at(5), CWD, "main")
    assert told["title"].startswith("Read this: zzz")
    assert told["mode"] == "default"


def test_of_the_future(home: Path) -> None:
    transcript(home, ID, CWD, [typed("x", timestamp="2999-01-01T00:00:00.000Z"), answer(minute=5)])
    transcript(home, uuid(2), CWD, talk(timestamp="2999-01-01T00:00:00.000Z"))
    assert listed(home)[0]["id"] == uuid(2)
    table = sf("find", "--format", "table", home=home).out
    assert table.split("\n")[0].split()[1] == "0m"
