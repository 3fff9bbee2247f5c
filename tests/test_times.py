"""Times as records give them become one form that sorts as text."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import times
from sessidx.when import moment

NOON = "2026-10-20T12:00:00.000Z"


@pytest.mark.parametrize(
    ("told", "same"),
    [
        (NOON, NOON),
        ("2026-10-20T12:00:00Z", NOON),
        ("2026-10-20t12:00:00z", NOON),
        ("2026-10-20 12:00:00", NOON),
        ("2026-10-20T12:00:00.0000001Z", NOON),
        ("2026-10-20T12:00:00.5Z", "2026-10-20T12:00:00.500Z"),
        ("2026-10-20T12:00:00.123456789Z", "2026-10-20T12:00:00.123Z"),
        ("2026-10-20T14:00:00+02:00", NOON),
        ("2026-10-20T14:30:00.000+0230", NOON),
        ("2026-10-20T00:30:00-11:30", NOON),
        ("2026-10-20", "2026-10-20T00:00:00.000Z"),
        ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"),
        (1792497600, NOON),
        (1792497600000, NOON),
        (1792497600.25, "2026-10-20T12:00:00.250Z"),
    ],
)
def test_the_one_form(told: object, same: str) -> None:
    assert times.canonical(told) == same


@pytest.mark.parametrize(
    "told",
    [
        *("", "soon", "2026", "2026-10", "20-10-2026", "2026-13-01", "2026-02-29", "2026-04-31"),
        *(
            "2026-10-20T24:00:00Z",
            "2026-10-20T12:60:00Z",
            "2026-10-20T12:00:61Z",
            "2026-10-20T1:00:00Z",
        ),
        *("2026-10-20T12:00:00+2", "2026-10-20T12:00:00X", "2026-10-20Q12:00:00Z", "+026-10-20"),
        *("2026-10-20T12:00:00+99:99", "2026-10-20T12:00:00-24:00", "2026-10-20T12:00:00+0060"),
        *("２０２６-10-20", "2026-10-20T12:00:00.000Z\n", " 2026-10-20T12:00:00Z", "-026-10-20"),
        *(None, True, 0, -1, 1e30, float("nan"), float("inf"), [], {}, b"2026-10-20"),
    ],
)
def test_what_is_no_time(told: object) -> None:
    assert times.canonical(told) is None


@given(st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC)))
def test_the_calendar(when: datetime) -> None:
    when -= timedelta(microseconds=when.microsecond % 1000)
    told = when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    ms = (when - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert times.millis(told) == ms
    assert times.iso(ms) == told
    assert times.canonical(told) == told


@given(st.text() | st.floats() | st.integers() | st.none())
def test_nothing_breaks_it(told: object) -> None:
    found = times.canonical(told)
    assert found is None or times.canonical(found) == found


NOW = times.millis(NOON) or 0


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("30m", "2026-10-20T11:30:00.000Z"),
        ("3h", "2026-10-20T09:00:00.000Z"),
        ("2d", "2026-10-18T12:00:00.000Z"),
        ("2w", "2026-10-06T12:00:00.000Z"),
        ("0d", NOON),
        ("999999999w", "1970-01-01T00:00:00.000Z"),
        ("2026-11-01", "2026-11-01T00:00:00.000Z"),
        ("2026-11-01T08:00:00+01:00", "2026-11-01T07:00:00.000Z"),
        *(
            (word, None)
            for word in (
                "",
                "d",
                "-2d",
                "2",
                "2 d",
                "2y",
                "1.5h",
                "٢d",
                "now",
                "2026-11",
                "2026-11-31",
            )
        ),
    ],
)
def test_a_moment(word: str, found: str | None) -> None:
    assert moment(word, NOW) == found


NEW_YORK = "EST5EDT,M3.2.0,M11.1.0"
TOKYO = "JST-9"
LINE_ISLANDS, BAKER = "<+14>-14", "<-12>12"  # the first and the last to begin a day
SAO_PAULO = "<-03>3<-02>,M10.3.0/0,M2.3.0/0"  # as it was: 00:00 was skipped, 23:00 came twice
HAVANA = "CST5CDT,M3.2.0/0,M11.1.0/1"  # 00:00 is skipped, and comes twice


@pytest.mark.parametrize(
    ("zone", "word", "since", "until"),
    [
        ("UTC0", "2026-08-11", "08-11T00:00", "08-12T00:00"),
        (NEW_YORK, "2026-08-11", "08-11T04:00", "08-12T04:00"),
        (NEW_YORK, "2026-03-08", "03-08T05:00", "03-09T04:00"),  # 23 hours
        (NEW_YORK, "2026-11-01", "11-01T04:00", "11-02T05:00"),  # 25 hours
        (TOKYO, "2026-08-11", "08-10T15:00", "08-11T15:00"),
        (LINE_ISLANDS, "2026-08-11", "08-10T10:00", "08-11T10:00"),
        (BAKER, "2026-08-11", "08-11T12:00", "08-12T12:00"),
        (SAO_PAULO, "2026-10-18", "10-18T03:00", "10-19T02:00"),
        (SAO_PAULO, "2026-02-14", "02-14T02:00", "02-15T03:00"),
        (HAVANA, "2026-03-08", "03-08T05:00", "03-09T04:00"),
        (HAVANA, "2026-11-01", "11-01T04:00", "11-02T05:00"),
        (NEW_YORK, "2026-08-11T10:00:00", "08-11T14:00", "08-11T14:00"),
        (NEW_YORK, "2026-08-11T10:00:00Z", "08-11T10:00", "08-11T10:00"),
        (NEW_YORK, "2026-08-11T10:00:00-01:00", "08-11T11:00", "08-11T11:00"),
    ],
)
def test_a_date_is_a_local_day(
    monkeypatch: pytest.MonkeyPatch, zone: str, word: str, since: str, until: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        found = moment(word, NOW), moment(word, NOW, end=True)
    time.tzset()
    assert found == (f"2026-{since}:00.000Z", f"2026-{until}:00.000Z")


@pytest.mark.parametrize("word", ["0001-01-01", "1970-01-01", "9999-12-31"])
def test_a_date_far_away_is_one(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    for zone in (LINE_ISLANDS, BAKER):
        with monkeypatch.context() as patch:
            patch.setenv("TZ", zone)
            time.tzset()
            assert moment(word, NOW)
            assert moment(word, NOW, end=True)
    time.tzset()
