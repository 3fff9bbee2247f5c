"""`sf resume`: from the word for a session to its vetted line, printed or run."""

import os

from . import apps, find, index, output, plan, query, rows, shells, text, words
from .output import Failure
from .session import LISTED

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .plan import Plan, Wish
    from .session import Session

_UNTOUCHED = "nothing was run; paste the line, add --run, or load the integration (sf init --help)"


def resume(
    wanted: str | None,
    wish: "Wish",
    *,
    shell: str | None = None,
    yes: bool = False,
    style: str = "text",
    run: bool = False,
    asked: "query.Query | None" = None,
    names: "Sequence[str]" = apps.NAMES,
) -> int:
    """Print the line that resumes the session `wanted` (None: the newest that `asked` fits).

    `style` json prints the plan and asks nothing; `run` runs it here. Raises Failure.
    """
    session = choose(wanted, asked, names)
    made = vetted(session, wish)
    if style == "json":
        output.lines([rows.json(made.facts(_line(made, shell or "posix", strict=False)), True)])
        return 0
    line = None if run else _line(made, shell or "posix")
    agree(made, yes)
    if run:
        _run(made)
    tell(made, line or "", shell)
    return 0


def vetted(session: "Session", wish: "Wish") -> "Plan":
    """The plan that resumes `session`; a Refusal says what to do next."""
    try:
        return plan.make(apps.load(session.app), session, wish)
    except plan.Gone as gone:
        from .suggest import after_gone

        raise plan.Gone(gone.message, rows=after_gone(session, index.stores())) from None


def tell(made: "Plan", line: str, shell: str | None) -> None:
    """Print the line, what the person should know of it, and on a bare terminal that it did not run."""
    for note in made.notes:
        output.note(note)
    output.lines([line])
    if shell is None and os.isatty(1):
        output.note(_UNTOUCHED)


def choose(
    wanted: str | None, asked: "query.Query | None" = None, names: "Sequence[str]" = apps.NAMES
) -> "Session":
    """The one session that is meant, read from its own file just now; raises Failure."""
    stores = index.stores(names)
    cwd = None
    if wanted == "-":
        wanted, cwd = _from_input()
    if wanted is None:
        found, _ = query.select(stores, asked or query.Query())
        found = found[:1]
        if not found:
            raise Failure("no session found")
    else:
        path = os.path.abspath(wanted) if "/" in wanted else None
        found = query.resolve(stores, wanted, cwd, path)
        if not found:
            raise Failure(f"no such session: {text.path(wanted)}")
    if len(found) > 1:
        raise Ambiguous(wanted or "", found)
    return again(found[0])


class Ambiguous(Failure):
    """Several sessions are meant; the message lists them and their folders."""

    def __init__(self, wanted: str, found: "list[Session]") -> None:
        several = len({s.home for s in found if s.app == found[0].app}) > 1
        told = (_candidate(s, several) for s in found[:20])
        super().__init__(f"{len(found)} sessions match {text.path(wanted)!r}:", 2, tuple(told))


def _candidate(session: "Session", with_home: bool) -> str:
    home = f"  in {text.path(session.home)}" if with_home else ""
    cwd = text.path(session.cwd or "-")
    return f"{session.app}:{session.id}  {cwd}  {session.title or ''}{home}"


def again(session: "Session") -> "Session":
    """`session` as its own store tells it now; Failure when it is gone."""
    reader = apps.load(session.app).reader(session.home)
    try:
        fresh = reader.read(session.key, session.stamp, session)
        fresh.home = session.home
        fresh.continued_in = session.continued_in  # for that the whole store is to be known
        if hasattr(reader, "rights"):  # of an app that restores them
            reader.rights(fresh)
    except OSError as error:
        raise Failure(
            f"cannot read the transcript of {session.id}: {error.strerror or error}"
        ) from None
    if fresh.origin not in LISTED:
        raise Failure(f"no such session: {session.id} is now {fresh.origin}")
    find.mark_live([fresh], {})
    return fresh


def _from_input() -> tuple[str, str | None]:
    """The session and folder in a row of ours, or an id, on standard input."""
    data = os.read(0, 65536)
    while b"\n" not in data and len(data) < 65536 and (more := os.read(0, 65536)):
        data += more
    fields = data.split(b"\n")[0].decode("utf-8", "surrogateescape").split("\t")
    word = fields[0].strip()
    if not word:
        raise Failure("", 130)
    if len(fields) == len(rows.DEFAULT) and fields[1] in apps.NAMES:
        return f"{fields[1]}:{word}", fields[3]
    return word, None


def _line(made: "Plan", shell: str, strict: bool = True) -> str | None:
    try:
        return shells.line(made, shell)
    except shells.Unprintable:
        if not strict:
            return None
        raise Failure(
            "the folder's name is not printable: --shell zsh, bash or fish can quote it"
        ) from None


def agree(made: "Plan", yes: bool) -> None:
    """Have each question of the plan answered with y; raises Failure."""
    if yes:
        return
    from . import tty

    for question in made.questions:
        answer = tty.confirm(question)
        if answer is None:
            raise Failure(f"{question}; --yes resumes anyway")
        if not answer:
            raise Failure("not resumed")


def _run(made: "Plan") -> None:
    """Become the agent, as a shell would start it."""
    for note in made.notes:
        output.note(note)
    program = made.program
    if program is None:
        raise Failure(f"cannot run {made.argv[0]}: it is in no absolute entry of PATH")
    from signal import SIG_DFL, SIGPIPE, SIGXFSZ, signal

    for ignored in (SIGPIPE, SIGXFSZ):  # by Python alone, and what is ignored stays so
        signal(ignored, SIG_DFL)
    os.environ.pop(words.VARIABLE, None)  # true of this shell alone
    os.environ.update(made.env)
    for name in [name for name, value in made.env.items() if not value]:
        del os.environ[name]
    os.environ["PWD"] = made.cwd
    try:
        os.chdir(made.cwd.encode("utf-8", "surrogateescape"))
        os.execv(program, [word.encode("utf-8", "surrogateescape") for word in made.argv])  # noqa: S606
    except OSError as error:
        raise Failure(f"cannot run {program}: {error.strerror}") from None
