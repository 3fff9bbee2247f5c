"""The folder of a session: taken from its records, used as it is, and only when it is there."""

from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import at, talk, transcript
from tests.cases.look import listed, only, plan, refused, shown
from tests.kit import slug, uuid
from tests.warm import sf

ID = uuid(1)
THREAD = codex.thread_id(1)


def test_the_agent_moved_on(home: Path, tmp_path: Path) -> None:
    # manaflow-ai/cmux#4963: resumed from the last folder, the id is looked up in vain
    root, below, tree = (
        tmp_path / name for name in ("shop", "shop/mail", "shop/.claude/worktrees/x")
    )
    for folder in (root, below, tree):
        folder.mkdir(parents=True, exist_ok=True)
    records = [*talk("Send mails", 1), *talk("the template", 5, cwd=str(below))]
    transcript(home, ID, root, [*records, *talk("in the tree", 9, cwd=str(tree))])
    told = only(home)
    assert (told["cwd"], told["updated"]) == (str(root), at(10))
    assert plan(home, ID)["cwd"] == str(root)


def test_the_first_record_is_already_elsewhere(home: Path, tmp_path: Path) -> None:
    first = talk("In a sub-folder", 1, cwd=f"{tmp_path}/mail")
    transcript(home, ID, tmp_path, [*first, *talk("back", 5)])
    assert only(home)["cwd"] == str(tmp_path)


def test_a_session_that_was_moved(home: Path, tmp_path: Path) -> None:
    moved = {"type": "relocated", "relocatedCwd": str(tmp_path)}
    records = [*talk("In a tree", 1, cwd="/srv/tree"), moved]
    transcript(home, ID, tmp_path, records)
    assert only(home)["cwd"] == str(tmp_path)
    transcript(home, uuid(2), "/elsewhere", records)
    assert {session["cwd"] for session in listed(home)} == {str(tmp_path)}


def test_the_newest_folder_of_a_thread(home: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    records = [
        codex.meta(THREAD, str(tmp_path)),
        codex.turn(str(tmp_path), 1),
        codex.said("Fix", 1),
    ]
    applied = {"type": "thread_settings_applied", "thread_settings": {"cwd": f"{tmp_path}/b"}}
    codex.rollout(home, THREAD, tmp_path, [*records, codex.record("event_msg", 3, **applied)])
    assert plan(home, THREAD)["cwd"] == f"{tmp_path}/b"


NAMES = ("my-cool.app_v2", "a/b-c", "a-b/c", "проект", "привет", "日本語", "🚀", " ", "é", "é")


def test_names_that_the_stores_folder_does_not_tell_apart(home: Path, tmp_path: Path) -> None:
    # anthropics/claude-code#45718: `-` was read back as `/`
    for number, name in enumerate(NAMES):
        folder = tmp_path / name
        folder.mkdir(parents=True, exist_ok=True)
        transcript(home, uuid(number), folder, talk(name, number))
    told = listed(home)
    assert [session["cwd"] for session in told] == [str(tmp_path / n) for n in reversed(NAMES)]
    for session in told:
        assert plan(home, session["id"])["cwd"] == session["cwd"]


@pytest.mark.parametrize("length", [195, 199, 200, 201, 260, 1000])
@pytest.mark.parametrize("char", ["a", "ä", "🚀"])
def test_long_names_are_cut_and_hashed(home: Path, length: int, char: str) -> None:
    units = len(char.encode("utf-16-le")) // 2
    cwd = "/srv/" + "/".join([char * (40 // units)] * 30)
    cwd = cwd[: length // units].rstrip("/")
    sub = talk("and below", 5, cwd=f"{cwd}/sub")
    transcript(home, ID, cwd, [*talk("Deep one", 1), *sub], folder=slug(cwd))
    assert only(home)["cwd"] == cwd


def test_a_store_folder_of_another_name(home: Path) -> None:
    transcript(home, ID, "/srv/shop", talk("Named by a variable"), folder="my-own-name")
    transcript(home, uuid(2), "/srv/deep", talk("Unknown hash", 5), folder="-srv-deep-1x2y3z")
    assert [session["cwd"] for session in listed(home)] == ["/srv/deep", "/srv/shop"]


@pytest.mark.parametrize("nothing", [..., None, "", 5, [], {}])
def test_no_folder_on_record(home: Path, nothing: object) -> None:
    records = [*talk("Nowhere", 1, cwd=nothing)]
    transcript(home, ID, None, records, folder="-home-alex-code-shop-api")
    told = only(home)
    assert (told["title"], told["cwd"]) == ("Nowhere", None)
    assert sf(home=home).rows[0][3] == "-"
    refused(home, ID)
    shown(home, ID)
