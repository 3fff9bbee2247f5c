"""How what is said is compared, and that no first look misses a hit."""

import json
import sys
from unicodedata import normalize

import pytest

from sessidx.said.phrases import Sought, composed, folded, lowered, spaced, split
from sessidx.said.snippet import lit, snippet, spans

NFD = normalize("NFD", "un café déjà vu")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("retry policy", ["retry", "policy"]),
        ('say "retry  policy" now', ["say", "retry  policy", "now"]),
        ('an open "quote here', ["an", "open", "quote here"]),
        ('""', [""]),
        ("  ", []),
    ],
)
def test_what_is_typed_in_one_line(typed: str, words: list[str]) -> None:
    assert split(typed) == words


@pytest.mark.parametrize(
    ("word", "text", "is_said"),
    [
        ("RETRY", "a Retry policy", True),
        ("retry policy", "a retry\n\n\t policy", True),
        ("retry policy", "a retry\u00a0\u3000policy", True),
        (" retry  policy ", "retry policy", True),
        ("policy retry", "retry policy", False),
        ("café", NFD, True),
        (normalize("NFD", "café"), "un café", True),
        ("cafe", "un café", False),
        ("cafe", NFD, False),
        ("ΟΔΟΣ", "της οδοστρωσης", True),
        ("straße", "STRASSE", False),
        ("привет", "Привет, мир", True),
        ("検索", "日本語の検索テスト", True),
        ("🚀", "off 🚀 we go", True),
        ("kelvin", "\u212aelvin", False),
        ("taxi", "tax\u0130", False),
        ("é", "plain", False),
        ("豈", "\uf900", True),
    ],
)
def test_what_counts_as_said(word: str, text: str, is_said: bool) -> None:
    sought = Sought([word])
    assert sought.said_in(text) is is_said
    for is_ascii in (True, False):
        line = json.dumps({"text": text}, ensure_ascii=is_ascii).encode()
        assert sought.likely(line) or not is_said
    swapped = line.replace(b"/", b"\\/")
    assert sought.likely(swapped) or not is_said


def test_all_words_in_one_message() -> None:
    sought = Sought(["retry", "policy", "", " "])
    assert sought.phrases == ["policy", "retry"]
    assert sought.said_in("a policy to retry")
    assert not sought.said_in("a policy")
    assert not sought.likely(b'{"text":"a policy"}')


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("Fix the cart", ["policy", "retry"]),
        ("Retry the cart", ["policy"]),
        ("Retry policy", ["policy", "retry"]),  # the row shows all: said it must be all the same
    ],
)
def test_what_the_row_shows_may_be_missing(row: str, left: list[str]) -> None:
    assert Sought(["retry", "policy"]).beyond(row).phrases == left


def test_no_letter_is_lost_or_won_in_comparing() -> None:
    """Marks are set by the place of a hit, and nothing but ASCII may become a plain letter."""
    plain = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.,:()[]{}?#@%^*|$~")
    for code in range(128, sys.maxunicode + 1):
        char = chr(code)
        if 0xD800 <= code < 0xE000:
            continue
        low = lowered(composed(char))
        assert len(low) == len(composed(char)), hex(code)
        assert plain.isdisjoint(low), hex(code)


def test_white_space_of_any_kind_is_one_blank() -> None:
    blanks = [char for char in map(chr, range(sys.maxunicode + 1)) if char.isspace()]
    assert spaced("a" + "".join(blanks) + "b") == "a b"
    assert all(folded(f"a{blank}b") == "a b" for blank in blanks)


def test_the_words_around_a_hit() -> None:
    said = "word " * 100 + "then the needle stands here " + "more " * 100
    shown = snippet(said, ["needle"])
    assert len(shown) <= 160
    assert shown.startswith("…word")
    assert shown.endswith("…")
    assert "the needle stands" in shown
    assert snippet("all\tof\n it", ["of"]) == "all of it"
    assert snippet("\x1b[31mred\x1b[0m needle\u202e", ["needle"]) == "red needle"
    narrow = snippet(said, ["needle"], 30)
    assert "needle" in narrow
    assert len(narrow) <= 30


@pytest.mark.parametrize(
    ("line", "phrases", "shown"),
    [
        ("a Retry, retry", ["retry"], "a <Retry>, <retry>"),
        ("retrying", ["retry", "trying"], "<retrying>"),
        ("no", ["yes"], "no"),
    ],
)
def test_hits_are_lit(line: str, phrases: list[str], shown: str) -> None:
    assert lit(line, phrases, "<", ">") == shown
    assert list(spans("aaa", ["aa"])) == [(0, 2)]
