"""The picker's header: keys that end it apart from those that change the list, at any width."""

import pytest

from sessidx.header import counted, header
from sessidx.rows import width

COUNT = counted(23, 3)
LONG = "Enter resume  Alt-F fork  Alt-O folder  Alt-Y id  Alt-P resume loosely"
SHORT = "Enter resume  Alt-F fork  O folder  Y id  P loosely"


@pytest.mark.parametrize("columns", [16, 30, 40, 56, 76, 100, 116, 156, 196])
def test_it_fits_and_never_drops_enter(columns: int) -> None:
    lines = header(COUNT, columns).split("\n")
    assert len(lines) <= 2
    assert max(map(width, lines)) <= columns
    assert lines[0].startswith("Enter resume")


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (152, [f"{LONG} │ {COUNT} │ Alt-S said  Alt-H here  Alt-A all  Alt-R again"]),
        (80, [LONG, f"{COUNT} │ Alt-S said  Alt-H here  Alt-A all  Alt-R again"]),
        (76, [SHORT, f"{COUNT} │ Alt-S said  H here  A all  R again"]),
        (56, [SHORT, "Alt-S said  H here  A all  R again"]),
        (40, ["Enter resume  Alt-F fork", "Alt-S said  H here  A all  R again"]),
        (20, ["Enter resume"]),
    ],
)
def test_steps_between_long_and_short(columns: int, lines: list[str]) -> None:
    assert header(COUNT, columns).split("\n") == lines


def test_what_a_key_would_do_now() -> None:
    told = header(counted(1, 0), 200, here=True, everything=True, said=True)
    assert "│ 1 session │ Alt-S titles  Alt-H everywhere  Alt-A fewer  Alt-R again" in told
    assert header("", 200).count("│") == 1


def test_counts_are_words() -> None:
    assert COUNT == "23 sessions, 3 hidden (Alt-A)"
    assert counted(1, 0) == "1 session"
    assert counted(0, 2) == "0 sessions, 2 hidden (Alt-A)"
    assert counted(0, 2, here=True) == "none here (Alt-H: everywhere)"
