"""`sf demo`: a throw-away home with made-up sessions, to try everything without any of one's own.

Imported by that command only. Writes below the folder it is given and nowhere else, starts no
program and runs no git: the repositories are the few files that sf reads of one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from sessidx.demo import claude, codex, others
from sessidx.demo.chats import PROJECTS, WORKTREES, Chat, chats
from sessidx.demo.talk import Record, Talk, seeded, stamp, uuid4, uuid7

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Variables that name a store or another program, beside every *_HOME.
_STORES = frozenset(
    (
        "CLAUDE_CONFIG_DIR",
        "CLINE_DATA_DIR",
        "CONTINUE_GLOBAL_DIR",
        "CRUSH_GLOBAL_DATA",
        "CURSOR_DATA_DIR",
        "FACTORY_HOME_OVERRIDE",
        "GOOSE_PATH_ROOT",
        "KILO_DB",
        "OPENCODE_DB",
        "OPENHANDS_CONVERSATIONS_DIR",
        "OPENHANDS_PERSISTENCE_DIR",
        "PI_CODING_AGENT_DIR",
        "PI_CODING_AGENT_SESSION_DIR",
        "QWEN_RUNTIME_DIR",
        "SESSIDX_AGENTS",
        "SESSIDX_HOMES",
    )
)

_STAND_IN = """#!/bin/sh
# Put here by `sf demo`: it starts nothing.
if [ "$*" = --version ]; then echo '{version}'; exit 0; fi
echo "This is the demo's stand-in for {name}: the real one would go on with the session now."
printf 'folder:    %s\\n' "$PWD"
printf 'arguments:'; printf ' %s' "$@"; echo
"""


@contextmanager
def home() -> Iterator[str]:
    """A private home with the made-up sessions, gone again afterwards, whatever ends the block."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    folder = ""
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, _stop)
        with _held():
            folder = os.path.realpath(tempfile.mkdtemp(prefix="sf-demo-"))
        build(folder)
        yield folder
    finally:
        with _held():
            if folder:
                _remove(folder)
            for number, handler in before.items():
                signal.signal(number, handler)


def environment(home: str, env: Mapping[str, str]) -> dict[str, str]:
    """`env` for a child that shall see the demo's home only."""
    kept = {
        name: value
        for name, value in env.items()
        if not name.endswith("_HOME") and name not in _STORES
    }
    path = os.path.join(home, "bin") + os.pathsep + (env.get("PATH") or os.defpath)
    return kept | {"HOME": home, "PATH": path, "XDG_CACHE_HOME": os.path.join(home, ".cache")}


def build(home: str, now: float | None = None) -> None:
    """Write the whole home: projects, stand-ins for the CLIs, and the stores of the apps."""
    home = os.path.realpath(home)
    now = time.time() if now is None else now
    _projects(os.path.join(home, "code"))
    _stand_in(os.path.join(home, "bin", "claude"), f"{claude.VERSION} (Claude Code)")
    _stand_in(os.path.join(home, "bin", "codex"), f"codex-cli {codex.VERSION}")
    for name, version in others.VERSIONS.items():
        _stand_in(os.path.join(home, "bin", name), version)
    told = [(chat, _talk(chat, home, now)) for chat in chats()]
    _claude_store(f"{home}/.claude", [talk for chat, talk in told if chat.app == "claude"])
    _codex_store(f"{home}/.codex", [(c, talk) for c, talk in told if c.app == "codex"])
    for chat, talk in told:
        if chat.app == "qwen":
            folder = re.sub("[^a-zA-Z0-9]", "-", talk.cwd)
            path = f"{home}/.qwen/projects/{folder}/chats/{talk.id}.jsonl"
            _write_lines(path, others.qwen(talk), talk.ended)
        elif chat.app == "pi":
            begun = stamp(talk.begun).replace(":", "-").replace(".", "-")
            folder = f"-{talk.cwd.replace('/', '-')}--"
            path = f"{home}/.pi/agent/sessions/{folder}/{begun}_{talk.id}.jsonl"
            _write_lines(path, others.pi(talk), talk.ended)


