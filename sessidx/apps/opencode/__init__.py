"""OpenCode, and what is made of it: a row in opencode.db, before 1.2 a JSON file each.

Seen in homes written by 1.18.33 (SQLite) and 1.1.53 (storage/session/<project>/ses_*.json). Releases
of another channel have opencode-<channel>.db. From 1.2 to 1.17 it moved the files' sessions into its
database and left them there; today's does not read them. Branch and approvals are not recorded.
"""

import os

from ... import files, paths, sqlite
from ...layout import Layout
from ...session import ROW

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...plan import Plan, Wish
    from ...release import Release
    from ...session import Cli, Conversations, Look, Reader, Session

_OLD = Layout("storage/session/*/ses_*.json")
_JSON_ENDED = (1, 2, 0)
_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


class OpenCode:
    """The App and the Cli of one program; a fork of it differs in its name and its package alone."""

    def __init__(self, name: str, package: str) -> None:
        self.NAME = name
        self.PROGRAM = name
        self.PACKAGE = package

    def databases(self, root: str) -> list[str]:
        """The paths from `root` of its databases that are there, the usual one first.

        OPENCODE_DB names another, by its path or by its name.
        """
        chosen = paths.setting(f"{self.NAME.upper()}_DB")
        if chosen:
            return [chosen]
        usual = f"{self.NAME}.db"
        try:
            names = os.listdir(root)
        except files.GONE:
            names = []
        found = [n for n in names if n.startswith(f"{self.NAME}-") and n.endswith(".db")]
        return [usual, *sorted(found)]

    def sources(self, root: str) -> str:
        """The stamp of each database, one a line."""
        told = ((name, sqlite.stamp(os.path.join(root, name))) for name in self.databases(root))
        return "\n".join(f"{name}={stamp}" for name, stamp in told if stamp[0] != ";")

    def discover(self, root: str, look: "Look") -> "Iterator[tuple[str, str]]":
        """Each row of the databases, and each old file whose session is in none of them."""
        met: set[str] = set()
        for line in filter(None, self.sources(root).split("\n")):
            name = line.rpartition("=")[0]
            if line in look.sources.split("\n"):
                look.same.append(name)
            else:
                from . import facts

                yield from facts.discover(root, name, look, met)
            if name in (*look.same, *look.unread):  # what was known of it stands
                met |= {key.rpartition(ROW)[2] for key in look.keys if key.startswith(name + ROW)}
        for key, stamp in _OLD.discover(root, look):
            if key.rpartition("/")[2].removesuffix(".json") not in met:
                yield key, stamp

    def changed(self, root: str) -> int:
        """When a database was last written to, or an old file came or went, in ns."""
        last = _OLD.changed(root)
        for name in self.databases(root):
            path = sqlite.real(os.path.join(root, name))
            last = max(last, files.modified(path), files.modified(path + "-wal"))
        return last

    def reader(self, root: str, look: "Look | None" = None) -> "Reader":
        """A reader of rows and old files; loaded only when something is to be read."""
        from .facts import Reader

        return Reader(self.NAME, root, look.held if look else {})

    def conversations(self, root: str) -> "Conversations":
        """What was said, in rows and in old files."""
        from . import said

        return said.conversations(root)

    def held(self, root: str) -> dict[str, bool] | None:
        """Unknown: no file tells of a running process."""
        return None

    def trouble(self, root: str) -> list[str]:
        """The databases that cannot be read, and why."""
        from . import facts

        failed = ((name, facts.failure(root, name)) for name in self.databases(root))
        return [f"{name} not read: {why}" for name, why in failed if why]

    def commands(self) -> "Cli":
        """How its CLI is told to resume."""
        return self

    def is_id(self, word: str) -> bool:
        """Its ids are `ses_`, twelve hexadecimal digits of the time and fourteen letters."""
        return word[:4] == "ses_" and 20 <= len(word) <= 40 and _ID.issuperset(word[4:])

    def unarchive(self, session: "Session") -> str | None:
        """The command without which an archived session is not resumed: none is needed."""
        return None

    def arguments(
        self, plan: "Plan", session: "Session", known: "Release | None", wish: "Wish"
    ) -> None:
        """`--session ID`, found from any folder (1.18.33), with the agent, which may be stricter."""
        from ...plan import Refusal, model

        if ROW not in session.key and (known is None or known >= _JSON_ENDED):
            raise Refusal(
                f"{self.NAME} no longer reads its old files, of which {session.id} is one"
            )
        plan.argv += ["--session", session.id]
        if wish.fork:
            plan.argv.append("--fork")
        model(plan, session, wish, "--model")
        if session.mode == "plan":
            plan.argv += ["--agent", "plan"]


APP = OpenCode("opencode", "opencode-ai")
