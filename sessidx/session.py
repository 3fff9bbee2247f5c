"""The nouns: Session (one row), Stamp (how a source file stood), App (what every app module offers).

Knows no app, no file format and no output format.
"""

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:  # typing costs more than the rest of a plain call
    from collections.abc import Iterator
    from typing import Any, Protocol, TypeAlias

    from .plan import Plan, Wish
    from .release import Release

    Record: TypeAlias = dict[str, Any]
    Exchange: TypeAlias = tuple[str, str]  # who ("you", "agent") and what they said

    # How a session's sources stood when they were read: mtime in ns, size in bytes, and a word for
    # what lies beside the file (a title file, a database row); equal stamps mean "read already".
    Stamp: TypeAlias = str

FIELDS = (
    "updated",
    "path",
    "stamp",
    "origin",
    "app",
    "id",
    "cwd",
    "branch",
    "title",
    "model",
    "effort",
    "mode",
    "approval",
    "sandbox",
    "reviewer",
    "roots",
    "archived",
    "live",
    "size",
    "found",
)

INTERACTIVE = "interactive"  # a person's session: the default list
SCRIPTED = "scripted"  # claude -p, the SDKs, codex exec: --all
# The rest is never listed; the word is the reason that `sf doctor` gives.
SUBAGENT = "subagent"
EMPTY = "no conversation"
UNNAMED = "no session id in its name"
LEGACY = "format its app no longer resumes"
UNREADABLE = "unreadable"
PACKED = "packed, and not in the database"
LISTED = (INTERACTIVE, SCRIPTED)

SAID = 6  # how much of a conversation's end is shown


class Session:
    """One session as its store tells it; `None`, or "" out of the index, where that says nothing.

    `updated` is ISO 8601 in UTC with milliseconds (so it sorts as text), `cwd` and `path` are raw
    (bytes that are not UTF-8 as surrogates), `title` and `branch` are clean. `stamp` says how the
    sources stood, `found` keeps what an app wants to remember for the next reading. `reviewer` is
    who answers Codex's approval questions, `roots` whether its sandbox may write beside `cwd`.
    """

    __slots__ = FIELDS

    def __init__(
        self,
        app: str,
        id: str,
        *,
        path: str,
        stamp: "Stamp" = "",
        origin: str = INTERACTIVE,
        cwd: str | None = None,
        branch: str | None = None,
        title: str | None = None,
        updated: str | None = None,
        model: str | None = None,
        effort: str | None = None,
        mode: str | None = None,
        approval: str | None = None,
        sandbox: str | None = None,
        reviewer: str | None = None,
        roots: str | None = None,
        archived: bool = False,
        live: bool | None = None,
        size: int = 0,
        found: str | None = None,
    ) -> None:
        self.app = app
        self.id = id
        self.path = path
        self.stamp = stamp
        self.origin = origin
        self.cwd = cwd
        self.branch = branch
        self.title = title
        self.updated = updated
        self.model = model
        self.effort = effort
        self.mode = mode
        self.approval = approval
        self.sandbox = sandbox
        self.reviewer = reviewer
        self.roots = roots
        self.archived = archived
        self.live = live
        self.size = size
        self.found = found

    @property
    def by_default(self) -> bool:
        """Whether the default list shows it."""
        return self.origin == INTERACTIVE and not self.archived


if TYPE_CHECKING:

    class Reader(Protocol):
        """Reads the sessions of one store."""

        again: bool  # whether what all sessions share is to be read again next time

        def beside(self, path: str) -> str | None:
            """A digest of what the session at `path` depends on besides its file, None: unknown."""

        def read(self, path: str, stamp: Stamp, previous: Session | None) -> Session:
            """The session in the file at `path`, from the store's root; OSError if not to be had."""

    class Cli(Protocol):
        """How an app's CLI is told to resume."""

        PROGRAM: str
        PACKAGE: str

        def unarchive(self, session_id: str) -> str | None: ...

        def arguments(
            self, plan: "Plan", session: Session, known: "Release | None", wish: "Wish"
        ) -> None: ...

    class App(Protocol):
        """What a module in apps/ offers; apps/__init__.py names the modules."""

        NAME: str

        def home(self) -> str: ...

        def commands(self) -> Cli: ...

        def environment(self) -> dict[str, str]: ...

        def sources(self, root: str) -> Stamp: ...

        def discover(self, root: str, unread: list[str]) -> Iterator[tuple[str, Stamp]]: ...

        def changed(self, root: str) -> int: ...

        def reader(self, root: str) -> Reader: ...

        def trouble(self, root: str) -> list[str]: ...

        def held(self, root: str) -> dict[str, bool] | None: ...

        def exchange(self, path: str) -> list[Exchange]: ...
