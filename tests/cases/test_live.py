"""A session that is open elsewhere: proved by its process, or not said."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.cases import codex
from tests.cases.claude import Record, talk, transcript
from tests.cases.look import clis, plan, refused, shown
from tests.kit import uuid, which
from tests.warm import sf

ID = uuid(1)

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/stat"), reason="without /proc nothing is proved"
)


@pytest.fixture
def pid() -> Iterator[int]:
    """A process that runs."""
    with subprocess.Popen([which("sleep"), "600"]) as process:
        yield process.pid
        process.kill()


@pytest.fixture
def session(home: Path, tmp_path: Path) -> Path:
    transcript(home, ID, tmp_path)
    return home


def started(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def domain(machine: str | None = None, namespace: str | None = None) -> str:
    """`pidDomain` as it stands in the notes of 2.1.332 (`python -m tests.real` holds it against them)."""
    told = Path("/etc/machine-id")
    machine = (told.read_text().strip() if told.exists() else "") if machine is None else machine
    return f"linux:{machine}:{namespace or os.readlink('/proc/self/ns/pid')}"


def note(home: Path, pid: int | str, **more: object) -> Path:
    """What a running Claude Code writes down of itself: 2.1.112 no more than these keys."""
    folder = home / ".claude" / "sessions"
    folder.mkdir(exist_ok=True)
    told: Record = {"pid": pid, "sessionId": ID, "cwd": "/home/alex/code/shop-api"}
    told |= {"startedAt": time.time() * 1000, "kind": "interactive", "entrypoint": "cli", **more}
    told = {key: value for key, value in told.items() if value is not ...}
    path = folder / f"{pid}.json"
    path.write_text(json.dumps(told))
    return path


def is_live(home: Path) -> bool:
    told = sf("show", "--json", ID, home=home).json["live"]
    assert ("open elsewhere now" in shown(home, ID)) == (told is True)
    return told is True


def test_one_that_is_open(session: Path, pid: int) -> None:
    # anthropics/claude-code#39151: two of them wrote into one file
    assert not is_live(session)
    note(session, pid, procStart=started(pid))
    assert is_live(session)
    err = refused(session, ID)
    assert "open in another terminal" in err
    assert "--fork" in err
    assert "--yes" in err
    assert ID in sf("resume", "--yes", ID, home=session, **clis(session)).out.split()
    found = plan(session, ID, "--fork")
    assert "--fork-session" in found["argv"]
    assert found["questions"] == []


def test_one_whose_end_nobody_has_looked_at(session: Path) -> None:
    with subprocess.Popen([which("sleep"), "600"]) as process:
        note(session, process.pid, procStart=started(process.pid))
        assert is_live(session)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_live(session)


def test_the_older_note_of_it(session: Path, pid: int) -> None:
    note(session, pid)
    assert is_live(session)


def test_the_newest_note_of_it(session: Path, pid: int) -> None:
    # anthropics/claude-code 2.1.332 names the machine and the pid namespace
    note(session, pid, procStart=started(pid), pidDomain=domain(), version="2.1.332")
    assert is_live(session)


@pytest.mark.parametrize(
    ("release", "attaches"), [("2.1.332", True), ("2.1.141", True), ("2.1.140", False)]
)
def test_one_in_the_background(session: Path, pid: int, release: str, attaches: bool) -> None:
    # 2.1.332 refuses `--resume` with any flag; up to 2.1.140 `attach` would be a prompt
    note(session, pid, procStart=started(pid), kind="bg", version="2.1.332")
    known = clis(session, claude=release)
    found = plan(session, ID, PATH=known["PATH"])
    if attaches:
        assert found["argv"] == ["claude", "attach", ID[:8]]
        assert found["questions"] == []
    else:
        assert found["questions"] == [
            "the session runs in the background (--fork goes on beside it)"
        ]
    assert "--fork-session" in plan(session, ID, "--fork", PATH=known["PATH"])["argv"]
    assert "attach" not in plan(session, ID, "--fork", PATH=known["PATH"])["argv"]


def ended(home: Path, tail: Sequence[Record] = (), **more: object) -> bool | None:
    """What is told of a session whose process has ended, with `tail` after its conversation."""
    path = transcript(home, ID, "/home/alex/code/shop-api", [*talk(), *tail])
    now = round(time.time() * 1000)
    told = {"updatedAt": now, "status": "idle", "procStart": "1", "version": "2.1.332"}
    note(home, 4_000_000, **{**told, "pidDomain": domain(), **more})
    os.utime(path, (now // 1000, now // 1000 + 3600))
    found: bool | None = sf("find", "--json", home=home).json[0]["interrupted"]
    listed = sf("find", "--interrupted", home=home)
    assert bool(listed.out) == (found is True)
    assert ("was open when its process ended" in shown(home, ID)) == (found is True)
    assert ("1 open when the process ended" in sf("doctor", home=home).out) == (found is True)
    word = {True: "yes\n", False: "no\n", None: "-\n"}[found]
    assert sf("find", "--columns", "interrupted", home=home).out == word
    return found


LEFT: Record = {"type": "cost-state", "totalCostUSD": 0}


@pytest.mark.parametrize(
    ("tail", "more", "told"),
    [
        ((), {}, True),  # in the middle of a turn, too: it is written to until the end
        ((LEFT,), {}, False),  # somebody went back to it, and left
        ((LEFT, *talk("Once more", 5)), {}, True),  # and was interrupted again
        ((), {"version": "2.1.211"}, None),  # which ends it with no record of its own
        ((), {"version": "2.1.211", "updatedAt": 2_000_000_000_000}, True),
        ((), {"version": ..., "updatedAt": "now"}, None),
        ((), {"sessionId": uuid(2)}, False),
        ((), {"pidDomain": "linux:0:pid:[1]"}, False),
    ],
)
def test_one_that_was_interrupted(
    home: Path, tail: Sequence[Record], more: Record, told: bool | None
) -> None:
    assert ended(home, tail, **more) is told


def test_one_that_runs_is_not_interrupted(session: Path, pid: int) -> None:
    note(session, 4_000_000, procStart="1", pidDomain=domain(), version="2.1.332")
    note(session, pid, procStart=started(pid), pidDomain=domain(), version="2.1.332")
    assert sf("find", "--json", home=session).json[0]["interrupted"] is False


def hole(path: Path) -> None:
    os.truncate(path, 0)
    os.truncate(path, 3 << 30)


NOT_IT: dict[str, Callable[[Path, int], object]] = {
    "a pid used again": lambda home, pid: note(home, pid, procStart=f"{int(started(pid)) - 1}"),
    "started long before": lambda home, pid: note(home, pid, startedAt=1_700_000_000_000),
    "started later": lambda home, pid: note(home, pid, startedAt=time.time() * 1000 + 9e6),
    "of another machine": lambda home, pid: note(
        home, pid, procStart=started(pid), pidDomain=domain(machine="0" * 32)
    ),
    "of another container": lambda home, pid: note(
        home, pid, procStart=started(pid), pidDomain=domain(namespace="pid:[1]")
    ),
    "of a Mac": lambda home, pid: note(home, pid, procStart=started(pid), pidDomain="linux"),
    "another session": lambda home, pid: note(home, pid, procStart=started(pid), sessionId=uuid(2)),
    "a process that ended": lambda home, pid: note(home, 4_000_000, procStart=started(pid)),
    "no time at all": lambda home, pid: note(home, pid, startedAt=None),
    "a time of another kind": lambda home, pid: note(home, pid, startedAt="now"),
    "not a number": lambda home, pid: note(home, pid, startedAt=float("nan")),
    "a start of another kind": lambda home, pid: note(home, pid, procStart=7, startedAt=0),
    "no session": lambda home, pid: note(home, pid, procStart=started(pid), sessionId=None),
    "a list": lambda home, pid: note(home, pid).write_text("[]"),
    "nothing": lambda home, pid: note(home, pid).write_text(""),
    "no text": lambda home, pid: note(home, pid).write_bytes(os.urandom(500)),
    "deep": lambda home, pid: note(home, pid).write_text('{"a":' * 100_000),
    "huge": lambda home, pid: hole(note(home, pid)),
    "no pid": lambda home, pid: note(home, f"x{pid}", procStart=started(pid)),
    "a negative pid": lambda home, pid: note(home, f"-{pid}", procStart=started(pid)),
    "pid of digits that are not ours": lambda home, pid: note(home, "٣", procStart=started(pid)),
    "pid 0": lambda home, pid: note(home, 0, procStart="0"),
    "a huge pid": lambda home, pid: note(home, "9" * 200, procStart="0"),
}


@pytest.mark.parametrize("make", NOT_IT.values(), ids=NOT_IT)
def test_one_that_is_not(session: Path, pid: int, make: Callable[[Path, int], object]) -> None:
    make(session, pid)
    assert not is_live(session)
    assert plan(session, ID)["questions"] == []


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)])
def test_no_file_in_the_place_of_a_note(
    session: Path, pid: int, make: Callable[[Path], object]
) -> None:
    path = note(session, pid)
    path.unlink()
    make(path)
    assert not is_live(session)
    (session / ".claude" / "sessions" / "9.json").symlink_to("/etc/passwd")
    assert not is_live(session)


def test_keys_are_never_opened(session: Path, pid: int) -> None:
    path = note(session, pid, procStart=started(pid))
    for name in (f"{pid}.{'a' * 64}.key", f"{pid}.key", "token", f"{pid}.json.key"):
        path.with_name(name).write_text("secret")
    for words in (["show", ID], ["resume", ID], [], ["doctor"], ["build"], ["apps"]):
        opened = sf(*words, home=session, **clis(session)).opened()
        assert not [name for name in opened if name.endswith(("key", "token"))]


def test_very_many_left_over_notes(session: Path, pid: int) -> None:
    for number in range(3000):
        note(session, 5_000_000 + number)
    ran = sf("show", ID, home=session)
    assert ran.code == 0
    assert ran.seconds < 10


def test_codex_tells_nothing(home: Path, tmp_path: Path) -> None:
    thread = codex.thread_id(1)
    codex.rollout(home, thread, tmp_path)
    lock = codex.store(home) / "thread-writer-locks" / f"{thread}.lock"
    lock.parent.mkdir()
    lock.touch()
    assert sf("show", "--json", thread, home=home).json["live"] is None
    assert plan(home, thread)["questions"] == []
