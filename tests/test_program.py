"""Which program a line starts: never one that a folder holds, and flags of the one that is meant."""

import re
from pathlib import Path

import pytest

from sessidx import words
from tests.kit import SF, both_clis, claude, environment, run, uuid

STRANGER = "#!/bin/sh\n: >stranger-was-here\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A session's folder, with a program of the agent's name in it."""
    made = tmp_path / "shop"
    made.mkdir()
    (made / "claude").write_text(STRANGER)
    (made / "claude").chmod(0o755)
    claude(tmp_path, uuid(1), str(made), branch="")
    return made


@pytest.mark.parametrize("entry", [".", "", "bin"])
@pytest.mark.parametrize("more", [(), ("--run",), ("--shell", "zsh")])
def test_what_a_relative_entry_holds_is_never_started(
    folder: Path, entry: str, more: tuple[str, ...]
) -> None:
    env = environment(folder.parent) | {"PATH": f"{entry}:/usr/bin:/bin"}
    done = run([SF, "resume", *more, uuid(1)], env, cwd=folder)
    assert (done.code, done.out) == (1, "")
    assert "claude is in no absolute entry of PATH" in done.err
    assert not (folder / "stranger-was-here").exists()


def test_what_the_shell_knows_is_sure(folder: Path) -> None:
    env = environment(folder.parent, SESSIDX_AGENTS="claude=function\n") | {
        "PATH": ".:/usr/bin:/bin"
    }
    done = run([SF, "resume", "--shell", "zsh", uuid(1)], env, cwd=folder)
    assert done.code == 0
    assert " && claude --resume " in done.out


def test_a_relative_entry_before_the_program_has_its_path_in_the_line(folder: Path) -> None:
    programs = both_clis(folder.parent / "clis", "exit 0")
    env = environment(folder.parent) | {"PATH": f".:{programs}:/usr/bin:/bin"}
    assert f" && {programs}/claude --resume " in run([SF, "resume", uuid(1)], env, cwd=folder).out


@pytest.mark.parametrize("told", [":", ".", ":/nowhere", "lib:", "/nowhere"])
def test_a_modules_name_in_the_folder_means_nothing(folder: Path, told: str) -> None:
    for place in (folder, folder / "lib"):
        place.mkdir(exist_ok=True)
        for name in ("re", "click", "orjson", "json", "sessidx"):
            (place / f"{name}.py").write_text("open('stranger-was-here', 'w')\n")
    env = environment(folder.parent, PYTHONPATH=told)
    for asked in (["-V"], ["find", "--json"], [], ["doctor"]):
        assert run([SF, *asked], env, cwd=folder).code in (0, 1)
    assert not (folder / "stranger-was-here").exists()


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("{old}/claude", "{old}/claude"),
        ("'{old}/claude' --verbose", "{old}/claude"),
        ("A=1 B=2 {old}/claude", "{old}/claude"),
        ("$HOME/claude", "{home}/claude"),
        ("~/claude", "{home}/claude"),
        ("{old}/none", None),
        ("cd /; {old}/claude", None),
        ("$(which claude)", None),
        ("npx claude", None),
        ("", None),
    ],
)
def test_what_an_alias_starts(
    text: str, program: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"old": tmp_path / "old", "home": tmp_path / "home"}
    for place in places.values():
        place.mkdir()
        (place / "claude").write_text("")
        (place / "claude").chmod(0o755)
    monkeypatch.setenv("HOME", str(places["home"]))
    monkeypatch.setenv("SESSIDX_AGENTS", f"codex=function\nclaude=alias {text.format(**places)}\n")
    assert words.told("claude") == (True, program and program.format(**places))
    assert words.told("codex") == (True, None)
    assert words.told("gemini") == (False, None)


@pytest.mark.parametrize(
    "text", ["claude --verbose", "A=1 claude", "noglob command claude", "'claude'"]
)
def test_an_alias_of_its_own_name_leaves_the_program_to_path(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SESSIDX_AGENTS", f"claude=alias {text}\n")
    assert words.told("claude") == (False, None)
    monkeypatch.setenv("SESSIDX_AGENTS", f"claude=alias {text}\nclaude=function\n")
    assert words.told("claude") == (True, None)
    env = environment(folder.parent, SESSIDX_AGENTS=f"claude=alias {text}\n")
    done = run([SF, "resume", uuid(1)], env | {"PATH": ".:/usr/bin:/bin"}, cwd=folder)
    assert (done.code, done.out) == (1, "")


def test_what_an_alias_starts_is_run(folder: Path) -> None:
    programs = both_clis(folder.parent / "clis", "env; echo ran", claude="2.0.76")
    (folder.parent / "other").mkdir()
    (programs / "claude").rename(folder.parent / "other" / "agent")
    told = f"claude=alias {folder.parent}/other/agent --verbose\n"
    env = environment(folder.parent, SESSIDX_AGENTS=told) | {"PATH": "/usr/bin:/bin"}
    done = run([SF, "resume", "--run", uuid(1)], env, cwd="/")
    assert done.code == 0
    assert done.out.endswith("ran\n")
    assert "SESSIDX_AGENTS" not in done.out  # true of that shell alone


def test_apps_tells_what_the_shell_knows(folder: Path) -> None:
    env = environment(folder.parent, SESSIDX_AGENTS="claude=function\n")
    table = run([SF, "apps"], env).out
    assert re.search(r"^claude-code .* a function or alias$", table, re.MULTILINE)
    assert re.search(r"^codex .* not on PATH$", table, re.MULTILINE)