def _stand_in(path: str, version: str) -> None:
    _write(path, _STAND_IN.format(name=os.path.basename(path), version=version))
    os.chmod(path, 0o700)


# --- the folders


def _projects(code: str) -> None:
    """The project folders, each with as much of a repository as there is to read."""
    for name, branch in PROJECTS.items():
        if branch is not None:
            _repository(os.path.join(code, name, ".git"), branch)
            _write(
                os.path.join(code, name, "README.md"),
                f"# {name}\n\nA made-up project of `sf demo`.\n",
            )
    for name, (repository, branch) in WORKTREES.items():
        tree, admin = (
            os.path.join(code, name),
            os.path.join(code, repository, ".git", "worktrees", name),
        )
        _write(os.path.join(admin, "HEAD"), f"ref: refs/heads/{branch}\n")
        _write(os.path.join(admin, "commondir"), "../..\n")
        _write(os.path.join(admin, "gitdir"), f"{tree}/.git\n")
        _write(os.path.join(tree, ".git"), f"gitdir: {admin}\n")


def _repository(git: str, branch: str) -> None:
    _write(os.path.join(git, "HEAD"), f"ref: refs/heads/{branch}\n")
    _write(os.path.join(git, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    for folder in ("objects", "refs/heads"):
        os.makedirs(os.path.join(git, folder))


# --- the stores


def _talk(chat: Chat, home: str, now: float) -> Talk:
    """The session that `chat` tells of, with its id, its folder and its times."""
    rng = seeded(chat.title)
    ended = now - chat.age * (1 + rng.random() / 20)
    of_codex = chat.app == "codex"
    return Talk(
        id=uuid7(rng, ended) if of_codex else uuid4(rng),
        cwd=os.path.join(home, "code", chat.project),
        branch=chat.branch,
        title=chat.title,
        turns=chat.turns,
        ended=ended,
        model=chat.model,
        effort=chat.effort,
        mode=chat.mode or ("on-request" if of_codex else "default"),
        sandbox=chat.sandbox or "workspace-write",
        scripted="scripted" in chat.flags,
        chosen="chosen" in chat.flags,
    )


def _claude_store(store: str, talks: Iterable[Talk]) -> None:
    """projects/<folder's name>/<id>.jsonl, and the title file beside a session that was named."""
    for talk in talks:
        stem = f"{store}/projects/{re.sub('[^a-zA-Z0-9]', '-', talk.cwd)}/{talk.id}"
        _write_lines(f"{stem}.jsonl", claude.records(talk), talk.ended)
        if talk.chosen:
            title: Record = {"customTitle": talk.title, "by": "user", "at": stamp(talk.ended)}
            _write_lines(f"{stem}/custom-title.json", [title], talk.ended)


def _codex_store(store: str, told: Sequence[tuple[Chat, Talk]]) -> None:
    """The rollouts, the database that lists them, and their names."""
    rows = []
    for chat, talk in told:
        day = time.strftime("sessions/%Y/%m/%d", time.localtime(talk.begun))
        folder = "archived_sessions" if "archived" in chat.flags else day
        path = f"{store}/{folder}/{codex.rollout_name(talk)}"
        _write_lines(path, codex.records(talk), talk.ended)
        rows.append(codex.thread_row(talk, path))
    codex.state_database(f"{store}/state_5.sqlite", rows)
    names = codex.session_index([talk for _, talk in told])
    _write_lines(f"{store}/session_index.jsonl", names, time.time())


def _write_lines(path: str, lines: Iterable[Record], modified: float) -> None:
    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    _write(path, "".join(dumps(line) + "\n" for line in lines))
    os.utime(path, (modified, modified))


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "x", encoding="utf-8") as file:
        file.write(text)


# --- the end


def _stop(number: int, _frame: FrameType | None) -> None:
    """Turn the first signal into an exception, so that the home is removed on the way out."""
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


@contextmanager
def _held() -> Iterator[None]:
    """Hold the signals back for a moment that must not be torn."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _remove(folder: str) -> None:
    """Remove the home, also what was made unwritable in it; links are not followed."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                with suppress(OSError):
                    os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
