"""Some words around a hit, on one line, and where the hits stand in them.  (pure)"""

from .. import text
from .phrases import lowered, spaced

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

WIDTH = 160


def snippet(said: str, phrases: "Sequence[str]", width: int = WIDTH) -> str:
    """At most `width` printable characters of `said`, the first hit in their first half; `…` where cut."""
    line = spaced(said)
    hits = [at for phrase in phrases if (at := lowered(line).find(phrase)) >= 0]
    first = min(hits, default=0)
    start = 0
    if len(line) > width and first > width // 2:
        start = first - width // 4
        start = line.find(" ", start, first) + 1 or start
    shown = text.clean(line[start : start + 2 * width])
    shown = "…" + shown if start else shown
    if len(shown) > width or start + 2 * width < len(line):
        shown = shown[: width - 1].rstrip() + "…"
    return shown


def lit(line: str, phrases: "Iterable[str]", on: str, off: str) -> str:
    """`line`, clean and spaced, with each hit between `on` and `off`."""
    out = []
    at = 0
    for start, end in spans(lowered(line), phrases):
        out += [line[at:start], on, line[start:end], off]
        at = end
    return "".join([*out, line[at:]])


def spans(low: str, phrases: "Iterable[str]") -> "Iterator[tuple[int, int]]":
    """Where the phrases stand in `low`, in order; those that touch are one."""
    found = []
    for phrase in phrases:
        at = low.find(phrase)
        while at >= 0:
            found.append((at, at + len(phrase)))
            at = low.find(phrase, at + len(phrase))
    begun = ended = -1
    for start, end in sorted(found):
        if start > ended:
            if ended >= 0:
                yield begun, ended
            begun, ended = start, end
        ended = max(ended, end)
    if ended >= 0:
        yield begun, ended
