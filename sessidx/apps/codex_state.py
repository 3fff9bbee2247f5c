"""Codex's state database and its name list: which one is in use, and what it knows of each thread.

The database is the highest-numbered state_N.sqlite that can be read and has rows, in the folder
that config.toml's sqlite_home, else CODEX_SQLITE_HOME, else the home names. Seen: migrations 17
(0.105) to 64 (0.171), each with other columns.
"""

import os

from .. import paths, times
from ..jsonl import parse, small
from ..text import branch as branch_of
from ..text import folder as folder_of
from ..text import one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..sqlite import Row

_CONFIG_LIMIT = 1 << 20
_NAMES_LIMIT = 16 << 20
_COLUMNS = (
    "id",
    "source",
    "thread_source",
    "attached_thread_parent_id",
    "name",
    "title",
    "first_user_message",
    "preview",
    "cwd",
    "git_branch",
    "model",
    "reasoning_effort",
    "approval_mode",
    "sandbox_policy",
    "recency_at_ms",
    "updated_at_ms",
    "updated_at",
)


class Known:
    """What is known of one thread besides its rollout, cleaned; None where nothing is."""

    __slots__ = (
        "approval",
        "branch",
        "cwd",
        "effort",
        "in_database",
        "model",
        "name",
        "parent",
        "preview",
        "sandbox",
        "source",
        "thread_source",
        "title",
        "turn",
        "updated",
    )

    def __init__(self, row: "Row | None" = None) -> None:
        from .codex_facts import approval_of, sandbox_of
        from .codex_titles import request

        row = row or {}
        get = row.get
        self.in_database = bool(row)
        self.name = one_line(get("name"))
        self.title = request(get("title"))
        first = request(get("first_user_message"))
        self.preview = first or request(get("preview"))
        self.cwd = folder_of(get("cwd"))
        self.branch = branch_of(get("git_branch"))
        self.source = get("source")
        self.thread_source = get("thread_source")
        self.parent = get("attached_thread_parent_id")
        self.model = one_line(get("model"))
        self.effort = one_line(get("reasoning_effort"))
        self.approval = approval_of(get("approval_mode"))
        self.sandbox = sandbox_of(get("sandbox_policy"))
        self.turn = times.canonical(get("recency_at_ms"))
        self.updated = times.canonical(get("updated_at_ms") or get("updated_at"))

    def digest(self) -> str:
        """A word that changes when anything of it does."""
        from zlib import crc32

        told = "\0".join(str(getattr(self, name)) for name in self.__slots__)
        return f"{crc32(told.encode('utf-8', 'surrogatepass')):x}"


class State:
    """All threads by id; `failed` says why a database that is there could not be read."""

    def __init__(self) -> None:
        self.threads: dict[str, Known] = {}
        self.failed: str | None = None


def load(root: str) -> State:
    """What the database in use and session_index.jsonl of the home `root` know."""
    state = State()
    _read_database(state, folder(root))
    for thread, name in _names(root).items():
        known = state.threads.get(thread)
        if known is None:
            known = state.threads[thread] = Known()
        known.name = known.name or name
    return state


def stamp(root: str) -> str:
    """How database, -wal, name list and configuration stand: equal means unchanged."""
    where = folder(root)
    marks = [where if where != root else ""]
    for number, name in databases(where):
        marks.append(f"{number}={_mark(os.path.join(where, name))}")
        marks.append(_mark(os.path.join(where, name + "-wal")))
    marks.append(_mark(os.path.join(root, "session_index.jsonl")))
    return ",".join(marks)


def folder(root: str) -> str:
    """The folder of the databases; a relative sqlite_home counts from `root`."""
    config = b""
    try:
        config = small(os.path.join(root, "config.toml"), _CONFIG_LIMIT)
    except OSError:
        pass
    if b"sqlite_home" in config:
        import tomllib

        try:
            chosen = tomllib.loads(config.decode()).get("sqlite_home")
        except (ValueError, RecursionError):
            chosen = None
        if isinstance(chosen, str) and chosen and "\0" not in chosen:
            return os.path.join(root, os.path.expanduser(chosen))
    chosen = (paths.setting(paths.CODEX_DATABASES) or "").strip()
    return os.path.abspath(chosen) if chosen else root


def databases(where: str) -> list[tuple[int, str]]:
    """The state databases in the folder `where`: number and name, highest first."""
    try:
        names = os.listdir(where)
    except OSError:
        return []
    found = []
    for name in names:
        number = name.removeprefix("state_").removesuffix(".sqlite")
        if name == f"state_{number}.sqlite" and number.isascii() and number.isdigit():
            found.append((int(number[:9]), name))
    return sorted(found, reverse=True)


def _read_database(state: State, where: str) -> None:
    from .. import sqlite

    for _, name in databases(where):
        try:
            found = sqlite.rows(
                os.path.join(where, name), "threads", _COLUMNS, _thread, paths.scratch()
            )
        except sqlite.Unreadable as error:
            state.failed = state.failed or f"{name}: {error}"
            continue
        if found:
            state.threads = {thread: known for thread, known in found if thread}
            state.failed = None
            return


def _thread(row: "Row") -> tuple[str | None, Known]:
    thread = row.get("id")
    return (thread if isinstance(thread, str) else None), Known(row)


def _names(root: str) -> dict[str, str]:
    """The last name of each thread in session_index.jsonl; a blank one is none."""
    try:
        data = small(os.path.join(root, "session_index.jsonl"), _NAMES_LIMIT)
    except OSError:
        return {}
    names: dict[str, str] = {}
    for line in data.split(b"\n"):
        record = parse(line) if line else None
        if record and isinstance(record.get("id"), str):
            name = one_line(record.get("thread_name"))
            if name:
                names[record["id"]] = name
    return names


def _mark(path: str) -> str:
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return ""
    return f"{status.st_mtime_ns}:{status.st_size}"
