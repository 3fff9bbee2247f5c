"""One session of OpenCode -> its facts, from its row or its old file.

`time_updated` moves with each message; a row that was taken over from a file has no model.
"""

import os

from ... import documents, files, jsonl, sqlite, times
from ...session import ROW, SUBAGENT, Session
from ...text import folder, one_line
from . import said

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ...session import Look, Record
    from ...sqlite import Row
    from ...sqlite.tables import Tables

_COLUMNS = (
    *("id", "parent_id", "directory", "title", "agent", "model"),
    *("time_created", "time_updated", "time_archived"),
)
_TEXT = 1024  # characters of each
_SECONDS = 2.0
_LIMIT = 1 << 20
_NEW = ("New session - ", "Child session - ")  # a title until the model gave one, before a time


def discover(root: str, name: str, look: "Look", met: set[str]) -> "Iterator[tuple[str, str]]":
    """Key and stamp of each row of a database that is not `met` in another; rows are held."""
    from zlib import crc32

    try:
        rows = sqlite.read(os.path.join(root, name), _rows, _SECONDS)
    except sqlite.Unreadable:
        look.unread.append(name)
        look.again = True
        return
    for row in rows:
        if isinstance(row[0], str) and row[0] not in met:
            met.add(row[0])
            key = f"{name}{ROW}{row[0]}"
            look.held[key] = row
            yield key, f"{crc32(repr(row).encode('utf-8', 'surrogatepass')):x}"


def failure(root: str, name: str) -> str | None:
    """Why a database that is there cannot be read."""
    path = os.path.join(root, name)
    try:
        if files.is_there(path):
            sqlite.read(path, _rows, _SECONDS)
    except sqlite.Unreadable as error:
        return str(error)
    return None


def _rows(tables: "Tables") -> "list[Row]":
    return [*tables.rows("session", _COLUMNS, text=_TEXT)]


class Reader:
    """Reads sessions of one data folder; `held` are the rows that a look has read."""

    def __init__(self, name: str, root: str, held: "Mapping[str, Row]") -> None:
        self._name = name
        self._root = root
        self._held = held

    def beside(self, key: str) -> str | None:
        """What else a session depends on: nothing that is not in its stamp."""
        return ""

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        """The session of the row or the file at `key`; OSError when it is not to be had."""
        name, row, own = key.partition(ROW)
        session = Session(self._name, own if row else said.filed_id(key), key=key)
        session.size = os.stat(os.path.join(self._root, name)).st_size
        if row:
            self._read_row(session, name)
        else:
            _read_file(session, self._root)
        return session

    def _read_row(self, session: Session, name: str) -> None:
        path = os.path.join(self._root, name)
        try:
            row = self._held.get(session.key) or sqlite.read(path, _row_of(session.id), _SECONDS)
            _fill(session, dict(zip(_COLUMNS, row or (), strict=False)))
            if row and (not session.title or not session.model):
                sqlite.read(path, lambda tables: _look_up(session, tables), _SECONDS)
        except sqlite.Unreadable as error:
            raise OSError(str(error)) from None
        if not row:
            raise FileNotFoundError(f"no row {session.id}")


def _row_of(id: str) -> "Any":
    return lambda tables: next(tables.rows("session", _COLUMNS, ("id", id), text=_TEXT), None)


def _fill(session: Session, row: "Record") -> None:
    """What a row says of its session: its title unless that is only its time."""
    session.cwd = folder(row.get("directory"))
    title = one_line(row.get("title"))
    session.title = None if title and title.startswith(_NEW) and title.endswith("Z") else title
    stamps = [times.canonical(row.get(f"time_{what}")) or "" for what in ("created", "updated")]
    session.updated = max(stamps) or None
    session.archived = bool(row.get("time_archived"))
    session.mode = one_line(row.get("agent"))
    model = row.get("model")
    session.model = _model(jsonl.parse(str(model).encode("utf-8", "replace")) if model else None)
    if row.get("parent_id"):
        session.origin = SUBAGENT


def _model(record: "Record | None") -> str | None:
    """`provider/model`, as its flag takes it, from a session's or a message's record."""
    found = record or {}
    model = found.get("modelID") or found.get("id")
    provider = found.get("providerID")
    if not (isinstance(provider, str) and isinstance(model, str) and provider and model):
        return None
    return one_line(f"{provider}/{model}")


def _look_up(session: Session, tables: "Tables") -> None:
    """What a row lacks: the first thing typed, and the last answering model."""
    session.title = session.title or said.first_prompt(tables, session.id)
    session.model = session.model or _model(said.last_answer(tables, session.id))


def _read_file(session: Session, root: str) -> None:
    record = documents.json_object(os.path.join(root, session.key), _LIMIT)
    at = documents.at
    told = {"directory": record.get("directory"), "title": record.get("title")}
    told |= {"parent_id": record.get("parentID"), "time_archived": at(record, "time", "archived")}
    told |= {f"time_{what}": at(record, "time", what) for what in ("created", "updated")}
    _fill(session, told)
    session.title = session.title or said.first_prompt_filed(root, session.id)
    session.model = _model(said.last_answer_filed(root, session.id))
