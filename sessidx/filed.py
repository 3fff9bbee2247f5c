"""An app whose sessions are files, one each with or without others beside it: what all such share.

A module in apps/ tells where they lie, whose a file is, how it is read and how its CLI resumes.
"""

from .session import UNNAMED, Session

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from .layout import Layout
    from .session import Cli, Conversations, Look, Reader
    from .transcript import Transcript

    class Filing(Cli, Protocol):
        """What such a module offers beside how its CLI is told to resume."""

        LAYOUTS: tuple[Layout, ...]

        def session_id(self, key: str) -> str:
            """The id that a file's path from the root says, as far as it does."""

        def read(self, session: Session, root: str) -> None:
            """Fill `session` from its file, below `root`; OSError if that is not to be had."""

        def conversations(self, root: str) -> Conversations:
            """What was said in the sessions below `root`."""

        def rights(self, session: Session, transcript: Transcript) -> None:
            """Only where the CLI restores a mode: set it, sought back to the beginning for a plan."""


class Filed:
    """The App of one module; no session of its depends on another, or on what all share."""

    def __init__(self, name: str, module: "Filing") -> None:
        self.NAME = name
        self._module = module

    def sources(self, root: str) -> str:
        return ""

    def discover(self, root: str, look: "Look") -> "Iterator[tuple[str, str]]":
        for layout in self._module.LAYOUTS:
            yield from layout.discover(root, look)

    def changed(self, root: str) -> int:
        return max(layout.changed(root) for layout in self._module.LAYOUTS)

    def reader(self, root: str, look: "Look | None" = None) -> "Reader":
        return _Reader(self.NAME, self._module, root)

    def commands(self) -> "Cli":
        return self._module

    def held(self, root: str) -> dict[str, bool] | None:
        return None

    def conversations(self, root: str) -> "Conversations":
        return self._module.conversations(root)

    def trouble(self, root: str) -> list[str]:
        return []


def resumes_archived(session: "Session") -> str | None:
    """What an app offers as `unarchive` whose CLI resumes an archived session like any other."""
    return None


class _Reader:
    def __init__(self, name: str, module: "Filing", root: str) -> None:
        self._name = name
        self._module = module
        self._root = root

    def beside(self, key: str) -> str | None:
        return ""

    def read(self, key: str, stamp: str, previous: Session | None) -> Session:
        session = Session(self._name, self._module.session_id(key), key=key)
        session.size = int(stamp.split(":")[1])
        self._module.read(session, self._root)
        if not self._module.is_id(session.id):
            session.origin = UNNAMED
        return session

    def rights(self, session: Session) -> None:
        """What the session may do, where its CLI would take that up again by itself."""
        if hasattr(self._module, "rights"):
            from .transcript import Transcript

            with Transcript(f"{self._root}/{session.key}") as transcript:
                self._module.rights(session, transcript)
