"""A long list: shown from the index at once, and put right in place while the person types."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sessidx import channels
from tests.kit import claude, uuid

from .conftest import FZFS
from .person import CTRL_G, ENTER, ESC, Person
from .terminal import Terminal
from .world import PROGRAM, World

Start = Callable[..., Person]

MANY = 3_000
OLD, NEW = "Fix the old parser", "Add a zebra crossing"
DOWN = "\x1b[B"


@pytest.fixture(params=["zsh"])
def shell(request: pytest.FixtureRequest) -> str:
    """The shells differ in nothing that is tested here."""
    return str(request.param)


@pytest.fixture
def stale(world: World) -> World:
    """Thousands of sessions, an index of them, and then a new one and one more of a script."""
    for number in range(1, MANY + 1):
        claude(world.home, uuid(number), str(world.root), f"Number {number}", at=at(number))
    subprocess.run([PROGRAM, OLD], env=world.env, check=False)
    world.session(NEW, world.folder("shop"))
    claude(world.home, uuid(MANY + 1), str(world.root), entrypoint="sdk-cli")
    return world


def at(number: int) -> str:
    return f"2026-10-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"


@pytest.mark.usefixtures("every_fzf")
def test_what_is_new_is_found_by_what_was_typed_before_it_was_shown(
    stale: World, person: Start
) -> None:
    with person() as me:
        me.terminal.send(f"{CTRL_G}'zebra")
        me.shows(f"1/{MANY + 1}")
        me.shows(NEW)
        me.terminal.send(ENTER)
        assert me.in_agent()["cwd"] == str(stale.root / "work/shop")
        me.ends_agent(0)
        me.at_prompt()


@pytest.mark.usefixtures("every_fzf")
def test_the_newest_comes_to_stand_first(stale: World, person: Start) -> None:
    with person() as me:
        me.terminal.send(CTRL_G)
        me.shows(f"{MANY + 1} sessions, 1 hidden (Alt-A)")
        me.wait(lambda: begins_with(me, NEW, f"Number {MANY}"), "the newest first")
        me.terminal.send(ENTER)
        assert me.in_agent()["cwd"] == str(stale.root / "work/shop")
        me.ends_agent(0)
        me.at_prompt()
    assert left(stale) == []


def begins_with(me: Person, *titles: str) -> bool:
    rows = [row for row in me.terminal.text().split("\n") if "claude-code" in row]
    first = rows[: len(titles)]
    return len(first) == len(titles) and all(map(str.__contains__, first, titles))


def test_nothing_is_left_when_one_leaves_at_once(stale: World, person: Start) -> None:
    with person() as me:
        for _ in range(5):
            me.terminal.send(CTRL_G + ESC)
            while me.next("fzf") != ["exit", "130"]:
                pass  # it may have shown the list, and has been asked its release
            assert me.runs("true") == 0
    assert left(stale) == []


def left(world: World) -> list[str]:
    """Our own files besides the index, and processes that still hold a channel."""
    cache = world.home / ".cache/sessidx"
    found = [path.name for path in cache.iterdir() if path.name not in ("index", "releases")]
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes()
        except OSError:
            continue
        if os.fsencode(cache) + b"/fzf-" in words and b"cat\0" in words:
            found.append(words.decode("utf-8", "replace"))
    return found


# --- fzf by itself, told at a moment of the test's choice

SCRIPT = """
import pathlib, sys
from sessidx import channels, fzf
program, moment, what, answer = sys.argv[1:]
before = [f"{n}\\tNumber {n}" for n in range(10_000)]
options = ["--delimiter=\\t", "--with-nth=2", "--header=before", "--pointer=>>", "--no-preview"]
options += ["--print-query", "--expect=alt-x"]
with fzf.Finder(program, options, channels.opened(program)) as finder:
    finder.feed(before)
    pathlib.Path(moment).read_text()
    finder.replace("afterwards", ["new\\tBrand new", *before] if what == "other" else before)
    pathlib.Path(answer).write_text(finder.answer()[-1])
