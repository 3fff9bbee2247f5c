"""Factory Droid: sessions/<folder>/<uuid>.jsonl, a settings.json beside each.

Seen in a home written by 0.215.0 (headless runs alone: the rest wants a login). The folder's name is
made from the session's and never decoded; messages do not stand in the order of their times.
"""

import os

from .. import documents, speech, times
from ..filed import resumes_archived
from ..layout import Layout
from ..session import SCRIPTED, Session
from ..talk import Talk
from ..text import folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Record
    from ..transcript import Transcript

PROGRAM = "droid"
PACKAGE = "droid"
LAYOUTS = (Layout("sessions/*/*.jsonl", "*.settings.json"),)

_LATEST = 200  # records among which the newest time is
_INJECTED = ("<system-reminder>", "<system-notification>")


def session_id(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".jsonl")


is_id = is_uuid
unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its header, its messages and the settings beside it."""
    TALK.fill(session, root, _fill)


def _fill(session: Session, root: str, transcript: "Transcript") -> None:
    try:
        settings = documents.json_object(
            os.path.join(root, session.key.removesuffix(".jsonl") + ".settings.json")
        )
    except OSError:
        settings = {}
    header = transcript.opening((b'"session_start"',), _header) or {}
    session.cwd = folder(header.get("cwd"))
    session.title = one_line(header.get("title")) or TALK.first_prompt(transcript)
    session.updated = _newest(transcript)
    session.model = one_line(settings.get("model"))
    session.mode = one_line(settings.get("autonomyMode"))
    if _is_exec(settings.get("tags")):
        session.origin = SCRIPTED


def _header(record: "Record") -> "Record | None":
    return record if record.get("type") == "session_start" else None


def _newest(transcript: "Transcript") -> str | None:
    from itertools import islice

    records = islice(transcript.records((b'"timestamp"',), grow=True), _LATEST)
    return max(
        (time for record in records if (time := times.canonical(record.get("timestamp")))),
        default=None,
    )


def _is_exec(tags: object) -> bool:
    return isinstance(tags, list) and any(documents.at(tag, "name") == "exec" for tag in tags)


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what in a message, what the app itself put there aside."""
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return None
    who = speech.who(message.get("role"))
    words = speech.typed(speech.words(message.get("content")), _INJECTED)
    return (who, words) if who and words.strip() else None


TALK = Talk((b'"message"',), spoken)
conversations = TALK.conversations


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID` (read in 0.215.0; not tried, for it wants a login)."""
    plan.argv += ["--fork" if wish.fork else "--resume", session.id]
