"""Codex: the rollouts below sessions/ and archived_sessions/, joined with its state database.

Seen in homes written by 0.20, 0.45, 0.105, 0.145 and 0.171. The scan of the files is the authority:
a row without its file is out, a file without a row is in. Settings come from the rollout's tail,
names from the database.
"""

import os
import stat
from typing import TYPE_CHECKING

from .. import paths
from ..session import EMPTY, INTERACTIVE, LEGACY, PACKED, SAID, SCRIPTED, SUBAGENT, Session
from ..text import branch as branch_of
from ..text import folder as folder_of
from ..text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..jsonl import Transcript
    from ..session import Cli, Exchange, Record
    from .codex_state import Known

NAME = "codex"

_LIVE, _ARCHIVE = "sessions", "archived_sessions"
_ID = 36
_SETTINGS = (b'"turn_context"', b'"thread_settings_applied"')
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


def home() -> str:
    """Its home, absolute: CODEX_HOME, else ~/.codex."""
    return paths.store(paths.CODEX_HOME, ".codex")


def cli() -> "Cli":
    """How its CLI is told to resume; loaded only for a plan."""
    from . import codex_cli

    return codex_cli


def environment() -> dict[str, str]:
    """The variables that a resumed CLI needs to look in the same place."""
    told = {paths.CODEX_HOME: home()} if paths.store_is_chosen(paths.CODEX_HOME) else {}
    if databases := paths.setting(paths.CODEX_DATABASES):
        told[paths.CODEX_DATABASES] = os.path.abspath(databases.strip())
    return told


def sources(root: str) -> str:
    """The stamp of what all its sessions share: the state database, its -wal, the name list."""
    from . import codex_state

    return codex_state.stamp(root)


def discover(root: str, unread: list[str]) -> "Iterator[tuple[str, str]]":
    """Each rollout below `root`: its path from there, and its stamp; newest folders first.

    A linked folder is followed once; folders that cannot be read go to `unread`. A thread that
    lies in both places counts in sessions/, a packed one only where the plain file is gone.
    """
    met: set[str] = set()
    for top in (_LIVE, _ARCHIVE):
        packed = []
        for path, entry in _walk(root, top, unread):
            name = entry.name
            plain = name.endswith(".jsonl")
            if not name.startswith("rollout-") or not (plain or name.endswith(".jsonl.zst")):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if not stat.S_ISREG(status.st_mode):
                continue
            found = (f"{path}/{name}", f"{status.st_mtime_ns}:{status.st_size}")
            if not plain:
                packed.append(found)
            elif (thread := thread_id(name)) not in met:
                met.add(thread)
                yield found
        for found in packed:
            if (thread := thread_id(found[0])) not in met:
                met.add(thread)
                yield found


def _walk(root: str, top: str, unread: list[str]) -> "Iterator[tuple[str, os.DirEntry[str]]]":
    seen: set[tuple[int, int]] = set()
    todo = [top]
    while todo:
        path = todo.pop()
        try:
            status = os.stat(os.path.join(root, path))
            if (status.st_dev, status.st_ino) in seen or path.count("/") > 4:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(os.path.join(root, path)) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                unread.append(path)
            continue
        for entry in reversed(found):
            if entry.name.endswith((".jsonl", ".zst")):
                yield path, entry
        todo.extend(f"{path}/{entry.name}" for entry in found if _is_folder(entry))


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def thread_id(path: str) -> str:
    """The thread's id: the last 36 characters of the name, also where a root's id stands before."""
    return path.removesuffix(".zst").removesuffix(".jsonl")[-_ID:]


class Reader:
    """Reads rollouts below one Codex home, with what the state database knows of them."""

    def __init__(self, root: str) -> None:
        from . import codex_state

        self._root = root
        self.state = codex_state.load(root)

    def beside(self, path: str) -> str:
        """A digest of all that the database and the name list know of the session at `path`."""
        known = self.state.threads.get(thread_id(path))
        return known.digest() if known else ""

    def read(self, path: str, previous: Session | None) -> Session:
        """The session of the rollout at `path` (from the root); OSError when it cannot be opened."""
        from ..jsonl import Transcript
        from .codex_state import Known

        session = Session(NAME, thread_id(path), path=path)
        session.archived = path.startswith(_ARCHIVE)
        known = self.state.threads.get(session.id)
        started = None
        if path.endswith(".zst"):
            session.size = os.stat(os.path.join(self._root, path)).st_size
            if known is None or not known.in_database:
                session.origin = PACKED
                return session
        else:
            with Transcript(os.path.join(self._root, path)) as transcript:
                session.size = transcript.size
                started = _read(session, transcript)
        if self.state.failed and previous:  # the database is there, but not to be read just now
            known = known or Known()
            known.name = known.name or previous.title
        if known:
            _join(session, known, started)
        return session


