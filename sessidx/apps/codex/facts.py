"""One Codex rollout -> the facts of its session, and what the state database adds to them.

The header is one long record (20 KB of instructions and more); settings stand in the last
turn_context or thread_settings_applied, never in the header.
"""

import os

from ... import times
from ...jsonl import parse
from ...session import (
    EMPTY,
    INTERACTIVE,
    LEGACY,
    PACKED,
    SCRIPTED,
    SUBAGENT,
    UNNAMED,
    Session,
)
from ...text import branch as branch_of
from ...text import folder as folder_of
from ...text import is_uuid, one_line
from ...transcript import Transcript, first_taken
from . import ARCHIVE, NAME, state, thread_id, titles

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Record
    from .state import Known

_SETTINGS_RECORDS = 6
_SETTINGS = (b'"turn_context"', b'"thread_settings_applied"')
_STARTED = (b'"task_started"',)
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

    def __init__(self, root: str) -> None:
        self._root = root
        self.state = state.load(root)
        self.again = bool(self.state.failed) and "interrupted" not in str(self.state.failed)

    def beside(self, key: str) -> str | None:
        """A digest of all that the database and the name list know of the session at `key`.

        None when they could not be read: what was known of it stands.
        """
        if self.state.failed:
            return None
        known = self.state.threads.get(thread_id(key))
        return known.digest() if known else ""

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        """The session of the rollout at `key`; OSError when it cannot be opened."""
        session = Session(NAME, thread_id(key), key=key)
        session.archived = key.startswith(ARCHIVE)
        if not is_uuid(session.id):
            session.origin = UNNAMED
            return session
        known = self.state.threads.get(session.id)
        started = None
        if key.endswith(".zst"):
            session.size = os.stat(os.path.join(self._root, key)).st_size
            if known is None or not known.in_database:
                session.origin = PACKED
                return session
        else:
            with Transcript(os.path.join(self._root, key)) as transcript:
                session.size = transcript.size
                _read(session, transcript)
                started = _started(transcript) if known else None
        if self.state.failed and previous:  # the database is there, but not to be read just now
            known = known or state.Known()
            known.name = known.name or previous.title
        if known:
            _join(session, known, started)
        return session


def _read(session: Session, transcript: Transcript) -> None:
    """Fill `session` from its rollout."""
    session.updated = transcript.last((b'"timestamp"',), _turn_time, grow=True)
    header = _header(transcript, session.id)
    if header is None:
        if session.updated is None:  # nothing in it bears a type: 0.20 and older
            session.origin = LEGACY if transcript.size else EMPTY
            return
        header = {}
    session.origin = _origin(header.get("source"), header)
    session.cwd = folder_of(header.get("cwd"))
    git = header.get("git")
    session.branch = branch_of((git if isinstance(git, dict) else header).get("branch"))
    _read_settings(session, transcript, header)
    session.title = titles.first_prompt(transcript)
    if session.updated is None and session.title is None and session.origin != SUBAGENT:
        session.origin = EMPTY


def _started(transcript: Transcript) -> str | None:
    """When its last turn was started, where that is recorded."""

    def time(record: "Record") -> str | None:
        return (
            times.canonical(record.get("timestamp")) if _event(record) == "task_started" else None
        )

    return transcript.last(_STARTED, time) or first_taken(transcript.before(_STARTED), time)


def _header(transcript: Transcript, thread: str) -> "Record | None":
    """The thread's own session_meta: a fork repeats its parent's, before or after it."""
    first = None
    for record in transcript.front((b'"session_meta"',)):
        if record.get("type") != "session_meta":
            continue
        payload = record if record.get("capped") else record.get("payload")
        if not isinstance(payload, dict):
            continue
        if payload.get("id") == thread:
            return payload
        first = first or payload
    return first


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


def _settings(record: "Record") -> "Record | None":
    payload = record.get("payload")
    if record.get("type") == "event_msg" and isinstance(payload, dict):
        payload = payload.get("thread_settings")
    elif record.get("type") != "turn_context":
        return None
    return payload if isinstance(payload, dict) else None


