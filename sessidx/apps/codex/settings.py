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
    from collections.abc import Callable
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


def _part(keys: tuple[bytes, ...], tell: "Callable[[Record], str | None]") -> "rights.Part":
    """What `tell` makes of settings: None where they leave it as it was."""

    def take(record: "Record") -> str | None:
        settings = of(record)
        if settings is None:
            return None
        value = tell(settings)
        return UNSEEN if value is None and record.get("capped") else value

    return keys, take


def _approval(settings: "Record") -> str | None:
    return approval_of(settings.get("approval_policy"))


def _sandbox(settings: "Record") -> str | None:
    policy, profile = settings.get("sandbox_policy"), settings.get("permission_profile")
    return sandbox_of(policy, profile, settings.get("cwd"))


def _reviewer(settings: "Record") -> str | None:
    return one_line(settings.get("approvals_reviewer"))


def _roots(settings: "Record") -> str | None:
    if not isinstance(settings.get("runtime_workspace_roots"), list):
        return None
    return "yes" if lends(settings, {folder_of(settings.get("cwd"))}) else "no"


def provider_of(value: object) -> str | None:
    """A model provider as recorded; `?` for what is no clean word: cleaned, it might be another's."""
    if value in (None, ""):
        return None
    return value if isinstance(value, str) and one_line(value) == value else "?"


def lends(settings: "Record", own: "set[str | None]") -> bool:
    """Whether more than the session's own folder is to be writable.

    0.160 restores that from the header, 0.171 from the last settings applied; what a turn's sandbox
    policy names is restored by none.
    """
    roots = settings.get("runtime_workspace_roots")
    return isinstance(roots, list) and any(folder_of(root) not in own for root in roots)


def effort_of(settings: "Record") -> str | None:
    """The effort, which an applied setting has under another name than a turn."""
    return one_line(settings.get("effort") or settings.get("reasoning_effort"))


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


def _or_none(tell: "Callable[[Record], str | None]") -> "Callable[[Record], str | None]":
    """`tell`, and "" where settings that are else complete say nothing: older ones are not asked."""
    return lambda settings: tell(settings) or ("" if _COMPLETE.issubset(settings) else None)


_COMPLETE = frozenset(("model", "cwd", "approval_policy"))
RIGHTS = {
    "approval": _part((b'"approval_policy"',), _approval),
    "sandbox": _part((b'"sandbox_policy"', b'"permission_profile"'), _sandbox),
    "reviewer": _part((b'"approvals_reviewer"',), _reviewer),
    "roots": _part((b'"runtime_workspace_roots"',), _roots),
    "provider": _part(
        (b'"model_provider_id"',), lambda settings: provider_of(settings.get("model_provider_id"))
    ),
}
# All that a list wants, which the last turn has in nearly all rollouts.
LISTED = {
    "model": _part(RECORDS, lambda settings: one_line(settings.get("model"))),
    "effort": _part(RECORDS, _or_none(effort_of)),
    "cwd": _part(RECORDS, lambda settings: folder_of(settings.get("cwd"))),
    "approval": _part(RECORDS, _approval),
    "sandbox": _part(RECORDS, _sandbox),
    "reviewer": _part(RECORDS, _or_none(_reviewer)),
    "roots": _part(RECORDS, _or_none(_roots)),
}
