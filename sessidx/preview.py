"""`sf show SESSION`: everything known of one session and its last exchange; fzf's preview, too.

Reads the index and the tail of one transcript; a single preview is cheaper with json than orjson.
"""

import os
from time import time

from . import git, index, jsonl, output, query, rows, text
from .apps import APPS
from .output import Failure

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .session import Exchange, Session

_SHOWN = 4000  # characters of each thing said


def show(wanted: str, style: str = "text") -> int:
    """Print what is known of each session that `wanted` names; raises Failure when none is."""
    jsonl.expect_little()
    stores = index.stores()
    found = query.resolve(stores, os.path.abspath(wanted) if "/" in wanted else wanted)
    if not found:
        raise Failure(f"no such session: {text.path(wanted)}")
    if len({(session.app, session.id) for session in found}) > 1:
        from .resume import Ambiguous

        raise Ambiguous(wanted, found)
    for session in found:
        root = next(store.root for store in stores if store.app == session.app)
        session.path = f"{root}/{session.path}"
        held = APPS[session.app].live(root)
        session.live = None if held is None else held.get(session.id, False)
    if style == "json":
        told = [rows.facts(session) | {"exchange": _said(session)} for session in found]
        output.lines([rows.json(told[0] if len(told) == 1 else told, indent=True)])
        return 0
    for session in found:
        output.lines(_text(session))
    return 0


def _said(session: "Session") -> "list[dict[str, str]]":
    return [{"who": who, "text": words} for who, words in _exchange(session)]


def _exchange(session: "Session") -> "list[Exchange]":
    try:
        return APPS[session.app].exchange(session.path)
    except OSError:
        return []


def _text(session: "Session") -> "Iterator[str]":
    for name, value in _facts(session):
        if value:
            yield f"{name:<9}{text.clean(value)}"
    for who, words in _exchange(session):
        yield ""
        yield f"{who}:"
        for line in words[:_SHOWN].split("\n"):
            yield "  " + text.clean(line.rstrip())


def _facts(session: "Session") -> "Iterator[tuple[str, str | None]]":
    yield "title", session.title
    yield "session", f"{session.app}:{session.id}"
    yield "folder", _folder(session)
    yield "branch", _branch(session)
    now = int(time() * 1000)
    yield "updated", f"{session.updated} ({rows.age(session.updated, now)})"
    yield "model", " ".join(filter(None, (session.model, session.effort)))
    yield "mode", session.mode
    yield "approval", session.approval
    yield "sandbox", session.sandbox
    yield "origin", session.origin + (", archived" if session.archived else "")
    yield "live", "open in a terminal now" if session.live else None
    yield "file", f"{text.path(session.path)} ({_size(session.size)})"


def _folder(session: "Session") -> str:
    if not session.cwd:
        return "none on record"
    gone = "" if os.path.isdir(session.cwd.encode("utf-8", "replace")) else " (gone)"
    return text.path(session.cwd) + gone


def _branch(session: "Session") -> str | None:
    if not session.cwd:
        return session.branch
    try:
        now = text.branch(git.branch(session.cwd))
    except (OSError, ValueError):
        now = None
    if now and session.branch and now != session.branch:
        return f"{session.branch} (the folder is on {now})"
    return session.branch or now


def _size(size: int) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size //= 1000
    return f"{size} GB"
