"""Each key of the picker: from the shell's key and from `sf pick`, with the oldest fzf and the newest."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from sessidx.shells import BEGINNINGS
from tests.kit import claude, codex, uuid

from .person import ENTER, Person
from .world import World

Start = Callable[..., Person]

ALT_A, ALT_F, ALT_H, ALT_O, ALT_P, ALT_R, ALT_Y, CTRL_SLASH = (
    *(f"\x1b{letter}" for letter in "afhopry"),
    "\x1f",
)
CHECKOUT, LOGIN = "Fix the flaky checkout", "Fix the slow login"

pytestmark = pytest.mark.usefixtures("every_fzf")


@pytest.fixture(params=["key", "typed"])
def by_key(request: pytest.FixtureRequest) -> bool:
    """Opens the list with the key, over a half-typed line, or by typing `sf pick`."""
    return str(request.param) == "key"


@pytest.fixture(autouse=True)
def session(world: World) -> str:
    """The older of two sessions; its id."""
    session = world.session(CHECKOUT, world.folder("shop"))
    world.session(LOGIN, world.folder("door"))
    return session


def opened(me: Person, by_key: bool) -> None:
    if by_key:
        me.types("echo half")
        me.opens()
    else:
        me.enters("sf pick")
        me.sees_list()


def at_prompt(me: Person, by_key: bool) -> tuple[int, str]:
    """The next prompt, with what was half typed."""
    found = me.at_prompt()
    me.has_typed("echo half" if by_key else "")
    return found


def narrowed(me: Person, query: str, matches: int) -> None:
    me.terminal.send(query)
    counted(me, matches)


def counted(me: Person, matches: int) -> None:
    me.wait(lambda: re.search(rf"< {matches}/", me.terminal.text()), f"{matches} matches")


def pressed(me: Person, key: str) -> None:
    """A key that ends this list."""
    me.terminal.send(key)
    assert me.next("fzf") == ["exit", "0"]


def again(me: Person, key: str) -> None:
    """A key that shows another list."""
    pressed(me, key)
    me.sees_list()


def test_header_tells_counts_and_keys(world: World, person: Start, by_key: bool) -> None:
    claude(world.home, uuid(1), str(world.root), entrypoint="sdk-cli")
    with person() as me:
        opened(me, by_key)
        me.shows("Enter resume  Alt-F fork  Alt-O folder  Alt-Y id  Alt-P resume loosely")
        me.shows("2 sessions, 1 hidden (Alt-A) │ Alt-S said  Alt-H here  Alt-A all  Alt-R again")
        me.leaves()


def test_enter_resumes(world: World, person: Start, by_key: bool, session: str) -> None:
    with person() as me:
        opened(me, by_key)
        me.picks("checkout", CHECKOUT)
        agent = me.in_agent()
        assert agent["argv"][:2] == ["--resume", session]  # type: ignore[index]
        assert "--fork-session" not in agent["argv"]  # type: ignore[operator]
        me.ends_agent(3)
        assert at_prompt(me, by_key) == (3, str(world.root / "work" / "shop"))


def test_alt_f_forks(world: World, person: Start, by_key: bool, session: str) -> None:
    with person() as me:
        opened(me, by_key)
        narrowed(me, "checkout", 1)
        pressed(me, ALT_F)
        agent = me.in_agent()
        assert "--fork-session" in agent["argv"]  # type: ignore[operator]
        assert session in agent["argv"]  # type: ignore[operator]
        me.ends_agent(3)
        assert at_prompt(me, by_key) == (3, str(world.root / "work" / "shop"))


def test_alt_f_forks_codex(world: World, person: Start, by_key: bool) -> None:
    codex(world.home, uuid(1), str(world.root / "work" / "shop"), "Paint the shed")
    with person() as me:
        opened(me, by_key)
        narrowed(me, "shed", 1)
        pressed(me, ALT_F)
        agent = me.in_agent()
        assert (agent["name"], agent["argv"][0]) == ("codex", "fork")  # type: ignore[index]
        me.ends_agent(0)
        at_prompt(me, by_key)


def test_alt_o_changes_only_the_folder(world: World, person: Start, by_key: bool) -> None:
    shop = world.root / "work" / "shop"
    with person() as me:
        opened(me, by_key)
        narrowed(me, "checkout", 1)
        pressed(me, ALT_O)
        assert at_prompt(me, by_key) == (0, str(shop))
        if by_key:
            me.clears()
        if by_key or world.shell != "fish":  # fish 3 lets no function add to the history
            me.recalls(BEGINNINGS[world.shell])
            me.has_typed(f"{BEGINNINGS[world.shell]}'{shop}'")
        assert world.agents() == []


def test_alt_y_prints_the_id(world: World, person: Start, by_key: bool, session: str) -> None:
    with person() as me:
        opened(me, by_key)
        narrowed(me, "checkout", 1)
        pressed(me, ALT_Y)
        if by_key:
            me.shows(session)
            me.has_typed_line("echo half")
            me.terminal.send("X")
            me.has_typed_line("echo halfX")
            me.clears()
        else:
            assert me.at_prompt() == (0, str(world.root))
            me.shows(f"\n{session}\n")
        assert world.agents() == []


def test_alt_y_copies_the_id(world: World, person: Start, by_key: bool, session: str) -> None:
    world.env["DISPLAY"] = ":0"
    world.program("xclip", '#!/bin/sh\nprintf "clip\\t%s\\t%s\\0" "$*" "$(cat)" >>"$JOURNAL"\n')
    with person() as me:
        opened(me, by_key)
        narrowed(me, "checkout", 1)
        pressed(me, ALT_Y)
        me.wait(lambda: world.events("clip"), "the clipboard filled")
        assert world.events("clip") == [["-selection clipboard", session]]


def test_alt_h_narrows_to_this_repository(world: World, person: Start, by_key: bool) -> None:
    with person() as me:
        me.runs("cd work/shop")
        opened(me, by_key)
        narrowed(me, "fix", 2)
        again(me, ALT_H)
        me.shows("1 session │")
        counted(me, 1)
        me.shows("> fix")
        me.shows("H everywhere")
        me.shows(CHECKOUT)
        assert LOGIN not in me.terminal.text()
        again(me, ALT_H)
        counted(me, 2)
        me.shows("> fix")
        me.shows("H here")
        me.shows(LOGIN)
        me.leaves()


def test_nothing_to_show_says_so(world: World, person: Start, by_key: bool) -> None:
    with person() as me:
        me.runs(f"cd {world.folder('empty')}")
        opened(me, by_key)
        again(me, ALT_H)
        me.shows("none here (Alt-H: everywhere) │")
        me.terminal.send(ALT_H)
        assert me.next("fzf") == ["exit", "1"]  # without a row
        me.sees_list()
        counted(me, 2)
        narrowed(me, "no such words", 0)
        me.shows("No row holds: no such words")
        me.terminal.send("\x15login")
        counted(me, 1)
        me.shows("Fix the slow login")
        me.leaves()


def test_alt_a_shows_the_hidden_ones(world: World, person: Start, by_key: bool) -> None:
    claude(world.home, uuid(1), str(world.root), "Nightly scripted run", entrypoint="sdk-cli")
    codex(world.home, uuid(2), str(world.root), "Finished archived work", archived=True)
    with person() as me:
        opened(me, by_key)
        counted(me, 2)
        me.shows("2 sessions, 2 hidden (Alt-A)")
        again(me, ALT_A)
        counted(me, 4)
        me.shows("Nightly scripted run")
        me.shows("Finished archived work")
        me.shows("A fewer")
        again(me, ALT_A)
        counted(me, 2)
        me.shows("2 sessions, 2 hidden (Alt-A)")
        assert "Nightly" not in me.terminal.text()
        me.leaves()


@pytest.mark.parametrize("loose", [False, True])
def test_alt_p_carries_the_loose_mode(
    world: World, person: Start, by_key: bool, loose: bool
) -> None:
    folder = str(world.root / "work" / "shop")
    claude(world.home, uuid(1), folder, "Paint the shed", permissionMode="bypassPermissions")
    with person() as me:
        opened(me, by_key)
        narrowed(me, "shed", 1)
        pressed(me, ALT_P if loose else ENTER)
        argv = me.in_agent()["argv"]
        mode = "bypassPermissions" if loose else "default"
        assert argv[argv.index("--permission-mode") + 1] == mode  # type: ignore[attr-defined,index]
        me.ends_agent(0)
        at_prompt(me, by_key)


def test_alt_r_reads_again(world: World, person: Start, by_key: bool) -> None:
    with person() as me:
        opened(me, by_key)
        counted(me, 2)
        world.session("Written in the meantime", world.folder("late"))
        again(me, ALT_R)
        counted(me, 3)
        me.picks("meantime", "Written in the meantime")
        me.in_agent()
        me.ends_agent(0)
        at_prompt(me, by_key)


def test_ctrl_slash_toggles_the_preview(person: Start, by_key: bool) -> None:
    with person() as me:
        opened(me, by_key)
        narrowed(me, "checkout", 1)
        me.shows("&& claude --resume")
        me.terminal.send(CTRL_SLASH)
        me.wait(lambda: "&& claude --resume" not in me.terminal.text(), "no preview")
        me.terminal.send(CTRL_SLASH)
        me.shows("&& claude --resume")
        me.leaves()
