"""Session -> Plan or Refusal: every rule on what may run.

The plan is made from the session's own file at that moment. It holds an argv, never a string; the
program and the flags are ours, a value from the session is used only after a check.
"""

from . import apps, git, paths, release, standing, text, words
from .folders import entered, is_name
from .output import Failure
from .session import UNSEEN

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .release import Release
    from .session import App, Cli, Session

_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
_MODEL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/@+[]-")


class Refusal(Failure):
    """A session that is not resumed, and why, in one line."""


class Gone(Refusal):
    """The session's folder is not there."""


class Wish:
    """What the person asks for beyond the session: each as the option of that name.

    `folder`: where to resume, absolute, instead of the session's own. `keys`: they sit at the picker, so what is told names its keys. `standing`: words for each line
    of the app, in front of ours, which count the more. `own`: the settings that standing words or
    `arguments` give (model, effort, mode, approval, sandbox), which are then not carried.
    """

    def __init__(
        self,
        fork: bool = False,
        permissive: bool = False,
        model: bool = True,
        arguments: tuple[str, ...] = (),
        keys: bool = False,
        folder: str | None = None,
    ) -> None:
        self.fork = fork
        self.permissive = permissive
        self.model = model
        self.arguments = arguments
        self.folder = folder
        self.standing: tuple[str, ...] = ()
        self.own: frozenset[str] = frozenset()
        self.to_loosen = "Alt-P" if keys else "--permissive"
        self.to_fork = "Alt-F" if keys else "--fork"

    def with_standing(
        self, words: tuple[str, ...], flags: "Mapping[str, tuple[str, ...]]"
    ) -> "Wish":
        """The same with standing `words`; by `flags` it is known what they and its own set."""
        keys = self.to_fork != "--fork"
        wish = Wish(self.fork, self.permissive, self.model, self.arguments, keys, self.folder)
        wish.standing = words
        wish.own = standing.sets(words, flags) | standing.sets(self.arguments, flags)
        return wish


# What a tool that sets a project's variables does at bash's next prompt: too late for an agent that
# is started by the same line. In zsh and fish these tools act on the change of folder itself.
_ARRIVALS = {"direnv": "export bash", "mise": "hook-env -s bash"}


class Plan:
    """The folder and argv that resume a session, vetted.

    `program`: the path of what the argv starts, None where there is none; `env`: variables that name
    a chosen home, and empty ones that the CLI must not see; `branch_in`: the folder whose branch
    counts, None where none does; `held`: how a session that is open is so, None where that is right;
    `arrivals`: what bash has to run on arriving in the folder; `notes`: what the person should know;
    `withheld`: what was looser than its default and not carried; `questions`: what must be answered
    yes first.
    """

    def __init__(self, cwd: str, env: dict[str, str]) -> None:
        self.cwd = cwd
        self.branch_in: str | None = cwd
        self.held: str | None = "is open in another terminal"
        self.env = env
        self.program: str | None = None
        self.argv: list[str] = []
        self.arrivals: list[str] = []
        self.notes: list[str] = []
        self.withheld: list[str] = []
        self.questions: list[str] = []

    def withhold(self, what: str, instead: str, wish: Wish) -> None:
        """Remember that `what` was recorded and that `instead` is named in its place."""
        self.withheld.append(what)
        why = (
            "the installed CLI does not take it"
            if wish.permissive
            else f"{wish.to_loosen} carries it"
        )
        self.notes.append(f"withheld {what}; {instead} instead ({why})")

    def restored(self, mode: "str | None", wish: Wish) -> None:
        """Ask about a loose mode that the CLI takes up by itself and has no flag to take back."""
        if not wish.permissive:
            shown = "a mode that is too far back to be found" if mode == UNSEEN else f"mode {mode}"
            self.questions.append(
                f"{self.argv[0]} takes up {shown} again by itself, and no flag takes it back"
            )

    def overlooked(self, what: str, instead: str) -> None:
        """Say that `what` was not found as far back as was looked, and what is named in its place."""
        self.notes.append(f"{what}: too far back to be found; {instead}, the strictest, instead")

    def facts(self, line: str | None) -> "dict[str, Any]":
        """The plan as JSON tells it."""
        return {
            "cwd": self.cwd,
            "argv": self.argv,
            "env": self.env,
            "line": line,
            "notes": self.notes,
            "withheld": self.withheld,
            "questions": self.questions,
        }


def make(app: "App", session: "Session", wish: Wish) -> Plan:
    """The plan that resumes `session`, fresh from its file; raises Refusal."""
    cli = app.commands()
    if not (_is_harmless(session.id) and cli.is_id(session.id)):
        raise Refusal(f"{session.id!r} is no id that {cli.PROGRAM} takes")
    if command := cli.unarchive(session):
        why = "archived" if session.archived else session.origin
        raise Refusal(f"{session.id} is {why}: `{command}` brings it back")
    cwd = there(wish.folder) if wish.folder else folder(session)
    plan = Plan(cwd, apps.environment(session.app, session.home))
    _empty(plan, apps.inherited(session.app))
    known = _program(plan, cli)
    if wish.folder:
        _must_be_found(cli, session, known, cwd)
    wish = wish.with_standing(standing.words(apps.wishes(session.app)), getattr(cli, "FLAGS", {}))
    cli.arguments(plan, session, known, wish)
    plan.argv += wish.arguments
    plan.arrivals = _arrivals()
    if session.continued_in:
        plan.notes.append(f"the session goes on as {session.continued_in}")
    _ask_of_branch(plan, session)
    if session.live and not wish.fork and plan.held:
        plan.questions.append(f"the session {plan.held} ({wish.to_fork} goes on beside it)")
    return plan


