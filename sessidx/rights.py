"""What a session may do, sought backward in its transcript: each part on its own, none guessed.

The agents restore a recorded mode, approval or sandbox by themselves, so one that was overlooked
would come back without a word. Hence: what stands beyond the reach of the search, and what is not
understood, is UNSEEN, never the default. Knows no app.
"""

from time import process_time

from .blocks import FAR, within
from .jsonl import EDGE
from .session import UNSEEN
from .transcript import TAIL

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from .blocks import Block
    from .session import Record, Session
    from .transcript import Transcript

    # The keys of which a record with this part holds one, and what the record says: None for nothing
    # of it; UNSEEN where it is `capped` and of a kind that has the part, but does not show it.
    Part = tuple[tuple[bytes, ...], Callable[[Record], str | None]]

LIST = TAIL + FAR  # how far back a list looks, in bytes,
PLAN = 256 * 1024 * 1024  # and a plan
_SECONDS = 0.2  # of the processor; transcripts of the right kind take half of it
_RUN = 64  # backslashes that are counted


def newest(
    transcript: "Transcript",
    parts: "Mapping[str, Part]",
    reach: int,
    known: "Session | None" = None,
    *,
    early: bool = False,
) -> "dict[str, str | None]":
    """The last recorded value of each of `parts`; None where none is recorded, or UNSEEN.

    Looked for in the last `reach` bytes. What was `known` of the session when its transcript was
    shorter stands for what lies before. Keys written with an escape are seen where the reach is a
    plan's: no agent writes them so. `early`: nearly all keys stand at the beginning of their lines,
    so a list does not look further.
    """
    found: dict[str, str | None] = {}
    floor = max(0, transcript.size - reach)
    if known is not None and known.size < floor:
        known = None
    floor = known.size if known else floor
    if reach < PLAN and (found := _at_once(transcript, parts)):
        return found
    deadline = process_time() + _SECONDS
    seen = transcript.size <= floor
    keys = _keys(parts) if early and reach < PLAN else ()
    for block in transcript.blocks(transcript.size - floor, far=reach):
        left = {name: part for name, part in parts.items() if name not in found}
        if keys and not block.elided and not any(block.short().rfind(key) >= 0 for key in keys):
            left = {}
        for name, value in _told(transcript, block, left, reach >= PLAN):
            found.setdefault(name, value)
            if len(found) == len(parts):
                return found
        if transcript.spent or process_time() > deadline:
            break
        if seen := block.start <= floor:
            break
    for name in parts:
        before = (getattr(known, name) or None) if known else UNSEEN if floor else None
        found.setdefault(name, before if seen else UNSEEN)
    return found


def _at_once(transcript: "Transcript", parts: "Mapping[str, Part]") -> "dict[str, str | None]":
    """What the last record with any of `parts` tells, when it tells all of them."""
    keys = _keys(parts)
    for block in transcript.blocks(1):
        record = transcript.newest(block, keys)
        if record is not None and not block.elided:
            found = {name: take(record) for name, (_, take) in parts.items()}
            return {} if None in found.values() else found
    return {}


def _keys(parts: "Mapping[str, Part]") -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(key for needles, _ in parts.values() for key in needles))


def _told(
    transcript: "Transcript", block: "Block", parts: "Mapping[str, Part]", careful: bool
) -> "Iterator[tuple[str, str]]":
    """What `block` says of `parts`, the last first."""
    if not parts:
        return
    if block.elided:
        yield from _told_by_long_line(transcript, block, parts, careful)
        return
    keys = _keys(parts)
    marks = _escapes(block.data) if careful else []
    for record in transcript.inside(block, keys, marks):
        for name, (_, take) in parts.items():
            value = take(record)
            if value is not None:
                yield name, value


def _told_by_long_line(
    transcript: "Transcript", block: "Block", parts: "Mapping[str, Part]", careful: bool
) -> "Iterator[tuple[str, str]]":
    """The same of a line of which only the two ends are parsed: what is not in them alone is UNSEEN."""
    record = transcript.record(block.start, block.data) or {}
    hidden = _hidden(transcript, block, parts) if careful else set()
    for name, (keys, take) in parts.items():
        shown = sum(map(block.data.count, keys))
        if (shown or name in hidden) and careful and "type" not in record:
            value: str | None = UNSEEN  # its beginning is too far back
        elif shown > 1 or name in hidden:
            told = {key: record[key] for key in record if f'"{key}"'.encode() not in keys}
            value = take(told)
        else:
            value = take(record) if shown else None
        if value is not None:
            yield name, value


def _hidden(
    transcript: "Transcript", block: "Block", parts: "Mapping[str, Part]"
) -> "AbstractSet[str]":
    """Which of `parts` the middle of a long line may hold, read once for all of them."""
    found: set[str] = set()
    for data in within(transcript.fd, block.start + EDGE, block.end - EDGE):
        if _escapes(data):
            return parts.keys()
        found |= {
            name for name, (keys, _) in parts.items() if any(data.rfind(key) >= 0 for key in keys)
        }
        if len(found) == len(parts):
            break
    return found


def _escapes(data: bytes) -> list[int]:
    """Where in `data` a character of ASCII is written as an escape that needs none."""
    if data.rfind(b"\\u00") < 0:
        return []
    import re

    return [
        match.start()
        for match in re.finditer(rb"\\u00[2-7]", data)
        if _backslashes(data, match.start()) % 2 == 0
    ]


def _backslashes(data: bytes, end: int) -> int:
    """How many backslashes stand before `end`; of very many an even number."""
    count = 0
    while count < _RUN and data[end - count - 1 : end - count] == b"\\":
        count += 1
    return count
