"""Which sessions are asked for, out of the lines of the index."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessidx import query, rows, text
from sessidx.entry import entry
from sessidx.entry import session as read
from sessidx.query import Query
from sessidx.session import EMPTY, SCRIPTED, SUBAGENT, Session
from sessidx.store import Store
from tests.kit import uuid


def store(*sessions: Session, app: str = "codex", root: str = "/home/alex/.codex") -> Store:
    made = Store((app, root))
    for session in sessions:
        session.app, session.home = made.place
    made.put([entry(session, "") for session in sessions])
    return made


def session(number: int, **facts: Any) -> Session:
    made = Session("codex", uuid(number), key=f"sessions/{number}.jsonl", **facts)
    made.updated = made.updated or f"2026-10-{number:02}T10:00:00.000Z"
    return made


def numbers(stores: list[Store], asked: Query) -> list[int]:
    return [int(found.id[:8], 16) for found in query.select(stores, asked)[0]]


def test_what_is_listed() -> None:
    stores = [
        store(
            session(1),
            session(2, origin=SCRIPTED),
            session(3, archived=True),
            session(4, origin=SUBAGENT),
            session(5, origin=EMPTY),
        )
    ]
    assert numbers(stores, Query()) == [1]
    assert query.select(stores, Query())[1] == 2
    assert numbers(stores, Query(everything=True)) == [3, 2, 1]
    for number, found in ((1, 1), (2, 1), (3, 1), (4, 0), (5, 0)):
        assert len(query.resolve(stores, uuid(number))) == found


def test_the_newest_is_first_in_all_stores_together() -> None:
    one = store(session(3), session(1))
    other = store(session(4), session(2), app="claude-code")
    assert numbers([one, other], Query()) == [4, 3, 2, 1]


FACTS = {"title": "Ünï Title", "cwd": "/home/Alex/it's\\a\ttab", "branch": "Feat/X"}


@pytest.mark.parametrize(
    "word",
    [
        "title",
        "ÜNÏ",
        "TITLE",
        "/home/alex",
        "it's\\a",
        "a\tt",
        "\\",
        "feat/x",
        "codex",
        "CODEX",
        "5a5a",
        "ï t",
    ],
)
def test_a_word_is_a_part_in_either_case(word: str) -> None:
    assert numbers([store(session(1, **FACTS))], Query([word])) == [1]
    assert numbers([store(session(1, **FACTS))], Query([word, "title"])) == [1]
    assert numbers([store(session(1, **FACTS))], Query([word, "absent"])) == []


@pytest.mark.parametrize(
    "word", ["sessions", ".jsonl", "interactive", "2026", "absent", "title /home"]
)
def test_a_word_is_sought_in_nothing_else(word: str) -> None:
    assert numbers([store(session(1, **FACTS))], Query([word])) == []


# No word of a command line holds a NUL.
@given(st.text(), st.text(), st.text(st.characters(exclude_characters="\0"), max_size=3))
def test_the_quick_look_loses_nothing(title: str, cwd: str, word: str) -> None:
    made = session(1, title=title or None, cwd=cwd or None)
    told = [text.fold(value) for value in (title, cwd, "codex", made.id)]
    found = numbers([store(made)], Query([word]))
    assert found == ([1] if any(text.fold(word) in value for value in told) else [])


@given(st.text(), st.text(), st.text(), st.booleans())
def test_a_line_of_the_index_gives_back_its_session(
    title: str, cwd: str, key: str, archived: bool
) -> None:
    made = session(1, title=title, cwd=cwd, archived=archived, size=7)
    made.key = key
    mark, hay, row, line = entry(made, "beside")
    assert "\n" not in mark
    assert b"\n" not in hay + row + line
    again = read(("codex", "/home/alex/.codex"), mark, row, line)
    for name in ("id", "title", "cwd", "key", "archived", "size", "updated", "origin", "app"):
        assert getattr(again, name) == (getattr(made, name) or getattr(again, name))
        assert bool(getattr(again, name)) == bool(getattr(made, name))


def test_resolving() -> None:
    stores = [
        store(session(0x10), session(0x11)),
        store(session(0x10, cwd="/a"), app="claude-code", root="/c"),
    ]

    def found(word: str) -> list[tuple[str, int]]:
        path = word if "/" in word else None
        return [(s.app, int(s.id[:8], 16)) for s in query.resolve(stores, word, path=path)]

    assert found(uuid(0x11)) == found(uuid(0x11).upper()) == found("00000011") == [("codex", 0x11)]
    assert len(found("0000001")) == 3
    assert found("codex:0000001") == [("codex", 0x11), ("codex", 0x10)]
    assert found(f"claude-code:{uuid(0x10)}") == [("claude-code", 0x10)]
    assert found("/c/sessions/16.jsonl") == [("claude-code", 0x10)]
    for word in (
        "",
        "codex:",
        "x",
        "0000001-",
        "other:00000011",
        "/c/sessions",
        "sessions/16.jsonl",
        "\n",
        "\\",
    ):
        assert found(word) == []


def test_a_full_id_beats_a_beginning() -> None:
    one = session(1)
    longer = session(2)
    longer.id = one.id + "0"
    assert [s.id for s in query.resolve([store(one, longer)], one.id)] == [one.id]


def test_twins_are_told_apart_by_the_folder_as_rows_show_it() -> None:
    stores = [store(session(1, cwd="/a\tb"), session(1, cwd="/c"))]
    for shown, raw in (("/a\\tb", "/a\tb"), ("/c", "/c")):
        assert [s.cwd for s in query.resolve(stores, uuid(1), shown)] == [raw]
    assert len(query.resolve(stores, uuid(1))) == 2


COMPOSED, DECOMPOSED = (
    "Caf\u00e9 \u30d7\u30ed \u00dcber",
    "Cafe\u0301 \u30d5\u309a\u30ed U\u0308ber",
)


@pytest.mark.parametrize("recorded", [COMPOSED, DECOMPOSED])
@pytest.mark.parametrize("typed", [COMPOSED, DECOMPOSED, COMPOSED.upper(), DECOMPOSED.lower()])
@pytest.mark.parametrize("field", ["title", "cwd", "branch"])
def test_letters_are_the_same_in_either_form_and_case(
    field: str, typed: str, recorded: str
) -> None:
    stores = [store(session(1, **{field: recorded}), session(2, **{field: "Cafe Pro Uber"}))]
    assert numbers(stores, Query(typed.split())) == [1]
    if field == "branch":
        assert numbers(stores, Query(branch=typed)) == [1]


@pytest.mark.parametrize(
    ("title", "word", "found"),
    [
        ("STRASSE", "straße", True),
        ("ΟΔΟΣ", "οδός", False),  # an accent is a letter's own
        ("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς", True),  # a last sigma is any sigma
        ("Cafe\u0301", "cafe", False),  # as composed
        ("tab\there", "tab\there", True),
        ("back\\slash", "k\\s", True),
        ("back\\nslash", "k\ns", False),
    ],
)
def test_what_is_the_same_word(title: str, word: str, found: bool) -> None:
    assert bool(numbers([store(session(1, title=title))], Query([word]))) == found


def test_rows_are_what_select_finds() -> None:
    one = store(session(1, title="Fix"), session(4, title="fix", origin=SCRIPTED), session(7))
    halves = (session(3, title="fix", continued_in=uuid(2)), session(6, continued_in=uuid(99)))
    other = store(
        session(2, title="FIX"), session(5, title="fix", archived=True), *halves, app="pi"
    )
    for words in ([], ["fix"], ["pi"], ["fix", "pi"], ["none"]):
        query_ = Query(words)
        found = [rows.tsv(s).encode() for s in query.select([one, other], query_)[0]]
        assert query.rows([one, other], query_.words) == found
    assert len(query.rows([one, other], [])) == 4
