"""The words of the check: what was recorded, what is in force, and what each CLI must offer to be driven."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Protocol

from tests.real.standin import StandIn


@dataclass(frozen=True)
class Settings:
    """The axes that a resume may carry; None = the app has no such axis or did not record it."""

    model: str | None = None
    effort: str | None = None
    mode: str | None = None
    approval: str | None = None
    sandbox: str | None = None
    reviewer: str | None = None
    provider: str | None = None

    def text(self) -> str:
        """The axes that are known, in one cell of a table."""
        return (
            " ".join(value for field in fields(self) if (value := getattr(self, field.name))) or "-"
        )


@dataclass(frozen=True)
class Case:
    """One session to make: a name for the table and the words after the program's name."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A session as its CLI recorded it after a turn; beside it the mode that the screen names and
    the effort that the request carried, for releases that record neither (Claude Code)."""

    id: str
    settings: Settings
    shown: str | None = None
    sent: str | None = None

    def force(self) -> Settings:
        """What was in force: as recorded, else as seen from outside."""
        mode, effort = self.settings.mode or self.shown, self.settings.effort or self.sent
        return replace(self.settings, mode=mode, effort=effort)


@dataclass(frozen=True)
class Place:
    """A made-up home, the folder of its sessions, and the environment in which everything runs."""

    home: Path
    work: Path
    env: dict[str, str]


Change = Callable[[Path, Place], None]


class Agent(Protocol):
    """One CLI: how it is installed, set up, driven and read."""

    name: str
    program: str
    package: str
    releases: tuple[str, ...]
    quit: str
    dialogs: tuple[tuple[str, tuple[str, ...]], ...]

    def takes_effort(self, release: str, effort: str) -> bool:
        """Whether `release` accepts `effort` on its command line."""

    def forks(self, release: str) -> bool:
        """Whether `release` can go on in a copy of a session."""

    def holds(self, release: str) -> str:
        """The words of a start after which a background process holds the session a while, or ""."""

    def hostile(self, release: str) -> dict[str, tuple[str, Change]]:
        """By name: the words of a start, and what is then done to the transcript."""

    def bare(self, session: str) -> str:
        """The plainest resume, to see what the CLI restores by itself."""

    def cases(self, release: str) -> list[Case]:
        """The sessions to make with `release`."""

    def prepare(self, place: Place, release: str, url: str) -> dict[str, str]:
        """Write the settings of the made-up home; the variables that lead the CLI to the stand-in."""

    def ready(self, screen: str) -> bool:
        """Whether the CLI waits for a prompt."""

    def read(self, place: Place, token: str, screen: str, standin: StandIn) -> Found | None:
        """The session that holds the answered prompt with `token`, and what was in force for it."""


def number(release: str) -> tuple[int, ...]:
    """A release as numbers, to be compared."""
    return tuple(int(part) for part in release.split("."))
