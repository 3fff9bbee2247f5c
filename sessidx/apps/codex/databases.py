"""Where Codex keeps its state databases, and how they and the name list stand.

They lie in the folder that config.toml's sqlite_home, else CODEX_SQLITE_HOME, else the home names.
"""

import os

from ... import paths, sqlite
from ...files import GONE, mark, whole

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Record

NAMES = "session_index.jsonl"
_CONFIG_LIMIT = 1 << 20
_MOST = 8  # of the highest numbers


def stamp(root: str) -> str:
    """How database, -wal, name list and configuration stand: equal means unchanged."""
    where = folder(root)
    marks = [where if where != root else ""]
    try:
        for number, name in listed(where):
            marks.append(f"{number}={sqlite.stamp(os.path.join(where, name))}")
        marks.append(mark(os.path.join(root, NAMES)))
    except OSError:
        marks.append("?")
    return ",".join(marks)


def folder(root: str) -> str:
    """The folder of the databases; a relative sqlite_home counts from `root`."""
    try:
        told = config(root)
    except OSError:
        told = b""
    if b"sqlite_home" in told:
        chosen = (parsed(told) or {}).get("sqlite_home")
        if isinstance(chosen, str) and chosen and "\0" not in chosen:
            return os.path.join(root, os.path.expanduser(chosen))
    chosen = (paths.setting(paths.CODEX_DATABASES) or "").strip()
    return os.path.abspath(chosen) if chosen else root


def config(root: str) -> bytes:
    """All of config.toml; OSError when it cannot be read, or is longer than any that people write."""
    return whole(os.path.join(root, "config.toml"), _CONFIG_LIMIT)


def parsed(config: bytes) -> "Record | None":
    """What config.toml says, None when that is not to be understood."""
    import tomllib

    try:
        return tomllib.loads(config.decode())
    except (ValueError, RecursionError):
        return None


def listed(where: str) -> list[tuple[int, str]]:
    """The state databases in the folder `where`: number and name, the eight highest first.

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
    return sorted(found, reverse=True)[:_MOST]
