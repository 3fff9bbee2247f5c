"""Which Claude Code sessions a running process holds, from sessions/<pid>.json alone.

The folder also holds keys for messages between sessions: no other name is ever opened.
"""

import os

from ..jsonl import parse, small

TYPE_CHECKING = False  # typing would cost a plain call as much as all of it
if TYPE_CHECKING:
    from ..session import Record

_LIMIT = 64 * 1024
_FILES = 1000
_SLACK_MS = 60_000  # a process writes `startedAt` when it is up


def held(folder: str) -> dict[str, bool] | None:
    """Session id -> True for each that is proved to be open; None without such a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return None
    found = {}
    for name in names[:_FILES]:
        pid = name.removesuffix(".json")
        if name == pid or not (pid.isascii() and pid.isdigit() and len(pid) < 10):
            continue
        try:
            record = parse(small(os.path.join(folder, name), _LIMIT))
        except OSError:
            continue
        if record and isinstance(record.get("sessionId"), str) and _runs(int(pid), record):
            found[record["sessionId"]] = True
    return found


def _runs(pid: int, record: "Record") -> bool:
    """Whether the process that wrote `record` is alive: the pid is, and started when it says."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            started = file.read(4096).rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return _runs_by_ps(pid, record)
    if isinstance(record.get("procStart"), str):
        return bool(record["procStart"] == started) and _same_domain(record)
    return _near(_boot_ms() + int(started) * 1000 // os.sysconf("SC_CLK_TCK"), record)


def _runs_by_ps(pid: int, record: "Record") -> bool:
    """Without /proc (macOS) the recorded start is what ps says; the process must at least exist."""
    if os.path.exists("/proc/self/stat"):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return False  # somebody else's: not a session of ours
    return "procStart" in record


def _same_domain(record: "Record") -> bool:
    """Whether the pid counts here: `pidDomain` names the boot and the pid namespace."""
    domain = record.get("pidDomain")
    if not isinstance(domain, str):
        return True
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read(64).strip()
    except (OSError, ValueError):
        return True
    return boot not in ("", None) and (boot in domain or len(domain) < 36)


def _near(started_ms: int, record: "Record") -> bool:
    told = record.get("startedAt")
    return isinstance(told, int | float) and abs(told - started_ms) < _SLACK_MS


def _boot_ms() -> int:
    with open("/proc/stat", "rb") as file:
        for line in file:
            if line.startswith(b"btime "):
                return int(line.split()[1]) * 1000
    return 0
