"""What was said in sessions that are read as a whole: one document each, or rows of a database.

And in those of an app with two layouts.
"""

from ..session import SAID

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..session import Conversations, Hit, Message
    from .phrases import Sought
    from .sites import Sites

    Likely = Callable[[bytes], bool]

_BESIDE = 2  # messages before a hit, and behind it


class Whole:
    """The conversations of an app of which `read` gives the messages of a session, in order.

    Each with its place, a number that stays its own (its turn in a document, a row's id). `read` may
    leave out what is `likely` of none of the bytes that it comes from, before these are parsed.
    """

    def __init__(self, read: "Callable[[str, Likely], Iterable[Hit]]") -> None:
        """`read` takes a session's key."""
        self._read = read

    def first(self, key: str, sought: "Sought", sites: "Sites | None" = None) -> "Hit | None":
        """The first message in which all that is sought is said; OSError as the file has it."""
        for place, message in self._read(key, sought.likely):
            if sought.said_in(message[2]):
                return place, message
        return None

    def last(self, key: str) -> "list[Message]":
        """The last things said, oldest first; OSError as the file has it."""
        found: list[Message] = []
        for _, message in self._read(key, _any):
            found = [*found[1 - SAID :], message]
        return found

    def around(
        self, key: str, place: int, sought: "Sought"
    ) -> "tuple[list[Message], Message, list[Message]] | None":
        """The message at `place`, what was said before it and after it; None where it is no more."""
        before: list[Message] = []
        hit: Message | None = None
        after: list[Message] = []
        for at, message in self._read(key, _any):
            if hit is None and at == place and sought.said_in(message[2]):
                hit = message
            elif hit is None:
                before = [*before[1 - _BESIDE :], message]
            else:
                after.append(message)
            if len(after) == _BESIDE:
                break
        return (before, hit, after) if hit else None


class Either:
    """The conversations of an app with more than one layout: `of` tells by its key how a session lies."""

    def __init__(self, of: "Callable[[str], Conversations]") -> None:
        self._of = of

    def first(self, key: str, sought: "Sought", sites: "Sites | None" = None) -> "Hit | None":
        return self._of(key).first(key, sought, sites)

    def last(self, key: str) -> "list[Message]":
        return self._of(key).last(key)

    def around(
        self, key: str, place: int, sought: "Sought"
    ) -> "tuple[list[Message], Message, list[Message]] | None":
        return self._of(key).around(key, place, sought)


def _any(data: bytes) -> bool:
    return True
