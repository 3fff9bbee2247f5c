"""The worktree of its own in which a session was left (`claude -w NAME`), and how it is gone back into.

Seen in 2.1.332: at the exit the transcript moves to the folder in which `claude -w` was typed, with
`worktree-state` (what the worktree is), `relocated`, `worktree-state` null at its end, whether the
worktree is kept or removed. Its branch goes with a removed one. Only `--worktree NAME --resume ID`
from that folder comes up in a kept one; without NAME the session goes on in that folder, and from
then on that is where it belongs. 2.1.166 is the first that finds the id so; 2.1.165 does not.
"""

import os

from ... import git, text
from ...plan import at_least, is_model
from ...transcript import Transcript
from .facts import conversation

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...plan import Plan
    from ...release import Release
    from ...session import Record, Session

_FIRST = (2, 1, 166)
_KEYS = (b'"worktreeSession"', b'"assistant"', b'"user"')


def enter(plan: "Plan", session: "Session", known: "Release | None") -> None:
    """Add to `plan` what brings `session` back into the worktree it was left in, or say why not."""
    try:
        state = left(session)
    except OSError:  # nothing is known of it; whoever resumes it has read the transcript before
        return
    if state is None:
        return
    name, path, branch = (state.get(f"worktree{part}") for part in ("Name", "Path", "Branch"))
    if not (isinstance(name, str) and isinstance(path, str) and isinstance(branch, str)):
        return
    shown = f"its worktree {text.one_line(name)}"
    if not os.path.lexists(path):
        plan.notes.append(f"{shown} is gone; it goes on in {text.path(plan.cwd)}")
        if git.has_branch(plan.cwd, branch) is False:
            plan.branch_in = None
    elif not is_model(name) or not _is_of(path, name, plan.cwd) or git.branch(path) != branch:
        plan.notes.append(f"{shown} is not as it was left; it goes on in {text.path(plan.cwd)}")
    elif not at_least(known, _FIRST):
        plan.notes.append(f"the installed claude may not find the session from {shown}")
    else:
        plan.argv += ["--worktree", name]
        plan.branch_in = path


def left(session: "Session") -> "Record | None":
    """What is recorded of the worktree that `session` was left in; None where it was in none.

    OSError when the transcript cannot be opened.
    """
    was_left = False
    with Transcript(session.path) as transcript:
        for record in transcript.records(_KEYS, grow=True):
            if record.get("type") == "worktree-state":
                state = record.get("worktreeSession")
                if state is not None:
                    return state if was_left and isinstance(state, dict) else None
                was_left = True
            elif not was_left and conversation(record):
                return None
    return None


def _is_of(path: str, name: str, cwd: str) -> bool:
    """Whether `path` is where `--worktree NAME`, typed in `cwd`, goes: a `/` becomes `+`."""
    top = path.removesuffix(f"/.claude/worktrees/{name.replace('/', '+')}")
    is_own = top != path and os.path.realpath(top) in git.roots(cwd)
    return is_own and git.is_work_tree(path)
