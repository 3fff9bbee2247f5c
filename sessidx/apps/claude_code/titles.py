"""What Claude Code calls a session: the precedence of its own picker, and what counts as a prompt.

chosen (/rename) > generated > summary > last prompt > first prompt > a slash command. The last
record of a kind counts, wherever the other kinds stand, and a blank one clears it.
"""

from ...blocks import FAR
from ...session import CHOSEN
from ...text import one_line
from ...transcript import TAIL
from . import said

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...session import Record, Session
    from ...transcript import Transcript

_CHOSEN = b'"customTitle"'
_LINKED = b'{"parentUuid":'  # how each record of a conversation begins (1.0.128 to 2.1.332)
_CLEAR = "/clear"
_SUMMARIES = 20  # that are looked at


def find(
    session: "Session", transcript: "Transcript", previous: "Session | None", side: "Record | None"
) -> str | None:
    """The title of `session`; `session.found` remembers what the person chose."""
    chosen = _chosen(transcript, previous, side)
    session.found = f"{CHOSEN}{chosen}"  # alone: sought, and there is none
    if chosen:
        return chosen
    generated = _recorded(transcript, "ai-title", "aiTitle")
    return (
        generated
        or _summary(transcript)
        or transcript.last_short(b'"lastPrompt"', _last_prompt)
        or _first_prompt(transcript)
    )


def prompt(record: "Record") -> str | None:
    """What the person typed in a user record, as a title; None when it is anything else."""
    for text in said.texts(record):
        if words := _prompt(text):
            return words
    return None


def _chosen(
    transcript: "Transcript", previous: "Session | None", side: "Record | None"
) -> str | None:
    """The name the person gave, "" for none: tail, custom-title.json, between, head, in this order.

    Between head and tail at most 8 MiB are searched, and of a file that only grew just what is new.
    """
    take = _taker("custom-title", "customTitle")
    found = transcript.last_apart(_CHOSEN, _LINKED, take)
    if found is None and side:
        found = one_line(side.get("customTitle"))
    if found is None and transcript.size > TAIL:
        known = transcript.known(previous) if previous and previous.found else None
        reach = max(0, transcript.size - TAIL - FAR)
        since = max(reach, known.size) if known else reach
        found = transcript.last_apart(_CHOSEN, _LINKED, take, since)
        if found is None and known:
            found = (known.found or "")[1:]
        elif found is None and reach:
            found = transcript.last_of_head((_CHOSEN,), take)
    return found or ""


def _recorded(transcript: "Transcript", kind: str, key: str) -> str | None:
    take, needle = _taker(kind, key), f'"{key}"'.encode()
    found = transcript.last_short(needle, take)
    return transcript.last_of_head((needle,), take) if found is None else found


def _taker(kind: str, key: str) -> "Callable[[Record], str | None]":
    """Takes the title from a record of `kind`: "" when it is blank, which clears it."""

    def take(record: "Record") -> str | None:
        if record.get("type") != kind or not isinstance(record.get(key), str):
            return None
        return one_line(record[key]) or ""

    return take


def _summary(transcript: "Transcript") -> str | None:
    """A summary counts only where the message it sums up is in this file.

    Up to 2.0.76 every one stands in the file of the next session (seen in 11 of 11).
    """
    looked = 0

    def own(record: "Record") -> str | None:
        nonlocal looked
        looked += 1
        leaf = record.get("leafUuid")
        if record.get("type") != "summary" or not isinstance(leaf, str) or not leaf.isascii():
            return None
        if looked > _SUMMARIES or not transcript.holds(f'"uuid":"{leaf}"'.encode()):
            return None
        return one_line(record.get("summary"))

    return transcript.last_short(b'"summary"', own)


def _last_prompt(record: "Record") -> str | None:
    if record.get("type") != "last-prompt" or not isinstance(record.get("lastPrompt"), str):
        return None
    return _prompt(record["lastPrompt"])


def _first_prompt(transcript: "Transcript") -> str | None:
    return transcript.opening((b'"user"',), prompt) or transcript.opening(
        (b'"user"',), _bare_command
    )


def _prompt(text: str) -> str | None:
    return one_line(said.words(text))


def _bare_command(record: "Record") -> str | None:
    command = _command(record)
    return one_line(command) if command != _CLEAR else None


def _command(record: "Record") -> str | None:
    return next(filter(None, map(said.command, said.texts(record))), None)


def was_only_cleared(transcript: "Transcript") -> bool:
    """Whether the session was begun by /clear, which is recorded in it, and nothing came of it.

    It is asked only of one without a title.
    """
    return bool(
        transcript.opening((b'"user"',), lambda record: _command(record) == _CLEAR or None)
        and not transcript.opening((b'"assistant"',), _answer)
    )


def _answer(record: "Record") -> bool | None:
    return True if said.kind(record) == "assistant" else None
