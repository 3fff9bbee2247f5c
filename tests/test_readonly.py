"""Whatever sf does, no file and no folder below a store changes or appears."""

import hashlib
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sessidx import apps
from tests import warm
from tests.kit import (
    NAMES,
    SF,
    Done,
    all_clis,
    claude,
    codex,
    environment,
    expected,
    on_terminal,
    relocate,
    run,
    unpack,
    uuid,
)

STORES = tuple(entry.folder for entry in apps.TABLE)
State = dict[str, tuple[object, ...]]

# An fzf that asks for the preview of the first row with a folder, and chooses that row.
FZF = """#!/bin/sh
while IFS= read -r row || exit 1; do
  case $(printf '%s\\n' "$row" | cut -f 4) in
    /*) break ;;
  esac
done
for word; do
  case $word in
    --preview=*) preview=${word#--preview=} ;;
  esac
done
set -- $(printf '%s\\n' "$row" | cut -f 1,2)
eval "$(printf '%s\\n' "$preview" | sed "s/{1}/$1/; s/{2}/$2/")" >/dev/null || exit 2
printf '\\n\\n%s\\n' "$row"
"""


def state(home: Path) -> State:
    """Every file and folder of the stores: what it is, its times, and what it holds."""
    found: State = {}
    for store in STORES:
        for folder, folders, files in os.walk(home / store):
            for name in (".", *folders, *files):
                path = os.path.join(folder, name)
                told = os.lstat(path)
                content = b""
                if stat.S_ISREG(told.st_mode):
                    content = hashlib.sha256(Path(path).read_bytes()).digest()
                times = (told.st_mtime_ns, told.st_ctime_ns)
                found[path] = (
                    told.st_mode,
                    told.st_uid,
                    told.st_ino,
                    told.st_size,
                    *times,
                    content,
                )
    return found


def commands(id: str, path: str, cwd: str) -> Iterator[list[str]]:
    """Every command, and every option of it that could read or do something else."""
    for style in ("tsv", "table", "json", "jsonl"):
        yield ["find", "--all", "--format", style]
    yield from ([], ["checkout"], ["@ids"], ["-V"], ["--help"], ["no such word"])
    yield ["--here", "--branch", "fix", "--since", "2d", "--columns", "path,live,size"]
    yield ["--dir", cwd, "--until", "2026-12-01", "--limit", "3", "--app", "codex"]
    for shell in ("zsh", "bash", "fish"):
        yield from (["init", shell], ["show", "--shell", shell, id], ["@glance", shell, id])
    yield from (["show", id], ["show", path], ["show", "--json", id[:-1]])
    yield from (["--said", "the"], ["--said", "--all", "--json", "no such word"])
    yield from (["show", id, "--said", "the"], ["show", "--json", "--said", id, "checkout"])
    yield from (
        ["resume", id],
        ["resume", "--json", path],
        ["resume", "--json", "--last", "--here"],
    )
    yield ["resume", "--yes", "--shell", "fish", "--fork", "--permissive", id, "--", "-x"]
    yield from (["resume", "--yes", "--run", id], ["resume", "--yes", "--run", "--last"])
    for name in ("build", "apps", "doctor"):
        yield from ([name], [name, "--json"])
    yield from (["doctor", "checkout"], ["doctor", id])


Call = Callable[..., Done]


def started(env: dict[str, str], *wrapper: str) -> Call:
    """Calls sf as a process of its own, behind the words of `wrapper`."""

    def call(*words: str, cwd: str = "/") -> Done:
        return run([*wrapper, SF, *words], env, cwd=cwd)

    return call


def forked(env: dict[str, str]) -> Call:
    """The same, ten times as fast, for the many homes."""

    def call(*words: str, cwd: str = "/") -> Done:
        more = {name: value for name, value in env.items() if name != "HOME"}
        done = warm.sf(*words, home=Path(env["HOME"]), cwd=cwd, **more)
        return Done(done.code, done.out, done.err)

    return call


def run_everything(home: Path, env: dict[str, str], call: Call, *wrapper: str) -> dict[str, Done]:
    """Each command with the newest session of `home`, the picker on a terminal, too."""
    first = call("--json", "--all")
    sessions = first.json or [{"id": uuid(1), "path": f"{home}/none", "cwd": str(home)}]
    newest = next((s for s in sessions if s["cwd"] and not s.get("archived")), sessions[0])
    done = {"--json --all": first}
    only = [s["path"] for s in sessions].count(newest["path"]) == 1
    word = newest["path"] if only else f"{newest['app']}:{newest['id']}"
    for words in commands(newest["id"], word, newest["cwd"]):
        cwd = newest["cwd"] if "--here" in words else "/"
        done[" ".join(words)] = call(*words, cwd=cwd)
        assert done[" ".join(words)].code in (0, 1), (words, done[" ".join(words)].err)
    for words in (["--shell", "zsh"], ["--yes", "--all", "--limit", "5"]):
        picking: list[str | Path] = [*wrapper, SF, "pick", *words]
        code, out, screen = on_terminal(picking, env, typed="n\n", asked="[y/N]")
        done[" ".join(["pick", *words])] = Done(code, out, screen)
    return done