"""


ODD = """it's `touch here` $HOME "own" | ; c"""  # a folder for our own files


class Shown:
    """Ten thousand rows in fzf, which are replaced when it is told."""

    def __init__(self, world: World, what: str) -> None:
        self._answer = world.root / "answer"
        self._moment = world.root / "moment"
        os.mkfifo(self._moment)
        words = [FZFS["new-fzf"], str(self._moment), what, str(self._answer)]
        env = {**world.env, "XDG_CACHE_HOME": f"{world.root}/{ODD}"}
        self.terminal = Terminal([sys.executable, "-c", SCRIPT, *words], env, world.root)
        self.blank = 0

    def shows(self, text: str) -> None:
        """The text comes to stand on the screen, and rows stand there all the time."""

        def seen() -> bool:
            screen = self.terminal.text()
            self.blank += "Number" not in screen
            return text in screen

        self.terminal.wait(seen, text)

    def types(self, keys: str) -> None:
        self.terminal.send(keys)

    def is_replaced(self) -> None:
        self._moment.write_text("now")
        self.shows("afterwards")

    def chosen(self) -> str:
        self.terminal.send(ENTER)
        self.terminal.ended()
        assert self.blank == 0
        assert not self._answer.with_name("here").exists()  # what the odd folder would do
        return self._answer.read_text()


@pytest.fixture
def shown(world: World) -> Iterator[Callable[[str], Shown]]:
    made: list[Shown] = []

    def start(what: str = "other") -> Shown:
        made.append(Shown(world, what))
        made[0].terminal.wait(lambda: "Number 3" in made[0].terminal.text(), "rows")
        return made[0]

    yield start
    made[0].terminal.__exit__()


def test_who_is_on_the_first_row_stays_on_the_first(shown: Callable[[], Shown]) -> None:
    it = shown()
    it.is_replaced()
    it.shows("10001/10001")
    it.shows("Brand new")
    assert it.chosen() == "new\tBrand new"


def test_who_has_gone_down_stays_on_the_row(shown: Callable[[], Shown]) -> None:
    it = shown()
    it.types(DOWN * 3)
    it.shows(">> Number 3")
    it.is_replaced()
    it.shows("10001/10001")
    assert it.chosen() == "3\tNumber 3"


def test_no_key_is_lost(shown: Callable[[], Shown]) -> None:
    it = shown()
    it.types("'Num")
    it.is_replaced()
    for key in "ber 4321":  # while the list is replaced
        it.types(key)
    it.shows("> 'Number 4321  < 1/10001")
    assert it.chosen() == "4321\tNumber 4321"


def test_where_nothing_changed_all_stays_as_it_was(shown: Callable[[str], Shown]) -> None:
    it = shown("same")
    it.is_replaced()
    it.shows("10000/10000")
    assert it.chosen() == "0\tNumber 0"


@pytest.mark.parametrize("name", ["a (copy)", "{}", "{q}"])
def test_what_acts_in_fzf_stands_in_no_channel(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(world.root / name))
    assert channels.opened(FZFS["new-fzf"]) is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(world.root / "plain"))
    made = channels.opened(FZFS["new-fzf"])
    assert made is not None
    assert len(list((world.root / "plain").glob("sessidx/fzf-*/*"))) == 2
    made.close()
    assert os.listdir(world.root / "plain/sessidx") == ["releases"]


def test_no_channel_is_left_where_there_is_no_terminal(world: World) -> None:
    script = (
        "import sys; from sessidx import channels, fzf; "
        "p = sys.argv[1]; fzf.Finder(p, [], channels.opened(p))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, FZFS["new-fzf"]],
        env=world.env,
        capture_output=True,
        check=False,
        start_new_session=True,
    )
    assert b"no terminal to choose on" in done.stderr
    assert os.listdir(world.home / ".cache/sessidx") == ["releases"]


def test_an_old_fzf_has_no_channel(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(world.root))
    assert channels.opened(FZFS["system-fzf"]) is None
