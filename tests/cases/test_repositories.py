"""A hostile repository or branch is text: no program of it runs, no file that it points to is read."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import talk, transcript
from tests.cases.git import repository, write
from tests.cases.look import assert_inert, assert_no_fault, clis, listed, plan, refused, shown
from tests.kit import uuid, which
from tests.warm import sf

ID = uuid(1)
THREAD = codex.thread_id(1)


HOSTILE = ["$(touch PWN)", "`touch PWN`", "a;touch$IFS'PWN'", "x'\"&|<>", "feat/🚀", "two\nlines"]
HOSTILE += ["--upload-pack=touch PWN", "\x1b]0;hi\x07red", "%F{red}%n%f", "{1}{q}{+}", "\u202eko"]
HOSTILE += ["\udcff\udcfe", "a\tb", "!!", "~", "\\", "-n"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_branch_is_text(home: Path, tmp_path: Path, name: str) -> None:
    # magicmonty/bash-git-prompt#310: a prompt ran the name of a branch
    here, there = (
        repository(tmp_path / "a"),
        repository(tmp_path / "b", f"ref: refs/heads/{name}\n"),
    )
    transcript(home, uuid(1), here, talk("Recorded", 1, gitBranch=name))
    transcript(home, uuid(2), there, talk("There", 3))
    codex.rollout(home, THREAD, here, [codex.meta(THREAD, str(here), 5, git={"branch": name})])
    codex.rollout(
        home,
        THREAD,
        here,
        [codex.meta(THREAD, str(here), 5, git={"branch": name}), codex.said("x", 5)],
    )
    assert len(listed(home)) == 3
    for session in (uuid(1), uuid(2), THREAD):
        assert_inert(refused(home, session))
        shown(home, session)
        ran = sf("resume", "--yes", session, home=home, **clis(home))
        assert "PWN" not in ran.out
    assert_inert(sf("find", "--format", "table", home=home).out)


def test_the_same_hostile_branch_is_no_other(home: Path, tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", "ref: refs/heads/a\tb\n")
    transcript(home, ID, folder, talk(gitBranch="a\tb"))
    assert plan(home, ID)["questions"] == []


def test_no_program_of_a_repository_is_run(home: Path, tmp_path: Path) -> None:
    # CVE-2022-42906: a tool that only wanted the branch ran git, and git ran the repository's program
    folder = repository(tmp_path / "unpacked")
    program = folder / "tool.sh"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/PWN'\nexit 1\n")
    program.chmod(0o755)
    keys = ("fsmonitor", "pager", "sshCommand", "askPass", "editor", "hooksPath")
    config = "".join(f'\t{key} = "{program}"\n' for key in keys)
    write(folder / ".git" / "config", f"[core]\n\trepositoryformatversion = 0\n{config}")
    subprocess.run([which("git"), "-c", "safe.directory=*", "status"], cwd=folder, check=False)
    assert (tmp_path / "PWN").exists()  # git does
    (tmp_path / "PWN").unlink()
    transcript(home, ID, folder)
    codex.rollout(home, THREAD, folder)
    for words in ((), ("@ids",), ("--here",), ("resume", ID), ("show", THREAD), ("doctor",)):
        ran = sf(*words, home=home, cwd=folder, **clis(home))
        assert_no_fault(ran)
        started = ("os.posix_spawn", "os.exec", "os.system", "subprocess.Popen")
        programs = {path for event, path in ran.events if event in started}
        assert {os.path.basename(path) for path in programs} <= {"fzf"}
    assert not (tmp_path / "PWN").exists()


# --- a `gitdir:` or HEAD that points elsewhere


def secret(top: Path) -> Path:
    write(top / "secrets" / "HEAD", "ref: refs/heads/token-of-alex\n")
    return top / "secrets" / "HEAD"


TRAPS: dict[str, Callable[[Path, Path], object]] = {
    "a pipe": lambda head, top: os.mkfifo(head),
    "a device": lambda head, top: head.symlink_to("/dev/zero"),
    "a terminal": lambda head, top: head.symlink_to("/dev/tty"),
    "a link to a secret": lambda head, top: head.symlink_to(secret(top)),
    "a folder": lambda head, top: head.mkdir(),
    "a huge file": lambda head, top: os.truncate(os.open(head, os.O_CREAT | os.O_WRONLY), 3 << 30),
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
@pytest.mark.parametrize("pointer", [True, False])
def test_traps_in_the_place_of_git_files(
    home: Path, tmp_path: Path, trap: Callable[[Path, Path], object], pointer: bool
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    if pointer:
        (tmp_path / "elsewhere").mkdir()
        write(folder / ".git", "gitdir: ../elsewhere\n")
        trap(tmp_path / "elsewhere" / "HEAD", tmp_path)
    else:
        trap(folder / ".git", tmp_path)
    transcript(home, ID, folder, talk(gitBranch="recorded"))
    for words in (("resume", ID), ("show", ID), ("--here",), ("find", "--here", "--json")):
        ran = sf(*words, home=home, cwd=folder, **clis(home))
        assert ran.code == 0, ran
        assert "token-of-alex" not in ran.out + ran.err
        assert ran.seconds < 10
