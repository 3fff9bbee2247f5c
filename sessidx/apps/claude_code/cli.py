"""How Claude Code's CLI is told to resume, release by release.

| release | `--effort` takes | restores by itself on `--resume` |
|---|---|---|
| up to 2.1.37 | no such option | nothing |
| 2.1.38 to 2.1.110 | low medium high max | 2.1.112: acceptEdits; not plan, bypassPermissions |
| 2.1.111 and later | low medium high xhigh max | 2.1.332: the model, plan, acceptEdits, auto; not effort |

`--permission-mode default` and `plan` are taken by every one of them (`manual`, its newer name, is
not), `--fork-session` since 1.0.119. Found by running the releases on either side of each change.
"""

from ...plan import Refusal, at_least, model
from ...session import UNSEEN
from ...text import is_uuid

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...plan import Plan, Wish
    from ...release import Release
    from ...session import Session

PROGRAM = "claude"
PACKAGE = "@anthropic-ai/claude-code"

_EFFORTS = (
    ((2, 1, 111), ("low", "medium", "high", "xhigh", "max")),
    ((2, 1, 38), ("low", "medium", "high", "max")),
)
_FORKS = (1, 0, 119)
_STRICT = {"default": "default", "manual": "default", "plan": "plan"}
# For a mode that may be recorded where nobody looked: all others of the CLI allow more, `default`
# too, and a person who wants to go on working leaves it with Shift-Tab.
_STRICTEST = "plan"
_LOOSE = {
    "acceptEdits": (0,),
    "bypassPermissions": (0,),
    "dontAsk": (2, 0, 76),
    "auto": (2, 1, 112),
}


def is_id(word: str) -> bool:
    """Its ids are UUIDs."""
    return is_uuid(word)


def unarchive(session: "Session") -> str | None:
    """The command without which an archived session is not resumed: none is needed."""
    return None


def arguments(plan: "Plan", session: "Session", known: "Release | None", wish: "Wish") -> None:
    """Add to `plan` what resumes `session` with the installed release `known`."""
    plan.argv += ["--resume", session.id]
    if wish.fork:
        if known is not None and known < _FORKS:
            raise Refusal("this claude is too old to fork a session (1.0.119 can)")
        plan.argv.append("--fork-session")
    model(plan, session, wish, "--model")
    _effort(plan, session.effort, known)
    _mode(plan, session.mode, known, wish)


def _effort(plan: "Plan", effort: str | None, known: "Release | None") -> None:
    if not effort:
        return
    for first, levels in _EFFORTS:
        if at_least(known, first):
            if effort in levels:
                plan.argv += ["--effort", effort]
                return
            break
    plan.notes.append(f"the installed claude may not take effort {effort!r}; it was left out")


def _mode(plan: "Plan", mode: str | None, known: "Release | None", wish: "Wish") -> None:
    if not mode or (mode == UNSEEN and wish.permissive):
        return
    if mode == UNSEEN:
        plan.argv += ["--permission-mode", _STRICTEST]
        plan.overlooked("the permission mode", _STRICTEST)
    elif mode in _STRICT:
        plan.argv += ["--permission-mode", _STRICT[mode]]
    elif (
        wish.permissive
        and mode in _LOOSE
        and (_LOOSE[mode] == (0,) or at_least(known, _LOOSE[mode]))
    ):
        plan.argv += ["--permission-mode", mode]
    else:
        plan.argv += ["--permission-mode", "default"]
        plan.withhold(f"permission mode {mode}", "default", wish)
