"""Cline CLI: sessions/<id>/<id>.json, a messages.json beside it, and rows of db/sessions.db.

Seen in a home written by 3.0.65. The file has all but the time of the last use, which the row has;
a sub-agent has a row and a messages.json of its own, but no such file.
"""

import os

from .. import documents, sqlite, times
from ..filed import resumes_archived
from ..layout import Layout
from ..session import EMPTY, Session
from ..speech import YOU, between, who, words
from ..text import branch, folder, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..plan import Plan, Wish
    from ..release import Release
    from ..said.whole import Likely
    from ..session import Cli, Conversations, Hit, Look, Reader, Record
    from ..sqlite.tables import Tables

NAME = "cline"
PROGRAM = "cline"
PACKAGE = "cline"
unarchive = resumes_archived

_LAYOUT = Layout("sessions/*/*.json", "*.messages.json")
_DATABASE = "db/sessions.db"
_LIMIT = 64 * 1024 * 1024  # bytes of a conversation
_SECONDS = 2.0
_ASKS, _ALLOWS = "ask", "auto-approve"
_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def is_id(word: str) -> bool:
    """Its ids are the milliseconds of their beginning, `_` and five letters or digits."""
    at, _, mark = word.partition("_")
    return 10 <= len(at) <= 15 and at.isdecimal() and 4 <= len(mark) <= 8 and _ID.issuperset(mark)


def sources(root: str) -> str:
    """The stamp of the database; "" where there is none."""
    stamp = sqlite.stamp(os.path.join(root, _DATABASE))
    return "" if stamp[0] == ";" else stamp


def discover(root: str, look: "Look") -> "Iterator[tuple[str, str]]":
    """Each session's file, which bears the name of its folder."""
    for key, stamp in _LAYOUT.discover(root, look):
        _, own, name = key.split("/")
        if name == f"{own}.json":
            yield key, stamp


def changed(root: str) -> int:
    """When a session last came or went, in ns."""
    return _LAYOUT.changed(root)


def reader(root: str, look: "Look | None" = None) -> "Reader":
    """A reader of the files, with the times that the database has."""
    return _Reader(root)


class _Reader:
    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, str] | None = None

    def beside(self, key: str) -> str | None:
        """When the database says that it was last used; None where that cannot be read now."""
        if self._known is None:
            try:
                path = os.path.join(self._root, _DATABASE)
                self._known = sqlite.read(path, _times, _SECONDS) if sources(self._root) else {}
            except sqlite.Unreadable:
                return None
        return self._known.get(key.split("/")[1], "")

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        session = Session(NAME, key.split("/")[1], key=key)
        told = documents.json_object(os.path.join(self._root, key))
        session.size = int(stamp.split(":")[1])
        ends = (self.beside(key), told.get("ended_at"), told.get("started_at"))
        session.updated = next(filter(None, map(times.canonical, ends)), None)
        _fill(session, told)
        return session


def _times(tables: "Tables") -> dict[str, str]:
    rows = tables.rows("sessions", ("session_id", "updated_at"))
    return {own: at for own, at in rows if isinstance(own, str) and isinstance(at, str)}


def _fill(session: Session, told: "Record") -> None:
    """What the file says of its session."""
    at = documents.at
    prompt = told.get("prompt")
    session.cwd = folder(told.get("cwd"))
    session.branch = branch(at(told, "metadata", "git", "branch"))
    session.title = one_line(at(told, "metadata", "title")) or one_line(_typed(prompt))
    provider, model = told.get("provider"), told.get("model")
    if isinstance(provider, str) and isinstance(model, str) and provider and model:
        session.model = one_line(f"{provider}/{model}")
    allows = at(told, "metadata", "autoApproveTools")
    session.mode = {True: _ALLOWS, False: _ASKS}.get(allows) if isinstance(allows, bool) else None
    if session.title is None and session.cwd is None:
        session.origin = EMPTY


def _typed(text: object) -> str | None:
    """What the person typed: it stands in <user_input mode="…">."""
    if not isinstance(text, str):
        return None
    inside = between(text, "<user_input", "</user_input>")
    return text if inside is None else inside.partition(">")[2]


def conversations(root: str) -> "Conversations":
    """What was said in its sessions: the text of their messages."""
    from ..said.whole import Whole

    def messages(key: str, likely: "Likely") -> "Iterator[Hit]":
        path = os.path.join(root, key.removesuffix(".json") + ".messages.json")
        told = documents.json_object(path, _LIMIT).get("messages")
        for place, message in enumerate(told if isinstance(told, list) else []):
            speaker = who(documents.at(message, "role"))
            text = words(documents.at(message, "content")) if speaker else ""
            text = (_typed(text) or "") if speaker == YOU else text
            if speaker and text.strip():
                yield place, (speaker, times.canonical(documents.at(message, "ts")), text)

    return Whole(messages)


def held(root: str) -> dict[str, bool] | None:
    """Unknown: the recorded pid outlives its process."""
    return None


def trouble(root: str) -> list[str]:
    """Why its database cannot be read."""
    if _Reader(root).beside("sessions/none/none.json") is None:
        return [f"{_DATABASE} not read: times of the last use may be old"]
    return []


def commands() -> "Cli":
    """How its CLI is told to resume: by what stands here, too."""
    import sys

    return sys.modules[__name__]


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--id ID`, which runs in whatever folder it is started in (3.0.65).

    By itself it takes the provider and model that were configured last, and approves every tool.
    """
    from ..plan import Refusal, is_model

    if wish.fork:
        raise Refusal("cline cannot fork a session")
    plan.argv += ["--id", session.id]
    if session.mode != _ALLOWS and not wish.permissive:
        plan.argv += ["--auto-approve", "false"]
        if session.mode is None:
            plan.notes.append("whether cline may approve by itself is not recorded: it asks")
    provider, _, model = (session.model or "").partition("/")
    if wish.model and is_model(provider) and is_model(model):
        plan.argv += ["-P", provider, "-m", model]
