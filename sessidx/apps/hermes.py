"""Hermes Agent: rows of state.db. Seen in a home written by 0.19.0.

A row has only the time of its beginning, so the last message tells when it was used; gateways
(Telegram, timers, …) keep their talks in the same table under another `source`.
"""

from itertools import islice

from .. import speech, times
from ..filed import resumes_archived
from ..session import EMPTY, SCRIPTED, Session
from ..text import branch, folder, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Hit, Record
    from ..sqlite.tables import Tables

PROGRAM = "hermes"
PACKAGE = "hermes-agent"
DATABASE = "state.db"
TABLE = "sessions"
COLUMNS = (
    *("id", "source", "model", "cwd", "git_branch", "title"),
    *("archived", "started_at", "ended_at", "message_count"),
)
unarchive = resumes_archived

_OF_A_PERSON = ("cli", "tui")
_TEXT = 1024  # characters of a message that a title may need
_LOOKED_AT = 40  # messages among which the first prompt is sought
_HEX = frozenset("0123456789abcdef")


def is_id(word: str) -> bool:
    """Its ids are a day, a time of the day and six hexadecimal digits, joined by `_`."""
    day, _, rest = word.partition("_")
    clock, _, mark = rest.partition("_")
    lengths = (len(day), len(clock), len(mark))
    return lengths == (8, 6, 6) and (day + clock).isdecimal() and _HEX.issuperset(mark)


def fill(session: Session, row: "Record", tables: "Tables") -> None:
    """What the row says, and of the messages the last time and the first prompt."""
    last = messages(tables, session.id, last_first=True)
    newest = next((at for _, (_, at, _) in last if at), None)
    ends = (row["started_at"], row["ended_at"])
    session.updated = newest or max(filter(None, map(times.canonical, ends)), default=None)
    session.cwd = folder(row["cwd"])
    session.branch = branch(row["git_branch"])
    session.model = one_line(row["model"])
    session.archived = bool(row["archived"])
    session.title = one_line(row["title"]) or _first_prompt(tables, session.id)
    if row["source"] not in _OF_A_PERSON:
        session.origin = SCRIPTED
    if newest is None and not row["message_count"]:
        session.origin = EMPTY


def _first_prompt(tables: "Tables", id: str) -> str | None:
    said = islice(messages(tables, id), _LOOKED_AT)
    return next((one_line(words) for _, (who, _, words) in said if who == speech.YOU), None)


def messages(
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


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID`, which goes back to the session's folder by itself (0.19.0)."""
    from ..plan import Refusal, model

    if wish.fork:
        raise Refusal("hermes cannot fork a session")
    plan.argv += ["--resume", session.id]
    model(plan, session, wish, "--model")
