"""Codex's state database and its name list: which one is in use, and what it knows of each thread.

The database is the highest-numbered state_N.sqlite that can be read and has rows, in the folder
that config.toml's sqlite_home, else CODEX_SQLITE_HOME, else the home names. Seen: migrations 17
(0.105) to 64 (0.171), each with other columns.
"""

import os

from ... import jsonl, paths, sqlite
from ...files import GONE, mark, open_regular, small
from ...jsonl import parse
from ...text import one_line
from .titles import REQUEST, request

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...sqlite import Row, Value
    from ...sqlite.tables import Tables

_CONFIG_LIMIT = 1 << 20
_NAMES_LIMIT = 16 << 20
_NAMES_PARSED = 8 << 20  # bytes of it, at most; a name counts for some besides its line
_NAME_COSTS = 128
_MUCH = 1 << 20  # bytes, for which a quicker parser is worth its loading
_DATABASES = 8  # of the highest numbers
_SECONDS = 2.0  # for all of them together
_TEXTS = ("name", "title", "first_user_message", "preview")
_REPEATED = ("cwd", "source", "sandbox_policy")  # long, and the same in many rows
_COLUMNS = (
    *_TEXTS,
    *_REPEATED,
    "id",
    "thread_source",
    "attached_thread_parent_id",
    "git_branch",
    "model",
    "reasoning_effort",
    "approval_mode",
    "recency_at_ms",
    "updated_at_ms",
    "updated_at",
    "rollout_path",
)
_REPEAT, _REST = len(_TEXTS), len(_TEXTS) + len(_REPEATED)
_TITLE = 400  # characters of a text that a title may need
_held: dict[str, str] = {}
_AT = {column: number for number, column in enumerate(_COLUMNS)}


class Known:
    """What is known of one thread besides its rollout: the row as it is, cut short, and its name.

    A row is cleaned only when its session is read again: there may be many thousands.
    """

    __slots__ = ("_row", "name")

    def __init__(self, row: "Row" = ()) -> None:
        texts, repeated, rest = row[:_REPEAT], row[_REPEAT:_REST], row[_REST:-1]
        self._row = (*map(_short, texts), *map(_shared, repeated), *rest, *map(_name, row[-1:]))
        self.name = one_line(self.get("name"))

    @property
    def in_database(self) -> bool:
        return bool(self._row)

    def digest(self) -> str:
        """A word that changes when anything of it does."""
        from zlib import crc32

        told = repr((self.name, self._row))
        return f"{crc32(told.encode('utf-8', 'surrogatepass')):x}"

    def title(self, prompt: str | None = None) -> str | None:
        """What Codex calls the thread; `prompt` is what was typed first in its rollout."""
        return (
            self.name
            or request(self.get("title"))
            or prompt
            or request(self.get("first_user_message"))
            or request(self.get("preview"))
        )

    def get(self, column: str) -> "Value":
        """The raw value of a column, None where the row or the table has none."""
        return self._row[_AT[column]] if self._row else None


def _short(value: "Value") -> "Value":
    """A text cut to what a title needs."""
    if not isinstance(value, str) or len(value) < _TITLE:
        return value
    return (request(value) or "") if REQUEST in value else value[:_TITLE]


def _name(value: "Value") -> "Value":
    """A path's last part: the rollouts themselves are looked for, no path of a row is followed."""
    return value.rpartition("/")[2] if isinstance(value, str) else value


def _shared(value: "Value") -> "Value":
    """The value itself, a text that many rows hold once."""
    return _held.setdefault(value, value) if isinstance(value, str) else value


class State:
    """All threads by id; `failed` says why a database that is there could not be read."""

    def __init__(self) -> None:
        self.threads: dict[str, Known] = {}
        self.failed: str | None = None


def load(root: str) -> State:
    """What the database in use and session_index.jsonl of the home `root` know."""
    state = State()
    _read_database(state, folder(root))
    for thread, name in _names(state, root).items():
        known = state.threads.get(thread)
        if known is None:
            known = state.threads[thread] = Known()
        known.name = known.name or name
    return state


def stamp(root: str) -> str:
    """How database, -wal, name list and configuration stand: equal means unchanged."""
    where = folder(root)
    marks = [where if where != root else ""]
    try:
        for number, name in databases(where)[:_DATABASES]:
            marks.append(f"{number}={sqlite.stamp(os.path.join(where, name))}")
        marks.append(mark(os.path.join(root, "session_index.jsonl")))
    except OSError:
        marks.append("?")
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
    """The state databases in the folder `where`: number and name, highest first.

    OSError when it is there and cannot be read.
    """
    try:
        names = os.listdir(where)
    except GONE:
        return []
    found = []
    for name in names:
        number = name.removeprefix("state_").removesuffix(".sqlite")
        if name == f"state_{number}.sqlite" and number.isascii() and number.isdigit():
            found.append((int(number[:9]), name))
    return sorted(found, reverse=True)


def _read_database(state: State, where: str) -> None:
    from time import monotonic

    deadline = monotonic() + _SECONDS
    try:
        names = databases(where)[:_DATABASES]
    except OSError as error:
        state.failed = error.strerror
        return
    for _, name in names:
        left = max(0.0, deadline - monotonic())
        try:
            found = sqlite.read(os.path.join(where, name), _threads, left)
        except sqlite.Unreadable as error:
            state.failed = state.failed or f"{name}: {error}"
            continue
        if found:
            state.threads = dict(found)
            state.failed = None
            return


def _threads(tables: "Tables") -> list[tuple[str, Known]]:
    rows = tables.rows("threads", _COLUMNS)
    return [(thread, Known(row)) for row in rows if isinstance(thread := row[_AT["id"]], str)]


def _names(state: State, root: str) -> dict[str, str]:
    """The last name of each thread in session_index.jsonl; a blank one is none."""
    names: dict[str, str] = {}
    try:
        for line in _named(os.path.join(root, "session_index.jsonl")):
            record = parse(line) or {}
            thread, name = record.get("id"), one_line(record.get("thread_name"))
            if isinstance(thread, str) and name:
                names.setdefault(thread, name)
    except OSError as error:
        if error.errno and not isinstance(error, GONE):
            state.failed = state.failed or f"session_index.jsonl: {error.strerror}"
        return {}
    return names


def _named(path: str) -> "Iterator[bytes]":
    """The lines of the list at `path` that may name a thread, from its end; not too many to parse."""
    from ...blocks import backward

    fd, size = open_regular(path)
    left = _NAMES_PARSED
    try:
        if size > _MUCH:
            jsonl.expect_much()
        for block in backward(fd, size, max(0, size - _NAMES_LIMIT)):
            for start, end in block.lines((b'"thread_name"',)):
                left -= end - start + _NAME_COSTS
                if left < 0:
                    return
                yield block.data[start:end]
    finally:
        os.close(fd)
