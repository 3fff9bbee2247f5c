"""The nouns: Session (one row), Stamp (how a source stood), Look (at a store), App (in apps/).

Knows no app, no file format and no output format.
"""

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:  # typing costs more than the rest of a plain call
    from collections.abc import Iterable, Iterator
    from typing import Any, Protocol, TypeAlias

    from .plan import Plan, Wish
    from .release import Release
    from .said.phrases import Sought
    from .said.sites import Sites

    Record: TypeAlias = dict[str, Any]
    # Who ("you", "agent"), when (ISO 8601, UTC; None: not told), and what they said.
    Message: TypeAlias = tuple[str, str | None, str]
    Exchange: TypeAlias = tuple[str, str]  # who and what they said
    # A message with its place: a number by which the app's Conversations finds it again.
    Hit: TypeAlias = tuple[int, Message]

    # How a source stood when it was read: of a file its mtime in ns, its size in bytes, and a word for
    # what lies beside it (a title file); of a database's row a digest. Equal stamps mean "read already".
    Stamp: TypeAlias = str
    Place: TypeAlias = tuple[str, str]  # a store: the app's name and the store's root

ROW = "//"  # in a key, between a database and its row: no path from a folder holds it

FIELDS = (
    "updated",
    "key",
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
    "provider",
    "fork_of",
    "continued_in",
    "archived",
    "live",
    "size",
    "found",
)

UNSEEN = "?"  # in the place of a mode or the like: one may be recorded where nobody looked


def told(value: str | None) -> str | None:
    """A mode or the like as it is shown: nothing where it is UNSEEN."""
    return value if value != UNSEEN else None


INTERACTIVE = "interactive"  # a person's session: the default list
SCRIPTED = "scripted"  # claude -p, the SDKs, codex exec: --all
PACKED = "packed"  # and nothing tells what is in it: --all
# The rest is never listed; the word is the reason that `sf doctor` gives.
SUBAGENT = "subagent"
EMPTY = "no conversation"
UNNAMED = "no session id in its name"
LEGACY = "format its app no longer resumes"
UNREADABLE = "unreadable"
SUPERSEDED = "goes on under another id"
REPLACED = "its session goes on in a newer file"
LISTED = (INTERACTIVE, SCRIPTED, PACKED)

CHOSEN = "="  # in front of the name that a person gave, in what an app remembers of its session

SAID = 6  # how much of a conversation's end is shown


class Session:
    """One session as its store tells it; `None`, or "" out of the index, where that says nothing.

    `home` is its store's root, `key` its place in there: a file's path from the root, or that of a
    database, ROW and what tells the row. `updated` is ISO 8601 in UTC with milliseconds (so it sorts as text), `cwd` and `key` are raw
    (bytes that are not UTF-8 as surrogates), `title` and `branch` are clean. `stamp` says how the
    sources stood, `found` keeps what an app wants to remember for the next reading
    (behind CHOSEN the name that the person gave). `reviewer` is
    who answers Codex's approval questions, `roots` whether its sandbox may write beside `cwd`,
    `provider` whose models it talks to. What it may do (`mode` to `provider`) is UNSEEN where that
    stands further back than was looked. `fork_of` is the id of the session that it began with,
    `continued_in` the one under which it goes on, where that session is there. `interrupted`, asked
    for as `live` is: it was open, and its process ended without leaving it.
    """

    __slots__ = (*FIELDS, "home", "interrupted")

    def __init__(
        self,
        app: str,
        id: str,
        *,
        key: str,
        home: str = "",
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
        provider: str | None = None,
        fork_of: str | None = None,
        continued_in: str | None = None,
        archived: bool = False,
        live: bool | None = None,
        size: int = 0,
        found: str | None = None,
    ) -> None:
        self.app = app
        self.id = id
        self.key = key
        self.home = home
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
        self.provider = provider
        self.fork_of = fork_of
        self.continued_in = continued_in
        self.archived = archived
        self.live = live
        self.size = size
        self.found = found
        self.interrupted: bool | None = None

    @property
    def place(self) -> "Place":
        """The store that it is of."""
        return self.app, self.home

    @property
    def name(self) -> str | None:
        """The name that the person gave it."""
        return self.found[1:] or None if self.found and self.found[0] == CHOSEN else None

    @property
    def path(self) -> str:
        """The transcript, or the database that holds it; absolute as the home is."""
        file = self.key.partition(ROW)[0]
        return file if file.startswith("/") else f"{self.home}/{file}"

    @property
    def by_default(self) -> bool:
        """Whether the default list shows it."""
        return self.origin == INTERACTIVE and not self.archived and not self.continued_in


