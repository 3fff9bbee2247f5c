"""Small files that are one document each: a JSON object, or YAML of one level.

Bounded and forgiving: what cannot be opened or is none of these is nothing. Knows no app.
"""

from .files import whole

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from typing import Any

    from .session import Record

LIMIT = 8 * 1024 * 1024  # bytes: a document that is larger is not looked at


def json_object(path: str, limit: int = LIMIT) -> "Record":
    """The JSON object in the file at `path`, {} where there is none; OSError when not to be had."""
    from .jsonl import document

    return document(whole(path, limit)) or {}


def json_list(path: str, limit: int = LIMIT) -> "list[Record]":
    """The objects of the JSON list in the file at `path`, [] where there is none; OSError likewise."""
    from .jsonl import document

    found = document(b'{"list":' + whole(path, limit) + b"}") or {}
    listed = found.get("list")
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def yaml(path: str, limit: int = LIMIT) -> dict[str, str]:
    """The scalars of a YAML file of one level, as text; OSError when it is not to be had.

    Plain, 'single' and "double" quoted; anything deeper is passed over. Seen: Copilot 1.0.102.
    """
    found = {}
    for line in whole(path, limit).decode("utf-8", "surrogateescape").splitlines():
        key, colon, value = line.partition(": ")
        if colon and key and not key[0].isspace() and key[0] not in "#-":
            found[key] = _scalar(value.strip())
    return found


def _scalar(value: str) -> str:
    if value[:1] == "'" and value[-1:] == "'" and len(value) > 1:
        return value[1:-1].replace("''", "'")
    if value[:1] == '"' and value[-1:] == '"' and len(value) > 1:
        from json import loads

        try:
            return str(loads(value))
        except ValueError:
            return value[1:-1]
    return value


def at(record: "Any", *keys: str) -> "Any":
    """What stands at `keys`, one inside the other, in `record`; None where a step is missing."""
    for key in keys:
        if not isinstance(record, dict):
            return None
        record = record.get(key)
    return record