def surroundings(home: Path, folder: Path) -> dict[str, str]:
    """`home` to look in, the cache elsewhere, stand-ins of fzf and of all CLIs on PATH."""
    programs = all_clis(folder / "clis", 'echo "$0" "$@"')
    (programs / "fzf").write_text(FZF)
    (programs / "fzf").chmod(0o755)
    (folder / "mine").mkdir()
    env = environment(folder / "mine", SESSIDX_HOME=str(home))
    return env | {"PATH": f"{programs}:{env['PATH']}"}


@pytest.mark.parametrize("name", NAMES)
def test_every_command_on_every_home(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root", branch=None)
    env = surroundings(home, tmp_path)
    before = state(home)
    assert len(before) > 1
    done = run_everything(home, env, forked(env))
    assert state(home) == before
    assert os.listdir(tmp_path / "mine") == [".cache"]
    assert os.listdir(tmp_path / "mine" / ".cache") == ["sessidx"]
    if any(told["resumable"] for told in expected(name)):  # so it was all really done
        assert done["pick --yes --all --limit 5"].out.startswith("command cd -- ")
        assert any("--run" in words and call.code == 0 for words, call in done.items())


WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA journal_mode = wal")
db.execute("PRAGMA wal_autocheckpoint = 0")
db.execute("UPDATE threads SET name = 'Only in the log'")
db.commit()
db.execute("BEGIN")
db.execute("SELECT count(*) FROM threads").fetchone()
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def writer(database: Path) -> Iterator[None]:
    """Another program that holds the database open, with rows that only its -wal has."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            child.kill()


@pytest.mark.parametrize("name", ["codex-home-0.145.0-exited", "codex-home-0.171.0-live"])
def test_a_live_log(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root", branch=None)
    env = surroundings(home, tmp_path)
    with writer(home / ".codex" / "state_5.sqlite"):
        before = state(home)
        assert (home / ".codex" / "state_5.sqlite-wal").stat().st_size > 0
        done = run_everything(home, env, started(env))
        assert state(home) == before
    assert {row["title"] for row in done["--json --all"].json} == {"Only in the log"}
    code = (
        "import sqlite3; "
        f"print(sqlite3.connect('file:{home}/.codex/state_5.sqlite?immutable=1', uri=True)"
        ".execute('SELECT count(*) FROM threads WHERE name = ?', ['Only in the log']).fetchone()[0])"
    )
    assert run([sys.executable, "-c", code], env).out == "0\n"  # so the -wal was needed


def unprivileged() -> list[str]:
    """What makes modes count for root, too: it is the capabilities that pass them over."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]


@pytest.mark.parametrize("name", ["claude-home-2.0.76-closed", "codex-home-0.171.0-live"])
def test_a_store_that_may_not_be_written(name: str, tmp_path: Path) -> None:
    home = unpack(name, tmp_path / "home")
    relocate(name, home, tmp_path / "root", branch=None)
    env = surroundings(home, tmp_path)
    free = run([SF, "--json", "--all"], env)
    for path in (home, *home.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    wrapper = unprivileged()
    assert run([*wrapper, "touch", f"{home}/x"], env).code != 0
    before = state(home)
    env["XDG_CACHE_HOME"] = f"{tmp_path}/cache"
    done = run_everything(home, env, started(env, *wrapper), *wrapper)
    assert state(home) == before
    assert done["--json --all"] == free
    for path in (home, *home.rglob("*")):
        path.chmod(0o755)


def test_the_store_is_the_home_too(tmp_path: Path) -> None:
    """Without SESSIDX_HOME the index lies beside the stores, never in one."""
    home = tmp_path / "home"
    claude(home, uuid(1), str(tmp_path))
    codex(home, uuid(2), str(tmp_path))
    before = state(home)
    env = surroundings(home, tmp_path) | {"HOME": str(home), "SESSIDX_HOME": ""}
    run_everything(home, env, started(env))
    assert state(home) == before
    assert sorted(os.listdir(home)) == [".cache", ".claude", ".codex"]


def test_a_cache_that_may_not_be_written(tmp_path: Path) -> None:
    home = unpack("codex-home-0.171.0-live", tmp_path / "home")
    before = state(home)
    (tmp_path / "mine").mkdir(mode=0o555)
    env = environment(tmp_path / "mine", SESSIDX_HOME=str(home), TMPDIR=str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    first, second = (run([*unprivileged(), SF, "--all"], env) for _ in range(2))
    assert first == second
    assert (len(first.rows), first.err) == (12, "")
    assert state(home) == before
    assert os.listdir(tmp_path / "tmp") == os.listdir(tmp_path / "mine") == []


def test_the_state_sees_a_change(tmp_path: Path) -> None:
    """The proof itself: opening a database in place leaves its -shm behind, and is seen."""
    home = unpack("codex-home-0.145.0-exited", tmp_path)
    before = state(home)
    db = sqlite3.connect(f"file:{home}/.codex/state_5.sqlite?mode=ro", uri=True)
    db.execute("SELECT count(*) FROM threads").fetchone()
    db.close()
    assert state(home) != before
