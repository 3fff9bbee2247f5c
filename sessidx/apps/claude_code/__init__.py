"""Claude Code: projects/<folder>/<uuid>.jsonl below its config folder is the only source of truth.

Seen in homes written by 1.0.128, 2.0.76, 2.1.112 and 2.1.332. A project folder's name is made from
the session's folder and never decoded. Sub-agents, indexes and side files are passed over; of
sessions/ only `<pid>.json` is opened, never a key.
"""

import os
import stat

from ... import files

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...session import Cli, Conversations, Look, Reader, Session

NAME = "claude-code"

_PROJECTS = "projects"
KEEPS = "cleanupPeriodDays"  # in settings.json
SIDE_FILES = ("custom-title.json", "archived.json")


def commands() -> "Cli":
    """How its CLI is told to resume; loaded only for a plan."""
    from . import cli

    return cli


def sources(root: str) -> str:
    """The stamp of what all sessions share: nothing here."""
    return ""


def discover(root: str, look: "Look") -> "Iterator[tuple[str, str]]":
    """Each transcript below `root`: its path from there, and its stamp.

    A project folder that is a link is followed once; what cannot be read is unread.
    """
    unread = look.unread
    seen: set[tuple[int, int]] = set()
    for folder in _project_folders(os.path.join(root, _PROJECTS), unread):
        path = f"{_PROJECTS}/{folder}"
        try:
            fd = files.open_folder(os.path.join(root, path))
        except OSError as error:
            files.remember(unread, path, error)
            continue
        try:
            if not files.is_first(fd, seen):
                continue
            for name, stamp in _transcripts(fd, path, look):
                yield f"{path}/{name}", stamp
        except OSError as error:
            files.remember(unread, path, error)
        finally:
            os.close(fd)


def _transcripts(folder: int, path: str, look: "Look") -> "Iterator[tuple[str, str]]":
    with os.scandir(folder) as entries:
        found = list(entries)
    beside = {entry.name for entry in found if "." not in entry.name}
    for entry in found:
        name = entry.name
        if len(name) != 42 or name[8] != "-" or not name.endswith(".jsonl"):
            continue
        try:
            status = entry.stat(follow_symlinks=False)
            side = _side_stamp(folder, name[:36]) if name[:36] in beside else ""
        except OSError as error:
            files.remember(look.unread, f"{path}/{name}", error)
            continue
        if stat.S_ISREG(status.st_mode):
            yield name, f"{status.st_mtime_ns}:{status.st_size}{side}"
        else:
            look.odd.append(f"{path}/{name}")


def changed(root: str) -> int:
    """When a file last came to or went from the folders of transcripts, in ns."""
    projects = os.path.join(root, _PROJECTS)
    folders = [projects, *(f"{projects}/{folder}" for folder in _project_folders(projects, []))]
    return max(map(files.modified, folders))


def _project_folders(projects: str, unread: list[str]) -> "Iterator[str]":
    try:
        with os.scandir(projects) as entries:
            found = sorted(
                entries, key=lambda entry: (entry.is_symlink(), entry.name)
            )  # the real ones first
    except OSError as error:
        files.remember(unread, _PROJECTS, error)
        return
    for entry in found:
        try:
            # A link to the folder that holds them all holds none of its own.
            if entry.is_dir() and not (
                entry.is_symlink() and os.path.samestat(entry.stat(), os.stat(projects))
            ):
                yield entry.name
        except OSError as error:
            files.remember(unread, f"{_PROJECTS}/{entry.name}", error)
            continue


def _side_stamp(folder: int, session: str) -> str:
    marks = [files.mark(f"{session}/{name}", folder) for name in SIDE_FILES]
    return ":".join(("", *marks)).rstrip(":")


def trouble(root: str) -> list[str]:
    """What `sf doctor` should say of the store besides its files: nothing here."""
    return []


def interrupted(root: str) -> "Callable[[Session], bool | None] | None":
    """What tells whether a session was open when its process ended, from what that left behind."""
    from .live import interrupted as told

    return told(root)


def kept_until(root: str) -> "Callable[[Session], int | None] | None":
    """What tells until when the CLI keeps a session, in ms since 1970; None: it removes none."""
    from .retention import kept_until as told

    return told(root)


def held(root: str) -> dict[str, bool] | None:
    """Which sessions a running process is proved to hold; None where it is not told at all.

    sessions/<pid>.json outlives a crash and pids are used again, so the start of the process must
    be the recorded one (`procStart`, field 22 of /proc/<pid>/stat; in 2.1.112 only `startedAt`).
    """
    from .live import held as proved

    return proved(root)


def reader(root: str, look: "Look | None" = None) -> "Reader":
    """A reader of the store at `root`; loaded only when something is to be read."""
    from .facts import Reader

    return Reader(root)


def conversations(root: str) -> "Conversations":
    """What was said in its sessions."""
    from ...said.lines import Lines
    from . import said

    return Lines(root, said.may_hold, said.messages)