def _read(session: Session, transcript: "Transcript") -> str | None:
    """Fill `session` from its rollout; when its last turn was started, where that is recorded."""
    from .. import times
    from . import codex_titles as titles

    session.updated = transcript.last((b'"timestamp"',), _turn_time, grow=True)
    header = _header(transcript, session.id)
    if header is None:
        if session.updated is None:  # nothing in it bears a type: 0.20 and older
            session.origin = LEGACY if transcript.size else EMPTY
            return None
        header = {}
    session.origin = _origin(header.get("source"), header)
    session.cwd = folder_of(header.get("cwd"))
    git = header.get("git")
    session.branch = branch_of((git if isinstance(git, dict) else header).get("branch"))
    _read_settings(session, transcript)
    session.title = titles.first_prompt(transcript)
    if session.updated is None and session.title is None and session.origin != SUBAGENT:
        session.origin = EMPTY
    return transcript.last(
        (b'"task_started"',),
        lambda r: times.canonical(r.get("timestamp")) if _event(r) == "task_started" else None,
    )


def _header(transcript: "Transcript", thread: str) -> "Record | None":
    """The thread's own session_meta: a fork repeats its parent's, before or after it."""
    from ..jsonl import parse

    first = None
    for line in transcript.head():
        if b'"session_meta"' not in line:
            continue
        record = parse(line)
        if record is None or record.get("type") != "session_meta":
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
        from ..jsonl import parse

        source = parse(source.encode("utf-8", "replace")) or source
    if isinstance(source, dict):
        if "subagent" in source or "internal" in source:
            return SUBAGENT
        return INTERACTIVE if source.get("custom") in _CUSTOM_PERSONS else SCRIPTED
    if source is None:
        return SCRIPTED if header.get("originator") == "codex_exec" else INTERACTIVE
    if str(source).startswith(("subagent_", "thread_spawn_")):
        return SUBAGENT
    return INTERACTIVE if source in _PERSONS else SCRIPTED


def _event(record: "Record") -> str | None:
    payload = record.get("payload")
    return payload.get("type") if isinstance(payload, dict) else None


def _turn_time(record: "Record") -> str | None:
    from .. import times

    if record.get("type") == "event_msg" and _event(record) not in _TURN_EVENTS:
        return None
    if record.get("type") not in _TURN_TYPES and record.get("type") != "event_msg":
        return None
    return times.canonical(record.get("timestamp"))


def _read_settings(session: Session, transcript: "Transcript") -> None:
    """Each setting from the last record that has it, of turn_context and thread_settings_applied."""

    def take(record: "Record") -> bool | None:
        payload = record.get("payload")
        if record.get("type") == "event_msg" and isinstance(payload, dict):
            payload = payload.get("thread_settings")
        elif record.get("type") != "turn_context":
            return None
        if not isinstance(payload, dict):
            return None
        _fill(session, payload)
        return True if session.sandbox and session.approval and session.model else None

    cwd, session.cwd = session.cwd, None
    transcript.last(_SETTINGS, take)
    session.cwd = session.cwd or cwd


def _fill(session: Session, settings: "Record") -> None:
    session.cwd = session.cwd or folder_of(settings.get("cwd"))
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
        from ..jsonl import parse

        value = parse(value.encode("utf-8", "replace"))
    if not isinstance(value, dict):
        return None
    kind = value.get("type") or value.get("mode")
    if kind == "disabled":
        return "danger-full-access"
    if kind != "managed":
        return one_line(kind)
    files = value.get("file_system")
    entries = files.get("entries") if isinstance(files, dict) else None
    if not isinstance(entries, list) or files.get("type") != "restricted":
        return None
    writes = any(isinstance(e, dict) and e.get("access") == "write" for e in entries)
    return "workspace-write" if writes else "read-only"


def _join(session: Session, known: "Known", started: str | None) -> None:
    """Add what the database knows; what the rollout itself says of settings and time stands."""
    if session.origin in (INTERACTIVE, SCRIPTED):
        if known.parent:
            session.origin = SUBAGENT
        elif session.path.endswith(".zst"):
            session.origin = _origin(known.source, {"thread_source": known.thread_source})
    session.title = known.name or known.title or session.title or known.preview
    session.cwd = known.cwd or session.cwd
    session.branch = known.branch or session.branch
    session.model = session.model or known.model
    session.effort = session.effort or known.effort
    session.approval = session.approval or known.approval
    session.sandbox = session.sandbox or known.sandbox
    if known.turn and (session.updated is None or (started and known.turn >= started)):
        session.updated = known.turn  # its last turn is the rollout's last turn
    session.updated = session.updated or known.updated


def trouble(root: str) -> list[str]:
    """What `sf doctor` should say of the store besides its files: a database not to be read."""
    from . import codex_state

    failed = codex_state.load(root).failed
    return [f"state database not read, names may be missing: {failed}"] if failed else []


def live(root: str) -> dict[str, bool] | None:
    """Unknown: a lock file stays after a kill, and the daemon holds what no one has open."""
    return None


def exchange(path: str) -> "list[Exchange]":
    """The last things said in the rollout at `path`, oldest first, from its tail alone."""
    from ..jsonl import Transcript
    from . import codex_titles as titles

    said: list[Exchange] = []
    with Transcript(path) as transcript:
        for record in transcript.records(titles.SPEECH):
            if spoken := titles.spoken(record):
                said.append(spoken)
            if len(said) >= SAID:
                break
    return said[::-1]


def reader(root: str) -> Reader:
    """A reader of the store at `root`; made only when something is to be read."""
    return Reader(root)
