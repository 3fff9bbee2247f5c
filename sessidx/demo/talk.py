"""A made-up session, and what both apps write alike: times and ids."""

import random
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

Record = dict[str, object]


class Talk(NamedTuple):
    """A whole session, of either app. `ended`: when the last answer came, in seconds since 1970."""

    id: str
    cwd: str
    branch: str
    title: str
    turns: Sequence[tuple[str, str]]
    ended: float
    model: str
    effort: str = "medium"
    mode: str = "default"
    sandbox: str = "workspace-write"
    scripted: bool = False
    chosen: bool = False
    pace: float = 240.0  # seconds from one answer to the next

    def answered(self, turn: int) -> float:
        """When the answer of that turn came."""
        return self.ended - self.pace * (len(self.turns) - 1 - turn)

    def asked(self, turn: int) -> float:
        """When that turn's prompt was sent."""
        return self.answered(turn) - min(20.0, self.pace / 2)

    @property
    def begun(self) -> float:
        """When the app was started for it."""
        return self.asked(0) - 10.0


def stamp(when: float) -> str:
    """A time as both apps write it."""
    return datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def seeded(seed: str) -> random.Random:
    """Chance that falls alike each time, for ids."""
    return random.Random(seed)  # noqa: S311 - nothing secret


def uuid4(rng: random.Random) -> str:
    """A version 4 id out of `rng`."""
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def uuid7(rng: random.Random, when: float) -> str:
    """A version 7 id: the time in front, the rest out of `rng`."""
    number = (
        int(when * 1000) << 80 | 7 << 76 | rng.getrandbits(12) << 64 | 2 << 62 | rng.getrandbits(62)
    )
    return str(uuid.UUID(int=number))
