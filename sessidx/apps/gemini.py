"""Gemini CLI: tmp/<folder>/chats/session-*.jsonl below .gemini, up to 0.2x session-*.json.

Seen in a home of 0.61.0 that holds files of 0.22.4, and read in 0.61.0's bundle. The folder is a slug,
whose `.project_root` tells what it stands for, or (old) the SHA-256 of that. A .jsonl is a log:
metadata, messages, `{"$set": …}`, `{"$rewindTo": id}`; at each opening it starts with metadata again.
Branch and approvals are not recorded.
"""

import os
from itertools import islice

from .. import files, jsonl, paths, speech, times
from ..documents import at, json_object
from ..filed import resumes_archived
from ..layout import Layout
from ..session import EMPTY, SUBAGENT, Session
from ..talk import Talk
from ..text import folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..plan import Plan, Wish
    from ..release import Release
    from ..said.whole import Likely
    from ..session import Conversations, Hit, Look, Record
    from ..transcript import Transcript

PROGRAM = "gemini"
PACKAGE = "@google/gemini-cli"

_TALK = (b'"user"', b'"gemini"')
_HASH = 64  # characters of a folder's name that is one
_ROOT_LIMIT = 4096
_PROJECTS_LIMIT = 1 << 20
_TRIED = 20_000  # folders, some 20 ms
_WHOLE = 1 << 20  # bytes of an old file that is parsed: a dictionary takes up to 36 times its text
# What the CLI takes for no message of a person (isIgnoredUserContent).
_NO_PROMPT = ("/", "?", "<session_context>", "<hook_context>")


class _Chats(Layout):
    """The newer CLI copies a hash's files to the slug's folder, and goes on in .jsonl beside .json."""

    def discover(self, root: str, look: "Look") -> "Iterator[tuple[str, str]]":
        """Each chat once: of one that was copied, or went on in the newer form, that alone."""
        found: dict[tuple[str, str], tuple[str, str]] = {}
        for key, stamp in super().discover(root, look):
            place, kind = _parts(key)
            if kind == "jsonl" or (kind == "json" and place not in found):
                found[place] = key, stamp
        known = look.keys if look.unread else ()  # a copy that cannot be looked at now stands
        met = [*found, *(_parts(key)[0] for key in known)]
        copied = {stem for name, stem in met if len(name) != _HASH}
        for (name, stem), told in found.items():
            if len(name) != _HASH or stem not in copied:
                yield told


def _parts(key: str) -> tuple[tuple[str, str], str]:
    """The folder's name and the file's, without its suffix; the suffix."""
    _, name, _, file = key.split("/")
    stem, _, kind = file.rpartition(".")
    return (name, stem), kind


LAYOUTS = (_Chats("tmp/*/chats/session-*"),)


def session_id(key: str) -> str:
    """A file's name says no more of the id than its beginning."""
    return ""


def is_id(word: str) -> bool:
    """Its ids are UUIDs: a number would be taken for a place in its list."""
    return is_uuid(word)


unarchive = resumes_archived


def read(session: Session, root: str) -> None:
    """Fill `session` from its log, or from its file of the old form."""
    path = os.path.join(root, session.key)
    if session.key.endswith(".jsonl"):
        from ..transcript import Transcript

        with Transcript(path) as transcript:
            _read_log(session, transcript)
    else:
        _read_document(session, _document(path))
    session.cwd = _folder(root, session.key.split("/")[1])


def _read_log(session: Session, transcript: "Transcript") -> None:
    header = transcript.opening((b'"sessionId"',), _metadata) or {}
    _name(session, header)
    last = transcript.last(_TALK, _message, grow=True)
    session.updated = (
        transcript.last((b'"lastUpdated"',), _after_message)
        or times.canonical((last or {}).get("timestamp"))
        or times.canonical(header.get("lastUpdated"))
    )
    session.model = transcript.recorded(_TALK[1:], _model)
    prompt = transcript.opening(_TALK[:1], _first_prompt)
    session.title = one_line(transcript.recorded((b'"summary"',), _summary)) or one_line(prompt)
    if not (prompt or last):
        session.origin = EMPTY


def _read_document(session: Session, record: "Record") -> None:
    _name(session, record)
    messages = _messages(record)
    session.updated = times.canonical(record.get("lastUpdated"))
    session.model = next(filter(None, map(_model, reversed(messages))), None)
    prompt = _first_prompt(record) or record.get("text")
    session.title = one_line(record.get("summary")) or one_line(prompt)
    if not (prompt or any(map(_message, messages))):
        session.origin = EMPTY


def _document(path: str) -> "Record":
    """A file of the old form; of a large one only what its two ends tell."""
    try:
        return json_object(path, _WHOLE)
    except OSError:
        edges = jsonl.ends(files.small(path, jsonl.EDGE), files.end(path, jsonl.EDGE))
        return jsonl.parse(edges) or {}


