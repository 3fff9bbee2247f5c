"""fzf: find it, its options, run it; the session that was chosen comes back as its own row.

The six columns of a row go through fzf unseen in front of what is shown, so a choice is resolved
like any row on standard input. fzf runs with SHELL=/bin/sh (older ones quote for sh alone) and is
judged by what it prints, not by its exit status.
"""

import os
import sys
from time import time

from . import (
    clipboard,
    find,
    git,
    index,
    output,
    paths,
    plan,
    query,
    resume,
    rows,
    shells,
    text,
)
from .apps import APPS
from .output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .query import Query
    from .session import Session

ABSENT = "fzf is not installed: `pip install 'sessidx[fzf]'`, or your system's package fzf"

# What each key does: with the chosen session, or with the list (then fzf starts again on it).
_FORK, _FOLDER, _ID, _PERMISSIVE = "alt-f", "alt-o", "alt-y", "alt-p"
_HERE, _ALL, _AGAIN = "alt-h", "alt-a", "alt-r"
_KEYS = (_FORK, _FOLDER, _ID, _PERMISSIVE, _HERE, _ALL, _AGAIN)

# What the person may like otherwise: it stands before their own options.
_OURS = (
    "--height=60% --min-height=12 --layout=reverse --info=inline --tiebreak=index "
    "--bind=ctrl-z:ignore --bind=ctrl-/:toggle-preview --preview-window=down,50%,wrap"
)
# What the picker relies on, last on the command line, so that no option from outside changes it.
_FIXED = (
    "--no-multi",
    "--print-query",
    f"--expect={','.join(_KEYS)}",
    "--no-print0",
    "--no-read0",
    "--no-select-1",
    "--no-exit-0",
    "--no-tac",
    "--ansi",
    "--delimiter=\t",
    f"--with-nth={len(rows.DEFAULT) + 1}",
    "--nth=..",
)


class Choice:
    """What the person wants: a plan to carry out, only its folder, or the session's id."""

    def __init__(self, key: str, session: "Session", wish: "plan.Wish") -> None:
        self.wants_folder = key == _FOLDER
        self.wants_id = key == _ID
        self.session = session
        self._wish = plan.Wish(
            wish.fork or key == _FORK,
            wish.permissive or key == _PERMISSIVE,
            wish.model,
            wish.arguments,
        )

    def plan(self) -> "plan.Plan":
        """The vetted plan; raises Refusal."""
        return resume.vetted(self.session, self._wish)


def pick(
    asked: "Query | None" = None,
    apps: "Sequence[str]" = tuple(APPS),
    *,
    shell: str | None = None,
    wish: "plan.Wish | None" = None,
    yes: bool = False,
    limit: int | None = None,
) -> int:
    """Let the person choose in fzf and print the line that resumes the session; the exit code.

    Raises Failure when there is nothing to choose, fzf is missing or the choice is refused.
    """
    choice = choose(asked or query.Query(), apps, wish or plan.Wish(), limit, shell or "posix")
    if choice is None:
        return 130
    if choice.wants_id:
        clipboard.copy(choice.session.id)
        output.lines([choice.session.id])
        return 0
    if choice.wants_folder:
        output.lines([shells.change(plan.folder(choice.session), shell or "posix")])
        return 0
    made = choice.plan()
    line = shells.line(made, shell or "posix")
    if shell and made.questions and not yes:
        _in_place_of_the_prompt()
    resume.agree(made, yes)
    resume.tell(made, line, shell)
    return 0


def choose(
    asked: "Query",
    apps: "Sequence[str]",
    wish: "plan.Wish",
    limit: int | None = None,
    shell: str = "posix",
) -> Choice | None:
    """What the person chooses, None when they leave; keys that change the list start fzf again."""
    if paths.setting("TERM") == "dumb":
        raise Failure("this terminal cannot show a list: sf WORD, then sf resume ID")
    fzf = find_fzf()
    if fzf is None:
        raise Failure(ABSENT)
    elsewhere = asked.folders
    typed, first = "", True
    while True:
        stores = index.stores(apps)
        found, hidden = query.select(stores, asked)
        if first and not found:
            raise Failure("no session found" + (f"; {hidden} with --all" if hidden else ""))
        find.place(found, stores)
        find.mark_live(found, stores)
        header = _header(len(found), hidden, asked, output.columns() - 4)
        answer = _run(fzf, found[:limit], header, typed, shell)
        if len(answer) < 2:
            return None
        typed, key, first = answer[0], answer[1], False
        if key == _ALL:
            asked.everything = not asked.everything
        elif key == _HERE:
            asked.folders = elsewhere if asked.here else git.roots(os.getcwd())
            asked.here = not asked.here
        elif key != _AGAIN:
            return Choice(key, _resolve(answer[2], stores), wish) if len(answer) > 2 else None


