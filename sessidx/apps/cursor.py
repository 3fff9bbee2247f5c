"""Cursor's CLI: chats/<hash of the folder>/<uuid>/meta.json. Untried: told by readers of its bundle.

That file is of releases of autumn 2026; a chat of an older one, which names no folder, is not
found. What was said lies beside it in a form that is not read.
"""

import os

from .. import documents, times
from ..filed import resumes_archived
from ..layout import Layout
from ..session import EMPTY, SUBAGENT, Session
from ..text import folder, is_uuid, one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..plan import Plan, Wish
    from ..release import Release
    from ..session import Conversations

PROGRAM = "cursor-agent"
PACKAGE = "cursor-agent"
LAYOUTS = (Layout("chats/*/*/meta.json"),)
is_id = is_uuid
unarchive = resumes_archived


def session_id(key: str) -> str:
    """The id is the name of its folder."""
    return key.split("/")[2]


def read(session: Session, root: str) -> None:
    """Fill `session` from the file."""
    told = documents.json_object(os.path.join(root, session.key))
    if told.get("isSubagent") is True:
        session.origin = SUBAGENT
    elif told.get("hasConversation") is not True:
        session.origin = EMPTY
    session.cwd = folder(told.get("cwd"))
    session.title = one_line(told.get("title"))
    session.updated = times.canonical(told.get("updatedAtMs")) or times.canonical(
        told.get("createdAtMs")
    )


def conversations(root: str) -> "Conversations":
    """None that could be read."""
    from ..said.whole import Whole

    return Whole(lambda key, likely: ())


def arguments(plan: "Plan", session: Session, known: "Release | None", wish: "Wish") -> None:
    """`--resume ID`, as its documentation has it."""
    from ..plan import Refusal

    if wish.fork:
        raise Refusal("whether cursor-agent forks a session was never tried")
    plan.argv += ["--resume", session.id]
