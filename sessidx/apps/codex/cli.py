"""How Codex's CLI is told to resume, release by release.

| release | `-a` takes | `model_reasoning_effort` takes | restores by itself |
|---|---|---|---|
| up to 0.57 | untrusted on-failure on-request never | minimal low medium high | nothing |
| 0.58, 0.59 | the same | and none (0.58), xhigh (0.59) | nothing |
| 0.142.1 | no on-failure | any word since 0.142.2 | 0.145: model, effort |
| 0.149 | no untrusted | any word | 0.160: and approval, writable folders |
| 0.165 | on-request never | any word | and sandbox; 0.171: approve-for-me |

`-s` takes the same three everywhere, and so do `-c approvals_reviewer="user"` and
`-c sandbox_workspace_write.writable_roots=[]` (keys that older ones do not know). With `-m` the effort is not restored, so both are named. Since
0.160 a background process holds a thread until a minute after it was left, and a line with any `-c`
then finds it "open in another app" (r retries). Flags given on a resume stay in the thread. A fork
restores nothing. Found by running the releases on either side of each change.
"""

from ...plan import Refusal, at_least, model
from ...session import PACKED, UNSEEN
from ...text import is_uuid
from . import may_be_held, provider, state

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...plan import Plan, Wish
    from ...release import Release
    from ...session import Session

PROGRAM = "codex"
PACKAGE = "@openai/codex"

_EFFORTS = (
    ((0, 142, 2), ("none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra")),
    ((0, 59), ("none", "minimal", "low", "medium", "high", "xhigh")),
    ((0, 58), ("none", "minimal", "low", "medium", "high")),
    ((0,), ("minimal", "low", "medium", "high")),
)
ANYWHERE = (0,)
# Given twice, each is refused (0.171); of `-c key=value` the last counts.
FLAGS = {
    **dict.fromkeys(("-m", "--model"), ("model",)),
    **dict.fromkeys(("-a", "--ask-for-approval"), ("approval",)),
    **dict.fromkeys(("-s", "--sandbox"), ("sandbox",)),
    **dict.fromkeys(
        ("--full-auto", "--dangerously-bypass-approvals-and-sandbox", "--yolo"),
        ("approval", "sandbox"),
    ),
}
_A_YEAR_AGO = (0, 63)
_FORKS = (0, 87)
_HELD_IN_BACKGROUND = (0, 160)
_NO_ON_FAILURE = (0, 142, 1)
_NO_UNTRUSTED = (0, 149)
# Looser than what the CLI starts with; a word that is neither here nor carried may be stricter.
_LOOSE_APPROVALS = ("never", "on-failure", "granular")
_LOOSE_SANDBOXES = ("danger-full-access", "external-sandbox")
_SANDBOXES = ("read-only", "workspace-write")


def is_id(word: str) -> bool:
    """Its ids are UUIDs."""
    return is_uuid(word)


def unarchive(session: "Session") -> str | None:
    """The command that brings back what was archived, or packed before the database knew of it.

    `codex resume` unpacks and finds the folder itself (0.145, 0.156, 0.171); where it is archived,
    only `codex unarchive` does, and then the database knows of it.
    """
    if session.archived:
        return f"codex unarchive {session.id}"
    return f"codex resume {session.id}" if session.origin == PACKED else None


def arguments(plan: "Plan", session: "Session", known: "Release | None", wish: "Wish") -> None:
    """Add to `plan` what resumes `session` with the installed release `known`."""
    if wish.fork and known is not None and known < _FORKS:
        raise Refusal("this codex is too old to fork a session (0.87 can)")
    plan.argv += ("fork" if wish.fork else "resume", *wish.standing)
    if wish.folder:  # from 0.105 on it would ask whether to go to the session's own
        plan.argv += ("-C", plan.cwd)
    if provider.name(plan, session, known, wish):
        model(plan, session, wish, "-m")
        _effort(plan, session.effort, known)
    if "approval" not in wish.own:
        _approval(plan, session.approval, known, wish)
    _reviewer(plan, session.reviewer, wish)
    if "sandbox" not in wish.own:
        _sandbox(plan, session.sandbox, wish)
    _roots(plan, session.roots, wish)
    plan.argv.append(session.id)
    if (
        not wish.fork
        and at_least(known, _HELD_IN_BACKGROUND)
        and may_be_held(session.home, session.id)
    ):
        plan.notes.append("codex may hold the session for a minute after it was left: r retries")
    if why := state.failures.get(session.home):
        plan.notes.append(f"folder and name are as last known, the database was not read: {why}")
    if plan.withheld or wish.permissive:
        plan.notes.append("codex keeps the flags of a resume in the session")


