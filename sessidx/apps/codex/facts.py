"""One Codex rollout -> the facts of its session, and what the state database adds to them.

The header is one long record (20 KB of instructions and more); settings stand in the last
turn_context or thread_settings_applied, never in the header.
"""

import os

from ... import rights, times
from ...jsonl import parse
from ...session import (
    CHOSEN,
    EMPTY,
    INTERACTIVE,
    LEGACY,
    PACKED,
    REPLACED,
    SCRIPTED,
    SUBAGENT,
    UNNAMED,
    UNSEEN,
    Session,
    told,
)
from ...text import branch as branch_of
from ...text import folder as folder_of
from ...text import is_uuid, one_line
from ...transcript import Transcript
from . import ARCHIVE, NAME, lineage, settings, state, thread, thread_id, titles

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Record
    from .lineage import Files
    from .thread import Known

_STARTED = b'"task_started"'
# A turn's own records; an opening writes others (thread_settings_applied and the like).
_TURN_EVENTS = frozenset(
    (
        "task_started",
        "task_complete",
        "turn_aborted",
        "user_message",
        "agent_message",
        "item_completed",
        "token_count",
    )
)
_TURN_TYPES = frozenset(("turn_context", "response_item", "compacted"))
_PERSONS = frozenset(("cli", "vscode"))
_CUSTOM_PERSONS = frozenset(("atlas", "chatgpt"))


class Reader:
    """Reads rollouts below one Codex home, with what the state database knows of them."""

    def __init__(self, root: str, files: "Files | None" = None, *, whole: bool = False) -> None:
        self._root = root
        self.state = state.State(root, files or (), whole=whole)
        self.lineage = lineage.Lineage(root, self.state, files)
        self.again = bool(self.state.failed)

    def beside(self, key: str) -> str | None:
        """A digest of all that the database and the name list know of the session at `key`.

        None when they could not be read: what was known of it stands.
        """
        digest = self.state.digest(thread_id(key))
        return None if self.state.failed else digest

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        """The session of the rollout at `key`; OSError when it cannot be opened."""
        session = Session(NAME, thread_id(key), key=key)
        session.archived = key.startswith(ARCHIVE)
        if not is_uuid(session.id):
            session.origin = UNNAMED
            return session
        if not self.lineage.goes_on(session.id, key, stamp):
            session.origin = REPLACED
            return session
        known = self.state.get(session.id)
        started = before = None
        if key.endswith(".zst"):
            if self.state.failed and previous:
                return previous
            session.size = os.stat(os.path.join(self._root, key)).st_size
            if known is None or not known.in_database:
                session.origin = PACKED
                return session
        else:
            with Transcript(os.path.join(self._root, key)) as transcript:
                session.size = transcript.size
                before = _read(session, transcript, previous)
                started = _started(transcript) if known else None
        if self.state.failed and previous:  # the database is there, but not to be read just now
            known = thread.remembered(previous, known)
        if known:
            _join(session, known, started)
        if before and not session.title:
            session.title = self.lineage.title(before)
        return session

    def rights(self, session: Session) -> None:
        """Set what `session` may do, sought far back for a plan; OSError as `read`.

        What the rollout is silent about is what the database says.
        """
        if session.path.endswith(".zst"):
            return
        with Transcript(session.path) as transcript:
            found = rights.newest(transcript, settings.RIGHTS, rights.PLAN)
        session.approval, session.sandbox = found["approval"], found["sandbox"]
        session.reviewer = found["reviewer"]
        session.provider = found["provider"] or session.provider
        if found["roots"] in ("yes", UNSEEN):
            session.roots = found["roots"]
        if known := self.state.get(session.id):
            _add_rights(session, known)


def _read(session: Session, transcript: Transcript, previous: Session | None) -> str | None:
    """Fill `session` from its rollout; the thread before it, where it has no word of its own yet."""
    session.updated = transcript.last((b'"timestamp"',), _turn_time, grow=True)
    header = lineage.header(transcript, session.id)
    if header is None:
        if session.updated is None:  # nothing in it bears a type: 0.20 and older
            session.origin = LEGACY if transcript.size else EMPTY
            return None
        header = {}
    session.origin = _origin(header.get("source"), header)
    session.cwd = folder_of(header.get("cwd"))
    git = header.get("git")
    session.branch = branch_of((git if isinstance(git, dict) else header).get("branch"))
    session.title = titles.first_prompt(transcript)
    _read_settings(session, transcript, header, previous)
    forked = header.get("forked_from_id")
    if forked != session.id and isinstance(forked, str) and is_uuid(forked):
        session.fork_of = forked
    if session.updated or session.title or session.origin == SUBAGENT:
        return None
    if before := lineage.base(header):
        session.updated = times.canonical(header.get("timestamp"))
    else:
        session.origin = EMPTY
    return before


