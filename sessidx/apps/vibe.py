"""Mistral Vibe: logs/session/unified/<uuid>/, and the session_* folders of 2.9 and older.

Seen in a home written by 2.9.3 and 3.0.2. A unified session's CURRENT names its generation, whose
states have what meta.json lacks; journals are cut with each generation and never read. Resuming a
session of the old layout makes a new one, which tells where it came from.
"""

import os

from .. import documents, files, speech, times
from ..filed import resumes_archived
from ..layout import Layout
from ..session import EMPTY, SUPERSEDED, Session
from ..talk import Talk
from ..text import branch, folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..plan import Plan, Wish
    from ..release import Release
    from ..said.whole import Likely
    from ..session import Conversations, Hit, Record

PROGRAM = "vibe"
PACKAGE = "mistral-vibe"
_UNIFIED = "logs/session/unified/"
LAYOUTS = (
    Layout(f"{_UNIFIED}*/meta.json", "CURRENT"),
    # Looked at again when a unified session came: it may be the same one, resumed.
    Layout("logs/session/session_*/meta.json", "messages.jsonl", "../unified"),
)

_HEX = frozenset("0123456789abcdef")
# The agents that ask at least as much as accept-edits, which it starts in; smart-approve is not
# taken up again.
_STRICT = (None, "ask", "accept-edits", "smart-approve")


def session_id(key: str) -> str:
    """Of a unified session; one of the old layout is named in its meta.json."""
    return key.split("/")[-2]


is_id = is_uuid
unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its meta.json and, where that is silent, the states of its generation."""
    meta = documents.json_object(os.path.join(root, session.key))
    place = _generation(os.path.join(root, os.path.dirname(session.key)))
    public = documents.at(_state(place, "projection-state"), "snapshot", "session")
    session.id = one_line(meta.get("session_id")) or session.id
    session.cwd = folder(documents.at(meta, "environment", "working_directory"))
    session.branch = branch(meta.get("git_branch"))
    session.title = one_line(meta.get("title")) or one_line(documents.at(public, "preview"))
    ends = (meta.get("start_time"), meta.get("end_time"), documents.at(public, "updatedAt"))
    session.updated = max(filter(None, map(times.canonical, ends)), default=None)
    runtime = documents.at(_state(place, "runtime-state"), "session_metadata")
    session.model = one_line(documents.at(meta, "config", "active_model")) or one_line(
        documents.at(runtime, "active_model")
    )
    session.mode = one_line(documents.at(runtime, "agent_name"))
    session.archived = meta.get("archived_at") is not None
    if session.title is None and not meta.get("total_messages"):
        session.origin = EMPTY
    elif place is None and session.id in _resumed(root):
        session.origin = SUPERSEDED


def _resumed(root: str) -> "Iterator[str]":
    """The ids in the old layout that unified sessions go on from."""
    folder = os.path.join(root, "logs/session/unified")
    for name in files.names(folder):
        state = _state(_generation(os.path.join(folder, name)), "runtime-state")
        source = documents.at(state, "import_provenance", "source")
        if documents.at(source, "backend") == "legacy" and isinstance(
            source.get("session_id"), str
        ):
            yield source["session_id"]


def _generation(folder: str) -> str | None:
    """The folder of the generation in use; None in the old layout, and where none is named."""
    try:
        name = documents.json_object(os.path.join(folder, "CURRENT")).get("generation")
    except OSError:
        return None
    if not isinstance(name, str) or not (name.isascii() and name.isdigit()):
        return None
    return os.path.join(folder, "generations", name)


def _state(place: str | None, name: str) -> "Record":
    try:
        return documents.json_object(os.path.join(place, f"{name}.json")) if place else {}
    except OSError:
        return {}


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what in a message of either layout."""
    who, words = speech.who(record.get("role")), speech.words(record.get("content"))
    return (who, words) if who and words.strip() and record.get("injected") is not True else None


TALK = Talk((b'"user"', b'"assistant"'), spoken)


def conversations(root: str) -> "Conversations":
    """What was said: in the chunks of the generation in use, in the old layout beside meta.json."""
    from ..said.whole import Either, Whole

    def messages(key: str, likely: "Likely") -> "Iterator[Hit]":
        folder = os.path.join(root, os.path.dirname(key))
        chunks = documents.at(_state(_generation(folder), "manifest"), "projection_state", "chunks")
        place = 0
        for chunk in chunks if isinstance(chunks, list) else []:
            if isinstance(chunk, str) and _HEX.issuperset(chunk):
                for record in documents.json_list(os.path.join(folder, "chunks", f"{chunk}.json")):
                    for message in TALK.messages(record):
                        yield place, message
                    place += 1

    lines, whole = TALK.conversations(root, "messages.jsonl"), Whole(messages)
    return Either(lambda key: whole if key.startswith(_UNIFIED) else lines)


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID` (2.9.3, 3.0.2); no flag for the model, none to fork.

    It takes up the agent of a unified session again by itself, against its own `--agent` (3.0.2).
    """
    from ..plan import Refusal

    if wish.fork:
        raise Refusal("vibe cannot fork a session")
    plan.argv += ["--resume", session.id]
    if session.mode not in _STRICT:
        plan.restored(session.mode, wish)
