"""Lines of the table: whatever they hold and however narrow the terminal, the title is there."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import rows
from sessidx.session import Session
from sessidx.table import GONE, LIVE, Table
from tests.test_rows import ACTS, ANY, NOON, NOW, session

TITLE = "Rework the cart so that a retry keeps what was paid"
MANY = [
    session(
        id=f"{n:08d}-0", updated=NOON, cwd="/home/alex/" + "long/" * n, branch="b" * n, title=TITLE
    )
    for n in range(1, 60)
]


def laid(columns: int, sessions: list[Session] = MANY) -> list[str]:
    table = Table(sessions, columns, NOW, colour=False)
    return [table.line(session) for session in sessions]


@pytest.mark.parametrize("columns", [16, 20, 30, 40, 48, 59, 60, 80, 99, 100, 120, 200])
def test_a_table_fits_its_terminal(columns: int) -> None:
    wide = session(
        app="claude-code", live=True, title="語 " * 99, branch="語" * 20, cwd="/語/" * 20
    )
    sessions = [*MANY, wide]
    table = Table(sessions, columns, NOW, colour=False, is_gone=lambda folder: True)
    coloured = Table(sessions, columns, NOW, colour=True, is_gone=lambda folder: True)
    for made in sessions:
        line = table.line(made)
        assert rows.width(line) <= columns
        assert line.isprintable()
        assert re.sub(r"\x1b\[\d+m", "", coloured.line(made)).rstrip() == line


@pytest.mark.parametrize(("columns", "shown"), [(40, 16), (60, 24), (80, 34), (120, 50)])
def test_the_title_has_more_than_half_of_the_room(columns: int, shown: int) -> None:
    assert all(TITLE[:shown] in line for line in laid(columns))


@pytest.mark.parametrize(
    ("columns", "id", "branch", "folder"),
    [
        (100, True, True, True),
        (99, False, True, True),
        (60, False, True, True),
        (59, False, False, True),
        (48, False, False, True),
        (47, False, False, False),
    ],
)
def test_what_goes_when_it_is_narrow(columns: int, id: bool, branch: bool, folder: bool) -> None:
    line = laid(columns)[8]
    assert (MANY[8].id[:8] in line, "bbb" in line, "long/" in line) == (id, branch, folder)


def test_short_texts_leave_no_holes() -> None:
    one = session(
        app="codex", updated=NOON, cwd="/a", branch="b", title="Fix it", id="01a22d26-30cc"
    )
    assert "  0m  codex  /a  b  Fix it" in laid(100, [one])[0]


def test_an_id_is_as_long_as_needed_to_tell_it() -> None:
    ids = ["01a22d26-30cc-7842", "01a22d26-3f11-7000", "02000000-0000"]
    lines = laid(120, [session(id=told) for told in ids])
    assert [line.split()[-1] for line in lines] == ["01a22d26-30", "01a22d26-3f", "02000000-00"]


def test_marks() -> None:
    live, gone = session(cwd="/a", live=True), session(cwd="/gone")
    sessions = [live, gone, session(cwd="/b"), session()]
    table = Table(sessions, 80, NOW, colour=False, is_gone=lambda folder: folder == "/gone")
    assert [table.line(made)[0] for made in sessions] == [LIVE, GONE, " ", " "]


@given(ANY, ANY, ANY, st.integers(16, 120))
def test_a_line_holds_nothing_that_acts(
    cwd: str | None, branch: str | None, title: str | None, columns: int
) -> None:
    made = session(cwd=cwd, branch=branch, title=title)
    line = Table([made], columns, NOW, colour=False).line(made)
    assert not ACTS & set(map(unicodedata.category, line))
    assert rows.width(line) <= columns
