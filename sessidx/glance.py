"""What fzf's preview shows of one session: the last exchange, a line of facts, the line that runs.

The first screenful holds all three, whatever its size; what was cut stands whole below.
"""

from time import time

from . import index, output, paths, query, rows, text
from .output import Failure
from .preview import branch_now, exchange, folder_shown, planned, size_shown, state

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .session import Exchange, Session

_COLUMNS, _LINES = 80, 24  # where fzf does not tell
_LONGEST = 4000  # characters of each thing said
_COLOURS = {"you": "32", "agent": "35"}
_DIM, _BOLD, _RED, _YELLOW = "2", "1", "31", "33"


NO_ROW = ":"  # what stands for app and id where the list is empty


def glance(wanted: str, shell: str = "posix", typed: str = "") -> int:
    """Print the preview of the session that `wanted` names, the line quoted for `shell`.

    Where no row holds what was `typed`, that, and what else there is to do.
    """
    if wanted == NO_ROW:
        output.lines(_unmatched(typed))
        return 0
    found = query.resolve(index.stores(glance=True), wanted)
    if not found:
        raise Failure(f"no such session: {text.path(wanted)}")
    output.lines(Screen().lines(found[0], shell))
    return 0


def _unmatched(typed: str) -> "Iterator[str]":
    yield f"No row holds: {text.clean(typed)}"
    yield ""
    yield "What is typed is looked for in title, folder, branch, app and id."
    yield "Alt-S looks in what was said, Alt-A among the hidden, too; Ctrl-U begins anew."


class Screen:
    """The preview's window: its size as fzf tells it, and whether it is coloured."""

    def __init__(self) -> None:
        # A line that is wrapped goes on behind a sign of two columns.
        self.columns = max(10, _number("FZF_PREVIEW_COLUMNS", _COLUMNS) - 2)
        self._lines = _number("FZF_PREVIEW_LINES", _LINES)
        self.colour = paths.setting("NO_COLOR") is None

    def lines(self, session: "Session", shell: str) -> "Iterator[str]":
        said = exchange(session)
        whole = [line for who, words in said for line in self._told(who, words)]
        return self.framed(session, shell, lambda room: self._latest(said, room), whole)

    def framed(
        self,
        session: "Session",
        shell: str,
        opening: "Callable[[int], Iterable[str]]",
        whole: "list[str]",
    ) -> "Iterator[str]":
        """What `opening` makes for so many lines, the facts, and `whole` where that is more."""
        foot = list(self._foot(session, shell))
        room = self._lines - 1 - sum(map(self.height, (line for line, _ in foot)))
        shown = list(opening(max(2, room)))
        yield from shown
        yield ""
        for line, colour in foot:
            yield self._painted(line, colour)
        if whole != shown:
            yield ""
            yield from whole

    def _latest(self, said: "list[Exchange]", room: int) -> "Iterator[str]":
        """What the person said last and what the agent answered, cut to `room` lines of the window."""
        start = max((n for n, (who, _) in enumerate(said) if who == "you"), default=0)
        for number, (who, words) in enumerate(said[start:], 1):
            # Of a long prompt a third: the answer tells more.
            most = room if number == len(said) - start else max(1, room // 3)
            for line in self._told(who, words):
                if most <= 0:
                    break
                cut = self._cut(line, most)
                most -= self.height(cut)
                room -= self.height(cut)
                yield cut

    def _told(self, who: str, words: str) -> "Iterator[str]":
        """One thing said, who said it in front of its first line; empty lines are left out."""
        name = self._painted(f"{who}: ", _COLOURS.get(who, _BOLD))
        for line in words[:_LONGEST].split("\n"):
            if kept := text.clean(line.rstrip()):
                yield name + kept
                name = ""

    def _foot(self, session: "Session", shell: str) -> "Iterator[tuple[str, str]]":
        made, line = planned(session, shell, keys=True)
        facts = (
            rows.age(session.updated, int(time() * 1000)),
            folder_shown(session),
            branch_now(session),
            " ".join(filter(None, (session.model, session.effort))),
            size_shown(session.size),
            state(session),
        )
        yield text.clean(" · ".join(filter(None, facts))), _DIM
        if isinstance(made, Failure):
            yield text.clean(f"cannot resume: {made.message}"), _RED
            return
        for note in (*made.questions, *made.notes):
            yield text.clean(f"! {note}"), _YELLOW
        yield text.clean(f"$ {line}"), _BOLD

    def height(self, line: str) -> int:
        """How many lines of the window it takes."""
        return max(1, -(-rows.width(_bare(line)) // self.columns))

    def _cut(self, line: str, most: int) -> str:
        room = most * self.columns
        bare = _bare(line)
        if rows.width(bare) <= room:
            return line
        return line[: len(line) - len(bare)] + rows.fit(bare, room).rstrip()

    def _painted(self, line: str, colour: str) -> str:
        return f"\x1b[{colour}m{line}\x1b[0m" if self.colour else line


def _bare(line: str) -> str:
    """`line` without the one name that we have painted in front."""
    return line.rpartition("\x1b[0m")[2] if line.startswith("\x1b") else line


def _number(variable: str, otherwise: int) -> int:
    told = paths.setting(variable) or ""
    return int(told) if told.isascii() and told.isdigit() and int(told[:6]) > 0 else otherwise