def _name(session: Session, metadata: "Record") -> None:
    """The id, and whether it is that of a sub-agent."""
    told = metadata.get("sessionId")
    session.id = told if isinstance(told, str) else ""
    if metadata.get("kind") == "subagent":
        session.origin = SUBAGENT


def _metadata(record: "Record") -> "Record | None":
    return record if isinstance(record.get("projectHash"), str) else None


def _messages(record: "Record") -> "list[Record]":
    """The messages that a document holds, or a record that writes all of them anew."""
    found = record.get("messages") or at(record, "$set", "messages")
    return [m for m in found if isinstance(m, dict)] if isinstance(found, list) else []


def _after_message(record: "Record") -> str | None:
    """When a message was written; a mere opening tells its time in metadata or with messages."""
    return None if _messages(record) else times.canonical(at(record, "$set", "lastUpdated"))


def _summary(record: "Record") -> str | None:
    told = at(record, "$set", "summary") or (_metadata(record) or {}).get("summary")
    return told if isinstance(told, str) else None


def _message(record: "Record") -> "Record | None":
    """A record that the CLI can go on from: something typed, said, thought or done."""
    done = record.get("type") == "gemini" and (record.get("toolCalls") or record.get("thoughts"))
    return record if done or spoken(record) else None


def _first_prompt(record: "Record") -> str | None:
    for message in (record, *_messages(record)):
        said = spoken(message)
        if said and said[0] == speech.YOU:
            return said[1]
    return None


def spoken(message: "Record") -> tuple[str, str] | None:
    """Who said what in a message; what the CLI itself puts before the first is not said."""
    kind = message.get("type")
    if kind not in ("user", "gemini"):
        return None
    words = speech.words(message.get("content", message.get("text"))).strip()
    if kind == "user" and words.startswith(_NO_PROMPT):
        return None
    return (speech.YOU if kind == "user" else speech.AGENT, words) if words else None


def _logged(record: "Record") -> tuple[str, str] | None:
    """The same of a line of a log, where a message is written again with what its tools answered."""
    return None if record.get("toolCalls") else spoken(record)


TALK = Talk(_TALK, spoken)


def _model(record: "Record") -> str | None:
    return one_line(record.get("model")) if record.get("type") == "gemini" else None


def _folder(root: str, name: str) -> str | None:
    """What tmp/<name> stands for: its own mark, else the list of projects tells.

    A hash tells only whether a known folder is meant: those projects, the home, two levels in it.
    """
    try:
        mark = files.small(f"{root}/tmp/{name}/.project_root", _ROOT_LIMIT)  # noqa: S108
        if cwd := folder(os.fsdecode(mark.strip(b"\r\n"))):
            return cwd
    except OSError:
        pass
    try:
        projects = json_object(f"{root}/projects.json", _PROJECTS_LIMIT).get("projects")
    except OSError:
        projects = None
    known: Record = projects if isinstance(projects, dict) else {}
    slugs = {slug: path for path, slug in known.items() if isinstance(slug, str)}
    return folder(slugs.get(name)) or _of_hash(name, known)


def _of_hash(name: str, known: "Iterable[str]") -> str | None:
    from hashlib import sha256

    if len(name) != _HASH:
        return None
    for path in (*known, *_below(paths.home())):
        if sha256(path.encode("utf-8", "surrogateescape")).hexdigest() == name:
            return path
    return None


_homes: dict[str, list[str]] = {}  # one look a process


def _below(home: str) -> list[str]:
    """The home, what lies in it, and in what is not hidden there; no more than can be tried."""
    if home in _homes:
        return _homes[home]
    first = [f"{home}/{name}" for name in sorted(files.names(home))]
    plain = (path for path in first if not path.startswith(f"{home}/."))
    second = (f"{path}/{name}" for path in plain for name in files.names(path))
    _homes[home] = [home, *first, *islice(second, _TRIED)]
    return _homes[home]


def conversations(root: str) -> "Conversations":
    """What was said: line by line in a log, in a file of the old form all at once."""
    from ..said.whole import Either, Whole

    def whole(key: str, likely: "Likely") -> "Iterator[Hit]":
        messages = _messages(_document(os.path.join(root, key)))
        yield from enumerate(message for record in messages for message in TALK.messages(record))

    lines, old = Talk(_TALK, _logged).conversations(root), Whole(whole)
    return Either(lambda key: lines if key.endswith(".jsonl") else old)


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID`, found from exactly its folder alone, not from one below (0.61.0)."""
    from ..plan import Refusal, model

    if wish.fork:
        raise Refusal("gemini cannot fork a session")
    plan.argv += ["--resume", session.id]
    model(plan, session, wish, "--model")
