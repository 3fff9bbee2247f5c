"""The place of our own files: whatever is wrong with it, doctor names it, and its command mends it."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sessidx import cache, place
from tests.kit import SF, claude, environment, run, sf, uuid
from tests.test_readonly import unprivileged

Spoil = Callable[[Path], object]
ODD = "it's an é\u3164 $HOME"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one session, and a `sudo` that asks nothing."""
    home = tmp_path / ODD
    claude(home, uuid(1), "/srv/shop")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sudo").write_text('#!/bin/sh\nexec "$@"\n')
    (tmp_path / "bin" / "sudo").chmod(0o755)
    return home


def found(home: Path, shell: str) -> dict[str, str]:
    """What doctor says of the index, asked as one whose files have modes."""
    env = environment(home, SESSIDX_LOADED=shell)
    told = run([*unprivileged(), SF, "doctor", "--json"], env).json
    [finding] = [finding for finding in told if finding["about"] == "index"]
    assert bool(finding["mend"]) == finding["wrong"]
    return dict(finding)


def index(home: Path) -> Path:
    return home / ".cache" / "sessidx" / "index"


def in_its_place(make: Spoil) -> Spoil:
    def spoil(home: Path) -> None:
        folder = home / ".cache" / "sessidx"
        folder.parent.mkdir()
        make(folder)

    return spoil


def a_link(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    folder.symlink_to("elsewhere")


def a_folder_for_the_index(folder: Path) -> None:
    (folder / "index" / "deep").mkdir(parents=True)
    folder.chmod(0o700)


def a_mode(mode: int) -> Spoil:
    def make(folder: Path) -> None:
        folder.mkdir()
        folder.chmod(mode)

    return make


def a_closed_parent(home: Path) -> None:
    (home / ".cache").mkdir()
    (home / ".cache").chmod(0o500)


WRONG: dict[str, tuple[str, Spoil]] = {
    "a link": ("is a link", in_its_place(a_link)),
    "a file": ("is a file", in_its_place(Path.touch)),
    "a FIFO": ("is a FIFO", in_its_place(os.mkfifo)),
    "of everybody": ("others may write", in_its_place(a_mode(0o777))),
    "not to be written": ("nothing can be made", in_its_place(a_mode(0o500))),
    "not to be read": ("nothing can be made", in_its_place(a_mode(0))),
    "a parent not to be written": ("nothing can be made", a_closed_parent),
    "a parent that is a file": ("is no folder", lambda home: (home / ".cache").touch()),
    "a parent that leads nowhere": (
        "leads nowhere",
        lambda home: (home / ".cache").symlink_to(home / "gone" / "cache"),
    ),
    "a folder for the index": ("in the way", in_its_place(a_folder_for_the_index)),
}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(("told", "spoil"), WRONG.values(), ids=WRONG)
def test_the_command_mends_it(home: Path, told: str, spoil: Spoil, shell: str) -> None:
    spoil(home)
    finding = found(home, shell)
    assert finding["wrong"]
    assert told in finding["told"]
    program = shutil.which(shell)
    assert program
    done = subprocess.run(
        [*unprivileged(), program, "-c", finding["mend"]],
        env=environment(home),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert not found(home, shell)["wrong"]
    assert index(home).is_file()


def owned(path: Path, uid: int) -> None:
    for below in (path, *path.rglob("*")):
        os.chown(below, uid, -1, follow_symlinks=False)


if os.geteuid() == 0:  # another's files are made by root alone

    @pytest.mark.parametrize("above", [False, True])
    def test_what_root_has_made_is_given_back(
        home: Path, monkeypatch: pytest.MonkeyPatch, above: bool
    ) -> None:
        """As `sudo -E sf` once left it, looked at by the one whose home it is."""
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        (home / ".cache").mkdir()
        if not above:
            assert sf(home=home).code == 0
        owned(home, 12345)
        owned(home / ".cache", 0)
        wrong = home / ".cache" if above else home / ".cache" / "sessidx"
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        monkeypatch.setattr(os, "access", lambda path, *_, **__: os.stat(path).st_uid == 12345)
        told, mend = place.trouble("bash") or ("", "")
        assert " is not yours" in told
        env = environment(home) | {"PATH": f"{home.parent}/bin:/usr/bin:/bin"}
        assert run(["bash", "-c", mend], env).code == 0
        assert os.stat(wrong).st_uid == 12345
        assert place.trouble("bash") is None

    @pytest.mark.parametrize("there", ["a home", "a cache", "a cache of root's"])
    def test_root_makes_nothing_in_the_home_of_another(home: Path, there: str) -> None:
        if there != "a home":
            assert sf(home=home).code == 0
            (home / ".cache" / "sessidx" / "index").write_text("as it was")
        owned(home, 12345)
        if there == "a cache of root's":
            owned(home / ".cache", 0)
        before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
        for words in ([], ["build"], ["--said", "cart"], ["show", uuid(1)]):
            assert sf(*words, home=home).code == 0
        assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before
        finding = found(home, "bash")
        assert "another person's, so root keeps nothing there" in finding["told"]


def test_a_full_disk_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sf(home=home).code == 0
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def full(fd: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    assert place.trouble("bash") is None
    monkeypatch.setattr(os, "write", full)
    told, _ = place.trouble("bash") or ("", "")
    assert told.endswith(" cannot be written: No space left on device")
    assert os.listdir(cache.scratch() or "") == ["index"]


def test_a_new_home_has_nothing_wrong(tmp_path: Path) -> None:
    assert not found(tmp_path, "bash")["wrong"]
    assert "there is no home" in found(tmp_path / "none", "bash")["told"]


def test_nobody_is_told_to_own_what_is_everybodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    for home, cache_home in (("/", ""), ("/nowhere", ""), (str(tmp_path), "/nowhere/at/all")):
        monkeypatch.setenv("HOME", home)
        monkeypatch.setenv("XDG_CACHE_HOME", cache_home)
        _, mend = place.trouble("bash") or ("", "")
        assert mend
        assert "chown" not in mend


@pytest.mark.parametrize(
    "shell", ["sh", "dash", "ksh", "mksh", "nu", "pwsh", "tcsh", "xonsh", "elvish", "busybox"]
)
def test_no_advice_that_a_shell_refuses(home: Path, shell: str) -> None:
    told = run([SF, "doctor", "--json"], environment(home, SHELL=f"/usr/bin/{shell}")).json
    [finding] = [finding for finding in told if finding["about"] == "integration"]
    assert not finding["wrong"]
    assert finding["told"].startswith(f"there is none for {shell}: ")
    assert "init" not in finding["mend"] + finding["told"]


@pytest.mark.parametrize(("shell", "load"), [("bash", 'eval "$('), ("zsh", 'eval "$('), ("sh", "")])
def test_the_shell_one_types_in_counts(home: Path, shell: str, load: str) -> None:
    program = shutil.which(shell)
    assert program
    env = environment(home, SHELL="/bin/fish")
    told = run([program, "-c", f'"{SF}" doctor; true'], env).out
    [line] = [line for line in told.split("\n") if " integration: " in line]
    assert load in line
    assert "fish" not in line
