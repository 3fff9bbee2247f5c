"""Which Claude Code sessions a running process holds, from sessions/<pid>.json alone.

The folder also holds keys for messages between sessions: no other name is ever opened.
"""

import os

from ...files import small
from ...jsonl import parse

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...session import Record

_LIMIT = 64 * 1024
_FILES = 1000
_SLACK_MS = 60_000  # a process writes `startedAt` when it is up


def held(root: str) -> dict[str, bool] | None:
    """Session id -> True for each that is proved to be open; None where nothing can be proved.

    That needs the folder, and a /proc: without one (macOS) a pid alone is no more than a hint.
    """
    try:
        return {record["sessionId"]: True for record in _notes(root)}
    except OSError:
        return None


def in_background(root: str, session: str) -> bool:
    """Whether a process without a terminal holds that session (`claude --bg`; `kind` in 2.1.332)."""
    try:
        return any(r["sessionId"] == session and r.get("kind") == "bg" for r in _notes(root))
    except OSError:
        return False


def _notes(root: str) -> "Iterator[Record]":
    """What each process that runs has written down of itself and of its session."""
    folder = os.path.join(root, "sessions")
    names = os.listdir(folder)
    os.stat("/proc/self/stat")
    for name in names[:_FILES]:
        pid = name.removesuffix(".json")
        if name == pid or not (pid.isascii() and pid.isdigit() and len(pid) < 10):
            continue
        try:
            started = _started(pid)  # most files are left over: theirs is not even opened
            record = parse(small(os.path.join(folder, name), _LIMIT))
        except (OSError, IndexError):
            continue
        if record and isinstance(record.get("sessionId"), str) and _is_of(record, started):
            yield record


def _started(pid: str) -> str:
    """When the process was started, in clock ticks since boot; OSError when there is none."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read(4096).rpartition(b")")[2].split()[19].decode()


def _is_of(record: "Record", started: str) -> bool:
    """Whether the process that was `started` then wrote `record`: pids are used again."""
    if isinstance(record.get("procStart"), str):
        return bool(record["procStart"] == started) and _same_domain(record)
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
