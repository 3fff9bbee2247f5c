"""The rollouts of one home as they hang together: in which a thread goes on, and from which.

Seen in 0.156 and 0.171: a thread that is taken back to an earlier message goes on in a new file,
and the old one stays; a fork has a file of its own. Neither copies what was said before, but names
the thread that it is of (`history_base`). 0.145 and older copy the parent's records.
"""

import os

from ...session import Look
from ...text import is_uuid
from ...transcript import Transcript
from . import rollouts, thread_id, titles

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ...session import Record
    from .state import State

    Files = dict[str, list[tuple[str, str]]]  # of each thread: path from the root, and stamp

GENERATIONS = 8  # of forks that are looked through


class Lineage:
    """The threads of the home `root`; `files` are its rollouts, where they are known already."""

    def __init__(self, root: str, state: "State", files: "Files | None" = None) -> None:
        self._root = root
        self._state = state
        self._files = files

    def goes_on(self, thread: str, key: str, stamp: str) -> bool:
        """Whether `thread` goes on in the rollout at `key`, not in a newer one.

        The one that the database names counts, else the one with the newest name.
        """
        if stamp.count(":") < 2:  # the only one
            return True
        names = self._names(thread)
        known = self._state.get(thread)
        named = known.get("rollout_path") if known else None
        last = names.get(str(named)) or names[max(names)] if names else key
        return key == last

    def title(self, thread: str) -> str | None:
        """What `thread` is called, else what was typed first in it or in what it is a fork of."""
        before: str | None = thread
        told = None
        for _ in range(GENERATIONS):
            if before is None or told:
                break
            known = self._state.get(before)
            told = known.title() if known else None
            if not told:
                told, before = self._opening(before)
        return told

    def _opening(self, thread: str) -> tuple[str | None, str | None]:
        """What was typed first in `thread`, and the thread that stands before it."""
        names = self._names(thread)
        first = names[min(names)] if names else ".zst"
        if first.endswith(".zst"):
            return None, None
        try:
            with Transcript(os.path.join(self._root, first)) as transcript:
                return titles.first_prompt(transcript), base(header(transcript, thread) or {})
        except OSError:
            return None, None

    def _names(self, thread: str) -> dict[str, str]:
        """The rollouts of a thread: their paths by their names, of two alike the newer folder's."""
        if self._files is None:
            self._files = rollouts(self._root, Look())
        found = self._files.get(thread, [])
        return {path.rpartition("/")[2]: path for path, _ in reversed(found)}


def base(header: "Record") -> str | None:
    """The thread whose conversation stands before that of `header`; None: it has all of its own."""
    told = header.get("history_base")
    thread = told.get("thread_id") if isinstance(told, dict) else None
    return thread if isinstance(thread, str) and is_uuid(thread) else None


def left(root: str, key: str) -> tuple[str, int] | None:
    """The rollout that the one at `key` goes on from, and where in it that was left, in bytes."""
    thread = thread_id(key)
    with Transcript(os.path.join(root, key)) as transcript:
        told = header(transcript, thread) or {}
    before = base(told)
    end = told["history_base"].get("end_byte_offset") if before else None
    if before is None or not isinstance(end, int) or end < 1:
        return None
    own = key.rpartition("/")[2]
    names = {path.rpartition("/")[2]: path for path, _ in rollouts(root, Look()).get(before, [])}
    earlier = [name for name in names if name < own and not name.endswith(".zst")]
    return (names[max(earlier)], end) if earlier else None


def header(transcript: Transcript, thread: str) -> "Record | None":
    """The thread's own session_meta: an old fork repeats its parent's, before or after it."""
    first = None
    for record in transcript.front((b'"session_meta"',)):
        if record.get("type") != "session_meta":
            continue
        payload = record if record.get("capped") else record.get("payload")
        if not isinstance(payload, dict):
            continue
        if payload.get("id") == thread:
            return payload
        first = first or payload
    return first