def _effort(plan: "Plan", effort: str | None, known: "Release | None") -> None:
    if not effort:
        return
    for first, levels in _EFFORTS:
        if (known or _A_YEAR_AGO) >= first:
            if effort in levels:
                plan.argv += ["-c", f'model_reasoning_effort="{effort}"']
            else:
                plan.notes.append(
                    f"the installed codex may not take effort {effort!r}; it was left out"
                )
            return


def _approval(plan: "Plan", approval: str | None, known: "Release | None", wish: "Wish") -> None:
    if not approval:
        return
    takes_untrusted = known is not None and known < _NO_UNTRUSTED
    takes_on_failure = known is not None and known < _NO_ON_FAILURE
    strictest = "untrusted" if takes_untrusted else "on-request"
    if approval == UNSEEN:
        if not wish.permissive:
            plan.argv += ["-a", strictest]
            plan.overlooked("the approval policy", strictest)
        return
    if approval == "on-request" or (approval == "untrusted" and takes_untrusted):
        plan.argv += ["-a", approval]
        return
    loose = approval == "never" or (approval == "on-failure" and takes_on_failure)
    if wish.permissive and loose:
        plan.argv += ["-a", approval]
        return
    if approval == "untrusted":
        plan.argv += ["-a", "on-request"]
        plan.notes.append("the installed codex takes no approval untrusted; on-request instead")
        return
    instead = "on-request" if approval in _LOOSE_APPROVALS else strictest
    plan.argv += ["-a", instead]
    plan.withhold(f"approval {approval}", instead, wish)


def _reviewer(plan: "Plan", reviewer: str | None, wish: "Wish") -> None:
    """Who answers approval questions: neither -a nor -s resets it, so it is named (0.171)."""
    if not reviewer or reviewer == "user" or (reviewer == UNSEEN and wish.permissive):
        return
    if wish.permissive and reviewer in ("auto_review", "guardian_subagent"):
        plan.argv += ["-c", f'approvals_reviewer="{reviewer}"']
        return
    plan.argv += ["-c", 'approvals_reviewer="user"']
    if reviewer == UNSEEN:
        plan.overlooked("who reviews approvals", "you")
        return
    plan.withhold(f"approvals reviewed by {reviewer}", "by you", wish)


def _sandbox(plan: "Plan", sandbox: str | None, wish: "Wish") -> None:
    if not sandbox or (sandbox == UNSEEN and wish.permissive):
        return
    if sandbox == UNSEEN:
        plan.argv += ["-s", "read-only"]
        plan.overlooked("the sandbox", "read-only")
        return
    if sandbox in _SANDBOXES or (wish.permissive and sandbox == "danger-full-access"):
        plan.argv += ["-s", sandbox]
        return
    instead = "workspace-write" if sandbox in _LOOSE_SANDBOXES else "read-only"
    plan.argv += ["-s", instead]
    plan.withhold(f"sandbox {sandbox}", instead, wish)


def _roots(plan: "Plan", roots: str | None, wish: "Wish") -> None:
    """Folders that were writable beside the session's own; 0.160 and later restore them."""
    if not roots or wish.permissive:
        return
    plan.argv += ["-c", "sandbox_workspace_write.writable_roots=[]"]
    if roots == UNSEEN:
        plan.overlooked("folders writable beside the session's", "none")
        return
    plan.withhold("writable folders beside the session's", "none", wish)
