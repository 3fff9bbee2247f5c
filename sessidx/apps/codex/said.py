"""What is said in a Codex rollout, and the lines that may hold it: the one place that decides.

Seen in 0.45, 0.105, 0.145 and 0.171. Each message is recorded two or three times (an event, an item
of the model's, the end of its turn); the event counts, which alone tells a person's words from what
Codex puts beside them: `user_message` and `agent_message`, since 0.150 `item_completed`.
"""

import os

from ... import times
from ...said.lines import Lines
from ...said.source import BLOCK, opened
from ...session import SAID
from .titles import REQUEST

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Message, Record

_WHO = {
    "user_message": "you",
    "UserMessage": "you",
    "agent_message": "agent",
    "AgentMessage": "agent",
}
_PAYLOAD = b'"payload":{"'
_EVENTS = (b'type":"user_mes', b'type":"agent_me', b'type":"item_com')
_NEAR = 256


def may_hold(data: bytes, start: int, end: int) -> bool:
    """Whether the line `data[start:end]` may hold something said; only what is known is left out."""
    at = data.find(_PAYLOAD, start, end if end - start < _NEAR else start + _NEAR)
    return at < 0 or data.startswith(_EVENTS, at + 12)


def messages(record: "Record") -> "list[Message]":
    """What is said in a record: who says it, when (ISO 8601, UTC; None: not told) and the words."""
    payload = record.get("payload")
    if record.get("capped"):
        payload = record | {"message": record.get("text")}
    if record.get("type") != "event_msg" or not isinstance(payload, dict):
        return []
    kind, words = payload.get("type"), payload.get("message")
    if kind == "item_completed" and isinstance(item := payload.get("item"), dict):
        kind, content = item.get("type"), item.get("content")
        blocks = content if isinstance(content, list) else []
        words = "\n".join(str(b["text"]) for b in blocks if isinstance(b, dict) and "text" in b)
    who = _WHO.get(str(kind))
    if not who or not isinstance(words, str):
        return []
    if who == "you":
        words = words.partition(REQUEST)[2] or words
    return [(who, times.canonical(record.get("timestamp")), words)] if words.strip() else []


class Rollouts(Lines):
    """The conversations of a home; one in which nothing was said yet has that which it goes on from."""

    def last(self, key: str) -> "list[Message]":
        """The last things said, oldest first, from the tail alone; OSError as the file has it."""
        if found := super().last(key):
            return found
        from . import lineage

        for _ in range(lineage.GENERATIONS):
            before = lineage.left(self._root, key)
            if before is None:
                break
            key, end = before
            start = max(0, end - BLOCK)
            with opened(os.path.join(self._root, key)) as source:
                data = source.read(end - start, start)
            if found := self._backward(data, data.find(b"\n") + 1 if start else 0, len(data), SAID):
                return found
        return []
