"""Grok Build: sessions/<percent-encoded folder>/<uuid>/, a summary.json beside the chat.

Seen in a home written by 1.0.41. Its times have nanoseconds; a sub-agent is a session of its own
kind, and headless runs are not told from others in its own list.
"""

import os

from .. import documents, speech, times
from ..filed import resumes_archived
from ..layout import Layout
from ..session import EMPTY, SUBAGENT, Session
from ..talk import Talk
from ..text import branch, folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Conversations, Record

PROGRAM = "grok"
PACKAGE = "@xai-official/grok"
LAYOUTS = (Layout("sessions/*/*/summary.json"),)

_OPENING, _CLOSING = "<user_query>\n", "\n</user_query>"


def session_id(key: str) -> str:
    return key.split("/")[2]


is_id = is_uuid
unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its summary."""
    summary = documents.json_object(os.path.join(root, session.key))
    if not summary.get("num_chat_messages") and not summary.get("num_messages"):
        session.origin = EMPTY
        return
    if summary.get("session_kind") == "subagent":
        session.origin = SUBAGENT
    session.cwd = folder(documents.at(summary, "info", "cwd"))
    session.branch = branch(summary.get("head_branch"))
    session.title = one_line(summary.get("generated_title")) or one_line(
        summary.get("session_summary")
    )
    session.updated = times.canonical(summary.get("last_active_at")) or times.canonical(
        summary.get("updated_at")
    )
    session.model = one_line(summary.get("current_model_id"))


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what: a person's words stand in <user_query>, the app's own beside them."""
    who = speech.who(record.get("type"))
    words = speech.words(record.get("content"))
    if who == speech.YOU:
        words = speech.between(words, _OPENING, _CLOSING) or ""
    return (who, words) if who and words.strip() else None


TALK = Talk((b'"user"', b'"assistant"'), spoken)


def conversations(root: str) -> "Conversations":
    """What was said: the chat lies beside each summary."""
    return TALK.conversations(root, "chat_history.jsonl")


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID`: an id that is not there would be asked of x.ai, so only a whole one is passed."""
    plan.argv += ["--resume", session.id]
    if wish.fork:
        plan.argv.append("--fork-session")
