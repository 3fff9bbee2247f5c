"""A JSON Lines transcript's conversation, by an app's own rule of who says what in a record."""

from . import speech, times
from .session import EMPTY
from .text import one_line

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable

    from .said.lines import Lines
    from .session import Message, Record, Session
    from .transcript import Transcript

    Fill = Callable[[Session, str, Transcript], None]
    Spoken = Callable[[Record], tuple[str, str] | None]


class Talk:
    """`spoken` tells who said what in a record, None for nothing; such a record holds one of `keys`."""

    def __init__(self, keys: tuple[bytes, ...], spoken: "Spoken") -> None:
        self.keys = keys
        self.spoken = spoken

    def is_in(self, transcript: "Transcript") -> bool:
        """Whether anything was said, as far as head and tail tell."""
        return bool(
            transcript.last(self.keys, self.spoken, grow=True)
            or transcript.opening(self.keys, self.spoken)
        )

    def fill(self, session: "Session", root: str, fill: "Fill") -> None:
        """Have `fill` take what the transcript tells, where anything was said in it."""
        from .transcript import Transcript

        with Transcript(f"{root}/{session.key}") as transcript:
            if self.is_in(transcript):
                fill(session, root, transcript)
            else:
                session.origin = EMPTY

    def first_prompt(self, transcript: "Transcript") -> str | None:
        """The first thing that the person said, as a title."""

        def prompt(record: "Record") -> str | None:
            said = self.spoken(record)
            return one_line(said[1]) if said and said[0] == speech.YOU else None

        return transcript.opening(self.keys, prompt)

    def conversations(self, root: str, beside: str = "") -> "Lines":
        """What was said in the sessions of a store: in their files, or in those named `beside` them."""
        from .said.lines import Lines

        return Lines(root, self.may_hold, self.messages, beside=beside)

    def may_hold(self, data: bytes, start: int, end: int) -> bool:
        """Whether the line `data[start:end]` may hold something said."""
        return any(data.rfind(key, start, end) >= 0 for key in self.keys)

    def messages(self, record: "Record") -> "list[Message]":
        """What is said in a record."""
        if (said := self.spoken(record)) is None:
            return []
        at = times.canonical(record.get("timestamp")) or times.canonical(record.get("time"))
        return [(said[0], at, said[1])]


def last_time(transcript: "Transcript", key: str = "timestamp") -> str | None:
    """The time under `key` of the last record that has one."""
    return transcript.last(
        (f'"{key}"'.encode(),), lambda record: times.canonical(record.get(key)), grow=True
    )
