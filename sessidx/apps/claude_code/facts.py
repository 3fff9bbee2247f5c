"""One Claude Code transcript -> the facts of its session, from head and tail.

Unknown record types are passed over; in conversation records `message` stands before timestamp,
permissionMode, cwd and gitBranch, so a long line keeps those in its last 4 KiB.
"""

from ... import rights, times
from ...files import small
from ...jsonl import parse
from ...session import EMPTY, SCRIPTED, SUBAGENT, UNNAMED, UNSEEN, Session
from ...text import branch as branch_of
from ...text import folder as folder_of
from ...text import is_uuid, one_line
from ...transcript import Transcript, first_taken
from . import NAME, SIDE_FILES, titles
from .said import kind

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Record

_SCRIPTED_ENTRY = frozenset(("sdk-cli", "sdk-ts", "sdk-py"))
_SIDE_LIMIT = 64 * 1024
_TALK = (b'"assistant"', b'"user"')
_CWD = (b'"cwd"',)
_NAMED = (b'"modelId"',)
_CONTINUED = (b'"continuedInSessionId"',)
_WIDE = "[1m]"
_WHOLE = 200
_KEPT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_DASHES = bytes(code if chr(code) in _KEPT else ord("-") for code in range(256))
_MODE = "permission-mode"
_MANY = 1_000
_names: dict[str, str] = {}  # of folders not in ASCII, which take long: most sessions share theirs


class Reader:
    """Reads transcripts below one config folder."""

    def __init__(self, root: str) -> None:
        self._root = root

    def beside(self, key: str) -> str | None:
        """What else a session depends on: nothing that is not in its stamp."""
        return ""

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        """The session in the transcript at `key`; OSError when it cannot be opened.

        `previous` is what was known of it: a title that the person chose is not sought twice.
        """
        folder, name = key.rsplit("/", 1)
        session = Session(NAME, name[:36], key=key)
        if not is_uuid(session.id):
            session.origin = UNNAMED
            return session
        # A stamp has a third part only where files lie beside the transcript.
        has_side = stamp.count(":") > 1
        side = [self._side(key, name) if has_side else None for name in SIDE_FILES]
        with Transcript(f"{self._root}/{key}") as transcript:
            session.size = transcript.size
            _read(session, transcript, folder.rsplit("/", 1)[-1], previous, *side)
        return session

    def rights(self, session: Session) -> None:
        """Set what `session` may do, sought far back for a plan; OSError as `read`."""
        with Transcript(session.path) as transcript:
            session.mode = rights.newest(transcript, RIGHTS, rights.PLAN)["mode"]

    def _side(self, key: str, name: str) -> "Record | None":
        try:
            return parse(small(f"{self._root}/{key[:-6]}/{name}", _SIDE_LIMIT))
        except OSError:
            return None


def _read(
    session: Session,
    transcript: Transcript,
    folder: str,
    previous: Session | None,
    title: "Record | None",
    archive: "Record | None",
) -> None:
    """Fill `session`; `folder` is its store folder, `title` and `archive` the two side files."""
    newest = transcript.last(_TALK, conversation, grow=True) or transcript.last_of_head(
        _TALK, conversation
    )
    if newest is None:
        session.origin = SUBAGENT if _has_helpers_only(transcript) else EMPTY
        return
    session.updated = (
        _time(newest)
        or transcript.last(_TALK, _time, grow=True)
        or transcript.last_of_head(_TALK, _time)
    )
    session.cwd = _cwd(transcript, folder, newest)
    branch = _branch(newest)
    if branch is None:
        branch = transcript.recorded((b'"gitBranch"',), _branch)
    session.branch = branch or None
    session.effort = _effort(newest) or transcript.recorded((b'"effort"',), _effort)
    known = transcript.known(previous)
    session.mode = rights.newest(transcript, RIGHTS, rights.LIST, known)["mode"]
    session.title = titles.find(session, transcript, previous, title)
    session.model = _model(transcript, newest)
    session.continued_in = transcript.nearest(_CONTINUED, _continued_in)
    if session.title is None and titles.was_only_cleared(transcript):
        session.origin = EMPTY
        return
    session.archived = _archived(transcript, archive)
    if transcript.opening((b'"entrypoint"',), _by_script):
        session.origin = SCRIPTED


def conversation(record: "Record") -> "Record | None":
    """The record itself when it belongs to the conversation, and not to a sub-agent's."""
    return record if kind(record) and record.get("isSidechain") is not True else None


