"""GitHub Copilot CLI: session-state/<uuid>/, a workspace.yaml beside the events.

Seen in a home written by 1.0.102. `updated_at` of the YAML is stale after a resume, and the events
of a sub-agent stand in the same file under its `agentId`. The database beside the folder mirrors it.
"""

import os

from .. import documents, speech
from ..filed import resumes_archived
from ..layout import Layout
from ..session import Session
from ..talk import Talk, last_time
from ..text import branch, folder, is_uuid, one_line
from ..transcript import Transcript

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Record

PROGRAM = "copilot"
PACKAGE = "@github/copilot"
LAYOUTS = (Layout("session-state/*/events.jsonl", "workspace.yaml"),)

_CONTEXT = (b'"session.resume"', b'"session.start"')


def session_id(key: str) -> str:
    return key.split("/")[-2]


is_id = is_uuid
unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its events and the YAML beside them."""
    TALK.fill(session, root, _fill)


def _fill(session: Session, root: str, transcript: Transcript) -> None:
    try:
        told = documents.yaml(os.path.join(root, os.path.dirname(session.key), "workspace.yaml"))
    except OSError:
        told = {}
    context = transcript.recorded(_CONTEXT, _context) or {}
    session.cwd = folder(told.get("cwd")) or folder(context.get("cwd"))
    session.branch = branch(context.get("branch")) or branch(told.get("branch"))
    session.title = one_line(told.get("name")) or TALK.first_prompt(transcript)
    session.updated = last_time(transcript)
    session.model = transcript.recorded(TALK.keys[1:], _model) or transcript.recorded(
        _CONTEXT, _selected
    )


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what in a message event, sub-agents aside."""
    kind, data = record.get("type"), record.get("data")
    if record.get("agentId") or not isinstance(data, dict) or not isinstance(kind, str):
        return None
    who = speech.who(kind.removesuffix(".message"))
    words = speech.words(data.get("content"))
    return (who, words) if who and words.strip() else None


TALK = Talk((b'"user.message"', b'"assistant.message"'), spoken)
conversations = TALK.conversations


def _context(record: "Record") -> "Record | None":
    found = documents.at(record, "data", "context")
    return found if isinstance(found, dict) else None


def _model(record: "Record") -> str | None:
    return None if record.get("agentId") else one_line(documents.at(record, "data", "model"))


def _selected(record: "Record") -> str | None:
    return one_line(documents.at(record, "data", "selectedModel"))


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume=ID`: the value is optional, so it is not a word of its own (1.0.102).

    It goes back to the session's model by itself, and has no flag to fork.
    """
    from ..plan import Refusal

    if wish.fork:
        raise Refusal("copilot cannot fork a session")
    plan.argv.append(f"--resume={session.id}")
