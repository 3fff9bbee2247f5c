"""Kimi Code: sessions/wd_*/session_<uuid>/, a state.json beside the wire of each agent.

Seen in a home written by 2.1.0. The wire of `main` is the conversation, those of `agent-N` are its
sub-agents'. A state of version 1 lacks the folder, which session_index.jsonl has.
"""

import os

from .. import documents, files, speech, times
from ..filed import resumes_archived
from ..jsonl import parse
from ..layout import Layout
from ..session import Session
from ..talk import Talk
from ..text import folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Record
    from ..transcript import Transcript

PROGRAM = "kimi"
PACKAGE = "@moonshot-ai/kimi-code"
LAYOUTS = (Layout("sessions/*/*/agents/main/wire.jsonl", "../../state.json"),)

_INDEX_LIMIT = 4 * 1024 * 1024
_MODELS = (b'"modelAlias"',)
_MODES = (b'"permission.set_mode"',)
_ASKS = "manual"  # its default


def session_id(key: str) -> str:
    return key.split("/")[2]


def is_id(word: str) -> bool:
    return word.startswith("session_") and is_uuid(word.removeprefix("session_"))


unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from the main wire and the state beside it."""
    TALK.fill(session, root, _fill)


def _fill(session: Session, root: str, transcript: "Transcript") -> None:
    try:
        state = documents.json_object(os.path.join(root, *session.key.split("/")[:3], "state.json"))
    except OSError:
        state = {}
    session.cwd = folder(state.get("cwd")) or _indexed(root, session.id)
    session.title = one_line(state.get("title")) or TALK.first_prompt(transcript)
    session.archived = state.get("archived") is True
    session.updated = times.canonical(state.get("updatedAt")) or transcript.last(
        (b'"time"',), lambda record: times.canonical(record.get("time")), grow=True
    )
    session.model = transcript.recorded(_MODELS, lambda record: one_line(record.get("modelAlias")))
    session.mode = transcript.recorded(_MODES, _mode)


def _indexed(root: str, session: str) -> str | None:
    """The folder that the list of all sessions names, whose last line of one counts."""
    try:
        data = files.end(os.path.join(root, "session_index.jsonl"), _INDEX_LIMIT)
    except OSError:
        return None
    for line in reversed(data.split(b"\n")):
        if session.encode() in line and (record := parse(line)):
            return folder(record.get("workDir"))
    return None


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what: a prompt of the person's, or a part of an answer."""
    if record.get("type") == "turn.prompt":
        typed = documents.at(record, "origin", "kind") == "user"
        words = speech.words(record.get("input")) if typed else ""
        return (speech.YOU, words) if words.strip() else None
    part = documents.at(record, "event", "part")
    if documents.at(record, "event", "type") != "content.part" or not isinstance(part, dict):
        return None
    words = speech.words([part])
    return (speech.AGENT, words) if words.strip() else None


TALK = Talk((b'"turn.prompt"', b'"content.part"'), spoken)
conversations = TALK.conversations


def _mode(record: "Record") -> str | None:
    return one_line(record.get("mode")) if record.get("type") == "permission.set_mode" else None


def rights(session: Session, transcript: "Transcript") -> None:
    """The last permission mode, wherever it stands."""
    from ..rights import PLAN, newest

    session.mode = newest(transcript, {"mode": (_MODES, _mode)}, PLAN)["mode"]


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--session ID`, refused from any other folder (2.1.0); a fork is a command without a start.

    It takes its own model again, and refuses one that is no longer configured. It takes its mode
    again, too, and has no flag for the one that asks. An archived session it does not find.
    """
    from ..plan import Refusal

    if session.archived:  # there is no command for it
        raise Refusal(f"{session.id} is archived: kimi web takes it out, then it resumes")
    if wish.fork:
        raise Refusal(f"kimi forks a session by a command of its own: kimi fork {session.id}")
    plan.argv += ["--session", session.id]
    if session.mode not in (None, _ASKS):
        plan.restored(session.mode, wish)
