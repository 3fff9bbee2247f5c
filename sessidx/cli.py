"""The click commands: parse, call, print. Nothing but this and cli_options parses words."""

from typing import Any

import click

from . import __version__, cli_options, find, folders, rows, shells
from .apps import NAMES
from .output import Failure
from .plan import Wish

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


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


@main.command(name="find")
@cli_options.limits
@click.option(
    "--columns", callback=cli_options.columns, metavar="A,B,…", help="The columns of each row."
)
@cli_options.style_of(*find.FORMATS)
@cli_options.said
def find_(
    words: tuple[str, ...],
    apps: tuple[str, ...],
    limit: int | None,
    columns: Any,
    style: str | None,
    said: bool,
    **limits: Any,
) -> int:
    """List the sessions that contain every WORD, newest first."""
    if said:
        from .said import find as module

        asked = cli_options.asked_for((), **limits)
        return module.find(asked, words, apps or NAMES, limit, columns or module.DEFAULT, style)
    asked = cli_options.asked_for(words, **limits)
    if rows.SAID in (columns or ()):
        raise click.UsageError("the column said is one of --said")
    return find.find(asked, apps or NAMES, limit, columns or rows.DEFAULT, style)


@main.command()
@cli_options.limits
@click.option(
    "--columns", callback=cli_options.columns, metavar="A,B,…", help="The columns of each row."
)
@cli_options.wishes
@cli_options.said
def pick(
    words: tuple[str, ...],
    apps: tuple[str, ...],
    limit: int | None,
    shell: str | None,
    fork: bool,
    permissive: bool,
    yes: bool,
    no_model: bool,
    said: bool,
    columns: Any,
    **limits: Any,
) -> int:
    """Choose a session in fzf and print the line that resumes it."""
    from . import picker

    if rows.SAID in (columns or ()):
        raise click.UsageError("the column said is one of sf find --said")
    wish = Wish(fork, permissive, not no_model)
    asked = cli_options.asked_for(() if said else words, **limits)
    return picker.pick(
        asked,
        apps or NAMES,
        shell=shell,
        wish=wish,
        yes=yes,
        limit=limit,
        typed=" ".join(f'"{word}"' if " " in word else word for word in words) if said else None,
        columns=columns or (),
    )


@main.command(cls=cli_options.ForTheAgent)
@click.argument("session", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
@cli_options.wishes
@click.option("--last", is_flag=True, help="The newest session.")
@click.option("--here", is_flag=True, help="With --last: of this repository or folder.")
@click.option(
    "--app",
    "apps",
    multiple=True,
    type=click.Choice(NAMES),
    metavar="NAME",
    help="Only this app (repeatable): a name that `sf apps` tells.",
)
@click.option(
    "--in",
    "folder",
    type=click.Path(),
    metavar="DIR",
    help="Resume in DIR: of a moved project, where its CLI finds the session from there.",
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
    folder: str | None,
    run: bool,
    style: str | None,
) -> int:
    """Print the vetted line that resumes SESSION.

    SESSION is an id or its beginning, APP:ID, the name you gave it, a transcript's path, or - for a
    row on standard input.
    ARGS go to the agent as they are: all that follows SESSION and is no option of this command,
    and everything after --.
    """
    from . import resume as module

    if last and session is not None:
        arguments = (session, *arguments)
        session = None
    if not last and session is None:
        raise click.UsageError("name a SESSION, or say --last")
    asked = cli_options.asked_for((), None, here, None, None, None, False)
    if folder == "":
        raise Failure("no such folder: ''")
    moved = None if folder is None else folders.named(folder)
    wish = Wish(fork, permissive, not no_model, arguments, folder=moved)
    return module.resume(
        session,
        wish,
        shell=shell,
        yes=yes,
        style=style or "text",
        run=run,
        asked=asked,
        names=apps or NAMES,
    )


@main.command()
@click.argument("session")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option(
    "--shell", type=click.Choice(shells.SHELLS), default="posix", help="How to quote the line."
)
@cli_options.style_of("text", "json")
@cli_options.said
def show(session: str, words: tuple[str, ...], shell: str, style: str | None, said: bool) -> int:
    """Show everything known of SESSION and its last exchange."""
    if said != bool(words):
        raise click.UsageError("a WORD is what was said: sf show SESSION --said WORD…")
    if said:
        from .said import around

        return around.show(session, words, style or "text", shell)
    from . import preview

    return preview.show(session, style or "text", shell)


@main.command()
@cli_options.style_of("text", "json")
def build(style: str | None) -> int:
    """Bring the index up to date and say what was found."""
    from . import status

    return status.build(style or "text")


@main.command()
@cli_options.style_of("table", "json")
def apps(style: str | None) -> int:
    """List the supported apps, their homes and CLIs."""
    from . import status

    return status.table(style or "table")


@main.command()
@click.argument("word", required=False)
@cli_options.style_of("text", "json")
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
@click.argument("app", required=False)
def ids(app: str | None) -> int:
    """Print session ids for completion, those of APP alone for its own command."""
    return find.ids(app)


@main.command(name="@glance", hidden=True)
@click.argument("shell", type=click.Choice(shells.SHELLS))
@click.argument("session")
@click.argument("typed", default="")
def glance(shell: str, session: str, typed: str) -> int:
    """Print the picker's preview of SESSION."""
    from .glance import glance

    return glance(session, shell, typed)


@main.command(name="@said", hidden=True)
@click.argument("when", type=click.Choice(["now", "soon"]))
@click.argument("columns")
@click.argument("told")
@click.argument("typed")
def said(when: str, columns: str, told: str, typed: str) -> int:
    """Print the picker's rows of what was said."""
    from .said import picking

    return picking.said(when, columns, told, typed)


@main.command(name="@heard", hidden=True)
@click.argument("shell", type=click.Choice(shells.SHELLS))
@click.argument("session")
@click.argument("place")
@click.argument("typed")
@click.argument("now", default="")
def heard(shell: str, session: str, place: str, typed: str, now: str) -> int:
    """Print the picker's preview of a message."""
    from .said import picking

    return picking.heard(shell, session, place, typed, now)


for _name, _command in main.commands.items():
    _version(_command)
    if _name in cli_options.EXAMPLES:
        _command.epilog = f"Example: {cli_options.EXAMPLES[_name]}"
