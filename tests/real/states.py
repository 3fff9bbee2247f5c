"""`python -m tests.real.states --dir DIR`: how a real Claude Code leaves a session, and how sf's line comes back.

Open in another terminal, in a worktree kept or removed, in the background, killed: each is made by the newest
release, looked at with sf, and gone back to with sf's line. Exit 1 if anything was not as wanted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.real import drive, install, sf
from tests.real.claude import Claude
from tests.real.standin import StandIn
from tests.real.terminal import Terminal, Timeout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.real.model import Place

AGENT = Claude()
TREE = ".claude/worktrees/spike"


class World:
    """A home with a repository in it, and one real Claude Code."""

    def __init__(self, base: Path, release: str, standin: StandIn) -> None:
        shutil.rmtree(base / "home", ignore_errors=True)
        (base / "home" / "code" / "shop-api").mkdir(parents=True)
        programs = install.install(base / "npm", AGENT.package, release)
        self.where: Place = drive.place(base, programs)
        self.where.env.update(AGENT.prepare(self.where, release, standin.url))
        self.standin = standin
        self._count = 0
        self.git("init", "-q", "-b", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "Begin")

    def git(self, *words: str, folder: str = ".") -> None:
        """git, with a name and none of the person's settings."""
        who = ("-c", "user.name=alex", "-c", "user.email=alex@example.org")
        subprocess.run(
            ["git", *who, *words], cwd=self.where.work / folder, env=self.where.env, check=True
        )

    @contextmanager
    def runs(self, line: str, cwd: Path | None = None) -> Iterator[Terminal]:
        """A bash in which `line` was typed and the CLI's prompt is there."""
        self._count += 1
        socket = self.where.home.parent / f"tmux-state-{self._count}"
        with Terminal(socket, self.where.env, cwd or self.where.work) as terminal:
            terminal.wait(lambda screen: screen.endswith(drive.PROMPT), what="bash")
            terminal.line(line)
            outcome = drive.Outcome()
            drive._settle(AGENT, terminal, outcome)
            if outcome.refused:
                raise Timeout(outcome.refused)
            yield terminal

    def says(self, terminal: Terminal, token: str) -> None:
        """One turn."""
        drive._prompt(AGENT, terminal, self.standin, token, drive.Outcome())

    def leaves(self, terminal: Terminal, *keys: str) -> None:
        """Quit, with `keys` for the question about the worktree."""
        terminal.line("/exit")
        if keys:
            terminal.wait(lambda screen: "Exiting worktree" in screen, what="the question")
            for key in keys:
                terminal.key(key)
                time.sleep(0.4)
        terminal.wait(lambda screen: screen.endswith(drive.PROMPT), what="the shell")

    @property
    def session(self) -> str:
        """The one session that there is."""
        (path,) = (self.where.home / ".claude" / "projects").glob("*/*.jsonl")
        return path.stem

    def ask(self, *words: str) -> Any:
        """What sf says, as JSON."""
        return json.loads(sf._sf(self.where, *words, "--json").stdout)

    def line(self) -> str:
        """sf's line for the session."""
        answer = sf.ask(self.where, AGENT.name, self.session)
        return answer.line or f"echo {answer.refused!r}"

    def comes_back(self, shown: str) -> bool:
        """Whether sf's line, typed elsewhere, shows `shown` above what was said before."""
        with self.runs(self.line(), self.where.home) as terminal:
            screen = terminal.wait(lambda screen: "first words" in screen, 20, "what was said")
            return shown in screen


def opened(world: World) -> list[bool]:
    """Another claude has it open: marked, asked about; a fork goes on beside it."""
    with world.runs("claude") as terminal:
        world.says(terminal, "first words")
        plan = world.ask("resume", world.session)
        fork = world.ask("resume", "--fork", world.session)
        listed = world.ask("find")[0]
        return [
            listed["live"] is True,
            listed["interrupted"] is False,
            any("another terminal" in question for question in plan["questions"]),
            fork["questions"] == [],
        ]


def kept(world: World) -> list[bool]:
    """Its worktree was kept at the exit."""
    with world.runs("claude -w spike") as terminal:
        world.says(terminal, "first words")
        world.git("commit", "-q", "--allow-empty", "-m", "On", folder=TREE)
        world.leaves(terminal, "Enter")
    plan = world.ask("resume", world.session)
    return ["--worktree" in plan["argv"], plan["questions"] == [], world.comes_back(TREE)]


def removed(world: World) -> list[bool]:
    """Its worktree was removed at the exit."""
    with world.runs("claude -w spike") as terminal:
        world.says(terminal, "first words")
        world.git("commit", "-q", "--allow-empty", "-m", "On", folder=TREE)
        world.leaves(terminal, "Down", "Enter")
    plan = world.ask("resume", world.session)
    told = any("worktree spike is gone" in note for note in plan["notes"])
    return [told, plan["questions"] == [], world.comes_back("~/code/shop-api\n")]


def background(world: World) -> list[bool]:
    """It runs in the background."""
    subprocess.run(
        ["claude", "--bg", "Please say first words"],
        cwd=world.where.work,
        env=world.where.env,
        executable=str(Path(world.where.env["PATH"].split(os.pathsep)[0]) / "claude"),
        check=True,
        capture_output=True,
    )
    end = time.monotonic() + 30
    while not world.standin.that_say("first words") and time.monotonic() < end:
        time.sleep(0.2)
    time.sleep(2)
    plan = world.ask("resume", world.session)
    attached = plan["argv"] == ["claude", "attach", world.session[:8]]
    return [attached, plan["questions"] == [], world.comes_back("~/code/shop-api")]


def killed(world: World) -> list[bool]:
    """Its process was killed; later somebody goes back to it and leaves."""
    with world.runs("claude") as terminal:
        world.says(terminal, "first words")
        drive.end_all(world.where.home)
    before = world.ask("find", "--interrupted")
    with world.runs(world.line(), world.where.home) as terminal:
        world.leaves(terminal)
    return [len(before) == 1, before[0]["live"] is False, world.ask("find", "--interrupted") == []]


STATES: dict[str, Callable[[World], list[bool]]] = {
    "open in another terminal": opened,
    "worktree kept": kept,
    "worktree removed": removed,
    "in the background": background,
    "killed": killed,
}


def main() -> int:
    """Run each state in a home of its own and print what held."""
    parser = argparse.ArgumentParser(prog="python -m tests.real.states", description=__doc__)
    parser.add_argument("--dir", type=Path, required=True, help="keep the releases here")
    parser.add_argument("--release", default="latest")
    parser.add_argument("--only", default="", help="only states whose name holds this")
    chosen = parser.parse_args()
    base = chosen.dir.resolve()
    newest = install.newest(base / "npm", AGENT.package)
    release = newest if chosen.release == "latest" else chosen.release
    wrong = 0
    for name, make in STATES.items():
        if chosen.only not in name:
            continue
        with StandIn() as standin:
            world = World(base, release, standin)
            try:
                held = make(world)
            except Timeout as late:
                held = [False]
                print(late)
            drive.end_all(world.where.home)
        wrong += held.count(False)
        print(f"{release} {name}: {held.count(True)} of {len(held)} as wanted", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
