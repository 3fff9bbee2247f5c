"""The settings that a Codex rollout records: which record holds them, and what they let a session do.

They stand in each turn_context and in each thread_settings_applied, which may lack some of them;
never in the header, save for the folders of the workspace.
"""

from ... import rights
from ...jsonl import parse
from ...session import UNSEEN
from ...text import folder as folder_of
from ...text import one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from typing import Any

    from ...session import Record

RECORDS = (b'"turn_context"', b'"thread_settings_applied"')
READ_ONLY, WORKSPACE, FULL = "read-only", "workspace-write", "danger-full-access"
CUSTOM = "custom"  # a profile that `-s` has no word for
_SHARED = {"tmpdir": "exclude_tmpdir_env_var", "slash_tmp": "exclude_slash_tmp"}


def of(record: "Record") -> "Record | None":
    """The settings in a record, None when it holds none; of a long line what its ends show."""
    kind, payload = record.get("type"), record.get("payload")
    if record.get("capped"):
        return record if kind in ("turn_context", "event_msg", None) else None
    if kind == "event_msg" and isinstance(payload, dict):
        payload = payload.get("thread_settings")
    elif kind != "turn_context":
        return None
    return payload if isinstance(payload, dict) else None


def _approval(record: "Record") -> str | None:
    settings = of(record)
    if settings is None:
        return None
    return approval_of(settings.get("approval_policy")) or _unseen(record)


def _reviewer(record: "Record") -> str | None:
    settings = of(record)
    if settings is None:
        return None
    return one_line(settings.get("approvals_reviewer")) or _unseen(record)


def _sandbox(record: "Record") -> str | None:
    settings = of(record)
    if settings is None:
        return None
    policy, profile = settings.get("sandbox_policy"), settings.get("permission_profile")
    return sandbox_of(policy, profile, settings.get("cwd")) or _unseen(record)


def _roots(record: "Record") -> str | None:
    settings = of(record)
    if settings is None:
        return None
    roots = settings.get("runtime_workspace_roots")
    if not isinstance(roots, list):
        return _unseen(record)
    return "yes" if lends(settings, {folder_of(settings.get("cwd"))}) else "no"


def _unseen(record: "Record") -> str | None:
    return UNSEEN if record.get("capped") else None


# What is sought for a list, and for a plan: the others are rarely recorded, and a list shows neither.
LISTED: "dict[str, rights.Part]" = {
    "approval": ((b'"approval_policy"',), _approval),
    "sandbox": ((b'"sandbox_policy"', b'"permission_profile"'), _sandbox),
}
RIGHTS: "dict[str, rights.Part]" = {
    **LISTED,
    "reviewer": ((b'"approvals_reviewer"',), _reviewer),
    "roots": ((b'"runtime_workspace_roots"',), _roots),
}


def lends(settings: "Record", own: "set[str | None]") -> bool:
    """Whether more than the session's own folder is to be writable.

    0.160 restores that from the header, 0.171 from the last settings applied; what a turn's sandbox
    policy names is restored by none.
    """
    roots = settings.get("runtime_workspace_roots")
    return isinstance(roots, list) and any(folder_of(root) not in own for root in roots)


def approval_of(value: object) -> str | None:
    """An approval policy as a word: a granular one is an object, or one as JSON text."""
    if isinstance(value, dict):
        return one_line(next(iter(value), None))
    if isinstance(value, str) and value.startswith("{"):
        return "granular"
    return one_line(value)


def sandbox_of(policy: object, profile: object = None, cwd: object = None) -> str | None:
    """The sandbox as `-s` names it, CUSTOM when it has no name for what is recorded; None for nothing.

    0.45 has a policy by its `mode`, later ones by its `type`. 0.130 and later record the profile
    beside it, which is in force; 0.150 and later the profile alone in the settings that are applied.
    The database has either in the one column, as JSON text. `cwd`: the folder that goes with it.
    """
    policy, profile = _parsed(policy), _parsed(profile)
    if isinstance(policy, dict) and ("file_system" in policy or policy.get("type") == "disabled"):
        policy, profile = None, policy
    name = policy
    if isinstance(policy, dict):
        name = policy.get("type") or policy.get("mode")
    name = one_line(name)
    if profile is None:
        return name
    told = _covered(profile, policy if isinstance(policy, dict) else {}, folder_of(cwd))
    return told if name in (None, told) else CUSTOM


def _parsed(value: object) -> "Any":
    if isinstance(value, str) and value.startswith("{"):
        return parse(value.encode("utf-8", "replace"))
    return value


def _covered(profile: object, policy: "Record", cwd: str | None) -> str:
    """The word of `-s` that allows nothing which `profile` does not; CUSTOM where none is sure to.

    Seen in 0.145 and 0.171: `disabled` for danger-full-access; for the others a list of what may be
    read or written, of which the more special entry counts (in the source: also `none`, by which
    not even reading is allowed).
    """
    if not isinstance(profile, dict):
        return CUSTOM
    if profile.get("type") == "disabled":
        return FULL
    if profile.get("type") == "external":
        return "external-sandbox"
    files = profile.get("file_system")
    entries = files.get("entries") if isinstance(files, dict) else None
    if profile.get("type") != "managed" or not isinstance(entries, list):
        return CUSTOM
    told = {_entry(entry, cwd) for entry in entries}
    write = {place for place, access in told if access == "write"}
    needed = {"cwd", *(place for place, flag in _SHARED.items() if policy.get(flag) is not True)}
    if ("root", "read") not in told or ("root", "write") in told or ("", "") in told:
        return CUSTOM
    if not write:
        return READ_ONLY
    return WORKSPACE if needed <= write and ("inside", "read") not in told else CUSTOM


def _entry(entry: object, cwd: str | None) -> tuple[str, str]:
    """The place that an entry of a profile is about, and the access; ("", "") when not understood.

    Places: `root`, `tmpdir`, `slash_tmp`, `cwd`, `inside` the last two, `guarded` (a name with a dot
    in the cwd: .git and the like, which Codex itself protects), `elsewhere`.
    """
    path, access = (entry.get("path"), entry.get("access")) if isinstance(entry, dict) else ("", "")
    if not isinstance(path, dict) or access not in ("read", "write"):
        return "", ""
    place = path.get("path")
    if path.get("type") == "special":
        value = path.get("value")
        kind, below = (
            (value.get("kind"), value.get("subpath")) if isinstance(value, dict) else ("", "")
        )
        if kind in ("root", "minimal", *_SHARED) and not below:
            return str(kind), access
        if kind not in ("project_roots", "current_working_directory"):
            return "", ""
        place = f"{cwd}/{below}" if below else cwd
    elif path.get("type") != "path":
        return "", ""
    if not isinstance(place, str) or not cwd:
        return "", ""
    return _where(place, cwd), access


def _where(path: str, cwd: str) -> str:
    if path == cwd:
        return "cwd"
    if path.startswith(f"{cwd}/."):
        return "guarded"
    return "inside" if path.startswith((f"{cwd}/", "/tmp/")) else "elsewhere"  # noqa: S108
