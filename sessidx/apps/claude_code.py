"""Claude Code: projects/<folder>/<uuid>.jsonl below its config folder is the only source of truth.

Seen in homes written by 1.0.128, 2.0.76, 2.1.112 and 2.1.332. A project folder's name is made from
the session's folder and never decoded. Sub-agents, indexes and side files are passed over; of
sessions/ only `<pid>.json` is opened, never a key.
"""

import os
import stat
from typing import TYPE_CHECKING

from .. import paths
from ..session import EMPTY, SAID, SCRIPTED, SUBAGENT, Session
from ..text import branch as branch_of
from ..text import folder as folder_of
from ..text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..jsonl import Transcript
    from ..session import Cli, Exchange, Record

NAME = "claude-code"

_PROJECTS = "projects"
_SIDE_FILES = ("custom-title.json", "archived.json")
_SCRIPTED_ENTRY = frozenset(("sdk-cli", "sdk-ts", "sdk-py"))
_TALK = (b'"assistant"', b'"user"')


def home() -> str:
    """Its config folder, absolute: CLAUDE_CONFIG_DIR, else ~/.claude."""
    return paths.store(paths.CLAUDE_HOME, ".claude")


def cli() -> "Cli":
    """How its CLI is told to resume; loaded only for a plan."""
    from . import claude_cli

    return claude_cli


def environment() -> dict[str, str]:
    """The variables that a resumed CLI needs to look in the same place."""
    return {paths.CLAUDE_HOME: home()} if paths.store_is_chosen(paths.CLAUDE_HOME) else {}


def sources(root: str) -> str:
    """The stamp of what all sessions share: nothing here."""
    return ""


def discover(root: str, unread: list[str]) -> "Iterator[tuple[str, str]]":
    """Each transcript below `root`: its path from there, and its stamp.

    A project folder that is a link is followed once; folders that cannot be read go to `unread`.
    """
    for folder in _project_folders(os.path.join(root, _PROJECTS), unread):
        path = f"{_PROJECTS}/{folder}"
        try:
            with os.scandir(os.path.join(root, path)) as entries:
                names = list(entries)
        except OSError as error:
            _remember(unread, path, error)
            continue
        beside = {entry.name for entry in names if "." not in entry.name}
        for entry in names:
            name = entry.name
            if len(name) != 42 or not name.endswith(".jsonl") or name[8] != "-":
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if not stat.S_ISREG(status.st_mode):
                continue
            stamp = f"{status.st_mtime_ns}:{status.st_size}"
            if name[:36] in beside:
                stamp += _side_stamp(os.path.join(root, path, name[:36]))
            yield f"{path}/{name}", stamp


def _project_folders(projects: str, unread: list[str]) -> "Iterator[str]":
    try:
        with os.scandir(projects) as entries:
            found = sorted(entries, key=lambda entry: entry.is_symlink())  # the real ones first
    except OSError as error:
        _remember(unread, _PROJECTS, error)
        return
    seen = set()
    for entry in found:
        try:
            if not entry.is_dir():
                continue
            if entry.is_symlink():
                status = entry.stat()
                inode = status.st_ino
                if os.path.samestat(status, os.stat(projects)):
                    continue
            else:
                inode = entry.inode()
        except OSError:
            continue
        if inode not in seen:
            seen.add(inode)
            yield entry.name