def _header(shown: int, hidden: int, asked: "Query", columns: int) -> str:
    """One line that fits `columns`: how many there are, and the keys."""
    count = f"{shown} shown, {hidden} hidden" if hidden else f"{shown} shown"
    here = "everywhere" if asked.here else "here"
    every = "fewer" if asked.everything else "all"
    keys = f"Alt-F fork  O folder  Y id  H {here}  A {every}  P loose mode  R again"
    wide = f"{count} · Enter resume · {keys} · Ctrl-/ preview"
    if len(wide) <= columns:
        return wide
    narrow = keys.replace("  ", " ").replace(" mode", "").replace("everywhere", "out")
    return f"{shown}+{hidden} · {narrow} · ^/ view"


def find_fzf() -> str | None:
    """fzf's path: PATH's, else the one installed beside this Python (the extra `fzf`)."""
    found, _ = paths.program("fzf")
    beside = os.path.join(os.path.dirname(sys.executable), "fzf")
    return found or (beside if os.access(beside, os.X_OK) else None)


def _run(fzf: str, found: "Sequence[Session]", header: str, typed: str, shell: str) -> list[str]:
    """What fzf prints: query, key and row; nothing when it was left. It draws on the terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise Failure(
            "no terminal to choose on: `sf WORD | fzf | sf resume -` works anywhere"
        ) from None
    rows_in, rows_out = os.pipe()
    answer_in, answer_out = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, rows_in, 0),
        (os.POSIX_SPAWN_DUP2, answer_out, 1),
        (os.POSIX_SPAWN_DUP2, terminal, 2),
    ]
    words = [fzf, *_options(shell), f"--header={header}", f"--query={typed}"]
    child = os.posix_spawn(fzf, words, _environment(), file_actions=actions)
    os.close(rows_in)
    os.close(answer_out)
    _feed(rows_out, found)
    answer = b""
    while chunk := os.read(answer_in, 65536):
        answer += chunk
    os.close(answer_in)
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    if not answer and os.waitstatus_to_exitcode(status) == 2:
        raise Failure("fzf ended with an error (see above)", 2)
    return (
        answer.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if answer else []
    )


def _feed(fd: int, found: "Sequence[Session]") -> None:
    """Give fzf the rows as they are made; that it is gone before the last one is no error."""
    table = rows.Table(found, _columns(), int(time() * 1000), paths.setting("NO_COLOR") is None)
    try:
        for start in range(0, len(found), 200):
            block = found[start : start + 200]
            data = "".join(f"{rows.tsv(s)}\t{table.line(s)}\n" for s in block)
            view = data.encode("utf-8", "replace")
            while view:
                view = view[os.write(fd, view) :]
    except BrokenPipeError:
        pass
    finally:
        os.close(fd)


def _columns() -> int:
    """The width left of the terminal beside fzf's own pointer and scrollbar."""
    return max(40, output.columns() - 4)


def _options(shell: str) -> list[str]:
    show = f"{_self()} show --shell {shell} {{2}}:{{1}}"
    return [f"--preview={show}", *_FIXED]


def _self() -> str:
    """The words that start this program again, quoted for sh."""
    script = os.path.abspath(sys.argv[0])
    if os.path.basename(script) in ("sf", "sessidx") and os.access(script, os.X_OK):
        return shells.quote(script, "posix")
    return f"{shells.quote(sys.executable, 'posix')} -P -m sessidx"


def _environment() -> dict[str, str]:
    own = paths.setting("SESSIDX_FZF_OPTS") or ""
    theirs = paths.setting("FZF_DEFAULT_OPTS") or ""
    told = dict(os.environ)
    told["FZF_DEFAULT_OPTS"] = f"{_OURS} {theirs} {own}"
    told["SHELL"] = "/bin/sh"
    return told


def _resolve(chosen: str, stores: "Sequence[index.Store]") -> "Session":
    fields = chosen.split("\t")
    if len(fields) < len(rows.DEFAULT) or fields[1] not in APPS:
        raise Failure(f"fzf gave back no row of ours: {text.path(chosen[:80])}")
    found = query.resolve(stores, f"{fields[1]}:{fields[0]}", fields[3])
    if not found:
        raise Failure(f"no such session: {text.path(fields[0])}")
    if len(found) > 1:
        raise resume.Ambiguous(fields[0], found)
    return resume.again(found[0], stores)


def _in_place_of_the_prompt() -> None:
    """A widget's cursor stands in the line that is edited: a question takes its place for now."""
    try:
        fd = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return
    os.write(fd, b"\r\x1b[J")
    os.close(fd)
