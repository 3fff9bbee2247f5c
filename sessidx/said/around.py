"""One message whole, with the hits lit, and what was said before it and after it."""

from .. import apps, output, preview, rows, text
from ..output import Failure
from .phrases import BLANKS, Sought, composed, lowered
from .search import shown
from .snippet import lit, snippet, spans

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..session import Message, Session

    Around = tuple[list[Message], Message, list[Message]]

_LONGEST = 20_000  # characters of the message that are shown, from a little before the first hit
_LEAD = 2_000
_BESIDE = 600  # characters of what was said before and after
_BLANKS = frozenset(BLANKS + " ")
_DIM, _HIT, _OFF = "\x1b[2m", "\x1b[1;33m", "\x1b[0m"


def show(wanted: str, words: "Iterable[str]", style: str = "text", shell: str = "posix") -> int:
    """Print what is known of the session that `wanted` names, and the message in which all is said.

    Raises Failure when there is no such session, or no such message in it.
    """
    sought = Sought(words)
    told = [
        (session, around) for session in preview.named(wanted) if (around := found(session, sought))
    ]
    if not told:
        raise Failure(f"not said in that session: {text.clean(' '.join(words))}")
    if style == "json":
        said = [
            preview.everything(session, shell) | {"said": _facts(around)}
            for session, around in told
        ]
        output.lines([rows.json(said[0] if len(said) == 1 else said, indent=True)])
        return 0
    for session, around in told:
        output.lines(preview.facts(session, shell))
        output.lines(("", *lines(around, sought.phrases, colour=output.colour())))
    return 0


def found(session: "Session", sought: "Sought", place: int | None = None) -> "Around | None":
    """The first message of `session` that holds what is sought, or the one at `place`, if it does.

    None where there is none, or none any more; OSError when the session cannot be read.
    """
    sought = sought.beyond("\0".join(shown(session)))
    said = apps.load(session.app).conversations(session.home)
    if place is None:
        hit = said.first(session.key, sought)
        if hit is None:
            return None
        place = hit[0]
    return said.around(session.key, place, sought)


def lines(around: "Around", phrases: "Sequence[str]", *, colour: bool) -> "Iterator[str]":
    """What is shown of it, line by line."""
    before, hit, after = around
    for message in before:
        yield from _beside(message, colour=colour)
    yield _head(hit)
    for line in _lit(_part(hit[2], phrases), phrases, colour=colour):
        yield "  " + line
    for message in after:
        yield from _beside(message, colour=colour)


def excerpt(
    around: "Around", phrases: "Sequence[str]", columns: int, *, colour: bool
) -> "Iterator[str]":
    """Who said it, and so much of the message around the first hit as fits into some `columns`."""
    _, message, _ = around
    yield _head(message)
    shown = rows.fit(snippet(message[2], phrases, columns), columns).rstrip()
    yield "  " + (lit(shown, phrases, _HIT, _OFF) if colour else shown)


def _facts(around: "Around") -> "dict[str, object]":
    before, hit, after = around
    each = [{"who": who, "at": at, "text": words} for who, at, words in (*before, hit, *after)]
    return each[len(before)] | {"before": each[: len(before)], "after": each[len(before) + 1 :]}


def _head(message: "Message") -> str:
    who, at, _ = message
    return f"{who}, {at}:" if at else f"{who}:"


def _beside(message: "Message", *, colour: bool) -> "Iterator[str]":
    who, _, words = message
    cut = words[:_BESIDE].rstrip() + ("…" if len(words) > _BESIDE else "")
    on, off = (_DIM, _OFF) if colour else ("", "")
    yield f"{on}{who}:{off}"
    for line in cut.split("\n"):
        yield f"{on}  {text.clean(line.rstrip())}{off}"
    yield ""


def _part(words: str, phrases: "Sequence[str]") -> str:
    """All of a message, or of one that is very long the part with the first hit."""
    if len(words) <= _LONGEST:
        return words
    low = lowered(composed(words))
    first = min((at for phrase in phrases if (at := low.find(phrase)) >= 0), default=0)
    start = max(0, first - _LEAD)
    end = start + _LONGEST
    return ("…" if start else "") + words[start:end] + ("…" if end < len(words) else "")


def _lit(words: str, phrases: "Sequence[str]", *, colour: bool) -> "Iterator[str]":
    """The lines of `words`, clean; where there is colour, hits in it, also over the end of a line."""
    words = composed(words)
    lights = set(_letters(words, phrases)) if colour else set()
    line = ""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (end in lights) == (at in lights) and words[end] != "\n":
            end += 1
        part = text.clean(words[at:end])
        line += f"{_HIT}{part}{_OFF}" if part and at in lights else part
        if end < len(words) and words[end] == "\n":
            yield line.rstrip()
            line, end = "", end + 1
        at = end
    yield line.rstrip()


def _letters(words: str, phrases: "Sequence[str]") -> "Iterator[int]":
    """The place of each letter of `words` that belongs to a hit."""
    kept = [
        at
        for at, c in enumerate(words)
        if c not in _BLANKS or (at and words[at - 1] not in _BLANKS)
    ]
    low = lowered("".join(" " if words[at] in _BLANKS else words[at] for at in kept))
    for start, end in spans(low, phrases):
        yield from range(kept[start], kept[end - 1] + 1)
