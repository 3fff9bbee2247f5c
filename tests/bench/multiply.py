"""Homes that real CLIs wrote, their sessions many times over: each copy under an id of its own."""

import os
import random
import shutil
import sqlite3
import string
import tempfile
from contextlib import closing
from pathlib import Path

from tests.kit import expected, unpack

# Of each app beside Claude Code and Codex the home of the newest release.
APPS = (
    "opencode-home-1.18.33",
    "kilo-home-7.7.7",
    "copilot-cli-home-1.0.102",
    "gemini-cli-home-0.61.0",
    "qwen-code-home-0.24.4",
    "kimi-code-home-2.1.0",
    "pi-home-1.6.0",
    "grok-home-1.0.41",
    "vibe-home-3.0.2",
    "droid-home-0.215.0",
    "cline-home-3.0.65",
    "hermes-home-0.19.0",
)
_CLASSES = (string.digits, "abcdef", string.ascii_lowercase, string.ascii_uppercase)
_SHORT = 8  # characters of an id that stand in the name of Gemini's files
_YEAR = 365 * 86400

Copies = dict[str, list[str]]  # of each id that is there those that are to be


def multiply(home: str, name: str, sessions: int, rng: random.Random) -> None:
    """Put the recorded home `name` below `home`, with copies of its sessions until there are so many."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(name, Path(folder))
        files = [str(path.relative_to(folder)) for path in Path(folder).rglob("*")]
        shutil.copytree(folder, home, dirs_exist_ok=True, symlinks=True)
    files = [file for file in files if os.path.isfile(f"{home}/{file}")]
    ids = [str(told["id"]) for told in expected(name) if told["listed"] == "default"]
    ids = ids or [str(told["id"]) for told in expected(name) if told["listed"] == "all"]
    copies: Copies = {one: [] for one in ids}
    for number in range(max(0, sessions - len(ids))):
        one = ids[number % len(ids)]
        copies[one].append(_another(one, rng))
    for file in files:
        if file.endswith(".db"):
            with closing(sqlite3.connect(f"{home}/{file}")) as database, database:
                _more_rows(database, copies, rng)
        else:
            _more_files(home, file, copies, rng)


def _another(id: str, rng: random.Random) -> str:
    """An id of the same form: what stands behind its last `_` is made up."""
    front, mark, own = id.rpartition("_")
    return front + mark + "".join([_like(char, rng) for char in own])


def _like(char: str, rng: random.Random) -> str:
    return next((rng.choice(chars) for chars in _CLASSES if char in chars), char)


def _more_files(home: str, file: str, copies: Copies, rng: random.Random) -> None:
    """Copy a file that has a session's id in its path, and whatever it says of that id."""
    status = os.stat(f"{home}/{file}")
    for one, others in copies.items():
        short = one[:_SHORT]
        if one not in file and f"-{short}.json" not in file:
            continue
        data = Path(home, file).read_bytes()
        for other in others:
            path = Path(home, file.replace(one, other).replace(f"-{short}.", f"-{other[:_SHORT]}."))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.replace(one.encode(), other.encode()))
            when = status.st_mtime - rng.random() * _YEAR
            os.utime(path, (when, when))


def _more_rows(database: sqlite3.Connection, copies: Copies, rng: random.Random) -> None:
    """Copy each row that has a session's id in a column; keys that are texts are made up, too."""
    tables = database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
    ).fetchall()
    for (table,) in tables:
        columns = database.execute(f'PRAGMA table_info("{table}")').fetchall()
        keys = [at for at, column in enumerate(columns) if column[5]]
        for row in database.execute(f'SELECT * FROM "{table}"').fetchall():
            for one in {*copies} & {value for value in row if isinstance(value, str)}:
                made = [_copy(row, keys, one, other, rng) for other in copies[one]]
                marks = ",".join("?" * len(row))
                database.executemany(f'INSERT OR IGNORE INTO "{table}" VALUES ({marks})', made)


def _copy(
    row: tuple[object, ...], keys: list[int], id: str, other: str, rng: random.Random
) -> list[object]:
    made: list[object] = [other if value == id else value for value in row]
    for at in keys:
        value = made[at]
        if isinstance(value, int):
            made[at] = None  # the next number
        elif isinstance(value, str) and value != other:
            made[at] = _another(value, rng)
    return made
