"""Folders as people and agents name them: through links, with `~`, letters composed or not."""

from pathlib import Path
from unicodedata import normalize

import pytest

from sessidx import folders, git
from sessidx.folders import Below
from tests.cases.git import repository, write
from tests.kit import claude, sf, slug, uuid

COMPOSED, DECOMPOSED = (normalize(form, "café/größe") for form in ("NFC", "NFD"))
FORMS = [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)]


@pytest.mark.parametrize(
    ("cwd", "folder", "below"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b/c", "/a/b", True),
        ("/a/b/c", "/a/b/", True),
        ("/a/bc", "/a/b", False),
        ("/a", "/a/b", False),
        ("/a", "/", True),
        ("/", "/", True),
        ("", "/", False),
        (None, "/", False),
        ("/A/b", "/a/b", False),
        ("b", "/", False),
        ("/a\0b", "/a", False),
        ("/a/\ud800", "/a", True),
        (f"/a/{COMPOSED}/b", f"/a/{DECOMPOSED}", True),
        (f"/a/{DECOMPOSED}", f"/a/{COMPOSED}", True),
    ],
)
def test_below(cwd: str | None, folder: str, below: bool) -> None:
    assert Below([folder]).holds(cwd) == below


def test_a_link_that_was_left_behind(tmp_path: Path) -> None:
    new, old, other = (tmp_path / name for name in ("new", "old", "other"))
    (new / "shop").mkdir(parents=True)
    old.symlink_to(new)
    here = Below([str(new / "shop")])
    assert here.holds(f"{old}/shop")
    assert here.holds(f"{old}/shop/gone since")
    assert not here.holds(str(old))
    assert not here.holds(str(other))


@pytest.mark.parametrize(("there", "recorded"), FORMS)
def test_a_folder_in_the_other_form_is_entered(tmp_path: Path, there: str, recorded: str) -> None:
    (tmp_path / there).mkdir(parents=True)
    assert folders.entered(f"{tmp_path}/{there}") == f"{tmp_path}/{there}"
    assert folders.entered(f"{tmp_path}/{recorded}") == f"{tmp_path}/{there}"
    assert folders.entered(f"{tmp_path}/{recorded}/below") is None
    (tmp_path / recorded).mkdir(parents=True)
    assert folders.entered(f"{tmp_path}/{recorded}") == f"{tmp_path}/{recorded}"


@pytest.mark.parametrize(("there", "recorded"), FORMS)
def test_either_form_finds_and_resumes(tmp_path: Path, there: str, recorded: str) -> None:
    folder = tmp_path / "code" / there
    folder.mkdir(parents=True)
    claude(tmp_path, uuid(1), f"{tmp_path}/code/{recorded}")
    for words in (("--dir", there), ("--dir", recorded), ("--here",)):
        cwd = folder if words == ("--here",) else tmp_path / "code"
        assert [row[0] for row in sf(*words, home=tmp_path, cwd=cwd).rows] == [uuid(1)]
    plan = sf("resume", "--json", uuid(1), home=tmp_path).json
    assert plan["cwd"] == str(folder)
    assert "(there in another Unicode form)" in sf("show", uuid(1), home=tmp_path).out


@pytest.mark.parametrize("word", ["~", "~/", "~/code", "~/code/"])
def test_a_tilde_that_no_shell_expanded(tmp_path: Path, word: str) -> None:
    (tmp_path / "code").mkdir()
    claude(tmp_path, uuid(1), f"{tmp_path}/code")
    for words in (["--dir", word], [f"--dir={word}"]):
        assert [row[0] for row in sf(*words, home=tmp_path).rows] == [uuid(1)]


@pytest.mark.parametrize("word", ["nowhere", "/nowhere at all", "~/nowhere", "~alex", "/dev/null"])
def test_a_folder_that_is_not_there_is_named(tmp_path: Path, word: str) -> None:
    claude(tmp_path, uuid(1), "/srv/gone/shop")
    for words in (["--dir", word], ["find", "--json", "--dir", word], ["pick", "--dir", word]):
        done = sf(*words, home=tmp_path, cwd=tmp_path)
        path = word.replace("~/", f"{tmp_path}/")
        path = path if path.startswith("/") else f"{tmp_path}/{path}"
        assert (done.code, done.out, done.err) == (2, "", f"sf: no such folder: {path}\n")