def _remember(unread: list[str], path: str, error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        unread.append(path)


def _side_stamp(folder: str) -> str:
    stamp = ""
    for name in _SIDE_FILES:
        try:
            status = os.stat(os.path.join(folder, name), follow_symlinks=False)
            stamp += f":{status.st_mtime_ns}.{status.st_size}"
        except OSError:
            stamp += ":"
    return stamp.rstrip(":")


class Reader:
    """Reads transcripts below one config folder."""

    def __init__(self, root: str) -> None:
        self._root = root

    def beside(self, path: str) -> str:
        """What else a session depends on: nothing that is not in its stamp."""
        return ""

    def read(self, path: str, previous: Session | None) -> Session:
        """The session in the transcript at `path` (from the root); OSError when it cannot be opened.

        `previous` is what was known of it: a title that the person chose is not sought twice.
        """
        from ..jsonl import Transcript

        folder, name = os.path.split(path)
        session = Session(NAME, name[:36], path=path)
        with Transcript(os.path.join(self._root, path)) as transcript:
            session.size = transcript.size
            _read(session, transcript, os.path.basename(folder), previous, self._side(path))
        return session

    def _side(self, path: str) -> "dict[str, Record]":
        from ..jsonl import parse, small

        found = {}
        for name in _SIDE_FILES:
            try:
                record = parse(small(os.path.join(self._root, path[:-6], name), 65536))
            except OSError:
                continue
            if record:
                found[name] = record
        return found


def _read(
    session: Session,
    transcript: "Transcript",
    folder: str,
    previous: Session | None,
    side: "dict[str, Record]",
) -> None:
    from .. import times
    from . import claude_titles as titles

    talk = transcript.last(_TALK, conversation, grow=True)
    opening = _Opening(transcript, need_talk=talk is None)
    if talk is None:
        session.origin = SUBAGENT if opening.sidechain else EMPTY
        return
    session.updated = transcript.last(
        _TALK, lambda r: times.canonical(r.get("timestamp")) if kind(r) else None, grow=True
    )
    session.cwd = _cwd(transcript, folder, opening)
    session.branch = transcript.recorded((b'"gitBranch"',), _branch) or None
    session.model = _model(transcript)
    session.effort = transcript.recorded((b'"effort"',), _effort)
    session.mode = transcript.recorded((b'"permissionMode"',), _mode)
    session.title = titles.find(session, transcript, previous, side.get(_SIDE_FILES[0]))
    session.archived = _archived(transcript, side.get(_SIDE_FILES[1]))
    if opening.entrypoint in _SCRIPTED_ENTRY or opening.helper:
        session.origin = SCRIPTED


def kind(record: "Record") -> str | None:
    """`user` or `assistant` for a record of the conversation, else None."""
    found = record.get("type")
    if record.get("capped") and found not in ("user", "assistant"):
        found = record.get("role")
    return found if found in ("user", "assistant") else None


def conversation(record: "Record") -> "Record | None":
    """The record itself when it belongs to the conversation, and not to a sub-agent's."""
    return record if kind(record) and record.get("isSidechain") is not True else None


class _Opening:
    """What only the first records tell: how the session was started, and its first folder."""

    def __init__(self, transcript: "Transcript", need_talk: bool) -> None:
        from ..jsonl import parse

        self.entrypoint = self.cwd = None
        self.helper = self.sidechain = False
        for line in transcript.head():
            if b'"cwd"' not in line and b'"isSidechain"' not in line:
                continue
            record = parse(line)
            if record is None:
                continue
            self.sidechain = self.sidechain or (record.get("isSidechain") is True)
            if self.cwd is None:
                self.cwd = folder_of(record.get("cwd"))
            if self.entrypoint is None and isinstance(record.get("entrypoint"), str):
                self.entrypoint = record["entrypoint"]
                self.helper = bool(record.get("teamName")) or str(
                    record.get("sessionKind", "")
                ).startswith("daemon")
            if self.cwd and (self.entrypoint or not need_talk):
                return


def _cwd(transcript: "Transcript", folder: str, opening: _Opening) -> str | None:
    """The recorded folder whose encoded name is the store folder's, else where it was moved or began.

    Up to 2.1.211 `--resume` looks an id up below the encoded name of the folder it is started in,
    and newer ones would go on in whatever folder that is.
    """
    moved = transcript.last((b'"relocatedCwd"',), lambda r: folder_of(r.get("relocatedCwd")))
    if moved and encoded(moved) == folder:
        return moved

    def fits(record: "Record") -> str | None:
        cwd = folder_of(record.get("cwd"))
        return cwd if cwd and encoded(cwd) == folder else None

    found = transcript.last((b'"cwd"',), fits)
    if found is None and opening.cwd and encoded(opening.cwd) == folder:
        found = opening.cwd
    return (
        found
        or moved
        or opening.cwd
        or transcript.first((b'"cwd"',), lambda r: folder_of(r.get("cwd")))
    )


def encoded(cwd: str) -> str:
    """The name of the store folder of `cwd`: not [A-Za-z0-9] becomes `-`, per UTF-16 unit.

    Over 200 units: the first 200 and a hash (seen in 2.1.332: 249 characters, suffix `z5d2hs`).
    """
    units = cwd.encode("utf-16-le", "surrogatepass")
    codes = [units[i] | units[i + 1] << 8 for i in range(0, len(units), 2)]
    name = "".join(chr(c) if c < 128 and chr(c).isalnum() else "-" for c in codes)
    if len(name) <= 200:
        return name
    digest = 0
    for code in codes:
        digest = (digest * 31 + code) & 0xFFFFFFFF
    if digest >= 1 << 31:
        digest = (1 << 32) - digest
    return f"{name[:200]}-{_base36(digest)}"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return digits or "0"


def _branch(record: "Record") -> str | None:
    """The branch that a record names; "" where it says that there is none."""
    value = record.get("gitBranch")
    return (branch_of(value) or "") if isinstance(value, str) else None


def _model(transcript: "Transcript") -> str | None:
    """The last real model; with `[1m]` when the attachment says so, for answers never do."""
    answered = transcript.recorded((b'"assistant"',), _answering_model)
    named = transcript.recorded((b'"modelId"',), _named_model)
    if answered and named == answered + "[1m]":
        return named
    return answered or named


def _answering_model(record: "Record") -> str | None:
    if kind(record) != "assistant" or not conversation(record):
        return None
    message = record.get("message")
    model = message.get("model") if isinstance(message, dict) else record.get("model")
    return one_line(model) if model != "<synthetic>" else None


def _named_model(record: "Record") -> str | None:
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "model":
        return None
    identity = attachment.get("identity")
    return one_line(identity.get("modelId")) if isinstance(identity, dict) else None


def _effort(record: "Record") -> str | None:
    if kind(record) != "assistant" or not conversation(record):
        return None
    return one_line(record.get("effort"))


def _mode(record: "Record") -> str | None:
    """The permission mode, a word; what is no word counts as not recorded."""
    if record.get("isSidechain") is True or (
        record.get("type") != "permission-mode" and kind(record) != "user"
    ):
        return None
    return one_line(record.get("permissionMode"))


def _archived(transcript: "Transcript", archive: "Record | None") -> bool:
    """Whether archived.json says so and no prompt is newer than it (read in 2.1.332)."""
    from .. import times
    from . import claude_titles as titles

    if not archive or archive.get("archived") is not True:
        return False
    at = times.canonical(archive.get("at"))
    typed = transcript.last(
        (b'"user"',), lambda r: times.canonical(r.get("timestamp")) if titles.prompt(r) else None
    )
    return not (at and typed and typed > at)


def trouble(root: str) -> list[str]:
    """What `sf doctor` should say of the store besides its files: nothing here."""
    return []


def live(root: str) -> dict[str, bool] | None:
    """Which sessions a running process is proved to hold; None where it is not told at all.

    sessions/<pid>.json outlives a crash and pids are used again, so the start of the process must
    be the recorded one (`procStart`, field 22 of /proc/<pid>/stat; in 2.1.112 only `startedAt`).
    """
    from .claude_live import held

    return held(os.path.join(root, "sessions"))


def reader(root: str) -> Reader:
    """A reader of the store at `root`; made only when something is to be read."""
    return Reader(root)


def exchange(path: str) -> "list[Exchange]":
    """The last things said in the transcript at `path`, oldest first, from its tail alone."""
    from ..jsonl import Transcript
    from . import claude_titles as titles

    said: list[Exchange] = []
    with Transcript(path) as transcript:
        for record in transcript.records(_TALK):
            if not conversation(record):
                continue
            words = titles.typed(record) if kind(record) == "user" else _answer(record)
            if words:
                said.append(("you" if kind(record) == "user" else "agent", words))
            if len(said) >= SAID:
                break
    return said[::-1]


def _answer(record: "Record") -> str:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    blocks = [b for b in content if isinstance(b, dict) and b.get("type") == "text"]
    return "\n".join(text for b in blocks if isinstance(text := b.get("text"), str))
