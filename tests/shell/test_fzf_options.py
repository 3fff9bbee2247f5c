"""A person's options of fzf: none of them changes what is chosen; one that leaves nothing to choose is named."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from sessidx import fzf_options

from .conftest import FZFS
from .terminal import Terminal
from .world import PROGRAM, World

NEWEST, OLDER = "Add a zebra crossing", "Draft the migration"


@pytest.fixture(params=["zsh"])
def shell(request: pytest.FixtureRequest) -> str:
    """The shells differ in nothing that is tested here."""
    return str(request.param)


@pytest.fixture
def two(world: World) -> World:
    """Two sessions."""
    for title in (OLDER, NEWEST):
        world.session(title, world.folder(title.rpartition(" ")[2]))
    return world


def shown(terminal: Terminal, texts: Iterable[str]) -> bool:
    return all(text in terminal.text() for text in texts)


def picked(world: World, fzf: str, keys: str = "\r") -> str:
    """What a pick prints: the line, or what it says instead of one, if the screen ever shows a list."""
    (world.bin / "fzf").unlink()
    (world.bin / "fzf").symlink_to(FZFS[fzf])
    out = world.root / "out"
    words = ["/bin/sh", "-c", f'"$0" pick --shell zsh >"{out}"; echo ended', str(PROGRAM)]
    with Terminal(words, world.env, world.root) as terminal:
        titles = (NEWEST, OLDER)
        terminal.wait(lambda: shown(terminal, titles) or shown(terminal, ["ended"]), "the list")
        if not shown(terminal, ["ended"]):
            terminal.send(keys)
        terminal.wait(lambda: shown(terminal, ["ended"]), "the end")
        said = [line for line in terminal.text().split("\n") if "sf: " in line]
    return out.read_text() + "".join(said)


# What both the oldest and the newest know, then what only the newest does.
UNDONE = [
    "--header-lines=1 --tac --read0 --print0 --disabled --sync --no-sort --multi --no-clear",
    "--with-nth=3 --nth=1 --delimiter=: --listen=6266 --expect=ctrl-v --bind=enter:print-query",
    "--bind 'enter:become(echo {1}),start:reload(seq 5)'",
    '--bind="load:reload(seq 5)+unbind(load)" --bind=ctrl-m:abort',
    *("--bind='change:first,focus:reload(seq 5)'", '--bind "load:accept"', "--bind=start:abort"),
    "--bind 'start:unbind(enter),double-click:ignore'",
]
UNDONE_NEWER = ["--accept-nth=3 --tail=1 --with-shell='/bin/false -c'", "--accept-nth '{2}'"]
NAMED = {
    "--filter=zebra": ("\r", "--filter=zebra in FZF_DEFAULT_OPTS"),
    "-f Draft": ("\r", "-f in FZF_DEFAULT_OPTS"),
    "--bind=ctrl-v:print-query": ("\x16", "--bind=ctrl-v:print-query in FZF_DEFAULT_OPTS"),
    "--bind 'ctrl-v:become(echo {1})'": ("\x16", "ctrl-v:become(echo {1}) in FZF_DEFAULT_OPTS"),
    "--version": ("\r", "--version in FZF_DEFAULT_OPTS"),
}


@pytest.mark.parametrize(
    ("options", "fzf"),
    [(o, f) for o in UNDONE for f in FZFS] + [(o, "new-fzf") for o in UNDONE_NEWER],
)
def test_what_is_chosen_is_the_same(two: World, options: str, fzf: str) -> None:
    two.env["FZF_DEFAULT_OPTS"] = options
    assert f"'{two.root}/work/crossing' && claude " in picked(two, fzf)


@pytest.mark.parametrize("fzf", FZFS)
@pytest.mark.parametrize("options", NAMED)
def test_what_leaves_nothing_to_choose_is_named(two: World, options: str, fzf: str) -> None:
    keys, named = NAMED[options]
    two.env["FZF_DEFAULT_OPTS"] = f"--height=50% {options}"
    told = "sf: fzf answered without a row of ours; what may do that: "
    assert picked(two, fzf, keys) == told + named


@pytest.mark.parametrize("fzf", FZFS)
def test_an_option_that_fzf_does_not_know(two: World, fzf: str) -> None:
    two.env["SESSIDX_FZF_OPTS"] = "--nonsense"
    told = "sf: fzf ended with an error (see above) (its options: SESSIDX_FZF_OPTS)"
    assert picked(two, fzf) == told


def test_the_file_of_options_is_one_of_the_sources(two: World) -> None:
    file = two.root / "rc"
    (two.root / "link").symlink_to(file)
    two.env["FZF_DEFAULT_OPTS_FILE"] = str(two.root / "link")
    file.write_text("--header-lines=1 # of what I list\n--bind 'start:reload(seq 5)'\n")
    assert f"'{two.root}/work/crossing' && claude " in picked(two, "new-fzf")
    file.write_text("--filter=zebra")
    assert picked(two, "new-fzf").endswith("--filter=zebra in FZF_DEFAULT_OPTS_FILE")


def test_nobody_is_asked_to_wait_for_a_file_of_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("FZF_DEFAULT_OPTS_FILE", str(tmp_path / "pipe"))
    assert fzf_options.environment()["FZF_DEFAULT_OPTS_FILE"] == str(tmp_path / "pipe")


@pytest.mark.parametrize("fzf", FZFS.values(), ids=FZFS)
def test_every_event_can_be_given_back_nothing(fzf: str) -> None:
    # An fzf that does not know one refuses what the person bound to it, before ours is looked at.
    for event in fzf_options._EVENTS:
        words = [fzf, f"--bind={event}:ignore", "--filter=x"]
        done = subprocess.run(words, input=b"x\n", capture_output=True, check=False)
        known = done.returncode == 0
        with contextlib.suppress(ValueError):
            ("start", "load", "change", "focus").index(event)
            assert known, done.stderr
        assert known or b"unsupported key" in done.stderr
