"""Goose: rows of sessions.db. Untried: read in its published source alone (session_storage, v13).

Times are texts in UTC without a zone. What its CLI lists is of the types `user` and `scheduled`.
"""

from .. import jsonl, speech, times
from ..filed import resumes_archived
from ..session import EMPTY, SCRIPTED, SUBAGENT, Session
from ..text import folder, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Hit, Record
    from ..sqlite.tables import Tables

PROGRAM = "goose"
PACKAGE = "goose"
DATABASE = "sessions.db"
TABLE = "sessions"
COLUMNS = (
    *("id", "name", "description", "session_type", "working_dir", "created_at"),
    *("updated_at", "model_config_json", "archived_at"),
)
unarchive = resumes_archived


def is_id(word: str) -> bool:
    """Its ids are a day, `_` and a number."""
    day, _, number = word.partition("_")
    return len(day) == 8 and day.isdecimal() and 0 < len(number) < 10 and number.isdecimal()


def fill(session: Session, row: "Record", tables: "Tables") -> None:
    """What the row says of its session."""
    session.cwd = folder(row["working_dir"])
    session.title = one_line(row["name"]) or one_line(row["description"])
    stamps = map(times.canonical, (row["created_at"], row["updated_at"]))
    session.updated = max(filter(None, stamps), default=None)
    session.archived = bool(row["archived_at"])
    config = jsonl.parse(str(row["model_config_json"] or "").encode("utf-8", "replace")) or {}
    session.model = one_line(config.get("model_name"))
    kind = row["session_type"]
    if kind != "user":
        session.origin = SCRIPTED if kind == "scheduled" else SUBAGENT
    elif next(messages(tables, session.id), None) is None:
        session.origin = EMPTY


def messages(
    tables: "Tables", id: str, last_first: bool = False, text: int = 4096
) -> "Iterator[Hit]":
    """What was said in a session; the content of a message is a JSON list of blocks."""
    columns = ("id", "role", "content_json", "created_timestamp")
    for number, role, content, at in tables.rows(
        "messages", columns, ("session_id", id), last_first=last_first, text=text
    ):
        who = speech.who(role)
        told = jsonl.parse(b'{"blocks":' + str(content).encode("utf-8", "replace") + b"}") or {}
        words = speech.words(told.get("blocks")) if who else ""
        if who and words.strip():
            yield int(number or 0), (who, times.canonical(at), words)


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`session --resume --session-id ID`, as its documentation has it."""
    from ..plan import Refusal

    if wish.fork:
        raise Refusal("whether goose forks a session was never tried")
    plan.argv += ["session", "--resume", "--session-id", session.id]
