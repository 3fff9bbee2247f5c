"""Qwen Code: projects/<folder>/chats/<uuid>.jsonl, archived ones below chats/archive.

Seen in a home written by 0.24.4. A folder's name is made from the session's and never decoded;
sub-agents have files of their own elsewhere.
"""

from .. import documents, speech
from ..filed import resumes_archived
from ..layout import Layout
from ..session import Session
from ..talk import Talk, last_time
from ..text import branch, folder, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Record
    from ..transcript import Transcript

PROGRAM = "qwen"
PACKAGE = "@qwen-code/qwen-code"
LAYOUTS = (Layout("projects/*/chats/*.jsonl"), Layout("projects/*/chats/archive/*.jsonl"))

_ID = frozenset("0123456789abcdefABCDEF-")
_TITLE = (b'"customTitle"',)


def session_id(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".jsonl")


def is_id(word: str) -> bool:
    """What its CLI takes for a session's name: 32 to 36 hexadecimal digits and dashes."""
    return 32 <= len(word) <= 36 and _ID.issuperset(word) and word[0] != "-"


unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its records."""
    TALK.fill(session, root, _fill)


def _fill(session: Session, root: str, transcript: "Transcript") -> None:
    session.archived = "/chats/archive/" in session.key
    session.cwd = _cwd(transcript, session.key.split("/")[1])
    session.branch = transcript.recorded((b'"gitBranch"',), _branch)
    session.title = transcript.recorded(_TITLE, _chosen) or TALK.first_prompt(transcript)
    session.updated = last_time(transcript)
    session.model = transcript.recorded(TALK.keys[1:], _model)


def _cwd(transcript: "Transcript", name: str) -> str | None:
    """The last recorded folder that the project's is named after, else the first one."""

    def fits(record: "Record") -> str | None:
        cwd = folder(record.get("cwd"))
        return cwd if cwd and _encoded(cwd) == name.lower() else None

    return transcript.recorded((b'"cwd"',), fits) or transcript.opening(
        (b'"cwd"',), lambda record: folder(record.get("cwd"))
    )


def _encoded(cwd: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in cwd).lower()


def spoken(record: "Record") -> tuple[str, str] | None:
    """Who said what in a record of the conversation; one with a `subtype` is the app's own."""
    who = speech.who(record.get("type"))
    if who is None or record.get("subtype"):
        return None
    shown = documents.at(record, "systemPayload", "displayText")
    words = shown if isinstance(shown, str) else _text(record)
    return (who, words) if words.strip() else None


TALK = Talk((b'"user"', b'"assistant"'), spoken)
conversations = TALK.conversations


def _text(record: "Record") -> str:
    parts = documents.at(record, "message", "parts")
    if isinstance(parts, list):
        parts = [
            part for part in parts if isinstance(part, dict) and part.get("thought") is not True
        ]
    return speech.words(parts)


def _chosen(record: "Record") -> str | None:
    if record.get("subtype") != "custom_title":
        return None
    return one_line(documents.at(record, "systemPayload", "customTitle"))


def _branch(record: "Record") -> str | None:
    return branch(record.get("gitBranch"))


def _model(record: "Record") -> str | None:
    return one_line(record.get("model")) if record.get("type") == "assistant" else None


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID`, found from exactly its folder alone, an archived one not at all (0.24.4)."""
    from ..plan import Refusal, model

    if session.archived:  # there is no command for it
        raise Refusal(f"{session.id} is archived: qwen's web shell takes it out, then it resumes")
    plan.argv += ["--resume", session.id]
    if wish.fork:
        plan.argv.append("--fork-session")
    model(plan, session, wish, "--model")
