"""The picker: the list in fzf and its keys; the session that was chosen comes back as its own row.

The six columns of a row go through fzf unseen in front of what is shown, so a choice is resolved
like any row on standard input.
"""

import os
import sys
from itertools import chain, islice
from time import time

from . import (
    apps,
    channels,
    clipboard,
    find,
    fzf,
    fzf_options,
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
from .header import counted, header
from .output import Failure
from .table import Chosen, Table

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .query import Query
    from .session import Session
    from .store import Store

    _Answer = tuple[list[str], list[Store]]  # what fzf printed; the stores as they are

# What each key does: with the chosen session, or with the list (then fzf starts again on it).
_FORK, _FOLDER, _ID, _PERMISSIVE = "alt-f", "alt-o", "alt-y", "alt-p"
_HERE, _ALL, _AGAIN, _SAID = "alt-h", "alt-a", "alt-r", "alt-s"
_KEYS = (_FORK, _FOLDER, _ID, _PERMISSIVE, _HERE, _ALL, _AGAIN, _SAID)

_LAYOUT = 200  # sessions by whose texts the columns are laid out


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
    names: "Sequence[str]" = apps.NAMES,
    *,
    shell: str | None = None,
    wish: "plan.Wish | None" = None,
    yes: bool = False,
    limit: int | None = None,
    typed: str | None = None,
    columns: "Sequence[str]" = (),
) -> int:
    """Let the person choose in fzf and print the line that resumes the session; the exit code.

    With `typed`, among those in which that was said, at first; `columns`: those of a row instead of
    the usual ones. Raises Failure when there is nothing to choose, fzf is missing or the choice is refused.
    """
    asked = asked or query.Query()
    choice = choose(asked, names, wish or plan.Wish(), limit, shell or "posix", typed, columns)
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
    names: "Sequence[str]",
    wish: "plan.Wish",
    limit: int | None = None,
    shell: str = "posix",
    said: str | None = None,
    columns: "Sequence[str]" = (),
) -> Choice | None:
    """What the person chooses, None when they leave; keys that change the list start fzf again.

    With `said` it begins with what was said, and that typed.
    """
    if paths.setting("TERM") == "dumb":
        raise Failure("this terminal cannot show a list: sf WORD, then sf resume ID")
    program = fzf.find()
    if program is None:
        raise Failure(fzf.absent())
    typed, first, by_said = said or "", True, said is not None
    while True:
        show = _Show(program, asked, limit, typed, shell, columns)
        if by_said:
            answer, stores = show.said(names)
        else:
            answer, stores = show.at_once(names) or show.checked(names, needed=first)
        if not answer:
            return None
        typed, key, first = answer[0], answer[1], False
        if key not in ("", *_KEYS):
            raise fzf.no_row()
        if key == _SAID:
            by_said = not by_said
        elif key == _ALL:
            asked.everything = not asked.everything
        elif key == _HERE:
            asked.here = None if asked.here else git.around(os.getcwd())
        elif key != _AGAIN:
            return Choice(key, _resolve(answer[2], stores), wish) if answer[2:] else None


