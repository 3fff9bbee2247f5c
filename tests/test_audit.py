"""What the interpreter reports of every command: files opened, programs started, no network."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.kit import SF, both_clis, environment, on_terminal, relocate, run, unpack
from tests.test_readonly import FZF, commands

# Loaded by Python before anything of ours; writes a line for each event to the file AUDIT.
HOOK = """
import json, os, sys
fd = os.open(os.environ["AUDIT"], os.O_WRONLY | os.O_APPEND)
def plain(value):
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else repr(value)
def hear(event, words):
    if event.startswith(("open", "os.", "subprocess.", "socket.", "sqlite3.connect", "tempfile.")):
        os.write(fd, json.dumps([event, *words], default=plain).encode() + b"\\n")
sys.addaudithook(hear)
"""
CANARY = "c4n4ry"
SECRETS = (
    ".codex/auth.json",
    ".claude/.credentials.json",
    ".claude.json",
    f".claude/sessions/123.{'a' * 64}.key",
    ".claude/sessions/456.key",
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
READ = re.compile(
    rf"\.claude/(?:projects/[^/]+/{UUID}(?:\.jsonl|/custom-title\.json|/archived\.json)"
    r"|sessions/\d+\.json|(?:remote-)?settings\.json)"
    rf"|\.codex/(?:(?:sessions/\d+/\d+/\d+|archived_sessions)/rollout-.*{UUID}\.jsonl"
    r"|session_index\.jsonl|config\.toml|state_\d+\.sqlite(?:-wal|-shm|-journal)?)"
)
LOOKS = {
    "open",
    "os.fork",  # our own, to read more at once; the hook hears it too
    "os.listdir",
    "os.scandir",
    "os.chdir",
    "os.putenv",
    "os.kill",  # a process of our own that is no longer needed
}
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}
STARTS = {"os.posix_spawn", "os.exec", "subprocess.Popen"}

Event = list[object]


class World:
    """A home of both apps with secrets in it, stand-ins on PATH, and the hook."""

    def __init__(self, folder: Path, clis: str) -> None:
        self.home = folder / "home"
        for name in ("claude-home-2.1.332-closed", "codex-home-0.171.0-live"):
            unpack(name, self.home)
            relocate(name, self.home, folder / "root", branch=None)
        for name in SECRETS:
            (self.home / name).parent.mkdir(exist_ok=True)
            (self.home / name).write_text(f'{{"token": "{CANARY}"}}')
        self.programs = both_clis(folder / "clis", clis)
        (self.programs / "fzf").write_text(FZF)
        (self.programs / "fzf").chmod(0o755)
        (folder / "mine").mkdir()
        (folder / "hook").mkdir()
        (folder / "hook" / "sitecustomize.py").write_text(HOOK)
        self.heard = folder / "heard"
        self.heard.touch()
        self.cache = f"{folder}/mine/.cache"
        self.said = ""
        self.env = environment(
            folder / "mine",
            SESSIDX_HOME=str(self.home),
            PYTHONPATH=str(folder / "hook"),
            PYTHONDONTWRITEBYTECODE="1",
            AUDIT=str(self.heard),
        )
        self.env["PATH"] = f"{self.programs}:{self.env['PATH']}"

    def sf(self, *words: str) -> None:
        self.said += "".join(map(str, run([SF, *words], self.env, cwd="/tmp")))

    def run_everything(self) -> None:
        newest = run([SF, "--json"], self.env).json[0]
        for words in commands(newest["id"], newest["path"], newest["cwd"]):
            self.sf(*words)
        for words in (["--shell", "bash"], ["--all", "--yes"]):
            self.said += "".join(map(str, on_terminal([SF, "pick", *words], self.env)))

    def events(self) -> list[Event]:
        return [json.loads(line) for line in self.heard.read_text().splitlines()]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    made = World(tmp_path_factory.mktemp("audit"), 'echo "$0" "$@"')
    made.run_everything()
    assert len(made.events()) > 1000
    return made


def test_nothing_is_done_that_this_test_does_not_know(world: World) -> None:
    assert {str(event[0]) for event in world.events()} <= LOOKS | CHANGES | STARTS


def test_no_secret_is_opened_or_shown(world: World) -> None:
    secrets = {str(world.home / name) for name in SECRETS}
    assert not [event for event in world.events() if event[0] == "open" and event[1] in secrets]
    kept = "".join(p.read_text() for p in Path(world.cache).rglob("*") if p.is_file())
    assert CANARY not in world.said + kept


def is_folder(how: object) -> bool:
    return isinstance(how, int) and how & os.O_DIRECTORY != 0


def test_of_the_stores_only_what_tells_of_sessions_is_opened(world: World) -> None:
    opens = [event for event in world.events() if event[0] == "open"]
    opened = {str(path) for _, path, _, how in opens if not is_folder(how)}
    below = {
        path.removeprefix(f"{world.home}/") for path in opened if path.startswith(f"{world.home}/")
    }
    assert len(below) > 40
    assert [path for path in below if not READ.fullmatch(path)] == []


def test_only_the_cache_is_written(world: World) -> None:
    for event in world.events():
        name, *words = event
        if name in CHANGES:
            for path in words[: 2 if name == "os.rename" else 1]:
                assert str(path).startswith(world.cache), event
        if name == "open":
            path, mode, flags = words
            if (isinstance(flags, int) and flags & WRITES) or set(str(mode or "")) & set("wax+"):
                ours = path in ("/dev/tty", "/dev/null") or str(path).startswith(world.cache)
                assert ours, event


def test_nothing_but_fzf_and_what_is_resumed_is_started(world: World) -> None:
    started = [event for event in world.events() if event[0] in STARTS]
    assert {event[0] for event in started} == {"os.posix_spawn", "os.exec", "subprocess.Popen"}
    fzf = f"{world.programs}/fzf"
    for event in started:
        if event[0] == "os.posix_spawn":
            assert event[1] == fzf
        elif event[0] == "subprocess.Popen":  # the doctor asks for its release
            assert event[1:3] == [fzf, [fzf, "--version"]]
        else:
            assert os.path.basename(str(event[1])) in ("claude", "codex")
    assert not [event for event in world.events() if str(event[0]).startswith("socket.")]


def test_a_program_is_asked_its_release_once(tmp_path: Path) -> None:
    world = World(tmp_path, "[ $# = 1 ] && echo 2.0.1 || echo ran")
    for path in (tmp_path / "clis").rglob("package.json"):
        path.unlink()
    claude, codex = (
        next(s["id"] for s in run([SF, "--json", "--app", app], world.env).json)
        for app in ("claude-code", "codex")
    )
    for _ in range(2):
        for words in (["apps"], ["doctor"], ["show", claude], ["resume", "--json", codex]):
            world.sf(*words)
        world.sf("resume", "--yes", "--run", claude)
    asked = [event[1:4] for event in world.events() if event[0] == "subprocess.Popen"]
    asked = [words for words in asked if words[0] != f"{world.programs}/fzf"]
    found = [str(world.programs / name) for name in ("claude", "codex")]  # a shim goes by its name
    assert sorted(asked, key=str) == [[path, [path, "--version"], "/"] for path in found]
    assert world.said.count("2.0.1") == 8  # twice two programs, told by apps and by doctor


def test_the_demo_stays_in_its_own_folder(tmp_path: Path) -> None:
    world = World(tmp_path, "exit 1")
    (tmp_path / "tmp").mkdir()
    world.env["TMPDIR"] = str(tmp_path / "tmp")
    world.sf("demo")
    assert "claude-code" in world.said
    events = world.events()
    assert not [event for event in events if event[0] in STARTS or f"{world.home}/" in str(event)]
    assert os.listdir(tmp_path / "tmp") == []