class Look:
    """One look through a store: what is known of it, and what its app finds besides the sessions.

    `sources`: the stamp of what its sessions share at the last look ("" when everything is to be
    read). `keys`: what was there then. An app puts into `unread` each file, folder or database that
    is there and could not be read, and into `same` each database that has not changed: what is
    known of them, and of what lies below, stands; into `odd` what has a session's name and is no
    regular file. `again`: what the sessions share could not be
    read, and is to be looked at again next time. `held`: what the reader need not read once more.
    """

    __slots__ = ("_marks", "again", "held", "odd", "same", "sources", "unread")

    def __init__(self, sources: "Stamp" = "", marks: "Iterable[str]" = ()) -> None:
        """`marks`: of each session its key, a tab and its stamp."""
        self.sources = sources
        self._marks = marks
        self.unread: list[str] = []
        self.same: list[str] = []
        self.odd: list[str] = []
        self.again = False
        self.held: dict[str, Any] = {}

    @property
    def keys(self) -> "list[str]":
        """The keys of what was there at the last look."""
        return [mark.partition("\t")[0] for mark in self._marks]


if TYPE_CHECKING:

    class Reader(Protocol):
        """Reads the sessions of one store; made when something of it is to be read."""

        def beside(self, key: str) -> str | None:
            """A digest of what the session at `key` depends on besides what its stamp tells.

            None: unknown just now, so what is known of it stands. "" where there is no such thing.
            """

        def read(self, key: str, stamp: Stamp, previous: Session | None) -> Session:
            """The session at `key`; OSError if it is not to be had.

            `origin` says whether it is listed. `previous` is what was known of it, with what
            `found` kept. `home` and `stamp` are filled in by who asks.
            """

    class Conversations(Protocol):
        """What was said in the sessions of one store: `said.lines.Lines` or `said.whole.Whole`.

        `key` is a session's, as everywhere. OSError when it cannot be read.
        """

        def first(self, key: str, sought: Sought, sites: Sites | None = None) -> Hit | None:
            """The first message in which all that is sought is said.

            `sites`, where lines of it are known, spares looking through the rest, and learns.
            """

        def last(self, key: str) -> list[Message]:
            """The last things said, oldest first; bounded."""

        def around(
            self, key: str, place: int, sought: Sought
        ) -> tuple[list[Message], Message, list[Message]] | None:
            """The message at `place`, what came before and after; None where that says it no more."""

    class Cli(Protocol):
        """How an app's CLI is told to resume: a module that is loaded only for a plan."""

        PROGRAM: str  # the word that is typed
        PACKAGE: str  # by which it is installed
        # ANYWHERE, where it finds an id from any folder: the first release that does.
        # FLAGS, where the person's own word for a setting is to stand alone: its options, and which
        # settings (of `plan.Wish.own`) each gives.

        def is_id(self, word: str) -> bool:
            """Whether `word` has the form of the app's ids; plan.py has seen that it is harmless."""

        def unarchive(self, session: Session) -> str | None:
            """The command without which one that was put away is not resumed; None: none is needed."""

        def arguments(
            self, plan: "Plan", session: Session, known: "Release | None", wish: "Wish"
        ) -> None:
            """Add to `plan.argv` (the program is there) what resumes `session`; raises Refusal.

            `known` is the installed release, None when it does not say: then the strictest form
            that every release of the last year accepts.
            """

    class App(Protocol):
        """What a module in apps/ offers; apps/__init__.py is the table of them.

        `root` is always the store's root as the table tells it, absolute. A store holds files, a
        session each, or databases with many, or both. Where nothing is, nothing is found; nothing
        here may write, and no file but a regular one below the store is opened. Submodules of an
        app are named facts, titles, said, live, cli, state: no function may be named so.
        """

        NAME: str

        def sources(self, root: str) -> Stamp:
            """The stamp of all that its sessions share; a look, no reading. "" where nothing is.

            Each database with its -wal and -journal is a part of it, also a list of names.
            """

        def discover(self, root: str, look: Look) -> Iterator[tuple[str, Stamp]]:
            """Key and stamp of each session, sub-agents and broken ones included, in any order.

            Of a database whose stamp stands in `look.sources` no row is listed: it is put into
            `look.same` and not opened. Else its rows are read once, and kept in `look.held`.
            Twins (one session in an old layout and a new one) are told once.
            """

        def changed(self, root: str) -> int:
            """When a session last came or went, in ns: the newest time of its folders, databases."""

        def reader(self, root: str, look: Look | None = None) -> Reader:
            """A reader of the store; without a look (for one session) it reads what it needs."""

        def commands(self) -> Cli:
            """How its CLI is told to resume."""

        def held(self, root: str) -> dict[str, bool] | None:
            """Which ids a running process is proved to hold; None where it is not told at all."""

        # Of an app that tells, `interrupted(root)`: what says of a session
        # whether it was open and its process ended without leaving it; None: not told.
        # Of one whose CLI removes sessions, `kept_until(root)`: what says until when one is kept, in ms
        # since 1970, and KEEPS: the setting that says how long.

        def trouble(self, root: str) -> list[str]:
            """What doctor should say of the store besides its files, each in one line."""

        def conversations(self, root: str) -> Conversations:
            """What was said there; made once a search, so what all sessions share is read once."""
