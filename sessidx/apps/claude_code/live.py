"""Which Claude Code sessions a running process holds, from sessions/<pid>.json alone.

The folder also holds keys for messages between sessions: no other name is ever opened.
"""

import os

from ...files import small
from ...jsonl import parse

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...session import Record, Session

_LIMIT = 64 * 1024
_FILES = 1000
_SLACK_MS = 60_000  # a process writes `startedAt` when it is up
_LEAVES = (2, 1, 270)  # the first known to end a transcript with a record of its own


def held(root: str) -> dict[str, bool] | None:
    """Session id -> True for each that is proved to be open; None where nothing can be proved.

    That needs the folder, and a /proc: without one (macOS) a pid alone is no more than a hint.
    """
    try:
        return {record["sessionId"]: True for record, runs in _notes(root) if runs}
    except OSError:
        return None


def in_background(root: str, session: str) -> bool:
    """Whether a process without a terminal holds that session (`claude --bg`; `kind` in 2.1.332)."""
    try:
        return any(
            runs and note["sessionId"] == session and note.get("kind") == "bg"
            for note, runs in _notes(root)
        )
    except OSError:
        return False


def interrupted(root: str) -> "Callable[[Session], bool | None] | None":
    """What tells of a session whether it was open when its process ended; None where nothing does.

    A process that ends by itself takes its note with it, also at the end of its terminal; one that is
    killed, and a machine that goes down, leave it (2.1.332, which takes away no other's).
    """
    try:
        notes = list(_notes(root, ended=True))
    except OSError:
        return None
    stale = {note["sessionId"]: note for note, runs in notes if not runs}
    for note, runs in notes:
        if runs:  # somebody is back in it
            stale.pop(note["sessionId"], None)

    def tell(session: "Session") -> bool | None:
        note = stale.get(session.id)
        return False if note is None else _was_not_left(session, note)

    return tell


def _was_not_left(session: "Session", note: "Record") -> bool | None:
    """Whether nobody has left `session` since the process of `note` ended; None where that is open.

    Whoever leaves it writes a `cost-state` as its last record (2.1.270 and later). Before, a session
    that was not written to after the note is one that nobody went back to.
    """
    from ...release import number
    from ...transcript import Transcript

    noted = note.get("updatedAt")
    try:
        with Transcript(session.path) as transcript:
            last = next(transcript.records((b'"type"',)), None)
        written = os.stat(session.path).st_mtime_ns // 1_000_000
    except OSError:
        return None
    if last is None or last.get("type") == "cost-state":
        return None if last is None else False
    if (number(str(note.get("version"))) or ()) >= _LEAVES:
        return True
    return True if isinstance(noted, int) and written <= noted + _SLACK_MS else None


def _notes(root: str, ended: bool = False) -> "Iterator[tuple[Record, bool]]":
    """What each process has written down of itself and its session, and whether it runs.

    With `ended` also of those that do not, of this machine.
    """
    folder = os.path.join(root, "sessions")
    names = os.listdir(folder)
    os.stat("/proc/self/stat")
    for name in names[:_FILES]:
        pid = name.removesuffix(".json")
        if name == pid or not (pid.isascii() and pid.isdigit() and len(pid) < 10):
            continue
        started = _started(pid)
        if started is None and not ended:  # most files are left over: theirs is not even opened
            continue
        try:
            record = parse(small(os.path.join(folder, name), _LIMIT))
        except OSError:
            continue
        if record and isinstance(record.get("sessionId"), str) and _same_domain(record):
            yield record, started is not None and _is_of(record, started)


def _started(pid: str) -> str | None:
    """When the process was started, in clock ticks since boot; None when there is none that runs."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            told = file.read(4096).rpartition(b")")[2].split()
        return None if told[0] in (b"Z", b"X") else told[19].decode()
    except (OSError, IndexError):
        return None


def _is_of(record: "Record", started: str) -> bool:
    """Whether the process that was `started` then wrote `record`: pids are used again."""
    if isinstance(record.get("procStart"), str):
        return bool(record["procStart"] == started)
    told = record.get("startedAt")
    began = _boot_ms() + int(started) * 1000 // os.sysconf("SC_CLK_TCK")
    return isinstance(told, int | float) and abs(told - began) < _SLACK_MS


def _same_domain(record: "Record") -> bool:
    """Whether the pid counts here: another machine or container has numbers of its own.

    In the notes of 2.1.332, not yet in those of 2.1.211: where it is not told, nothing contradicts.
    """
    domain = record.get("pidDomain")
    return not isinstance(domain, str) or domain == _domain()


def _domain() -> str:
    """`pidDomain` as 2.1.332 writes it here: machine and pid namespace, each empty if not to be had.

    On macOS it is `linux` alone.
    """
    try:
        machine = (
            small(os.path.realpath("/etc/machine-id"), 4096).decode("utf-8", "replace").strip()
        )
    except OSError:
        machine = ""
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return f"linux:{machine}:{namespace}"


def _boot_ms() -> int:
    with open("/proc/stat", "rb") as file:
        for line in file:
            if line.startswith(b"btime "):
                return int(line.split()[1]) * 1000
    return 0
