"""What is known of one Codex thread besides its rollout: its row of the database, and its name.

Seen: migrations 17 (0.105) to 64 (0.171), each with other columns; `id` is a key in all.
"""

from sys import getsizeof
from zlib import crc32

from ...session import SUBAGENT
from ...text import one_line
from .titles import REQUEST, request

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Session
    from ...sqlite import Row, Value

_ROW = 400  # bytes of one, besides its texts
_TEXTS = ("name", "title", "first_user_message", "preview")
_REPEATED = ("cwd", "source", "sandbox_policy")  # long, and the same in many rows
COLUMNS = (
    *_TEXTS,
    *_REPEATED,
    "id",
    "thread_source",
    "attached_thread_parent_id",
    "git_branch",
    "model",
    "reasoning_effort",
    "approval_mode",
    "recency_at_ms",
    "updated_at_ms",
    "updated_at",
    "model_provider",
    "rollout_path",
)
_REPEAT, _REST = len(_TEXTS), len(_TEXTS) + len(_REPEATED)
_TITLE = 400  # characters of a text that a title may need
AT = {column: number for number, column in enumerate(COLUMNS)}


class Known:
    """What is known of one thread besides its rollout: the row as it is, cut short, and its name.

    A row is cleaned only when its session is read again: there may be many thousands. `held`: texts
    that many rows share.
    """

    __slots__ = ("_row", "name")

    def __init__(self, row: "Row" = (), held: "dict[Value, Value] | None" = None) -> None:
        texts, repeated, rest = row[:_REPEAT], row[_REPEAT:_REST], row[_REST:-1]
        if held is not None:
            repeated = tuple([held.setdefault(value, value) for value in repeated])
        self._row = (*_short(texts), *repeated, *rest, *map(_name, row[-1:]))
        self.name = one_line(self.get("name"))

    @property
    def in_database(self) -> bool:
        return bool(self._row)

    @property
    def size(self) -> int:
        """Bytes that it takes, at most."""
        return _ROW + sum(map(getsizeof, self._row[:_REST]))

    def digest(self) -> int:
        """A number that changes when anything of the row does."""
        return crc32(repr(self._row).encode("utf-8", "surrogatepass"))

    def title(self, prompt: str | None = None) -> str | None:
        """What Codex calls the thread; `prompt` is what was typed first in its rollout."""
        return (
            self.name
            or request(self.get("title"))
            or prompt
            or request(self.get("first_user_message"))
            or request(self.get("preview"))
        )

    def get(self, column: str) -> "Value":
        """The raw value of a column, None where the row or the table has none."""
        return self._row[AT[column]] if self._row else None


def _short(texts: "Row") -> "Row":
    """What a title may need of the texts, which stand in the order in which one is taken."""
    kept: list[Value] = []
    for text in texts:
        if isinstance(text, str) and len(text) >= _TITLE:
            text = (request(text) or "") if REQUEST in text else text[:_TITLE]
        kept.append(text)
    title = kept[1] if kept else None
    if isinstance(title, str) and title.strip() and title.isascii() and title.isprintable():
        kept[2:] = [None, None]
    return tuple(kept)


def _name(value: "Value") -> "Value":
    """A path's last part: the rollouts themselves are looked for, no path of a row is followed."""
    return value.rpartition("/")[2] if isinstance(value, str) else value


def remembered(session: "Session", known: Known | None) -> Known:
    """What the index knows of a session, while the database cannot be read; `known`: what else is."""
    if known is None or not known.in_database:
        told = {
            "cwd": session.cwd,
            "git_branch": session.branch,
            "model": session.model,
            "reasoning_effort": session.effort,
            "attached_thread_parent_id": session.origin if session.origin == SUBAGENT else None,
        }
        name = known.name if known else None
        known = Known(tuple(told.get(column) for column in COLUMNS))
        known.name = name
    known.name = known.name or session.title
    return known