class _Show:
    """One showing of the list: what fzf answers, and the stores as they are now."""

    def __init__(
        self,
        program: str,
        asked: "Query",
        limit: int | None,
        typed: str,
        shell: str,
        columns: "Sequence[str]",
    ) -> None:
        self._program = program
        self._asked = asked
        self._limit = limit
        self._shell = shell
        self._columns = columns
        self._by_said = False
        self._options = [f"--query={typed}", *_options(shell)]

    def checked(self, names: "Sequence[str]", needed: bool) -> "_Answer":
        """Every file looked at first; Failure when there is nothing to choose and some is needed."""
        stores = index.stores(names)
        found, hidden = query.select(stores, self._asked)
        if needed and not found:
            find.must_be_there(self._asked, hidden)
            raise Failure(self._nothing(stores, hidden))
        with self._finder(self._count(found, hidden)) as finder:
            finder.feed(_lines(found, self._limit, self._columns))
            return finder.answer(), stores

    def at_once(self, names: "Sequence[str]") -> "_Answer | None":
        """The newest that the index holds, and then in their place all there are; None for a short list.

        To look at ten thousand files takes as long as all the rest; at a thousand, nobody notices.
        """
        told = channels.opened(self._program) if index.is_large() else None
        if told is None:
            return None
        with self._finder("…", told) as finder:  # it takes 20 ms to show anything
            kept = index.kept(names)
            lines = _lines(query.newest(kept, self._asked), self._limit, self._columns)
            top = list(islice(lines, _LAYOUT))
            if not top:
                return None
            finder.feed(top)
            stores = index.stores(names, quiet=True)
            found, hidden = query.select(stores, self._asked)
            if [store.written() for store in kept] == [store.written() for store in stores]:
                lines = chain(top, lines)
            else:
                lines = _lines(found, self._limit, self._columns)
            finder.replace(self._header(self._count(found, hidden)), lines)
            return finder.answer(), stores

    def said(self, names: "Sequence[str]") -> "_Answer":
        """Those in which the query was said: fzf asks for the rows itself, as it changes."""
        from .said.picking import options

        self._by_said = True
        self._options += options(_self(), self._shell, _columns(), self._asked, names, self._limit)
        with self._finder("") as finder:
            finder.feed(())
            stores = index.stores(names, quiet=True)
            return finder.answer(), stores

    def _count(self, found: "list[Session]", hidden: int) -> str:
        return counted(len(found), hidden, here=bool(self._asked.here))

    def _nothing(self, stores: "list[Store]", hidden: int) -> str:
        if hidden:
            return f"no session found; {hidden} with --all"
        if not any(map(len, stores)):
            return "there are no sessions of any agent yet: sf doctor says where was looked"
        return "no session found" + (" here" if self._asked.here else "")

    def _finder(self, count: str, told: "channels.Channels | None" = None) -> fzf.Finder:
        options = [*self._options, f"--header={self._header(count)}"]
        return fzf.Finder(self._program, options, told)

    def _header(self, count: str) -> str:
        asked = self._asked
        return header(
            count, _columns(whole=True), bool(asked.here), asked.everything, self._by_said
        )


def _lines(
    found: "Iterable[Session]", limit: int | None, columns: "Sequence[str]"
) -> "Iterator[str]":
    """A line for each session, as it is needed: its row, and behind it what is shown, or `columns`."""
    if columns:
        found = find.marked(list(islice(found, limit)), columns)
        chosen = Chosen(found, _columns(), columns)
        yield from (f"{rows.tsv(session)}\t{chosen.line(session)}" for session in found)
        return
    held: find.Held = {}
    found = islice(found, limit)
    first = list(islice(found, _LAYOUT))
    colour = paths.setting("NO_COLOR") is None
    find.mark_live(first, held)
    table = Table(first, _columns(), int(time() * 1000), colour, find.Gone())
    for session in chain(first, found):
        find.mark_live((session,), held)
        yield f"{rows.tsv(session)}\t{table.line(session)}"


def _columns(whole: bool = False) -> int:
    """The width left beside fzf's own pointer and scrollbar, and beside a preview if not `whole`."""
    columns, _ = fzf_options.size()
    if fzf_options.is_beside() and not whole:
        columns = columns // 2 - 2
    return max(16, columns - 4)


def _options(shell: str) -> list[str]:
    # With the query in it fzf shows a preview of no row, too.
    show = f"{_self()} @glance {shell} {{2}}:{{1}} {{q}}"
    shown = str(len(rows.DEFAULT) + 1)
    return [f"--preview={show}", *fzf_options.fixed(shown, _KEYS)]


def _self() -> str:
    """The words that start this program again, quoted for sh."""
    script = os.path.abspath(sys.argv[0])
    if os.path.basename(script) in ("sf", "sessidx") and os.access(script, os.X_OK):
        return shells.quote(script, "posix")
    return f"{shells.quote(sys.executable, 'posix')} -P -m sessidx"


def _resolve(chosen: str, stores: "Sequence[Store]") -> "Session":
    fields = chosen.split("\t")
    if len(fields) < len(rows.DEFAULT) or fields[1] not in apps.NAMES:
        raise fzf.no_row()
    found = query.resolve(stores, f"{fields[1]}:{fields[0]}", fields[3])
    if not found:
        raise Failure(f"no such session: {text.path(fields[0])}")
    if len(found) > 1:
        raise resume.Ambiguous(fields[0], found)
    return resume.again(found[0])


def _in_place_of_the_prompt() -> None:
    """A widget's cursor stands in the line that is edited: a question takes its place for now."""
    try:
        fd = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return
    os.write(fd, b"\r\x1b[J")
    os.close(fd)
