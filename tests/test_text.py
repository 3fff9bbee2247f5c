"""What may reach a terminal: one line of characters that show, and none that act."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import text


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("plain", "plain"),
        ("  a \t b\n\nc\r\nd ", "a b c d"),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", "a b c d e f g"),
        ("a\u00a0b\u3000c", "a b c"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07shown", "shown"),
        ("\x1b]52;c;ZXZpbA==\x1b\\shown", "shown"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jcleared", "cleared"),
        ("\x1bPq#0;dcs\x1b\\x", "x"),
        ("\x1b(0lqk\x1b(B", "lqk"),
        ("\x1b[38;2;1;2;3mcolour\x1bc", "colour"),
        ("a\x07b\x08c\x7fd\x00e", "abcde"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("a\u200bb\u200dc\ufeffd\u00ade", "abcde"),
        ("\ud83d", "\ufffd"),
        ("half \udcff byte", "half \ufffd byte"),
        ("naïve 日本語 🚀", "naïve 日本語 🚀"),
        ("e\u0301", "e\u0301"),
        ("❤️", "❤️"),
        ("\u3164\u115f", None),
        ("", None),
        (" \t\n", None),
        ("\x1b[31m", None),
        (None, None),
        (7, None),
        (["a"], None),
        ({"a": 1}, None),
        (b"bytes", None),
    ],
)
def test_one_line(told: object, shown: str | None) -> None:
    assert text.one_line(told) == shown


def test_a_long_title_is_cut() -> None:
    assert text.one_line("x" * 200) == "x" * 200
    assert text.one_line("x" * 201) == "x" * 199 + "…"
    assert text.one_line("x" * 198 + "  " + "y" * 9) == "x" * 198 + "…"
    assert text.one_line("\x1b" * 1_000_000 + "x", 5) is None


@given(st.text())
def test_nothing_that_acts_is_left(told: str) -> None:
    for shown in (text.one_line(told) or "", text.clean(told), text.path(told)):
        for char in shown:
            # Unassigned is mostly a character newer than this Python, private use a font's own.
            assert char == " " or unicodedata.category(char) not in (
                "Cc",
                "Cf",
                "Cs",
                "Zl",
                "Zp",
                "Zs",
            )
    line = text.one_line(told)
    assert line is None or (line == " ".join(line.split()) and len(line) <= 200)
    assert line is None or text.one_line(line) == line


@given(st.text(), st.text())
def test_paths_are_told_apart(one: str, other: str) -> None:
    if not one.isprintable() and not other.isprintable() and "\ufffd" not in text.path(one + other):
        assert (text.path(one) == text.path(other)) == (one == other)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("/home/alex/it's", "/home/alex/it's"),
        ("/a\\b", "/a\\b"),
        ("/a\nb\\", "/a\\nb\\\\"),
        ("/\x1b[2J", "/\\x1b[2J"),
        ("/\udcff", "/\\xff"),
        ("/\u202e", "/\\u202e"),
    ],
)
def test_a_path(told: str, shown: str) -> None:
    assert text.path(told) == shown


@pytest.mark.parametrize(
    ("told", "branch"),
    [
        ("main", "main"),
        ("feat/$(touch x)", "feat/$(touch x)"),
        *((word, None) for word in ("HEAD", ".invalid", "", " ", None, 7, ["main"])),
    ],
)
def test_a_branch(told: object, branch: str | None) -> None:
    assert text.branch(told) == branch


@pytest.mark.parametrize(
    ("told", "folder"), [("/a/", "/a"), ("/", "/"), ("/a//", "/a"), ("", None), (7, None)]
)
def test_a_folder(told: object, folder: str | None) -> None:
    assert text.folder(told) == folder
