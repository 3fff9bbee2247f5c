"""The picker's preview: what was said last, the facts and the line, on the first screen of any size."""

import re
from pathlib import Path

import pytest

from tests.cases.claude import answer, typed
from tests.kit import SF, both_clis, environment, lines, run, slug, uuid

LONG = "\n\n".join(f"Point {number} of it, in some words." for number in range(80))
SIZES = [(50, 16), (76, 11), (80, 20), (160, 40)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """One session of a long prompt and a long answer, whose mode is withheld."""
    cwd = tmp_path / "shop"
    cwd.mkdir()
    both_clis(tmp_path / "clis", "exit 1")
    told = {"cwd": str(cwd), "gitBranch": "main", "entrypoint": "cli"}
    records = [
        typed("Why so slow?", 0, **told),
        answer("Because.", 1, **told),
        typed(f"Mend the retry loop\n{LONG}", 2, **told, permissionMode="bypassPermissions"),
        answer(LONG, 3, **told),
    ]
    lines(tmp_path / ".claude" / "projects" / slug(str(cwd)) / f"{uuid(1)}.jsonl", records)
    return tmp_path


def glanced(home: Path, columns: int, rows: int, **more: str) -> list[str]:
    env = environment(home, FZF_PREVIEW_COLUMNS=str(columns), FZF_PREVIEW_LINES=str(rows), **more)
    env["PATH"] = f"{home}/clis/bin:{env['PATH']}"
    done = run([SF, "@glance", "zsh", f"claude-code:{uuid(1)}"], env)
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


def screen(told: list[str], columns: int, rows: int) -> list[str]:
    """What of it stands on the first screen, wrapped as fzf wraps it."""
    wrapped = [line[at : at + columns] for line in told for at in range(0, len(line) or 1, columns)]
    return wrapped[:rows]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_first_screen_holds_talk_facts_and_line(home: Path, columns: int, rows: int) -> None:
    shown = screen(glanced(home, columns, rows, NO_COLOR="1"), columns, rows)
    assert shown[0].startswith("you: Mend the retry loop")
    assert any(line.startswith("agent: Point 0") for line in shown)
    flat = "".join(shown)
    assert "claude --resume" in flat
    assert "~/shop" in flat
    assert "main" in flat


def test_what_was_cut_stands_whole_below(home: Path) -> None:
    told = glanced(home, 80, 20, NO_COLOR="1")
    line = next(n for n, line in enumerate(told) if line.startswith("$ "))
    assert "you: Why so slow?" in told[line:]
    assert "Point 79 of it, in some words." in told[line:]


def test_a_loose_mode_is_told_with_its_key(home: Path) -> None:
    told = "\n".join(glanced(home, 80, 20, NO_COLOR="1"))
    assert "Alt-P carries it" in told
    assert "--permissive" not in told


def test_who_said_it_is_coloured_unless_unwanted(home: Path) -> None:
    coloured = glanced(home, 80, 20)
    assert coloured[0].startswith("\x1b[32myou: \x1b[0mMend")
    assert not re.search("\x1b", "".join(glanced(home, 80, 20, NO_COLOR="1")))


@pytest.mark.parametrize("told", ["", "0", "-1", "x", "9" * 400])
def test_a_size_that_is_none(home: Path, told: str) -> None:
    env = environment(home, FZF_PREVIEW_COLUMNS=told, FZF_PREVIEW_LINES=told)
    assert run([SF, "@glance", "posix", uuid(1)], env).code == 0


def test_no_session(home: Path) -> None:
    done = run([SF, "@glance", "posix", "none"], environment(home))
    assert (done.code, done.out, done.err) == (1, "", "sf: no such session: none\n")


def test_where_no_row_is(home: Path) -> None:
    done = run([SF, "@glance", "zsh", ":", "\x1b[2Jzebra"], environment(home))
    assert done.code == 0
    assert done.out.startswith("No row holds: ")
    assert "zebra" in done.out
    assert "\x1b" not in done.out
    assert "Alt-S" in done.out
