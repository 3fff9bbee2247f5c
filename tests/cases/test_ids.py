"""Which session is meant: the file's name is its id, and a beginning must name exactly one."""

from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import answer, at, talk, transcript, typed
from tests.cases.look import assert_no_fault, clis, listed, only, plan, refused, shown
from tests.kit import uuid
from tests.warm import sf

FILE, INNER = uuid(1), uuid(900)
TWINS = [codex.thread_id(number) for number in range(3)]
COUSIN = "019f4a10-aaaa-4bbb-8ccc-00000000abcd"


@pytest.fixture
def family(home: Path, tmp_path: Path) -> Path:
    """Four sessions whose ids begin alike: three of Codex, made in one minute, and one of Claude."""
    for number, twin in enumerate(TWINS):
        codex.rollout(
            home, twin, tmp_path, codex.exchange(twin, str(tmp_path), f"Twin {number}", number)
        )
    transcript(home, COUSIN, tmp_path, talk("Cousin", 9))
    return home


def test_the_id_inside_differs_from_the_files(home: Path, tmp_path: Path) -> None:
    # sasazame/ccresume#1: a resume went on in a new file whose lines keep the old id
    records = [
        *talk("Old half", 1, sessionId=INNER),
        *talk("new half", 9),
        *talk("odd tail", 12, sessionId=INNER, session_id=FILE),
    ]
    transcript(home, FILE, tmp_path, records)
    told = only(home)
    assert (told["id"], told["title"], told["updated"]) == (FILE, "Old half", at(13))
    argv = plan(home, FILE)["argv"]
    assert FILE in argv
    assert INNER not in argv
    refused(home, INNER)


def test_a_copy_is_another_session(home: Path, tmp_path: Path) -> None:
    for each in (FILE, INNER):
        transcript(home, each, tmp_path, talk("Both", 1, sessionId=FILE))
    assert {told["id"] for told in listed(home)} == {FILE, INNER}


def test_one_beginning_of_several(family: Path) -> None:
    # preset-io/agor#1053: the first that fits was taken
    for word in ("019f4a10", "019F4A10-", "0"):
        err = refused(family, word, code=2)
        for each in (*TWINS, COUSIN):
            assert each in err
        assert err.count(str(family.parent)) >= 3


@pytest.mark.parametrize("id", [*TWINS, COUSIN])
@pytest.mark.parametrize("cut", [36, 35, 14])
@pytest.mark.parametrize("upper", [False, True])
def test_a_beginning_of_one(family: Path, id: str, cut: int, upper: bool) -> None:
    word = id[:cut].upper() if upper else id[:cut]
    assert id in plan(family, word)["argv"]


def test_an_app_before_the_id(family: Path) -> None:
    assert COUSIN in plan(family, "claude-code:019f")["argv"]
    assert "3 sessions" in refused(family, "codex:019f", code=2)
    assert "no such session" in refused(family, "codex:019f4a10-aaaa")


@pytest.mark.parametrize(
    "word",
    [
        "zzz",
        "*",
        "019f4a10*",
        ".",
        "%",
        "019f4a10-1000-7abc-9def-0000000000000",
        "a\nb",
        ":",
        "codex:",
        "/",
        "~",
    ],
)
def test_what_names_no_session(family: Path, word: str) -> None:
    refused(family, word)
    ran = sf("show", "--", word, home=family)
    assert (ran.code, ran.out) == (1, "")


@pytest.mark.parametrize("word", ["", "--help-me", "-", "--", "-x"])
def test_what_is_no_word_for_a_session(family: Path, word: str) -> None:
    for words in (("resume", word), ("resume", "--", word)):
        ran = sf(*words, home=family, **clis(family))
        assert ran.code != 0
        assert ran.out == ""
        assert_no_fault(ran)


def test_a_full_id_is_no_beginning(home: Path, tmp_path: Path) -> None:
    transcript(home, FILE, tmp_path)
    transcript(home, f"{FILE[:-1]}f", tmp_path)
    assert FILE in plan(home, FILE)["argv"]


def test_one_id_in_two_folders_is_two_sessions(home: Path, tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for number, folder in enumerate(folders):
        folder.mkdir()
        transcript(home, FILE, folder, talk(f"In {folder.name}", number * 5))
    told = listed(home)
    assert [session["cwd"] for session in told] == [str(folders[1]), str(folders[0])]
    err = refused(home, FILE, code=2)
    assert all(str(folder) in err for folder in folders)
    for session, row in zip(told, sf(home=home).rows, strict=True):
        assert plan(home, session["path"])["cwd"] == session["cwd"]
        ran = sf("resume", "--json", "-", home=home, given="\t".join(row) + "\n", **clis(home))
        assert ran.json["cwd"] == session["cwd"]


def test_a_session_by_its_path(home: Path, tmp_path: Path) -> None:
    path = transcript(home, FILE, tmp_path)
    assert FILE in plan(home, str(path))["argv"]
    for word in (path.name, str(path)[:-1], f"{path}x", str(path.parent)):
        refused(home, word)
    ran = sf("resume", f"./{path.name}", home=home, cwd=path.parent, **clis(home))
    assert FILE in ran.out.split()


# --- forks


def test_forks_of_a_rollout(home: Path, tmp_path: Path) -> None:
    # zed-industries/codex-acp: a fork repeats its parent's header and history
    parent, fork, _ = TWINS
    here, there = str(tmp_path), f"{tmp_path}/b"
    (tmp_path / "b").mkdir()
    own = [codex.meta(parent, here, 1), codex.turn(here, 1), codex.said("Parent prompt", 2)]
    codex.rollout(home, parent, here, own)
    begun = codex.meta(fork, there, 5, forked_from_id=parent)
    codex.rollout(home, fork, there, [begun, *own, codex.turn(there, 6), codex.said("Fork", 6)])
    told = {session["id"]: session for session in listed(home)}
    assert {key: (session["cwd"], session["fork_of"]) for key, session in told.items()} == {
        parent: (here, None),
        fork: (there, parent),
    }
    for each in told:
        assert plan(home, each)["argv"][-1] == each
    assert f"fork of {parent}" in shown(home, fork)
    assert "fork of" not in shown(home, parent)


def test_a_fork_of_a_transcript(home: Path, tmp_path: Path) -> None:
    old = talk("Fix the cart", 1, forkedFrom={"sessionId": INNER, "messageUuid": "m"})
    transcript(home, INNER, tmp_path, talk("Fix the cart", 1))
    transcript(home, FILE, tmp_path, [*old, typed("Another way", 30), answer(minute=31)])
    told = listed(home)
    assert [(session["id"], session["updated"]) for session in told] == [
        (FILE, at(31)),
        (INNER, at(2)),
    ]


def test_a_thread_that_lies_in_two_files_is_one_session(home: Path, tmp_path: Path) -> None:
    codex.rollout(home, TWINS[0], tmp_path)
    codex.rollout(home, TWINS[0], tmp_path, below="sessions/2026/11/02")
    codex.rollout(home, TWINS[0], tmp_path, below="archived_sessions")
    told = only(home)
    assert not told["archived"]
    assert "/sessions/" in told["path"]
