"""What stands in sf(1): each command with its options by click's tree, keys and variables by the README."""

import re
from collections.abc import Iterator

import click

from sessidx import __version__, cli, rows
from tests.kit import ROOT

README = (ROOT / "README.md").read_text("utf-8")
DATE = "2026-12-01"  # of the last change to what it says
EXAMPLES = (
    ("sf checkout retry", "the sessions that hold both words"),
    ("sf resume --last --here", "back into the newest session of this repository"),
    ("sf --said 'retry policy'", "the sessions in which that phrase was said"),
    ("sf checkout | fzf | sf resume -", "any picker of your own"),
)


def page() -> str:
    """The page in man(7)'s language."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH SF 1 "{DATE}" "sf {__version__}" "User Commands"'
    yield from (".SH NAME", r"sf, sessidx \- find a coding agent\(aqs session and go back into it")
    yield from (
        ".SH SYNOPSIS",
        ".B sf",
        ".RI [ WORD ]...",
        ".br",
        ".B sf",
        ".I COMMAND",
        ".RI [ ... ]",
    )
    yield ".SH DESCRIPTION"
    yield from _paragraph(README.split("\n\n")[3])
    yield ".PP"
    yield from _paragraph((cli.main.help or "").partition("\n\n")[2])
    yield ".SH COMMANDS"
    for name, command in sorted(_commands().items()):
        yield from _command(name, command)
    yield from (".SH KEYS", "In the picker:")
    for key, does in _table("Keys in the picker"):
        yield from (".TP", f".B {_plain(key)}", _plain(does))
    yield from (".SH COLUMNS", "What \\fB\\-\\-columns\\fR takes, in any order:")
    yield ".IP"
    yield ", ".join([*rows.COLUMNS, rows.SAID]) + "."
    yield ".SH ENVIRONMENT"
    for variables, does in _table("Configuration"):
        yield from (".TP", f".B {_plain(variables)}", _plain(does))
    yield ".SH EXIT STATUS"
    told = re.search(r"Exit codes: (0 done,.*?)\.\n", README, re.DOTALL)
    assert told
    for part in " ".join(told[1].split()).split(", "):
        code, _, means = part.partition(" ")
        yield from (".TP", f".B {code}", means)
    yield from (
        ".SH FILES",
        ".TP",
        ".I ~/.cache/sessidx",
        "The index; it may be removed at any time.",
    )
    yield ".SH EXAMPLES"
    for line, does in EXAMPLES:
        yield from (".TP", f".B {_plain(line)}", does)
    yield from (".SH SEE ALSO", ".BR fzf (1)")


def _commands() -> dict[str, click.Command]:
    return {name: one for name, one in cli.main.commands.items() if not one.hidden}


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    words = " ".join(_plain(part) for part in command.collect_usage_pieces(context))
    yield f".SS sf {name} {words}"
    yield from _paragraph(command.help or "")
    for param in command.params:
        if isinstance(param, click.Option) and "--version" not in param.opts:
            record = param.get_help_record(context)
            assert record
            yield from (".TP", f".B {_plain(record[0])}", _plain(record[1]))


def _paragraph(text: str) -> Iterator[str]:
    for number, part in enumerate(text.strip().split("\n\n")):
        if number:
            yield ".PP"
        yield _plain(" ".join(part.split()))


def _table(heading: str) -> list[list[str]]:
    """The rows of the README's table below that heading."""
    part = re.search(rf"^##+ {heading}\n(.*?)(?=^##)", README, re.MULTILINE | re.DOTALL)
    assert part
    found = re.findall(r"^\| (.+?) \| (.+?) \|$", part[1].replace("\\|", "¦"), re.MULTILINE)
    return [list(row) for row in found if row[0] != "key" and "---" not in row[0]]


def _plain(text: str) -> str:
    """Markdown as roff: no marks of its own, nothing that roff would act on."""
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text).replace("`", "").replace("**", "")
    text = text.replace("¦", "|").replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    return "\\&" + text if text[:1] == "." else text