def _program(plan: Plan, cli: "Cli") -> "Release | None":
    """Put the word that starts the CLI into `plan`: its release, None where that is not known.

    A plain word, so that an alias or function of the person's applies as if it were typed; what the
    shell says of it counts. Where a relative entry of PATH could stand in for it, its path.
    """
    plan.argv = [cli.PROGRAM]
    by_shell, meant = words.told(cli.PROGRAM)
    plan.program, sure = paths.program(cli.PROGRAM)
    if by_shell:
        plan.program = meant or plan.program  # what a function starts is not known: --run cannot
        return release.installed(meant, cli.PACKAGE) if meant else None
    if plan.program is None and not sure:
        raise Refusal(
            f"{cli.PROGRAM} is in no absolute entry of PATH, and a relative one could stand in for it"
        )
    if plan.program is None:
        plan.notes.append(f"{cli.PROGRAM} is not on PATH")
        return None
    if not sure:
        plan.argv = [plan.program]
    return release.installed(plan.program, cli.PACKAGE)


def _empty(plan: Plan, inherited: "list[str]") -> None:
    """Keep from the CLI what the agent said that sf was started in."""
    if inherited:
        plan.env.update(dict.fromkeys(inherited, ""))
        plan.notes.append(f"this shell was started inside an agent: {', '.join(inherited)} emptied")


def _is_harmless(id: str) -> bool:
    """What holds for the ids of every app: a plain word, never an option."""
    return len(id) <= 128 and _ID.issuperset(id) and id[:1] not in ("", "-")


def _arrivals() -> list[str]:
    """The commands for the tools whose hooks bash has (its integration names them)."""
    from . import shells

    found = []
    for name in (paths.setting("SESSIDX_HOOKS") or "").split():
        program, sure = paths.program(name)
        if name in _ARRIVALS and program is not None:
            word = name if sure else shells.quote(program, "bash")
            found.append(f'eval "$({word} {_ARRIVALS[name]})"')
    return found


def folder(session: "Session") -> str:
    """The folder that `session` is resumed in, absolute and there; raises Refusal."""
    cwd = session.cwd
    if not cwd:
        raise Refusal(f"{session.id} has no folder on record, so there is nowhere to resume it")
    shown = text.path(cwd)
    if not cwd.startswith("/"):
        raise Refusal(f"the recorded folder is not absolute: {shown}")
    if not is_name(cwd):
        raise Refusal(f"the recorded folder is none that could be there: {shown}")
    there = entered(cwd)
    if there is None:
        raise Gone(f"the session's folder is gone: {shown}")
    return there


def there(cwd: str) -> str:
    """The folder at the absolute path that a person names; raises Refusal where it is none."""
    found = entered(cwd) if is_name(cwd) else None
    if found is None:
        raise Refusal(f"no such folder: {text.path(cwd)}")
    return found


def _must_be_found(cli: "Cli", session: "Session", known: "Release | None", cwd: str) -> None:
    """Refuse to start the CLI in a folder from which it does not find the session."""
    if cwd == session.cwd:
        return
    first = getattr(cli, "ANYWHERE", None)
    if first is None or not at_least(known, first):
        newer = f"; {cli.PROGRAM} {'.'.join(map(str, first))} and later find it" if first else ""
        own = text.path(session.cwd) if session.cwd else "its own folder"
        raise Refusal(f"{session.id} is found from {own} alone{newer}")


def _ask_of_branch(plan: Plan, session: "Session") -> None:
    now = text.branch(git.branch(plan.branch_in)) if session.branch and plan.branch_in else None
    if now and now != session.branch:
        plan.questions.append(f"the session was on branch {session.branch}, the folder is on {now}")


def model(plan: Plan, session: "Session", wish: Wish, flag: str) -> None:
    """Add the model behind `flag`, when it is a plain name and wanted."""
    name = session.model
    if not wish.model or not name or "model" in wish.own:
        return
    if is_model(name):
        plan.argv += [flag, name]
    else:
        plan.notes.append("the recorded model is no plain name and was left out")


def is_model(name: str) -> bool:
    """Whether `name` is a plain one, of a model or a provider: no option, nothing that acts."""
    return len(name) <= 128 and _MODEL.issuperset(name) and name[:1].isalnum()


def at_least(known: "Release | None", first: "Release") -> bool:
    """Whether the installed release is `first` or newer; an unknown one is not taken to be."""
    return known is not None and known >= first
