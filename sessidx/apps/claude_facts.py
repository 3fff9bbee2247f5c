"""One Claude Code transcript -> the facts of its session, from head and tail.

Unknown record types are passed over; in conversation records `message` stands before timestamp,
permissionMode, cwd and gitBranch, so a long line keeps those in its last 4 KiB.
"""

from functools import lru_cache

from .. import times
from ..jsonl import Transcript, parse
from ..session import EMPTY, SAID, SCRIPTED, SUBAGENT, Session
from ..text import branch as branch_of
from ..text import folder as folder_of
from ..text import one_line
from . import claude_titles as titles

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..session import Exchange, Record

_SCRIPTED_ENTRY = frozenset(("sdk-cli", "sdk-ts", "sdk-py"))
_TALK = (b'"assistant"', b'"user"')


def read(
    session: Session,
    transcript: Transcript,
    folder: str,
    previous: Session | None,
    title: "Record | None",
    archive: "Record | None",
) -> None:
    """Fill `session` from its transcript in the store folder `folder`.

    `previous` is what was known of it; `title` and `archive` are custom-title.json and archived.json.
    """
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
    session.title = titles.find(session, transcript, previous, title)
    session.archived = _archived(transcript, archive)
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

    def __init__(self, transcript: Transcript, need_talk: bool) -> None:
        self.entrypoint: str | None = None
        self.cwd: str | None = None
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


def _cwd(transcript: Transcript, folder: str, opening: _Opening) -> str | None:
    """The recorded folder whose encoded name is the store folder's, else where it was moved or began.

    Up to 2.1.211 `--resume` looks an id up below the encoded name of the folder it is started in,
    and newer ones would go on in whatever folder that is.
    """
    newest = transcript.last((b'"cwd"',), lambda r: folder_of(r.get("cwd")))
    if newest and encoded(newest) == folder:
        return newest
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


@lru_cache(maxsize=1024)
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


def _model(transcript: Transcript) -> str | None:
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


def _archived(transcript: Transcript, archive: "Record | None") -> bool:
    """Whether archived.json says so and no prompt is newer than it (read in 2.1.332)."""
    if not archive or archive.get("archived") is not True:
        return False
    at = times.canonical(archive.get("at"))
    typed = transcript.last(
        (b'"user"',), lambda r: times.canonical(r.get("timestamp")) if titles.prompt(r) else None
    )
    return not (at and typed and typed > at)


def said(path: str) -> "list[Exchange]":
    """The last things said in the transcript at `path`, oldest first, from its tail alone."""
    found: list[Exchange] = []
    with Transcript(path) as transcript:
        for record in transcript.records(_TALK):
            if not conversation(record):
                continue
            words = titles.typed(record) if kind(record) == "user" else _answer(record)
            if words:
                found.append(("you" if kind(record) == "user" else "agent", words))
            if len(found) >= SAID:
                break
    return found[::-1]


def _answer(record: "Record") -> str:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    blocks = [b for b in content if isinstance(b, dict) and b.get("type") == "text"]
    return "\n".join(text for b in blocks if isinstance(text := b.get("text"), str))