def _newest_settings(transcript: Transcript) -> "list[Record]":
    """The last settings recorded, newest first: those of a turn and those applied before it.

    Sought far back: what is not found is not withheld, and today's CLIs restore it.
    """
    found: list[Record] = []
    for records in (transcript.records, transcript.before):
        for record in records(_SETTINGS):
            settings = _settings(record)
            if settings is not None:
                found.append(settings)
            if len(found) >= _SETTINGS_RECORDS:
                return found
        if any("approval_policy" in settings for settings in found):
            return found
    opening = transcript.last_of_head(_SETTINGS, _settings)
    return [*found, opening] if opening else found


def _read_settings(session: Session, transcript: Transcript, header: "Record") -> None:
    """Each setting from the last record that has it, of turn_context and thread_settings_applied."""
    newest = _newest_settings(transcript)
    for settings in newest:
        _fill(session, settings)
    moved = next((cwd for s in newest if (cwd := folder_of(s.get("cwd")))), None)
    own = {moved, session.cwd}
    session.cwd = moved or session.cwd
    if any(_lends(settings, own) for settings in (header, *newest)):
        session.roots = "yes"


def _lends(settings: "Record", own: "set[str | None]") -> bool:
    """Whether more than the session's own folder is to be writable.

    0.160 restores that from the header, 0.171 from the last settings applied; what a turn's sandbox
    policy names is restored by none.
    """
    roots = settings.get("runtime_workspace_roots")
    return isinstance(roots, list) and any(folder_of(root) not in own for root in roots)


def _fill(session: Session, settings: "Record") -> None:
    session.model = session.model or one_line(settings.get("model"))
    session.effort = session.effort or one_line(
        settings.get("effort") or settings.get("reasoning_effort")
    )
    session.approval = session.approval or approval_of(settings.get("approval_policy"))
    session.sandbox = session.sandbox or sandbox_of(
        settings.get("sandbox_policy") or settings.get("permission_profile")
    )
    session.reviewer = session.reviewer or one_line(settings.get("approvals_reviewer"))


def approval_of(value: object) -> str | None:
    """An approval policy as a word: a granular one is an object, or one as JSON text."""
    if isinstance(value, dict):
        return one_line(next(iter(value), None))
    if isinstance(value, str) and value.startswith("{"):
        return "granular"
    return one_line(value)


def sandbox_of(value: object) -> str | None:
    """A sandbox policy as `-s` names it: 0.45 has it under `mode`, later under `type`.

    0.140 and later record a permission profile: `disabled` is what danger-full-access became.
    """
    if isinstance(value, str):
        if not value.startswith("{"):
            return one_line(value)
        value = parse(value.encode("utf-8", "replace"))
    if not isinstance(value, dict):
        return None
    kind = value.get("type") or value.get("mode")
    if kind == "disabled":
        return "danger-full-access"
    files = value.get("file_system")
    entries = files.get("entries") if isinstance(files, dict) else None
    if kind != "managed" or not isinstance(entries, list):
        return one_line(kind)
    writes = any(isinstance(e, dict) and e.get("access") == "write" for e in entries)
    return "workspace-write" if writes else "read-only"


def _join(session: Session, known: "Known", started: str | None) -> None:
    """Add what the database knows; what the rollout itself says of settings and time stands."""
    get, request = known.get, titles.request
    if session.origin in (INTERACTIVE, SCRIPTED):
        if get("attached_thread_parent_id"):
            session.origin = SUBAGENT
        elif session.key.endswith(".zst"):
            session.origin = _origin(get("source"), {"thread_source": get("thread_source")})
    session.title = (
        known.name
        or request(get("title"))
        or session.title
        or request(get("first_user_message"))
        or request(get("preview"))
    )
    cwd = folder_of(get("cwd"))
    session.cwd = cwd if cwd and cwd.startswith("/") else session.cwd
    session.branch = branch_of(get("git_branch")) or session.branch
    session.model = session.model or one_line(get("model"))
    session.effort = session.effort or one_line(get("reasoning_effort"))
    session.approval = session.approval or approval_of(get("approval_mode"))
    session.sandbox = session.sandbox or sandbox_of(get("sandbox_policy"))
    turn = times.canonical(get("recency_at_ms"))
    if turn and (session.updated is None or (started and turn >= started)):
        session.updated = turn  # its last turn is the rollout's last turn
    elif session.updated is None:
        session.updated = times.canonical(get("updated_at_ms") or get("updated_at"))
