"""A Claude session that was left in a worktree of its own: its records as 2.1.332 writes them, real git."""

import subprocess
from pathlib import Path

import pytest

from tests.cases.claude import Record, talk, transcript
from tests.cases.look import clis, plan, refused
from tests.kit import uuid, which

ID = uuid(1)


def git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=alex", "-c", "user.email=alex@example.org")
    subprocess.run([which("git"), *settings, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository on main, with a worktree as `claude -w feat/x` makes it."""
    shop = tmp_path / "shop"
    shop.mkdir()
    git(shop, "init", "-q", "-b", "main")
    git(shop, "commit", "-q", "--allow-empty", "-m", "Begin")
    git(shop, "worktree", "add", "-b", "worktree-feat+x", ".claude/worktrees/feat+x")
    return shop


def inside(shop: Path, **more: object) -> Record:
    """What is recorded while the session is in the worktree."""
    told = {
        "originalCwd": str(shop),
        "preEnterOriginalCwd": str(shop),
        "worktreePath": f"{shop}/.claude/worktrees/feat+x",
        "worktreeName": "feat/x",
        "worktreeBranch": "worktree-feat+x",
        "originalBranch": "main",
        "sessionId": ID,
    }
    return {"type": "worktree-state", "worktreeSession": {**told, **more}}


def left(shop: Path, **more: object) -> list[Record]:
    """A session that was begun in the worktree and left there."""
    there = {"cwd": f"{shop}/.claude/worktrees/feat+x", "gitBranch": "worktree-feat+x"}
    moved = {"type": "relocated", "relocatedCwd": str(shop)}
    out = {"type": "worktree-state", "worktreeSession": None}
    talked = [record | there for record in talk()]
    mode = {"type": "mode", "mode": "normal"}
    return [inside(shop), *talked, mode, inside(shop, **more), moved, out, moved]


def options(argv: list[str]) -> list[str]:
    return argv[1 : argv.index("--resume")]


@pytest.mark.parametrize("wish", [(), ("--fork",)], ids=["resume", "fork"])
def test_it_goes_back_into_the_worktree(home: Path, shop: Path, wish: tuple[str, ...]) -> None:
    transcript(home, ID, shop, left(shop))
    found = plan(home, ID, *wish)
    assert found["cwd"] == str(shop)
    assert options(found["argv"]) == ["--worktree", "feat/x"]
    assert (found["questions"], found["notes"]) == ([], [])


def test_one_that_went_on_in_the_main_checkout_stays_there(home: Path, shop: Path) -> None:
    transcript(home, ID, shop, [*left(shop), *talk("Go on here", 5)])
    found = plan(home, ID)
    assert options(found["argv"]) == []
    assert (found["questions"], found["notes"]) == ([], [])


def test_one_that_is_still_in_it_is_resumed_there(home: Path, shop: Path) -> None:
    tree = shop / ".claude" / "worktrees" / "feat+x"
    transcript(home, ID, tree, [inside(shop), *talk(gitBranch="worktree-feat+x")])
    found = plan(home, ID)
    assert found["cwd"] == str(tree)
    assert options(found["argv"]) == []
    assert found["questions"] == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_removed_one_is_told_and_not_asked_about(home: Path, shop: Path, packed: bool) -> None:
    transcript(home, ID, shop, left(shop))
    git(shop, "worktree", "remove", ".claude/worktrees/feat+x")
    kept = plan(home, ID)
    assert kept["questions"]  # its branch is still there
    if packed:
        git(shop, "pack-refs", "--all")
        assert plan(home, ID)["questions"]
    git(shop, "branch", "-D", "worktree-feat+x")
    found = plan(home, ID)
    assert found["questions"] == []
    assert found["notes"] == [f"its worktree feat/x is gone; it goes on in {shop}"]
    assert options(found["argv"]) == options(kept["argv"]) == []


@pytest.mark.parametrize(
    "more",
    [
        {"worktreeName": "--dangerously-skip-permissions"},
        {"worktreeName": "feat/x; id"},
        {"worktreeName": "other"},
        {"worktreeBranch": "another"},
        {"worktreePath": "/tmp"},
    ],
    ids=lambda more: " ".join(*more.items()),
)
def test_what_does_not_agree_is_not_entered(home: Path, shop: Path, more: Record) -> None:
    transcript(home, ID, shop, left(shop, **more))
    found = plan(home, ID)
    assert options(found["argv"]) == []
    assert "it was left" in found["notes"][0]
    assert found["questions"]


@pytest.mark.parametrize("state", [7, "x", [], {"worktreeName": 1}, {"worktreePath": "\x1b[0m"}])
def test_a_state_that_is_none(home: Path, shop: Path, state: object) -> None:
    records = [*left(shop)[:-5], {"type": "worktree-state", "worktreeSession": state}]
    transcript(home, ID, shop, [*records, *left(shop)[-3:]])
    assert options(plan(home, ID)["argv"]) == []


@pytest.mark.parametrize(("release", "passed"), [("2.1.165", False), ("2.1.166", True)])
def test_releases(home: Path, shop: Path, release: str, passed: bool) -> None:
    transcript(home, ID, shop, left(shop))
    known = clis(home, claude=release)
    found = plan(home, ID, **known)
    assert options(found["argv"]) == (["--worktree", "feat/x"] if passed else [])
    if not passed:
        assert "worktree feat/x" in found["notes"][0]
        assert "on branch worktree-feat+x" in refused(home, ID, PATH=known["PATH"])
