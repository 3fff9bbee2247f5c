"""What was said in a session of OpenCode: the text parts of its messages, in rows or in old files.

A prompt given to `opencode run` stands in quotes where it has blanks (seen in 1.18.33); what the
program adds to a prompt is marked `synthetic` or `ignored`.
"""

import os
from itertools import islice

from ... import documents, files, jsonl, speech, sqlite, times
from ...session import ROW, SAID
from ...text import one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...said.whole import Likely
    from ...session import Conversations, Message, Record
    from ...sqlite import Value
    from ...sqlite.tables import Tables

    Turn = tuple[Record, Iterable[Record]]  # a message, and its parts

_SECONDS = 5.0
_LOOKED_AT = 40  # messages from either end of a session
_TEXT = jsonl.LINE + 4096  # characters; of what is longer both ends count
_LIMIT = 1 << 20


def first_prompt(tables: "Tables", id: str) -> str | None:
    """The first thing the person typed, as a title."""
    return _first_prompt(_turns(tables, id))


def first_prompt_filed(root: str, id: str) -> str | None:
    """The same of a session in old files."""
    return _first_prompt(_filed(root, id))


def last_answer(tables: "Tables", id: str) -> "Record | None":
    """The newest message of the agent."""
    return _last_answer(message for message, _ in _turns(tables, id, last_first=True))


def last_answer_filed(root: str, id: str) -> "Record | None":
    """The same of a session in old files."""
    return _last_answer(message for message, _ in _filed(root, id, last_first=True))


def conversations(root: str) -> "Conversations":
    """What was said in the sessions of one data folder."""
    from ...said.whole import Either

    rows, filed = _rows(root), _documents(root)
    return Either(lambda key: rows if ROW in key else filed)


def filed_id(key: str) -> str:
    """The id in the name of an old file."""
    return key[key.rfind("/") + 1 : -len(".json")]


def _rows(root: str) -> "Conversations":
    from ...said.whole import Whole

    databases: dict[str, sqlite.Database] = {}

    def ask(key: str, likely: "Likely", last: bool = False) -> "list[Message]":
        name, _, own = key.partition(ROW)

        def answer(tables: "Tables") -> "list[Message]":
            turns = _turns(tables, own, likely, last_first=last)
            return [*islice(_said(turns), SAID if last else None)]

        try:
            database = databases.setdefault(name, sqlite.Database(os.path.join(root, name)))
            return database.read(answer, _SECONDS)
        except sqlite.Unreadable as error:
            raise OSError(str(error)) from None

    class Rows(Whole):
        def last(self, key: str) -> "list[Message]":
            """The last things said, oldest first: found from the end by the index of messages."""
            return ask(key, _any, last=True)[::-1]

    return Rows(lambda key, likely: enumerate(ask(key, likely)))


def _documents(root: str) -> "Conversations":
    from ...said.whole import Whole

    return Whole(lambda key, likely: enumerate(_said(_filed(root, filed_id(key)))))


def _said(turns: "Iterable[Turn]") -> "Iterator[Message]":
    for message, parts in turns:
        who = speech.who(message.get("role"))
        words = "\n".join(filter(None, map(_words, parts))) if who else ""
        if who and words:
            at = times.canonical(documents.at(message, "time", "created"))
            yield who, at, _unquoted(words) if who == speech.YOU else words


def _words(part: "Record") -> str | None:
    """What a part says; None for tools, thoughts, files and what the program itself adds."""
    if part.get("type") != "text" or part.get("synthetic") or part.get("ignored"):
        return None
    text = part.get("text")
    return text.strip() if isinstance(text, str) else None


def _unquoted(text: str) -> str:
    if len(text) > 2 and text[0] == text[-1] == '"' and " " in text:
        return text[1:-1].replace('\\"', '"')
    return text


def _first_prompt(turns: "Iterable[Turn]") -> str | None:
    for looked, (message, parts) in enumerate(turns):
        if message.get("role") == "user":
            words = "\n".join(filter(None, map(_words, parts)))
            if title := one_line(_unquoted(words)):
                return title
        if looked == _LOOKED_AT:
            break
    return None


def _last_answer(messages: "Iterable[Record]") -> "Record | None":
    for looked, message in enumerate(messages):
        if message.get("role") == "assistant":
            return message
        if looked == _LOOKED_AT:
            break
    return None


def _any(data: bytes) -> bool:
    return True


def _turns(
    tables: "Tables", id: str, likely: "Likely" = _any, last_first: bool = False
) -> "Iterator[Turn]":
    """The messages of a session, each with its parts, by the indexes that the program keeps.

    A message whose parts are not `likely` to hold what is sought has none.
    """
    columns = ("id", "data")
    for message, data in tables.rows(
        "message", columns, ("session_id", id), last_first=last_first, text=_TEXT
    ):
        parts = [*_parts(tables, message)]
        yield _record(data), map(_record, parts if likely(b"\n".join(parts)) else ())


def _parts(tables: "Tables", message: "Value") -> "Iterator[bytes]":
    """The parts of a message that may be text."""
    for (data,) in tables.rows("part", ("data",), ("message_id", message), text=_TEXT):
        if isinstance(data, str) and '"text"' in data:
            yield data.encode("utf-8", "surrogateescape")


def _record(data: "Value | bytes") -> "Record":
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    return (jsonl.parse(data) or {}) if isinstance(data, bytes) else {}


def _filed(root: str, id: str, last_first: bool = False) -> "Iterator[Turn]":
    """The same of old files, whose names sort by time."""
    for name in _named(f"{root}/storage/message/{id}", last_first):
        message = _document(f"{root}/storage/message/{id}/{name}")
        folder = f"{root}/storage/part/{name[:-5]}"
        yield message, (_document(f"{folder}/{part}") for part in _named(folder))


def _named(folder: str, last_first: bool = False) -> list[str]:
    found = sorted(files.names(folder), reverse=last_first)
    return [name for name in found if name.endswith(".json")]


def _document(path: str) -> "Record":
    try:
        return documents.json_object(path, _LIMIT)
    except OSError:
        return {}