def _started(transcript: Transcript) -> str | None:
    """When its last turn was started, where that is recorded."""

    def time(record: "Record") -> str | None:
        return (
            times.canonical(record.get("timestamp")) if _event(record) == "task_started" else None
        )

    return transcript.last_short(_STARTED, time)


def _origin(source: object, header: "Record") -> str:
    thread_source = header.get("thread_source")
    if thread_source in ("subagent", "memory_consolidation"):
        return SUBAGENT
    if isinstance(source, str) and source.startswith("{"):
        source = parse(source.encode("utf-8", "replace")) or source
    if isinstance(source, dict):
        if "subagent" in source or "internal" in source:
            return SUBAGENT
        return INTERACTIVE if str(source.get("custom")) in _CUSTOM_PERSONS else SCRIPTED
    if source is None:
        return SCRIPTED if header.get("originator") == "codex_exec" else INTERACTIVE
    if str(source).startswith(("subagent_", "thread_spawn_")):
        return SUBAGENT
    return INTERACTIVE if str(source) in _PERSONS else SCRIPTED


def _event(record: "Record") -> str | None:
    payload = record.get("payload")
    return payload.get("type") if isinstance(payload, dict) else None


def _turn_time(record: "Record") -> str | None:
    if record.get("type") == "event_msg" and _event(record) not in _TURN_EVENTS:
        return None
    if record.get("type") not in _TURN_TYPES and record.get("type") != "event_msg":
        return None
    return times.canonical(record.get("timestamp"))


def _read_settings(
    session: Session, transcript: Transcript, header: "Record", previous: Session | None
) -> None:
    """Each setting from the last record that has it, as far back as a list looks.

    Where a turn is longer than that, model and folder are those of the head.
    """
    known = transcript.known(previous)
    found = rights.newest(transcript, settings.LISTED, rights.LIST, known, early=True)
    first: Record = {}
    if UNSEEN in (found["model"], found["cwd"]):
        first = transcript.last_of_head(settings.RECORDS, settings.of) or first
    session.model = told(found["model"]) or one_line(first.get("model"))
    session.effort = told(found["effort"]) or settings.effort_of(first)
    session.approval, session.sandbox = found["approval"], found["sandbox"]
    session.reviewer = told(found["reviewer"])
    cwd = told(found["cwd"]) or folder_of(first.get("cwd")) or session.cwd
    if found["roots"] == "yes" or settings.lends(header, {cwd, session.cwd}):
        session.roots = "yes"
    session.cwd = cwd
    session.provider = settings.provider_of(header.get("model_provider"))


def _join(session: Session, known: "Known", started: str | None) -> None:
    """Add what the database knows; what the rollout itself says of settings and time stands."""
    get = known.get
    if session.origin in (INTERACTIVE, SCRIPTED):
        if get("attached_thread_parent_id"):
            session.origin = SUBAGENT
        elif session.key.endswith(".zst"):
            session.origin = _origin(get("source"), {"thread_source": get("thread_source")})
    session.title = known.title(session.title)
    session.found = f"{CHOSEN}{known.name or ''}"
    cwd = folder_of(get("cwd"))
    session.cwd = cwd if cwd and cwd.startswith("/") else session.cwd
    session.branch = branch_of(get("git_branch")) or session.branch
    session.model = session.model or one_line(get("model"))
    session.effort = session.effort or one_line(get("reasoning_effort"))
    session.provider = session.provider or settings.provider_of(get("model_provider"))
    _add_rights(session, known)
    turn = times.canonical(get("recency_at_ms"))
    if turn and (session.updated is None or (started and turn >= started)):
        session.updated = turn  # its last turn is the rollout's last turn
    elif session.updated is None:
        session.updated = times.canonical(get("updated_at_ms") or get("updated_at"))


def _add_rights(session: Session, known: "Known") -> None:
    """What the database says that it may do, where the rollout says nothing."""
    get = known.get
    session.approval = session.approval or settings.approval_of(get("approval_mode"))
    session.sandbox = session.sandbox or settings.sandbox_of(get("sandbox_policy"), cwd=get("cwd"))
