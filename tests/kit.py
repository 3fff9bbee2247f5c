"""What the tests of the commands share: run the installed `sf`, unpack a recorded home, write sessions."""

import json
import os
import re
import select
import shutil
import sqlite3
import subprocess
import sys
import termios
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sessidx import apps

ROOT = Path(__file__).parent.parent
SF = Path(sys.executable).parent / "sf"
HOMES = ROOT / "tests" / "data" / "homes"
NAMES = sorted(path.name.removesuffix(".tar.gz") for path in HOMES.glob("*.tar.gz"))

PEOPLE = re.compile("/home/(?:alex|sam)(?![a-z])")  # whose folders the recorded homes speak of

Facts = dict[str, Any]


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[list[str]]:
        return [line.split("\t") for line in self.out.splitlines()]

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(home: Path, **more: str) -> dict[str, str]:
    """All that a run of `sf` sees: nothing of this machine but where programs are."""
    path = os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin"])
    return {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8", **more}


def run(
    words: Sequence[str | Path],
    env: Mapping[str, str],
    *,
    cwd: str | Path = "/",
    given: str | None = None,
) -> Done:
    """Run a program without a terminal, `given` on its standard input."""
    done = subprocess.run(
        words,
        env=env,
        cwd=cwd,
        input=None if given is None else given.encode("utf-8", "surrogateescape"),
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        start_new_session=True,
        check=False,
    )
    out, err = (data.decode("utf-8", "surrogateescape") for data in (done.stdout, done.stderr))
    return Done(done.returncode, out, err)


def sf(
    *words: str, home: Path, cwd: str | Path = "/", given: str | None = None, **more: str
) -> Done:
    """The installed `sf`, with `home` as HOME and `more` in its environment."""
    return run([SF, *words], environment(home, **more), cwd=cwd, given=given)


def on_terminal(
    words: Sequence[str | Path],
    env: Mapping[str, str],
    *,
    cwd: str | Path = "/",
    typed: str = "",
    asked: str = "",
    columns: int = 100,
    shown: bool = False,
) -> tuple[int, str, str]:
    """Run a program with a terminal of its own: exit code, standard output, what the screen got.

    `typed` is sent as soon as the screen shows `asked`. With `shown` its standard output is the
    terminal, too.
    """
    screen, slave = os.openpty()
    termios.tcsetwinsize(slave, (40, columns))
    output, out = os.pipe()
    # The leader of a new session gets the first terminal that it opens for its own.
    child = subprocess.Popen(
        ["/bin/sh", "-c", 'exec 2<>"$0" <"$0"; exec "$@"', os.ttyname(slave), *words],
        env={"TERM": "xterm", **env},
        cwd=cwd,
        stdin=slave,
        stdout=slave if shown else out,
        stderr=slave,
        start_new_session=True,
    )
    os.close(out)
    os.close(slave)
    got = {screen: b"", output: b""}
    held = [*got]
    while held:
        if typed and asked.encode() in got[screen]:
            os.write(screen, typed.encode())
            typed = ""
        ended = child.poll() is not None
        ready = select.select(held, [], [], 0 if ended else 0.05)[0]
        for fd in ready:
            data = _read(fd)
            got[fd] += data
            if not data:
                held.remove(fd)
        if ended and not ready:
            break
    child.wait()
    os.close(screen)
    os.close(output)
    return child.returncode, got[output].decode(), got[screen].decode("utf-8", "replace")


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except OSError:  # nobody holds the terminal any more
        return b""


def unpack(name: str, folder: Path) -> Path:
    """A home that a real CLI wrote, in `folder`."""
    # The program, since what tarfile wants to be told differs between releases of Python 3.11.
    folder.mkdir(parents=True, exist_ok=True)
    archive = HOMES / f"{name}.tar.gz"
    subprocess.run(["tar", "-xzf", archive, "--no-same-owner", "-C", folder], check=True)
    return folder


def expected(name: str) -> list[Facts]:
    told: list[Facts] = json.loads((HOMES / f"{name}.expected.json").read_text("utf-8"))
    return told


def relocate(name: str, home: Path, root: Path, branch: str | None = "elsewhere") -> None:
    """Let a recorded home speak of folders below `root`, and make them, on `branch`."""
    for path in home.rglob("*"):
        if path.is_file() and not path.is_symlink():
            _rewrite(path, str(root))
    for cwd in {session["cwd"] for session in expected(name)} - {None}:
        folder = home / ".claude" / "projects" / slug(cwd)
        moved = moved_to(cwd, root)
        if folder.exists():
            folder.rename(folder.parent / slug(moved))
        git = Path(moved, ".git")
        git.mkdir(parents=True, exist_ok=True)
        if branch:
            (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


def moved_to(text: str, root: Path) -> str:
    """`text` that speaks of folders below `root`, and not of the people of the recorded homes."""
    return PEOPLE.sub(lambda _: str(root), text)


def _rewrite(path: Path, root: str) -> None:
    data = path.read_bytes()
    if data.startswith(b"SQLite format 3\0"):
        with sqlite3.connect(path) as db:
            for (table,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type='table'"
            ).fetchall():
                if "fts" not in table and not table.startswith("sqlite_"):
                    _rewrite_table(db, table, root)
        db.close()
    elif PEOPLE.search(data.decode("utf-8", "surrogateescape")):
        text = PEOPLE.sub(lambda _: root, data.decode("utf-8", "surrogateescape"))
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def _rewrite_table(db: sqlite3.Connection, table: str, root: str) -> None:
    for _, column, kind, *_ in db.execute(f'PRAGMA table_info("{table}")').fetchall():
        for person in ("/home/alex", "/home/sam") if kind.upper() == "TEXT" else ():
            db.execute(
                f'UPDATE "{table}" SET "{column}" = replace("{column}", ?, ?) '
                f'WHERE instr("{column}", ?)',
                (person, root, person),
            )


def stand_in(folder: Path, name: str, package: str, release: str, body: str = "exit 0") -> Path:
    """A CLI as npm installs it, `release` in the package.json beside it, linked into folder/bin."""
    place = folder / "lib" / "node_modules" / package
    (place / "bin").mkdir(parents=True)
    (place / "package.json").write_text(json.dumps({"name": package, "version": release}))
    program = place / "bin" / f"{name}.js"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    (folder / "bin").mkdir(exist_ok=True)
    link = folder / "bin" / name
    link.symlink_to(program)
    return link


def both_clis(folder: Path, body: str, claude: str = "2.1.332", codex: str = "0.171.0") -> Path:
    """A folder for PATH with stand-ins of Claude's and Codex's CLIs that do `body`."""
    stand_in(folder, "claude", "@anthropic-ai/claude-code", claude, body)
    stand_in(folder, "codex", "@openai/codex", codex, body)
    return folder / "bin"


def all_clis(folder: Path, body: str) -> Path:
    """The same with stand-ins of every app's CLI, newer than any."""
    both_clis(folder, body)
    for name in apps.NAMES[2:]:
        cli = apps.load(name).commands()
        stand_in(folder, cli.PROGRAM, cli.PACKAGE, "9.9.9", body)
    return folder / "bin"


def content(index: Path) -> str:
    """What a file of ours holds, its checksum aside."""
    return index.read_bytes()[:-9].decode("utf-8", "surrogatepass")


def seal(index: Path, told: str | bytes) -> None:
    """Write that with its checksum, as anybody could."""
    data = told if isinstance(told, bytes) else told.encode("utf-8", "surrogatepass")
    index.write_bytes(data + b"%08x\n" % zlib.crc32(data))


def lines(path: Path, records: Iterable[object]) -> Path:
    """Write `records` as JSON lines; bytes as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for record in records:
            if not isinstance(record, bytes):
                text = json.dumps(record, ensure_ascii=False)
                record = text.encode("utf-8", "surrogateescape")
            file.write(record + b"\n")
    return path


def slug(cwd: str) -> str:
    """The name of Claude Code's store folder for `cwd`, as its own code makes it."""
    units = memoryview(cwd.encode("utf-16-le", "surrogatepass")).cast("H").tolist()
    name = re.sub("[^a-zA-Z0-9]", "-", "".join(map(chr, units)))
    digest = 0
    for unit in units:
        digest = (digest * 31 + unit + 2**31) % 2**32 - 2**31
    number, suffix = abs(digest), ""
    while number:
        number, digit = divmod(number, 36)
        suffix = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + suffix
    return name if len(name) <= 200 else f"{name[:200]}-{suffix}"


def claude(
    home: Path,
    id: str,
    cwd: str,
    title: str = "Fix the cart",
    *,
    branch: str = "main",
    at: str = "2026-11-01T10:00:00.000Z",
    entrypoint: str = "cli",
    model: str = "claude-opus-4-6",
    **more: object,
) -> Path:
    """A Claude Code session of one exchange; `more` stands in its user record, too."""
    common = {
        "isSidechain": False,
        "entrypoint": entrypoint,
        "cwd": cwd,
        "sessionId": id,
        "gitBranch": branch,
        "timestamp": at,
    }
    said = {"type": "user", "uuid": "u", "message": {"role": "user", "content": title}}
    answer = {"role": "assistant", "model": model, "content": [{"type": "text", "text": "Done."}]}
    told = [
        {**said, **common, **more},
        {
            "type": "assistant",
            "uuid": "a",
            "message": answer,
            **common,
            "effort": more.get("effort"),
        },
    ]
    return lines(home / ".claude" / "projects" / slug(cwd) / f"{id}.jsonl", told)


def codex(
    home: Path,
    id: str,
    cwd: str,
    title: str = "Fix the cart",
    *,
    branch: str = "main",
    at: str = "2026-11-01T10:00:00.000Z",
    source: str = "cli",
    archived: bool = False,
    **settings: object,
) -> Path:
    """A Codex rollout of one turn; `settings` as its turn_context has them."""

    def record(kind: str, **payload: object) -> Facts:
        return {"timestamp": at, "type": kind, "payload": payload}

    meta = {"id": id, "cwd": cwd, "source": source, "model_provider": "openai"}
    told = [
        record("session_meta", **meta, git={"branch": branch}),
        record("event_msg", type="task_started"),
        record("event_msg", type="user_message", message=title),
        record("turn_context", cwd=cwd, **{"model": "gpt-5.5", **settings}),
        record("event_msg", type="agent_message", message="Done."),
    ]
    below = "archived_sessions" if archived else "sessions/2026/11/01"
    return lines(home / ".codex" / below / f"rollout-2026-11-01T10-00-00-{id}.jsonl", told)


def uuid(number: int) -> str:
    return f"{number:08x}-5a5a-4b4b-8c8c-{number:012x}"


def which(name: str) -> str:
    """The path of a program that the tests need."""
    found = shutil.which(name)
    assert found, f"{name} is not on PATH"
    return found
