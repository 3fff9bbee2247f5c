"""The click commands: parse, call, print. Nothing else imports click."""

import os
from time import time
from typing import TYPE_CHECKING, Any

import click

from . import __version__, find, query, rows, shells
from .apps import APPS
from .output import Failure
from .plan import Wish

if TYPE_CHECKING:
    from collections.abc import Callable

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Words(click.Group):
    """A group whose first word is a command only when it is one; else it is a word to find."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            args = ["find", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for param in self.params for name in param.opts} | {"-h", "--help"}
        if not args or (args[0].startswith("-") and args[0] not in known) or args[0] == "--":
            args = ["find", *args]
        return super().parse_args(ctx, args)


def run() -> int:
    """Run the commands on sys.argv: the exit code, 2 for wrong use, 130 for cancelled."""
    try:
        return int(main.main(prog_name="sf", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        return 130
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        raise Failure(error.format_message(), error.exit_code) from None
    except SystemExit as end:
        if end.code != 1:  # a signal's
            raise
        return 0  # click's 1 for a closed pipe


_version = click.version_option(
    __version__, "-V", "--version", prog_name="sf", message="%(prog)s %(version)s"
)


@click.group(cls=_Words, context_settings=_CONTEXT)
@_version
def main() -> None:
    """Find a coding agent's session and go back into it.

    `sf WORD…` lists the sessions that hold every WORD (as `sf find WORD…`).
    """


def _limits(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """The options by which find and pick choose sessions."""
    options = (
        click.argument("words", nargs=-1, metavar="[WORD]..."),
        click.option(
            "--app",
            "apps",
            multiple=True,
            type=click.Choice(list(APPS)),
            help="Only this app (repeatable).",
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
            "--since", metavar="WHEN", callback=_moment, help="Not older: 2d, 3h, 2026-11-01."
        ),
        click.option(
            "--until", metavar="WHEN", callback=_moment, help="Not newer: 2d, 3h, 2026-11-01."
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


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    found = query.moment(value, int(time() * 1000))
    if found is None:
        raise click.BadParameter(f"{value!r} is no time: 2d, 3h, 30m, 2w or 2026-11-01")
    return found


def _columns(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return rows.DEFAULT
    names = tuple(name.strip() for name in value.split(","))
    for name in names:
        if name not in rows.COLUMNS:
            raise click.BadParameter(f"no column {name!r}; there are {', '.join(rows.COLUMNS)}")
    return names


def _style(*styles: str) -> "Callable[..., Any]":
    """--format and its short form --json."""

    def add(command: "Callable[..., Any]") -> "Callable[..., Any]":
        command = click.option(
            "--json", "style", flag_value="json", help="Short for --format json."
        )(command)
        return click.option(
            "--format", "style", type=click.Choice(styles), help="How to print it."
        )(command)

    return add


def _query(
    words: tuple[str, ...],
    folder: str | None,
    here: bool,
    branch: str | None,
    since: str | None,
    until: str | None,
    everything: bool,
) -> query.Query:
    folders = None
    if here:
        from . import git

        folders = git.roots(os.getcwd())
    if folder is not None:
        below = list({os.path.abspath(folder), os.path.realpath(folder)})
        folders = (
            below
            if folders is None
            else [f for f in below if any(query.is_below(f, g) for g in folders)]
        )
    return query.Query(words, folders, branch, since, until, everything, here)


@main.command(name="find")
@_limits
@click.option("--columns", callback=_columns, metavar="A,B,…", help="The columns of each row.")
@_style(*find.FORMATS)
def find_(
    words: tuple[str, ...],
    apps: tuple[str, ...],
    limit: int | None,
    columns: Any,
    style: str | None,
    **limits: Any,
) -> int:
    """List the sessions that contain every WORD, newest first."""
    return find.find(_query(words, **limits), apps or APPS, limit, columns, style)


def _wishes(command: "Callable[..., Any]") -> "Callable[..., Any]":
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


@main.command()
@_limits
@_wishes
def pick(
    words: tuple[str, ...],
    apps: tuple[str, ...],
    limit: int | None,
    shell: str | None,
    fork: bool,
    permissive: bool,
    yes: bool,
    no_model: bool,
    **limits: Any,
) -> int:
    """Choose a session in fzf and print the line that resumes it."""
    from . import picker

    wish = Wish(fork, permissive, not no_model)
    asked = _query(words, **limits)
    return picker.pick(asked, apps or tuple(APPS), shell=shell, wish=wish, yes=yes, limit=limit)


class _ForTheAgent(click.Command):
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


@main.command(cls=_ForTheAgent)
@click.argument("session", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
@_wishes
@click.option("--last", is_flag=True, help="The newest session.")
@click.option("--here", is_flag=True, help="With --last: of this repository or folder.")
@click.option(
    "--app",
    "apps",
    multiple=True,
    type=click.Choice(list(APPS)),
    help="Only this app (repeatable).",
)
@click.option("--run", is_flag=True, help="Run it here instead of printing the line.")
@click.option(
    "--json", "style", flag_value="json", help="Print the plan: cwd, argv, line, notes, withheld."
)
def resume(
    session: str | None,
    arguments: tuple[str, ...],
    shell: str | None,
    fork: bool,
    permissive: bool,
    yes: bool,
    no_model: bool,
    last: bool,
    here: bool,
    apps: tuple[str, ...],
    run: bool,
    style: str | None,
) -> int:
    """Print the vetted line that resumes SESSION.

    SESSION is an id or its beginning, APP:ID, a transcript's path, or - for a row on standard input.
    ARGS go to the agent as they are: all that follows SESSION and is no option of this command,
    and everything after --.
    """
    from . import resume as module

    if last and session is not None:
        arguments = (session, *arguments)
        session = None
    if not last and session is None:
        raise click.UsageError("name a SESSION, or say --last")
    asked = _query((), None, here, None, None, None, False)
    wish = Wish(fork, permissive, not no_model, arguments)
    return module.resume(
        session,
        wish,
        shell=shell,
        yes=yes,
        style=style or "text",
        run=run,
        asked=asked,
        apps=apps or tuple(APPS),
    )


@main.command()
@click.argument("session")
@click.option(
    "--shell", type=click.Choice(shells.SHELLS), default="posix", help="How to quote the line."
)
@_style("text", "json")
def show(session: str, shell: str, style: str | None) -> int:
    """Show everything known of SESSION and its last exchange."""
    from . import preview

    return preview.show(session, style or "text", shell)


@main.command()
@_style("text", "json")
def build(style: str | None) -> int:
    """Bring the index up to date and say what was found."""
    from . import status

    return status.build(style or "text")


@main.command()
@_style("table", "json")
def apps(style: str | None) -> int:
    """List the supported apps, their homes and CLIs."""
    from . import status

    return status.apps(style or "table")


@main.command()
@click.argument("word", required=False)
@_style("text", "json")
def doctor(word: str | None, style: str | None) -> int:
    """Say what is wrong or unusual, and the command that mends it."""
    from . import doctor as module

    return module.doctor(word, style or "text")


@main.command()
@click.argument("shell", type=click.Choice(["zsh", "bash", "fish"]))
def init(shell: str) -> int:
    """Print the lines that load the integration for SHELL."""
    from .integration import init

    return init(shell)


@main.command()
def demo() -> int:
    """Try everything on a throw-away home with made-up sessions."""
    from . import trial

    return trial.demo()


@main.command(name="@ids", hidden=True)
def ids() -> int:
    """Print session ids for completion."""
    return find.ids()


for _command in main.commands.values():
    _version(_command)
