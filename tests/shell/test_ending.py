"""How sf is ended from outside: TERM and HUP leave neither fzf nor a mode of the terminal, KILL nothing for long."""

from __future__ import annotations

import fcntl
import os
import signal
import termios
from pathlib import Path

import pytest

from tests.kit import claude, sf, uuid

from .conftest import FZFS
from .terminal import Terminal
from .world import PROGRAM, World

TITLE = "Fix the flaky checkout"
# Says that it is new enough to be told more, and then is never to be had.
SILENT = """#!/bin/sh
[ "$1" = --version ] && { echo 0.74.0; exit; }
printf 'fzf\\tstarted\\0' >>"$JOURNAL"
exec sleep 600
"""


@pytest.fixture(params=["zsh"])
def shell(request: pytest.FixtureRequest) -> str:
    """None is needed."""
    return str(request.param)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("program", FZFS.values(), ids=FZFS)
def test_the_picker_takes_fzf_with_it(world: World, number: int, program: str) -> None:
    (world.bin / "fzf").unlink()
    (world.bin / "fzf").symlink_to(program)
    world.session(TITLE, world.folder("shop"))
    with Terminal([str(PROGRAM), "pick"], world.env, world.root) as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.wait(lambda: TITLE in terminal.text(), "the list")
        [fzf] = children(terminal.pid)
        os.kill(terminal.pid, number)
        assert terminal.status() == 128 + number
        assert not runs(fzf)
        assert termios.tcgetattr(terminal.fd) == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_question_leaves_the_terminal_as_it_was(world: World, number: int) -> None:
    id_ = world.session(TITLE, world.folder("shop", branch="next"))
    with Terminal([str(PROGRAM), "resume", id_], world.env, world.root) as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.wait(lambda: "[y/N]" in terminal.text(), "the question")
        assert termios.tcgetattr(terminal.fd) != before
        os.kill(terminal.pid, number)
        assert terminal.status() == 128 + number
        assert termios.tcgetattr(terminal.fd) == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_channels_do_not_stay(world: World, number: int) -> None:
    for one in range(3_000):
        claude(world.home, uuid(one), str(world.root))
    assert sf("build", home=world.home).code == 0
    world.program("fzf", SILENT)
    ours = world.home / ".cache" / "sessidx"
    with Terminal([str(PROGRAM), "pick"], world.env, world.root) as terminal:
        terminal.wait(lambda: world.events("fzf"), "fzf")
        terminal.wait(lambda: list(ours.glob("fzf-*/told")), "channels")
        [fzf] = children(terminal.pid)
        assert len(sf(home=world.home).rows) == 3_000
        assert list(ours.glob("fzf-*/told"))  # they are of one who lives
        os.kill(terminal.pid, number)
        terminal.status()
        if number == signal.SIGKILL:
            assert list(ours.glob("fzf-*/told"))
            os.kill(fzf, signal.SIGKILL)
            assert len(sf(home=world.home).rows) == 3_000
        assert sorted(os.listdir(ours)) == ["index", "releases"]


def test_what_is_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    claude(tmp_path, uuid(1), "/srv/shop")
    assert sf(home=tmp_path).code == 0
    ours = tmp_path / ".cache" / "sessidx"
    (ours / "db-77-1").mkdir()
    (ours / "db-77-1" / "copy.sqlite").write_text("x")
    (ours / "fzf-88").mkdir()
    os.mkfifo(ours / "fzf-88" / "told")
    os.mkfifo(ours / "fzf-99-told")
    for name in ("index.1234", "releases.5", "index.77", "notes.txt", "1234", ".5"):
        (ours / name).write_text("x")
    (ours / "index.66").symlink_to(tmp_path / ".claude")
    kept = {"index", "notes.txt", "1234", ".5", "index.66", "index.77"}
    with (ours / "index.77").open() as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        assert len(sf(home=tmp_path).rows) == 1
        assert set(os.listdir(ours)) == kept
    assert len(sf(home=tmp_path).rows) == 1
    assert set(os.listdir(ours)) == kept - {"index.77"}
    assert (tmp_path / ".claude").is_dir()


def test_who_ignores_a_signal_still_does(world: World) -> None:
    id_ = world.session(TITLE, world.folder("shop", branch="next"))
    words = ["/bin/sh", "-c", f"trap '' HUP; exec '{PROGRAM}' resume {id_}"]
    with Terminal(words, world.env, world.root) as terminal:
        terminal.wait(lambda: "[y/N]" in terminal.text(), "the question")
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.send("y")
        terminal.wait(lambda: "claude --resume" in terminal.text(), "the line")
        assert terminal.status() == 0
