"""`sf` out of a process that has loaded everything: a call is a fork of it, a tenth of a start-up.

In all that counts the fork is a process of its own: environment, folder, standard streams, exit
code, no terminal. It also tells what a plain process would not: which files it opened, its memory.
"""

import atexit
import ctypes
import importlib
import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sessidx
from tests.kit import environment

ROOT = Path(__file__).parent.parent
LOADED = (
    "click",
    "difflib",
    "json",
    "orjson",
    "pwd",
    "re",
    "sqlite3",
    "tempfile",
    "tomllib",
    "unicodedata",
)
PATIENCE = 60.0  # seconds, after which a call is killed; only a failure takes so long

Message = dict[str, Any]


class Ran(NamedTuple):
    """What came of a call. `code` is negative after a signal, -9 when it took too long."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float  # at its peak, some 30 of them this server's own
    events: list[tuple[str, str]]  # of Python's audit hook: what was opened, listed, started, …

    @property
    def rows(self) -> list[list[str]]:
        return [line.split("\t") for line in self.out.split("\n")[:-1]]

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def opened(self) -> list[str]:
        """The paths that were opened as files, Python's own aside."""
        paths = [path for event, path in self.events if event == "open"]
        return [path for path in paths if path and not path.endswith((".py", ".pyc"))]


def sf(
    *words: str, home: Path, cwd: str | Path = "/", given: str | None = None, **more: str
) -> Ran:
    """The answer of `sf` with `home` as HOME, `more` in its environment and no terminal."""
    return _ask(words, environment(home, **more), cwd, given)


def sf_without_powers(*words: str, home: Path, **more: str) -> Ran:
    """The same without the powers of root, so that a file's mode counts."""
    return _ask(words, environment(home, **more), "/", None, powerless=True)


_server: subprocess.Popen[str] | None = None


def _ask(
    words: Sequence[str],
    env: dict[str, str],
    cwd: str | Path,
    given: str | None,
    *,
    powerless: bool = False,
) -> Ran:
    request = {
        "words": [_carried(word) for word in words],
        "env": {name: _carried(value) for name, value in env.items()},
        "cwd": _carried(str(cwd)),
        "given": _carried(given or ""),
        "powerless": powerless,
    }
    told = _exchange(request)
    out, err = _arrived(told["out"]), _arrived(told["err"])
    events = [(event, _arrived(path)) for event, path in told["events"]]
    return Ran(told["code"], out, err, told["seconds"], told["megabytes"], events)


def _carried(text: str) -> str:
    """Any bytes, as text that JSON can carry."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _arrived(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def _exchange(request: Message) -> Message:
    global _server
    if _server is None or _server.poll() is not None:
        words = [sys.executable, "-m", "tests.warm"]
        _server = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(_server.kill)
    assert _server.stdin
    assert _server.stdout
    _server.stdin.write(json.dumps(request) + "\n")
    _server.stdin.flush()
    answer: Message = json.loads(_server.stdout.readline())
    return answer


# --- the server


def _serve() -> None:
    for name in LOADED:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(sessidx.__path__, "sessidx."):
        importlib.import_module(module.name)
    for line in sys.stdin:
        answer = _fork(json.loads(line))
        print(json.dumps(answer), flush=True)


def _fork(request: Message) -> Message:
    ends = [os.pipe() for _ in range(3)]  # standard output, standard error, audit events
    before = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            _child(request, [write for _, write in ends])
        finally:
            os._exit(99)
    for _, write in ends:
        os.close(write)
    data = _read([read for read, _ in ends], child, before + PATIENCE)
    _, status, usage = os.wait4(child, 0)
    out, err, events = (part.decode("latin-1") for part in data)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "out": out,
        "err": err,
        "seconds": time.monotonic() - before,
        "megabytes": usage.ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20),
        "events": [event.split("\t", 1) for event in events.split("\0")[:-1]],
    }


def _read(ends: list[int], child: int, deadline: float) -> list[bytes]:
    data = dict.fromkeys(ends, b"")
    still = set(ends)
    while still:
        ready, _, _ = select.select(still, [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            deadline += PATIENCE
        for end in ready:
            if not (more := os.read(end, 1 << 16)):
                still.remove(end)
                os.close(end)
            data[end] += more
    return [data[end] for end in ends]


def _child(request: Message, ends: list[int]) -> None:
    """Become the process that `request` describes and run `sf` in it."""
    os.setsid()
    with tempfile.TemporaryFile() as stdin:
        stdin.write(request["given"].encode("latin-1"))
        stdin.seek(0)
        for fd, source in enumerate((stdin.fileno(), *ends[:2])):
            os.dup2(source, fd)
    os.environ.clear()
    os.environ.update({name: _arrived(value) for name, value in request["env"].items()})
    os.chdir(_arrived(request["cwd"]))
    sys.argv = ["/usr/bin/sf", *map(_arrived, request["words"])]
    if request["powerless"]:
        drop_powers()
    sys.addaudithook(_reporter(ends[2]))
    try:
        from sessidx.__main__ import main

        main()
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    except BaseException:  # noqa: BLE001  (what a plain process would do)
        os.write(2, traceback.format_exc().encode("utf-8", "replace"))
        os._exit(1)


_REPORTED = ("os.", "subprocess.", "socket.", "shutil.", "sqlite3.")


def _reporter(fd: int) -> Callable[[str, tuple[Any, ...]], None]:
    def report(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" or event.startswith(_REPORTED):
            path = os.fsencode(args[0]) if args and isinstance(args[0], str | bytes) else b""
            os.write(fd, event.encode() + b"\t" + path + b"\0")

    return report


def drop_powers() -> None:
    """Give up what lets root read and write everything; without root nothing is to be given up."""
    if os.geteuid() == 0:
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        failed = ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)())
        assert not failed, os.strerror(ctypes.get_errno())


if __name__ == "__main__":
    _serve()
