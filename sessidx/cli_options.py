"""The options that commands share, and how their words are read. Only cli uses it."""

import os
from time import time
from typing import TYPE_CHECKING, Any

import click

from . import find, folders, git, query, rows, shells, when
from .apps import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable


# Of each command a call, at the end of its help.
EXAMPLES = {
    "find": "sf find --here --since 2d checkout",
    "pick": "sf pick --shell zsh --said retry policy",
    "resume": "sf resume --last --here",
    "show": "sf show c5e1 --said retry",
    "build": "sf build --json",
    "apps": "sf apps",
    "doctor": "sf doctor checkout",
    "init": 'eval "$(sf init zsh)"',
    "demo": "sf demo",
}


def limits(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """The options by which find and pick choose sessions."""
    options = (
        click.argument("words", nargs=-1, metavar="[WORD]..."),
        click.option(
            "--app",
            "apps",
            multiple=True,
            type=click.Choice(NAMES),
            metavar="NAME",
            help="Only this app (repeatable): a name that `sf apps` tells.",
        ),
        click.option(
            "--dir",
            "folder",
            type=click.Path(),
            metavar="PATH",
            help="Only in this folder or below.",
        ),
        click.option(
            "--here",
            is_flag=True,
            help="Only in this repository or folder, its worktrees included.",
        ),
        click.option("--branch", metavar="TEXT", help="Only where the branch holds TEXT."),
        click.option(
            "--since", metavar="WHEN", callback=moment, help="Not older: 2d, 3h, 2026-11-01."
        ),
        click.option(
            "--until", metavar="WHEN", callback=moment, help="Not newer: 2d, 3h, 2026-11-01."
        ),
        click.option(
            "--interrupted",
            is_flag=True,
            help="Only what was open when its process, or the machine, ended (Claude Code).",
        ),
        click.option(
            "--all", "everything", is_flag=True, help="Scripted and archived sessions, too."
        ),
        click.option(
            "--limit", type=click.IntRange(min=0), metavar="N", help="At most N sessions."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def asked_for(
    words: tuple[str, ...],
    folder: str | None,
    here: bool,
    branch: str | None,
    since: str | None,
    until: str | None,
    everything: bool,
    interrupted: bool = False,
) -> query.Query:
    below = None
    if folder is not None:
        named = folders.named(folder)
        below = folders.Below([named, os.path.realpath(named)])
    around = git.around(os.getcwd()) if here else None
    also = find.Asked("interrupted") if interrupted else None
    return query.Query(words, below, branch, since, until, everything, around, also)


def moment(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    found = when.moment(value, int(time() * 1000), end=param.name == "until")
    if found is None:
        raise click.BadParameter(f"{value!r} is no time: 2d, 3h, 30m, 2w or 2026-11-01")
    return found


def columns(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(","))
    known = (*rows.COLUMNS, rows.SAID)
    for name in names:
        if name not in known:
            raise click.BadParameter(f"no column {name!r}; there are {', '.join(known)}")
    return names


def said(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """The option that makes a WORD one of what was said."""
    return click.option(
        "--said", is_flag=True, help="Look for the WORDs in what was said, all in one message."
    )(command)


def style_of(*styles: str) -> "Callable[..., Any]":
    """--format and its short form --json."""

    def add(command: "Callable[..., Any]") -> "Callable[..., Any]":
        command = click.option(
            "--json", "style", flag_value="json", help="Short for --format json."
        )(command)
        return click.option(
            "--format", "style", type=click.Choice(styles), help="How to print it."
        )(command)

    return add


def wishes(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """The options by which pick and resume make the line."""
    options = (
        click.option("--shell", type=click.Choice(shells.SHELLS), help="How to quote the line."),
        click.option("--fork", is_flag=True, help="Go on in a copy of the session."),
        click.option(
            "--permissive",
            is_flag=True,
            help="Carry a recorded mode that is looser than the default, this once.",
        ),
        click.option("-y", "--yes", is_flag=True, help="Answer every question with yes."),
        click.option("--no-model", is_flag=True, help="Leave the model to the app."),
    )
    for option in reversed(options):
        command = option(command)
    return command


class ForTheAgent(click.Command):
    """A command whose options count wherever they stand; what it does not know after SESSION is ARGS."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put our own options in front and a `--` behind them."""
        takes = {
            name: bool(p.nargs and not getattr(p, "is_flag", False))
            for p in self.params
            for name in p.opts
        }
        takes |= {"-h": False, "--help": False}
        ours: list[str] = []
        rest: list[str] = []
        todo = list(args)
        while todo:
            word = todo.pop(0)
            name = word.partition("=")[0]
            if word == "--":
                rest += todo
                break
            if name in takes:
                ours.append(word)
                if takes[name] and word == name and todo:
                    ours.append(todo.pop(0))
            elif rest or not word.startswith("-") or word == "-":
                rest.append(word)
            else:
                ours.append(word)  # unknown, and no session yet: click's to refuse
        return super().parse_args(ctx, [*ours, "--", *rest])
