"""`sf resume --in DIR`: a moved project, only where the installed CLI finds the session from there."""

from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import transcript
from tests.cases.look import clis, plan, refused
from tests.kit import uuid
from tests.warm import sf

ID, THREAD = uuid(1), codex.thread_id(1)


@pytest.fixture
def moved(home: Path, tmp_path: Path) -> Path:
    """Sessions of a folder that is gone; the folder where it is now."""
    old = tmp_path / "old"
    transcript(home, ID, old)
    codex.rollout(home, THREAD, old)
    new = tmp_path / "new shop"
    new.mkdir()
    return new


def test_codex_is_told_the_folder(home: Path, moved: Path) -> None:
    found = plan(home, THREAD, "--in", str(moved))
    assert found["cwd"] == str(moved)
    at = found["argv"].index("-C")
    assert found["argv"][1:3] == ["resume", "-C"]
    assert found["argv"][at + 1] == str(moved)
    assert "is gone" in refused(home, THREAD)


@pytest.mark.parametrize(("release", "found"), [("2.1.223", True), ("2.1.222", False)])
def test_claude_by_its_release(home: Path, moved: Path, release: str, found: bool) -> None:
    known = clis(home, claude=release)
    if found:
        assert plan(home, ID, "--in", str(moved), PATH=known["PATH"])["cwd"] == str(moved)
    else:
        err = refused(home, ID, "--in", str(moved), PATH=known["PATH"])
        assert "is found from" in err
        assert "2.1.223 and later find it" in err


@pytest.mark.parametrize("folder", ["/dev/null", "/dev/null/x", "", "none/of/these"])
def test_a_folder_that_is_none(home: Path, moved: Path, folder: str) -> None:
    assert "no such folder" in refused(home, THREAD, f"--in={folder}")


def test_a_relative_one(home: Path, moved: Path) -> None:
    words = ("resume", "--json", "--in", "new shop", THREAD)
    ran = sf(*words, home=home, cwd=moved.parent, **clis(home))
    assert ran.json["cwd"] == str(moved)
