"""Hermes Agent: rows of state.db. Seen in a home written by 0.19.0.

A row has only the time of its beginning, so the last message tells when it was used; gateways
(Telegram, timers, …) keep their talks in the same table under another `source`.
"""

import os
from itertools import islice

from .. import files, speech, sqlite, times
from ..filed import resumes_archived
from ..session import EMPTY, ROW, SAID, SCRIPTED, Session
from ..text import branch, folder, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..plan import Plan, Wish
    from ..release import Release
    from ..said.whole import Likely
    from ..session import Cli, Conversations, Hit, Look, Message, Reader
    from ..sqlite import Row
    from ..sqlite.tables import Tables

NAME = "hermes"
PROGRAM = "hermes"
PACKAGE = "hermes-agent"
unarchive = resumes_archived

_DATABASE = "state.db"
_COLUMNS = (
    *("id", "source", "model", "cwd", "git_branch", "title"),
    *("archived", "started_at", "ended_at", "message_count"),
)
_OF_A_PERSON = ("cli", "tui")
_SECONDS = 2.0
_TEXT = 1024  # characters of each value of a session
_SAID = 1 << 18  # of what is said in one message
_LOOKED_AT = 40  # messages among which the first prompt is sought


def is_id(word: str) -> bool:
    """Its ids are a day, a time of the day and six hexadecimal digits, joined by `_`."""
    day, _, rest = word.partition("_")
    clock, _, mark = rest.partition("_")
    return (
        (len(day), len(clock), len(mark)) == (8, 6, 6)
        and (day + clock).isdecimal()
        and set(mark) <= set("0123456789abcdef")
    )


def sources(root: str) -> str:
    """The stamp of the database; "" where there is none."""
    stamp = sqlite.stamp(os.path.join(root, _DATABASE))
    return "" if stamp[0] == ";" else stamp


def discover(root: str, look: "Look") -> "Iterator[tuple[str, str]]":
    """Each row of the database: its key, and a digest of what it says."""
    now = sources(root)
    if not now:
        return
    if now == look.sources:
        look.same.append(_DATABASE)
        return
    from zlib import crc32

    try:
        rows = sqlite.read(os.path.join(root, _DATABASE), _rows, _SECONDS)
    except sqlite.Unreadable:
        look.unread.append(_DATABASE)
        look.again = True
        return
    for row in rows:
        if isinstance(row[0], str):
            key = f"{_DATABASE}{ROW}{row[0]}"
            look.held[key] = row
            yield key, f"{crc32(repr(row).encode('utf-8', 'surrogatepass')):x}"


def _rows(tables: "Tables") -> "list[Row]":
    return [*tables.rows("sessions", _COLUMNS, text=_TEXT)]


def changed(root: str) -> int:
    """When the database was last written to, in ns."""
    path = sqlite.real(os.path.join(root, _DATABASE))
    return max(files.modified(path), files.modified(path + "-wal"))


def reader(root: str, look: "Look | None" = None) -> "Reader":
    """A reader of rows, those that a look has read at hand."""
    return _Reader(root, look.held if look else {})


class _Reader:
    def __init__(self, root: str, held: "Mapping[str, Row]") -> None:
        self._path = os.path.join(root, _DATABASE)
        self._held = held

    def beside(self, key: str) -> str | None:
        return ""

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        session = Session(NAME, key.partition(ROW)[2], key=key)
        session.size = os.stat(self._path).st_size
        try:
            found = sqlite.read(self._path, lambda tables: self._fill(session, tables), _SECONDS)
        except sqlite.Unreadable as error:
            raise OSError(str(error)) from None
        if not found:
            raise FileNotFoundError(f"no row {session.id}")
        return session

    def _fill(self, session: Session, tables: "Tables") -> bool:
        """What the row says, and of its messages the last time and the first prompt."""
        one = tables.rows("sessions", _COLUMNS, ("id", session.id), text=_TEXT)
        row = self._held.get(session.key) or next(one, None)
        told = dict(zip(_COLUMNS, row or (), strict=False))
        last = _messages(tables, session.id, last_first=True)
        newest = next((at for _, message in last if (at := message[1])), None)
        ends = (told.get("started_at"), told.get("ended_at"))
        session.updated = newest or max(filter(None, map(times.canonical, ends)), default=None)
        session.cwd = folder(told.get("cwd"))
        session.branch = branch(told.get("git_branch"))
        session.model = one_line(told.get("model"))
        session.archived = bool(told.get("archived"))
        session.title = one_line(told.get("title")) or _first_prompt(tables, session.id)
        if told.get("source") not in _OF_A_PERSON:
            session.origin = SCRIPTED
        if newest is None and not told.get("message_count"):
            session.origin = EMPTY
        return row is not None


def _first_prompt(tables: "Tables", id: str) -> str | None:
    said = islice(_messages(tables, id), _LOOKED_AT)
    return next((one_line(words) for _, (who, _, words) in said if who == speech.YOU), None)


def _messages(
    tables: "Tables", id: str, last_first: bool = False, text: int = _TEXT
) -> "Iterator[Hit]":
    """What was said in a session, in the order of time, each with its row's id as its place."""
    columns = ("id", "role", "content", "timestamp", "active")
    for number, role, content, at, active in tables.rows(
        "messages", columns, ("session_id", id), by="timestamp", last_first=last_first, text=text
    ):
        who = speech.who(role)
        if who and isinstance(content, str) and content.strip() and active != 0:
            yield int(number or 0), (who, times.canonical(at), content)


def conversations(root: str) -> "Conversations":
    """What was said in its sessions, row by row of one session at a time."""
    from ..said.whole import Whole

    def ask(key: str, likely: "Likely") -> "Iterator[Hit]":
        own = key.partition(ROW)[2]

        def answer(tables: "Tables") -> "list[Hit]":
            found = _messages(tables, own, text=_SAID)
            return [hit for hit in found if likely(hit[1][2].encode("utf-8", "surrogateescape"))]

        return iter(_asked(root, answer))

    class Rows(Whole):
        def last(self, key: str) -> "list[Message]":
            """The last things said, oldest first: found from the end."""
            own = key.partition(ROW)[2]

            def answer(tables: "Tables") -> "list[Hit]":
                return [*islice(_messages(tables, own, last_first=True, text=_SAID), SAID)]

            return [message for _, message in _asked(root, answer)][::-1]

    return Rows(ask)


def _asked(root: str, answer: "Callable[[Tables], list[Hit]]") -> "list[Hit]":
    try:
        return sqlite.read(os.path.join(root, _DATABASE), answer, _SECONDS)
    except sqlite.Unreadable as error:
        raise OSError(str(error)) from None


def held(root: str) -> dict[str, bool] | None:
    """Unknown: no file tells of a running process."""
    return None


def trouble(root: str) -> list[str]:
    """Why its database cannot be read."""
    try:
        if files.is_there(os.path.join(root, _DATABASE)):
            sqlite.read(os.path.join(root, _DATABASE), _rows, _SECONDS)
    except sqlite.Unreadable as error:
        return [f"{_DATABASE} not read: {error}"]
    return []


def commands() -> "Cli":
    """How its CLI is told to resume: by what stands here, too."""
    import sys

    return sys.modules[__name__]


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID`, which goes back to the session's folder by itself (0.19.0)."""
    from ..plan import Refusal, model

    if wish.fork:
        raise Refusal("hermes cannot fork a session")
    plan.argv += ["--resume", session.id]
    model(plan, session, wish, "--model")
