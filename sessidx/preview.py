"""`sf show SESSION`: everything known of one session and its last exchange; fzf's preview, too.

Reads the index and the tail of one transcript.
"""

import os
from time import localtime, strftime, time

from . import apps, find, git, index, output, paths, query, rows, text, times
from .folders import entered, is_name
from .output import Failure
from .session import INTERACTIVE, told

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .plan import Plan
    from .session import Exchange, Session

_SHOWN = 4000  # characters of each thing said


def show(wanted: str, style: str = "text", shell: str = "posix") -> int:
    """Print what is known of each session that `wanted` names; raises Failure when none is.

    The line that would resume it is quoted for `shell`.
    """
    found = named(wanted)
    if style == "json":
        told = [everything(session, shell) | {"exchange": _said(session)} for session in found]
        output.lines([rows.json(told[0] if len(told) == 1 else told, indent=True)])
        return 0
    for session in found:
        output.lines((*facts(session, shell), *_exchange(session)))
    return 0


def named(wanted: str) -> "list[Session]":
    """The sessions of one app and id that `wanted` names; raises Failure for none or several."""
    stores = index.stores()
    path = os.path.abspath(wanted) if "/" in wanted else None
    found = query.resolve(stores, wanted, path=path)
    if not found:
        raise Failure(f"no such session: {text.path(wanted)}")
    if len({(session.app, session.id) for session in found}) > 1:
        from .resume import Ambiguous

        raise Ambiguous(wanted, found)
    find.mark_live(found, {})
    find.mark_interrupted(found)
    return found


def everything(session: "Session", shell: str) -> "dict[str, Any]":
    """What is known of a session, and the line that would resume it, as JSON tells it."""
    made, line = planned(session, shell)
    kept = find.Asked("kept_until")(session)
    told = rows.facts(session) | {"kept_until": times.iso(kept) if kept else None}
    if isinstance(made, Failure):
        told |= {"line": None, "refused": made.message}
    else:
        told |= {"line": line, "refused": None, "withheld": made.withheld}
        told |= {"notes": made.notes, "questions": made.questions}
    return told


def planned(
    session: "Session", shell: str, keys: bool = False
) -> "tuple[Plan | Failure, str | None]":
    """What Enter would do, from what the index knows: the plan and its line, or why not.

    With `keys` its notes name the picker's keys, not the options that do the same.
    """
    from . import plan, shells

    try:
        made = plan.make(apps.load(session.app), session, plan.Wish(keys=keys))
        return made, shells.line(made, shell)
    except Failure as failure:
        return failure, None
    except shells.Unprintable:
        return Failure("the folder's name is not printable; --shell zsh, bash or fish"), None


def _said(session: "Session") -> "list[dict[str, str]]":
    return [{"who": who, "text": words} for who, words in exchange(session)]


def exchange(session: "Session") -> "list[Exchange]":
    try:
        said = apps.load(session.app).conversations(session.home).last(session.key)
        return [(who, words) for who, _, words in said]
    except OSError:
        return []


def _exchange(session: "Session") -> "Iterator[str]":
    for who, words in exchange(session):
        yield ""
        yield f"{who}:"
        for line in words[:_SHOWN].split("\n"):
            yield "  " + text.clean(line.rstrip())


def facts(session: "Session", shell: str) -> "Iterator[str]":
    """What is known of a session, a line each."""
    for name, value in _facts(session, shell):
        if value:
            yield f"{name:<9}{text.clean(value)}"


def _facts(session: "Session", shell: str) -> "Iterator[tuple[str, str | None]]":
    made, line = planned(session, shell)
    reviewer = f"by {session.reviewer}" if told(session.reviewer) else None
    yield "title", session.title
    yield "folder", folder_shown(session)
    yield "branch", branch_now(session)
    yield "model", _words(session.model, session.effort)
    yield (
        "mode",
        _words(told(session.mode), told(session.approval), reviewer, told(session.sandbox)),
    )
    if isinstance(made, Failure):
        yield "refused", made.message
    else:
        yield "runs", line
        for note in (*made.questions, *made.notes):
            yield "note", note
    yield "state", state(session)
    yield "updated", f"{session.updated or '-'} ({rows.age(session.updated, int(time() * 1000))})"
    if kept := find.Asked("kept_until")(session):
        yield (
            "kept",
            f"until {strftime('%Y-%m-%d', localtime(kept / 1000))}, then {session.app} removes it",
        )
    yield "session", f"{session.app}:{session.id}"
    yield "file", f"{text.path(paths.shown(session.path))} ({size_shown(session.size)})"


def _words(*values: str | None) -> str:
    return " ".join(filter(None, values))


def state(session: "Session") -> str | None:
    told = [session.origin] if session.origin != INTERACTIVE else []
    told += ["archived"] if session.archived else []
    told += [f"fork of {session.fork_of}"] if session.fork_of else []
    told += [f"goes on as {session.continued_in}"] if session.continued_in else []
    told += ["open elsewhere now"] if session.live else []
    told += ["was open when its process ended"] if session.interrupted else []
    return ", ".join(told) or None


def folder_shown(session: "Session") -> str:
    if not session.cwd:
        return "none on record"
    shown = text.path(paths.shown(session.cwd))
    if not is_name(session.cwd):
        return f"{shown} (no name that a folder could have)"
    there = entered(session.cwd)
    if there is None:
        return f"{shown} (gone)"
    return shown if there == session.cwd else f"{shown} (there in another Unicode form)"


def branch_now(session: "Session") -> str | None:
    if not session.cwd:
        return session.branch
    try:
        now = text.branch(git.branch(entered(session.cwd) or session.cwd))
    except (OSError, ValueError):
        now = None
    if now and session.branch and now != session.branch:
        return f"{session.branch} (the folder is on {now})"
    return session.branch or now


def size_shown(size: int) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size //= 1000
    return f"{size} GB"
