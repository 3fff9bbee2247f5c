"""How Claude Code's CLI is told to resume, release by release.

| release | `--effort` takes | restores by itself on `--resume` |
|---|---|---|
| up to 2.1.37 | no such option | nothing |
| 2.1.38 to 2.1.110 | low medium high max | 2.1.112: acceptEdits; not plan, bypassPermissions |
| 2.1.111 and later | low medium high xhigh max | 2.1.332: the model, plan, acceptEdits, auto; not effort |

From 2.1.283 on it starts in `auto` by itself: settings.py says when that comes back.

`--permission-mode default` and `plan` are taken by every one of them (`manual`, its newer name, is
not), `--fork-session` since 1.0.119. Found by running the releases on either side of each change.
"""

from ...plan import Refusal, at_least, model
from ...session import UNSEEN
from ...text import is_uuid
from . import live, worktrees

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
ANYWHERE = (2, 1, 223)  # 2.1.222: "No conversation found"
FLAGS = {
    "--model": ("model",),
    "--effort": ("effort",),
    "--permission-mode": ("mode",),
    "--dangerously-skip-permissions": ("mode",),
}
_FORKS = (1, 0, 119)
_ATTACHES = (2, 1, 141)  # before, `attach` is a prompt, or said not to be enabled
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
    if session.live and not wish.fork and live.in_background(session.home, session.id):
        plan.held = "runs in the background"
        if (
            known is None or known >= _ATTACHES
        ):  # unknown: one that holds it in the background has it
            _attach(plan, session)
            return
    plan.argv += wish.standing
    worktrees.enter(plan, session, known)
    plan.argv += ["--resume", session.id]
    if wish.fork:
        if known is not None and known < _FORKS:
            raise Refusal("this claude is too old to fork a session (1.0.119 can)")
        plan.argv.append("--fork-session")
    model(plan, session, wish, "--model")
    if "effort" not in wish.own:
        _effort(plan, session.effort, known)
    if "mode" not in wish.own:
        _mode(plan, session, known, wish)


def _attach(plan: "Plan", session: "Session") -> None:
    """Go back to where `session` runs: with any flag `--resume` is refused there (2.1.332)."""
    plan.argv += ["attach", session.id[:8]]
    plan.held = plan.branch_in = None
    plan.notes.append(
        "it runs in the background: what it may do, and its model, are as they are there"
    )


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


def _mode(plan: "Plan", session: "Session", known: "Release | None", wish: "Wish") -> None:
    mode = session.mode
    if not mode or (mode == UNSEEN and wish.permissive):
        return
    flag = _STRICT.get(mode, mode if _is_allowed(mode, session.home, known, wish) else "default")
    if mode == UNSEEN:
        flag = _STRICTEST
        plan.overlooked("the permission mode", flag)
    elif flag != mode and mode not in _STRICT:
        plan.withhold(f"permission mode {mode}", flag, wish)
    plan.argv += ["--permission-mode", flag]


def _is_allowed(mode: str, home: str, known: "Release | None", wish: "Wish") -> bool:
    """Whether `mode`, looser than the default, comes back: asked for, or how the CLI starts anyway."""
    if wish.permissive and mode in _LOOSE:
        return _LOOSE[mode] == (0,) or at_least(known, _LOOSE[mode])
    if mode != "auto":
        return False
    from . import settings

    return settings.starts_in_auto(home, known)
