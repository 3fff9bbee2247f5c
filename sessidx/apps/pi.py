"""Pi: sessions/--<folder>--/<time>_<uuid>.jsonl, a tree of entries behind one header.

Seen in a home written by 1.6.0. With PI_CODING_AGENT_SESSION_DIR the files lie there, in no folders.
A resume with another model records that with the answers alone.
"""

from .. import speech
from ..filed import resumes_archived
from ..layout import Layout
from ..session import Session
from ..talk import Talk, last_time
from ..text import folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Record
    from ..transcript import Transcript

PROGRAM = "pi"
PACKAGE = "@earendil-works/pi-coding-agent"
LAYOUTS = (Layout("sessions/*/*.jsonl"), Layout("*.jsonl"))

_NAMES = (b'"session_info"',)
_IDS, _FORKS = (0, 37, 4), (0, 60)  # the releases that brought each, by its CHANGELOG


def session_id(key: str) -> str:
    return key.removesuffix(".jsonl").rpartition("_")[2]


is_id = is_uuid
unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its header and entries."""
    TALK.fill(session, root, _fill)


def _fill(session: Session, root: str, transcript: "Transcript") -> None:
    header = transcript.opening((b'"session"',), _header) or {}
    session.cwd = folder(header.get("cwd"))
    session.title = transcript.recorded(_NAMES, _name) or TALK.first_prompt(transcript)
    session.updated = last_time(transcript)
    session.model = transcript.recorded(TALK.keys, _model) or transcript.recorded(
        (b'"model_change"',), _changed
    )


def _header(record: "Record") -> "Record | None":
    return record if record.get("type") == "session" else None


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what in an entry that is a message."""
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return None
    who, words = speech.who(message.get("role")), speech.words(message.get("content"))
    return (who, words) if who and words.strip() else None


TALK = Talk((b'"message"',), spoken)
conversations = TALK.conversations


def _name(record: "Record") -> str | None:
    return one_line(record.get("name")) if record.get("type") == "session_info" else None


def _model(record: "Record") -> str | None:
    message = record.get("message")
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return None
    return _joined(message.get("provider"), message.get("model"))


def _changed(record: "Record") -> str | None:
    return _joined(record.get("provider"), record.get("modelId"))


def _joined(provider: object, name: object) -> str | None:
    if not isinstance(provider, str) or not isinstance(name, str) or not name:
        return None
    return one_line(f"{provider}/{name}")


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--session ID`; from another folder it asks whether to fork (1.6.0).

    It takes its own model again, forks too; named in the line, one that is no longer configured is
    an error, else a warning. Up to 0.37.3 an id is taken for the path of a new session (0.27.9 was
    run).
    """
    from ..plan import Refusal

    if wish.fork and known and known < _FORKS:
        raise Refusal("pi before 0.60 cannot fork a session")
    by_path = known is not None and known < _IDS
    flag = "--fork" if wish.fork else "--session"
    plan.argv += [flag, session.path if by_path else session.id]
