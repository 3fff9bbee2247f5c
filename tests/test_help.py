"""The help and the README are held to the commands, and the commands to them."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sessidx import __version__
from sessidx.cli import main
from sessidx.rows import COLUMNS, SAID
from tests.kit import ROOT, SF, environment, on_terminal, sf

COMMANDS = ["find", "pick", "resume", "show", "build", "apps", "doctor", "init", "demo"]
README = (ROOT / "README.md").read_text("utf-8")


def options(name: str) -> Iterator[click.Option]:
    for param in main.commands[name].params:
        if isinstance(param, click.Option):
            yield param


def test_the_commands_are_a_closed_list() -> None:
    assert sorted(name for name, c in main.commands.items() if not c.hidden) == sorted(COMMANDS)


def test_the_list_of_commands(tmp_path: Path) -> None:
    for word in ("-h", "--help"):
        done = sf(word, home=tmp_path)
        assert (done.code, done.err) == (0, "")
        told = dict(
            re.findall(r"^  (\w+) +(\S.*)$", done.out.partition("Commands:")[2], re.MULTILINE)
        )
        assert list(told) == sorted(COMMANDS)
        assert [line for line in told.values() if line.endswith("...")] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command(name: str, tmp_path: Path) -> None:
    short, long = (sf(name, word, home=tmp_path) for word in ("-h", "--help"))
    assert short == long
    assert (short.code, short.err) == (0, "")
    assert short.out.startswith(f"Usage: sf {name} [OPTIONS]")
    flat = " ".join(short.out.split())
    for option in options(name):
        assert option.help, option.name
        assert option.help in flat
        for word in (*option.opts, *option.secondary_opts):
            assert word in flat
    for param in main.commands[name].params:
        if isinstance(param, click.Argument):
            assert param.human_readable_name.split(".")[0].strip("[]").upper() in flat.upper()
    assert not (tmp_path / ".cache").exists()


@pytest.mark.parametrize("word", ["-V", "--version"])
def test_the_version_everywhere(word: str, tmp_path: Path) -> None:
    for words in ([], *([name] for name in COMMANDS), ["checkout"]):
        done = sf(*words, word, home=tmp_path)
        assert (done.code, done.out, done.err) == (0, f"sf {__version__}\n", ""), words


def test_the_readme_names_every_option() -> None:
    table = dict(re.findall(r"^\| .*`sf (\w+)` +\| (.*) \|$", README, re.MULTILINE))
    assert sorted(table) == sorted(COMMANDS)
    finds = {option.opts[-1] for option in options("find")} - {"--version"}
    wishes = {"--shell", "--fork", "--permissive", "--yes", "--no-model"}
    for name in COMMANDS:
        told = set(re.findall(r"--[a-z-]+", table[name]))
        if "find's filters" in table[name]:
            told |= finds - {"--columns", "--format", "--json"}
        if "resume's wishes" in table[name]:
            told |= wishes
        assert told == {option.opts[-1] for option in options(name)} - {"--version"}, name


def test_the_readme_names_every_column_and_variable() -> None:
    rows = README.partition("### Rows")[2].partition("\n## ")[0]
    assert re.findall(r"`([a-z_]+)`", rows.partition("chooses others:")[2]) == [*COLUMNS, SAID]
    settings = README.partition("## Configuration")[2].partition("\n## ")[0]
    for name in (
        *(
            "SESSIDX_HOME",
            "SESSIDX_HOMES",
            "SESSIDX_KEY",
            "SESSIDX_FZF_OPTS",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
        ),
        *("CODEX_SQLITE_HOME", "XDG_CACHE_HOME", "NO_COLOR"),
    ):
        assert f"`{name}`" in settings


def test_the_readme_tells_the_exit_codes_and_times() -> None:
    for told in ("0 done", "1 nothing found or refused", "2 wrong use", "130 cancelled"):
        assert told in " ".join(README.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_is_none(name: str, tmp_path: Path) -> None:
    done = sf(name, "--nonsense", home=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(r"sf: No such option:? '?--nonsense'?.*\n", done.err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["init"], "Missing argument"),
        (["init", "tcsh"], "'tcsh' is not one of 'zsh', 'bash', 'fish'"),
        (["init", "zsh", "bash"], "unexpected extra argument"),
        (["resume", "--shell", "csh", "x"], "'csh' is not one of 'posix', 'zsh', 'bash', 'fish'"),
        (["pick", "--shell", "sh"], "'sh' is not one of"),
        (["show"], "Missing argument 'SESSION'"),
        (["show", "--format", "tsv", "x"], "'tsv' is not one of 'text', 'json'"),
        (["apps", "--format", "text"], "'text' is not one of 'table', 'json'"),
        (["build", "x"], "unexpected extra argument"),
        (["resume"], "name a SESSION, or say --last"),
        (["demo", "x"], "unexpected extra argument"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_is_told_in_one_line(words: list[str], said: str, tmp_path: Path) -> None:
    done = sf(*words, home=tmp_path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("sf: ")
    assert said in done.err


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_works(tmp_path: Path, name: str) -> None:
    done = sf(name, "--help", home=tmp_path)
    example = re.search(r"Example: (?:eval \"\$\()?sf ([^\n)]*)", done.out)
    assert example
    words = example[1].split()
    assert words[0] == name
    assert max(map(len, done.out.split("\n"))) <= 80
    if name not in ("demo", "pick"):
        assert sf(*words, home=tmp_path).code != 2


def test_help_fits_a_narrow_terminal(tmp_path: Path) -> None:
    for name in COMMANDS:
        code, _, screen = on_terminal(
            [SF, name, "-h"], environment(tmp_path), shown=True, columns=60
        )
        assert code == 0
        assert max(map(len, screen.split("\r\n"))) <= 60
