"""The folder's branch is read from git's small files, as git would answer; git itself is never run."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import talk, transcript
from tests.cases.git import repository, write
from tests.cases.look import clis, only, plan, refused, shown
from tests.kit import uuid, which
from tests.warm import sf

ID = uuid(1)
THREAD = codex.thread_id(1)


def git_says(folder: Path) -> str:
    """What git answers where it is safe to ask."""
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}
    words = [which("git"), "-c", "safe.directory=*", "branch", "--show-current"]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.stdout.removesuffix("\n")


def asked(home: Path, folder: Path) -> str:
    """The folder's branch, as the question names it that a resume asks; "" without a question."""
    transcript(home, ID, folder, talk(gitBranch="recorded"), folder="-x")
    questions = plan(home, ID)["questions"]
    return str(questions[0]).rpartition(" is on ")[2] if questions else ""


# --- shapes of a repository


def plain(top: Path) -> Path:
    return repository(top / "shop")


def below(top: Path) -> Path:
    (repository(top / "shop") / "src" / "deep").mkdir(parents=True)
    return top / "shop" / "src" / "deep"


def nested_name(top: Path) -> Path:
    return repository(top / "shop", "ref: refs/heads/feat/a/b\n")


def no_line_end(top: Path) -> Path:
    return repository(top / "shop", "ref: refs/heads/main")


def more_blanks(top: Path) -> Path:
    return repository(top / "shop", "ref: \t refs/heads/main \n")


def detached(top: Path) -> Path:
    return repository(top / "shop", "0123456789abcdef0123456789abcdef01234567\n")


def detached_in_another(top: Path) -> Path:
    repository(top)
    return detached(top)


def a_worktree(top: Path, pointer: str = "{}", to: str = "feat/wt") -> Path:
    main, tree = repository(top / "shop"), top / "tree"
    admin = main / ".git" / "worktrees" / "tree"
    write(tree / ".git", f"gitdir: {pointer.format(admin)}\n")
    write(admin / "HEAD", f"ref: refs/heads/{to}\n")
    write(admin / "commondir", "../..\n")
    write(admin / "gitdir", f"{tree}/.git\n")
    return tree


def a_relative_worktree(top: Path) -> Path:
    return a_worktree(top, "../shop/.git/worktrees/tree")


def below_a_worktree(top: Path) -> Path:
    (a_worktree(top) / "src").mkdir()
    return top / "tree" / "src"


def a_submodule(top: Path) -> Path:
    main = repository(top / "shop", "ref: refs/heads/outer\n")
    repository(top / "made", "ref: refs/heads/lib-main\n")
    (main / ".git" / "modules").mkdir()
    (top / "made" / ".git").rename(main / ".git" / "modules" / "lib")
    write(main / "lib" / ".git", "gitdir: ../.git/modules/lib\n")
    return main / "lib"


def a_linked_git_folder(top: Path) -> Path:
    repository(top / "shop")
    (top / "other").mkdir()
    (top / "other" / ".git").symlink_to("../shop/.git")
    return top / "other"


def through_a_link(top: Path) -> Path:
    repository(top / "shop")
    (top / "link").symlink_to("shop")
    return top / "link"


def in_another(top: Path) -> Path:
    repository(top, "ref: refs/heads/outer\n")
    return plain(top)


def an_empty_git_folder(top: Path) -> Path:
    repository(top, "ref: refs/heads/outer\n")
    (top / "shop" / ".git").mkdir(parents=True)
    return top / "shop"


def broken_pointer(top: Path, text: str = "gitdir: /nowhere/at/all\n") -> Path:
    repository(top, "ref: refs/heads/outer\n")
    write(top / "shop" / ".git", text)
    return top / "shop"


def pointer_to_itself(top: Path) -> Path:
    return broken_pointer(top, "gitdir: .git\n")


def pointer_to_nothing(top: Path) -> Path:
    return broken_pointer(top, "gitdir:\n")


def an_empty_pointer(top: Path) -> Path:
    return broken_pointer(top, "")


def binary(top: Path) -> Path:
    return broken_pointer(top, "\0\x01\udcff" * 900)


def no_repository(top: Path) -> Path:
    (top / "shop").mkdir()
    return top / "shop"


SHAPES = [plain, below, nested_name, no_line_end, more_blanks, detached, detached_in_another]
SHAPES += [a_worktree, a_relative_worktree, below_a_worktree, a_submodule, a_linked_git_folder]
SHAPES += [through_a_link, in_another, an_empty_git_folder, broken_pointer, pointer_to_itself]
SHAPES += [pointer_to_nothing, an_empty_pointer, binary, no_repository]


@pytest.mark.parametrize("make", SHAPES)
def test_the_folders_branch_is_what_git_says(
    home: Path, tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    # earendil-works/pi#490: in a worktree the branch of the main one was shown, or none
    folder = make(tmp_path)
    assert asked(home, folder) == git_says(folder)
    shown(home, ID)


def test_newer_ref_storage(home: Path, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", "ref: refs/heads/.invalid\n")
    (folder / ".git" / "reftable").mkdir()
    assert asked(home, folder) == ""
    assert ".invalid" not in shown(home, ID)


@pytest.mark.parametrize("recorded", ["HEAD", ".invalid", "", None, 7, " ", ...])
def test_no_branch_on_record(home: Path, tmp_path: Path, recorded: object) -> None:
    transcript(home, ID, repository(tmp_path / "shop"), talk(gitBranch=recorded))
    assert only(home)["branch"] is None
    assert plan(home, ID)["questions"] == []


def test_the_newest_branch_counts(home: Path) -> None:
    records = [*talk("a", 1), *talk("b", 3, gitBranch="feat/x"), *talk("c", 5, gitBranch=...)]
    transcript(home, ID, "/srv/shop", records)
    assert only(home)["branch"] == "feat/x"
    transcript(home, ID, "/srv/shop", [*records, *talk("d", 7, gitBranch="HEAD")])
    assert only(home)["branch"] is None


def test_another_branch_is_asked_about(home: Path, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop")
    for session, write_one in ((ID, transcript), (THREAD, codex.rollout)):
        write_one(home, session, folder)
        assert plan(home, session)["questions"] == []
        write(folder / ".git" / "HEAD", "ref: refs/heads/next\n")
        err = refused(home, session)
        assert "branch main" in err
        assert "on next" in err
        ran = sf("resume", "--yes", session, home=home, **clis(home))
        assert session in ran.out.split()
        write(folder / ".git" / "HEAD", "ref: refs/heads/main\n")
