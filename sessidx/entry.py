"""How a session is written into the index and read from it: a line of each block.  (pure)

The lines are input like any other: what is none makes no Session.
"""

from . import text
from .rows import DEFAULT, tsv
from .session import FIELDS, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from .session import Place

    Entry = tuple[str, bytes, bytes, bytes]  # a line of each block

_IN_ROW = ("id", "cwd", "branch", "title")  # in a line only where the row shows them otherwise
# What is listed by default is known by the beginning of its line.
_FIRST = ("origin", "archived", "continued_in", *_IN_ROW)
_ELSEWHERE = ("key", "stamp", "app", "updated", "live", *_FIRST)
COLUMNS = (*_FIRST, *(name for name in FIELDS if name not in _ELSEWHERE), "beside")
_AT = tuple(COLUMNS.index(name) if name in _IN_ROW else 0 for name in DEFAULT)
# In a hay tabs and line ends are others of their kind, one character for one.
_BLANKS = {"\t": "\x1c", "\n": "\x1d", "\r": "\x1e"}


def session(place: "Place", mark: str, row: bytes, line: bytes) -> Session | None:
    """The Session of one line of each block; None when it is none."""
    key, _, stamp = mark.partition("\t")
    shown = str(row, "utf-8", "surrogatepass").split("\t")
    values = str(line, "utf-8", "surrogatepass").split("\t")
    if len(values) != len(COLUMNS) or len(shown) != len(DEFAULT):
        return None
    if b"\\" in line:
        values = [unescape(value) for value in values]
    found = Session.__new__(Session)
    (
        found.origin,
        archived,
        found.continued_in,
        own,
        cwd,
        branch,
        title,
        found.model,
        found.effort,
        found.mode,
        found.approval,
        found.sandbox,
        found.reviewer,
        found.roots,
        found.provider,
        found.fork_of,
        size,
        found.found,
        _,
    ) = values
    found.key = unescape(key) if "\\" in key else key
    found.stamp = stamp
    found.id = own or shown[0]
    found.updated, found.cwd, found.branch, found.title = (
        value or (other if other != "-" else "")
        for value, other in zip(("", cwd, branch, title), shown[2:], strict=True)
    )
    found.app, found.home = place
    found.live = found.interrupted = None
    found.archived = archived != ""
    found.size = int(size) if is_number(size) else 0
    return found


def entry(found: Session, beside: str) -> "Entry":
    """The lines of a session; `beside` is a digest of what it depends on besides its stamp."""
    row = tsv(found)
    values = [str(getattr(found, name) or "") for name in COLUMNS[:-1]]
    values.append(beside)
    for at, shown in zip(_AT, row.split("\t"), strict=True):
        if at and values[at] == shown != "-":
            values[at] = ""
    told = (found.title, found.cwd, found.branch, found.id)
    return (
        mark(found.key, found.stamp),
        needle("\0".join([value or "" for value in told])),
        row.encode("utf-8", "replace"),
        "\t".join(_escaped(values)).encode("utf-8", "surrogatepass"),
    )


def mark(key: str, stamp: str) -> str:
    """How a session and its stamp are written."""
    return "\t".join(_escaped([key, stamp]))


def needle(word: str) -> bytes:
    """`word`, or what it is looked for in, as it is compared."""
    folded = text.fold(word)
    if not folded.isprintable():
        for blank, written in _BLANKS.items():
            folded = folded.replace(blank, written)
    return folded.encode("utf-8", "surrogatepass")


def escape(value: str) -> str:
    """`value` without tabs and line ends, reversibly."""
    if value.isprintable() and "\\" not in value:
        return value
    for char, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        value = value.replace(char, written)
    return value


def _escaped(values: list[str]) -> list[str]:
    """Each as `escape` has it; nearly always they are that already."""
    whole = "".join(values)
    return values if whole.isprintable() and "\\" not in whole else [*map(escape, values)]


def unescape(value: str) -> str:
    """What `escape` was given."""
    if "\\" not in value:
        return value
    parts = value.split("\\\\")
    for char, written in (("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        parts = [part.replace(written, char) for part in parts]
    return "\\".join(parts)


def updated(row: bytes) -> list[bytes]:
    """The time in a row, as it sorts: `-`, for none, before all."""
    return row.split(b"\t", 3)[2:3]


def is_number(word: str) -> bool:
    """Whether it is a whole number, of no more digits than any has."""
    return word.isascii() and word.isdecimal() and len(word) < 20