def _time(record: "Record") -> str | None:
    return times.canonical(record.get("timestamp")) if kind(record) else None


def _has_helpers_only(transcript: Transcript) -> bool:
    helper = transcript.opening(_TALK, lambda r: kind(r) and r.get("isSidechain") is True)
    return bool(helper)


def _by_script(record: "Record") -> bool | None:
    """Whether the first record that tells how it was written tells of a script or a helper."""
    entry = record.get("entrypoint")
    if not isinstance(entry, str):
        return None
    kind_of_run = str(record.get("sessionKind", ""))
    return (
        entry in _SCRIPTED_ENTRY or bool(record.get("teamName")) or kind_of_run.startswith("daemon")
    )


def _cwd(transcript: Transcript, folder: str, newest: "Record") -> str | None:
    """The recorded folder whose encoded name is the store folder's, else where it was moved or began.

    Up to 2.1.211 `--resume` looks an id up below the encoded name of the folder it is started in,
    and newer ones would go on in whatever folder that is.
    """

    def recorded(record: "Record") -> str | None:
        return folder_of(record.get("cwd"))

    def fits(record: "Record") -> str | None:
        cwd = recorded(record)
        return cwd if cwd and _is_of(folder, cwd) else None

    last = recorded(newest) or transcript.last(_CWD, recorded)
    if last and _is_of(folder, last):
        return last
    moved = transcript.last_short(b'"relocatedCwd"', lambda r: folder_of(r.get("relocatedCwd")))
    if moved and _is_of(folder, moved):
        return moved
    first = transcript.opening(_CWD, recorded)
    return transcript.last(_CWD, fits) or transcript.opening(_CWD, fits) or moved or first


def _is_of(folder: str, cwd: str) -> bool:
    """Whether `folder` is the store folder of `cwd`: not [A-Za-z0-9] becomes `-`, per UTF-16 unit.

    Over 200 units: the first 200 and a hash (seen in 2.1.332: 249 characters, suffix `z5d2hs`).
    """
    name = _names.get(cwd) or _name(cwd)
    if len(name) <= _WHOLE:
        return name == folder
    return folder.startswith(name[:_WHOLE]) and folder[_WHOLE:] == f"-{_hash(cwd)}"


def _name(cwd: str) -> str:
    if cwd.isascii():
        return cwd.encode().translate(_DASHES).decode()
    name = "".join(
        [char if char in _KEPT else "-" if char < "\U00010000" else "--" for char in cwd]
    )
    if len(cwd) < _WHOLE and len(_names) < _MANY:
        _names[cwd] = name
    return name


def _hash(cwd: str) -> str:
    units = cwd.encode("utf-16-le", "surrogatepass")
    digest = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        digest = (digest * 31 + (low | high << 8)) & 0xFFFFFFFF
    return _base36(digest if digest < 1 << 31 else (1 << 32) - digest)


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


def _model(transcript: Transcript, newest: "Record") -> str | None:
    """The last real model; with `[1m]` when the attachment says so, for answers never do."""
    answered = _answering_model(newest) or transcript.recorded((b'"assistant"',), _answering_model)
    named = first_taken(transcript.front(_NAMED), _named_model)
    if named is None or named.removesuffix(_WIDE) != answered:  # it has changed since
        named = transcript.last_short(_NAMED[0], _named_model) or named
    if answered and named == answered + _WIDE:
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


def _continued_in(record: "Record") -> str | None:
    """The id under which the session goes on: the ← key moves it to the background (2.1.332)."""
    told = record.get("continuedInSessionId")
    return told if record.get("type") == "continued-in" and is_uuid(str(told)) else None


def _mode(record: "Record") -> str | None:
    """The permission mode, a word; what is no word counts as not recorded.

    Of a long prompt it stands in the end.
    """
    if record.get("isSidechain") is True or (
        record.get("type", _MODE) != _MODE and kind(record) != "user"
    ):
        return None
    return one_line(record.get("permissionMode")) or (UNSEEN if record.get("capped") else None)


RIGHTS: "dict[str, rights.Part]" = {"mode": ((b'"permissionMode"',), _mode)}


def _archived(transcript: Transcript, archive: "Record | None") -> bool:
    """Whether archived.json says so and no prompt is newer than it (read in 2.1.332)."""
    if not archive or archive.get("archived") is not True:
        return False
    at = times.canonical(archive.get("at"))
    typed = transcript.last(
        (b'"user"',), lambda r: times.canonical(r.get("timestamp")) if titles.prompt(r) else None
    )
    return not (at and typed and typed > at)
