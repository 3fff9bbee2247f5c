"""GitHub Copilot CLI: session-state/<uuid>/, a workspace.yaml beside the events.

Seen in a home written by 1.0.102. `updated_at` of the YAML is stale after a resume, and the events
of a sub-agent stand in the same file under its `agentId`. The database beside the folder mirrors it.
"""

import os

from .. import documents, speech
from ..filed import resumes_archived
from ..layout import Layout
from ..session import LEGACY, UNSEEN, Session, told
from ..talk import Talk, last_time
from ..text import branch, folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Record
    from ..transcript import Transcript

PROGRAM = "copilot"
PACKAGE = "@github/copilot"
LAYOUTS = (
    Layout("session-state/*/events.jsonl", "workspace.yaml"),
    Layout("session-state/*.jsonl"),  # of 0.0.3xx: 1.0.102 says that it no longer resumes them
)

_CONTEXT = (b'"session.resume"', b'"session.start"')
_MODES = (b'"session.mode_changed"',)
_ALLOWED = (b'"session.permissions_changed"',)
_ASKS, _ALLOWS = "off", "allow-all"
_STRICT = {"", "interactive", "plan"}


def session_id(key: str) -> str:
    _, own, *within = key.split("/")
    return own if within else own.removesuffix(".jsonl")


is_id = is_uuid
unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its events and the YAML beside them."""
    TALK.fill(session, root, _fill)
    if session.key.count("/") == 1:
        session.origin = LEGACY


def _fill(session: Session, root: str, transcript: "Transcript") -> None:
    try:
        yaml = documents.yaml(os.path.join(root, os.path.dirname(session.key), "workspace.yaml"))
    except OSError:
        yaml = {}
    context = transcript.recorded(_CONTEXT, _context) or {}
    session.cwd = folder(yaml.get("cwd")) or folder(context.get("cwd"))
    session.branch = branch(context.get("branch")) or branch(yaml.get("branch"))
    session.title = one_line(yaml.get("name")) or TALK.first_prompt(transcript)
    session.updated = last_time(transcript)
    session.model = transcript.recorded(TALK.keys[1:], _model) or transcript.recorded(
        _CONTEXT, _selected
    )
    session.mode = _joined(
        transcript.recorded(_MODES, _mode), transcript.recorded(_ALLOWED, _allowed)
    )


def rights(session: Session, transcript: "Transcript") -> None:
    """The last mode and the last that was allowed, wherever each stands."""
    from ..rights import PLAN, newest

    parts = {"mode": (_MODES, _mode), "allowed": (_ALLOWED, _allowed)}
    session.mode = _joined(**newest(transcript, parts, PLAN))


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


def _mode(record: "Record") -> str | None:
    if record.get("type") != "session.mode_changed":
        return None
    return one_line(documents.at(record, "data", "newMode")) or UNSEEN


def _allowed(record: "Record") -> str | None:
    """`off`, or by which name all or some is allowed."""
    if record.get("type") != "session.permissions_changed":
        return None
    data = documents.at(record, "data")
    allowed = one_line(documents.at(data, "allowAllPermissionMode"))
    if allowed in (None, _ASKS) and documents.at(data, "allowAllPermissions") is not False:
        return _ALLOWS
    return _ALLOWS if allowed == "on" else allowed or _ASKS


def _joined(mode: str | None, allowed: str | None) -> str | None:
    """Both in one: `plan`, `allow-all`, `autopilot+allow-all`."""
    if UNSEEN in (mode, allowed):
        return UNSEEN
    return "+".join(part for part in (mode, allowed) if part and part != _ASKS) or None


def _selected(record: "Record") -> str | None:
    return one_line(documents.at(record, "data", "selectedModel"))


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume=ID`: the value is optional, so it is not a word of its own (1.0.102).

    It goes back to the session's model by itself, and has no flag to fork. It goes back to autopilot
    and to "allow all", too: a flag takes back the one, its own command as the first prompt the other.
    """
    from ..plan import Refusal

    if wish.fork:
        raise Refusal("copilot cannot fork a session")
    plan.argv.append(f"--resume={session.id}")
    loose = {*(session.mode or "").split("+")} - _STRICT
    if loose and not wish.permissive:
        if loose != {_ALLOWS}:
            plan.argv += ["--mode", "interactive"]
        plan.argv += ["-i", "/permissions manual"]
        plan.withhold(told(session.mode) or "what may be allowed", "each step is asked for", wish)
