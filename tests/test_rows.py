"""A session as a row, a line of a table, JSON: whatever it holds, one line without what acts."""

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import rows, times
from sessidx.session import Session

NOON = "2026-10-20T12:00:00.000Z"
NOW = times.millis(NOON) or 0
ACTS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
ANY = st.none() | st.text()


def session(**facts: Any) -> Session:
    return Session(facts.pop("app", "codex"), facts.pop("id", "01a2"), **{"key": "p", **facts})


def test_a_row() -> None:
    assert rows.tsv(session()) == "01a2\tcodex\t-\t-\t-\t-"
    made = session(updated=NOON, cwd="/a b", branch="main", title="Fix it")
    assert rows.tsv(made) == f"01a2\tcodex\t{NOON}\t/a b\tmain\tFix it"
    assert rows.tsv(made, ["title", "live", "archived", "size"]) == "Fix it\t-\tno\t0"


@given(ANY, ANY, ANY, st.text(), st.text())
def test_a_row_is_one_line_of_its_columns(
    cwd: str | None, branch: str | None, title: str | None, id: str, path: str
) -> None:
    made = session(id=id, cwd=cwd, branch=branch, title=title, key=path)
    for columns in (rows.DEFAULT, list(rows.COLUMNS)):
        row = rows.tsv(made, columns)
        assert row.count("\t") == len(columns) - 1
        assert not ACTS & set(map(unicodedata.category, row.replace("\t", "")))


@given(ANY, ANY, ANY)
def test_json_is_raw_and_whole(cwd: str | None, branch: str | None, title: str | None) -> None:
    told = rows.json(rows.facts(session(cwd=cwd, branch=branch, title=title)))
    assert not ACTS & set(map(unicodedata.category, told))
    found = json.loads(told)
    assert (found["cwd"], found["branch"], found["title"]) == (
        cwd or None,
        branch or None,
        title or None,
    )
    assert json.loads(rows.json([found], indent=True)) == [found]


@pytest.mark.parametrize(
    ("ago", "shown"),
    [
        (0, "0m"),
        (59, "59m"),
        (60, "1h"),
        (47 * 60, "47h"),
        (48 * 60, "2d"),
        (27 * 1440, "27d"),
        (28 * 1440, "4w"),
        (103 * 10080, "103w"),
        (104 * 10080, "1y"),
        (525_600 * 50, "50y"),
        (-500, "0m"),
    ],
)
def test_an_age(ago: int, shown: str) -> None:
    assert rows.age(NOON, NOW + ago * 60_000) == shown


def test_no_age() -> None:
    assert rows.age(None, NOW) == rows.age("soon", NOW) == "-"


@pytest.mark.parametrize(
    ("told", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("🚀", 2), ("", 0)]
)
def test_a_width(told: str, columns: int) -> None:
    assert rows.width(told) == columns


@given(st.text(), st.integers(1, 30), st.booleans())
def test_fitting_is_exact(told: str, columns: int, keep_end: bool) -> None:
    from sessidx import text

    told = text.clean(told)
    assert rows.width(rows.fit(told, columns, keep_end)) == columns