def test_a_folder_that_is_gone_still_has_its_sessions(tmp_path: Path) -> None:
    claude(tmp_path, uuid(1), "/srv/gone/shop")
    claude(tmp_path, uuid(2), "/srv/other", entrypoint="sdk-py")
    assert [row[0] for row in sf("--dir", "/srv/gone", home=tmp_path).rows] == [uuid(1)]
    done = sf("--dir", "/srv/other", home=tmp_path)
    assert (done.code, done.out, done.err) == (0, "", "")


# --- the work trees of a repository


def worktree(git_folder: Path, tree: Path, pointer: str, back: str) -> Path:
    """A linked work tree as `git worktree add` makes it: `pointer` in its .git, `back` in git's note."""
    admin = git_folder / "worktrees" / tree.name
    write(tree / ".git", f"gitdir: {pointer}\n")
    write(admin / "HEAD", "ref: refs/heads/wt\n")
    write(admin / "commondir", "../..\n")
    write(admin / "gitdir", f"{back}\n")
    return tree


def test_work_trees_that_are_told_relatively(tmp_path: Path) -> None:
    # git 2.48, worktree.useRelativePaths
    main = repository(tmp_path / "shop")
    pointer = "../shop/.git/worktrees/tree"
    tree = worktree(main / ".git", tmp_path / "tree", pointer, "../../../../tree/.git")
    (tree / "src").mkdir()
    assert set(git.roots(str(main))) == {str(main), str(tree)}
    assert set(git.roots(str(tree / "src"))) == {str(main), str(tree)}
    (tmp_path / "deep" / "er").mkdir(parents=True)
    link = tmp_path / "deep" / "er" / "link"
    link.symlink_to(tree)
    assert set(git.roots(str(link))) == {str(main), str(tree)}
    assert git.branch(str(link)) == "wt"


@pytest.mark.parametrize("pointed", [True, False])
def test_the_folder_over_a_bare_repository(tmp_path: Path, pointed: bool) -> None:
    shop = tmp_path / "shop"
    write(shop / ".bare" / "HEAD", "ref: refs/heads/main\n")
    trees = [
        worktree(
            shop / ".bare", shop / name, f"{shop}/.bare/worktrees/{name}", f"{shop}/{name}/.git"
        )
        for name in ("main", "next")
    ]
    if pointed:
        write(shop / ".git", "gitdir: ./.bare\n")
    for tree in trees:
        assert set(git.roots(str(tree))) == {str(shop), *map(str, trees)}


def test_a_folder_of_bare_repositories_is_none_of_theirs(tmp_path: Path) -> None:
    home = repository(tmp_path / "alex")  # of dotfiles, say
    bare = home / "shop.git"
    write(bare / "HEAD", "ref: refs/heads/main\n")
    tree = worktree(bare, tmp_path / "tree", f"{bare}/worktrees/tree", f"{tmp_path}/tree/.git")
    assert git.roots(str(tree)) == [str(tree)]


def test_a_repository_that_moved_and_left_a_link(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    main = repository(new / "shop")
    old.symlink_to(new)
    admin = f"{old}/shop/.git/worktrees/tree"
    tree = worktree(main / ".git", new / "tree", admin, f"{old}/tree/.git")
    for number, cwd in enumerate((old / "shop", old / "tree", main, tree, tmp_path), 1):
        at = f"2026-10-{20 - number}T10:00:00.000Z"
        claude(tmp_path, uuid(number), str(cwd), at=at)
    for cwd in (main, tree, old / "shop"):
        found = sf("--here", home=tmp_path, cwd=cwd).rows
        assert [row[0] for row in found] == [uuid(number) for number in (1, 2, 3, 4)]


def test_a_folder_that_could_not_be_named_so_is_said_to_be_none(tmp_path: Path) -> None:
    half = b"/srv/\\ud800shop"
    path = claude(tmp_path, uuid(1), "/srv/half")
    path.write_bytes(path.read_bytes().replace(b"/srv/half", half))
    path.parent.rename(path.parent.parent / slug("/srv/\ud800shop"))
    shown = sf("show", uuid(1), home=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert "folder   /srv/\ufffdshop (no name that a folder could have)\n" in shown.out
    done = sf("resume", uuid(1), home=tmp_path)
    told = "sf: the recorded folder is none that could be there: /srv/\ufffdshop\n"
    assert (done.code, done.out, done.err) == (1, "", told)
