"""What a test stands in: a home of its own, agents' stores, stand-in programs first in PATH, a shell's start-up files."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
PROGRAM = Path(sys.executable).parent / "sf"
# Where the shells and the system's fzf are: PATH without what came with the package under test.
TOOLS = os.pathsep.join(
    folder
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)
    if folder.startswith("/") and Path(folder) != PROGRAM.parent
)
SHELLS = ("zsh", "bash", "fish")

# A fzf before 0.41 lends the terminal for what it executes, and now and then hangs when it has it back:
# there its list is there when all of it went through the pipe.
OLD_FZF_WRAPPER = """#!/bin/sh
{{ cat; printf 'fzf\\tload\\0' >>"$JOURNAL"; }} | '{fzf}' "$@"
code=$?
printf 'fzf\\texit\\t%s\\0' "$code" >>"$JOURNAL"
exit "$code"
"""
FZF_WRAPPER = """#!/bin/sh
'{fzf}' "$@" --bind 'load:execute-silent(printf "fzf\\tload\\0" >>"$JOURNAL")'
code=$?
printf 'fzf\\texit\\t%s\\0' "$code" >>"$JOURNAL"
exit "$code"
"""

AGENT_WRAPPER = """#!/bin/sh
exec '{python}' -IS '{agent}' {name} "$@"
"""


@dataclass
class World:
    """One test's surroundings."""

    root: Path
    shell: str
    env: dict[str, str] = field(default_factory=dict)
    made: int = 0

    def __post_init__(self) -> None:
        for folder in (self.home, self.bin, self.root / "work"):
            folder.mkdir(parents=True)
        self.journal.touch()
        self.env = {
            "HOME": str(self.home),
            "PATH": f"{self.bin}:{TOOLS}",
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "JOURNAL": str(self.journal),
            "ZDOTDIR": str(self.home),
            "PYTHONDONTWRITEBYTECODE": "1",
            "fish_features": "qmark-noglob",  # as fish 4 has it by itself
        }
        (self.bin / "sf").symlink_to(PROGRAM)
        for name in ("claude", "codex"):
            self.program(
                name,
                AGENT_WRAPPER.format(python=sys.executable, agent=HERE / "agent.py", name=name),
            )

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    @property
    def journal(self) -> Path:
        return self.root / "journal"

    @property
    def canary(self) -> Path:
        """What the commands hidden in hostile names would make."""
        return self.root / "canary"

    def program(self, name: str, text: str) -> None:
        """Put a script first in PATH."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def use_fzf(self, fzf: str) -> None:
        """Have `fzf` run by that name, noting in the journal when its list is there and how it ended."""
        told = subprocess.run(
            [fzf, "--version"], capture_output=True, text=True, check=False
        ).stdout
        number = re.match(r"0\.(\d+)", told)
        is_old = number is not None and int(number[1]) < 41
        self.program("fzf", (OLD_FZF_WRAPPER if is_old else FZF_WRAPPER).format(fzf=fzf))

    def folder(self, name: str, branch: str = "main") -> Path:
        """A repository on that branch, made by hand: git is not needed."""
        path = self.root / "work" / name
        (path / ".git").mkdir(parents=True)
        (path / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        return path

    def session(
        self,
        title: str,
        cwd: Path,
        branch: str = "main",
        effort: str | None = None,
        **more: object,
    ) -> str:
        """One Claude Code session, newer than those made before it; its id.

        `more` stands in what was typed.
        """
        self.made += 1
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, title))
        common: dict[str, object] = {
            "cwd": str(cwd),
            "sessionId": name,
            "gitBranch": branch,
            "version": "2.1.332",
            "entrypoint": "cli",
        }
        common |= {"userType": "external", "isSidechain": False}
        said = {"role": "user", "content": title}
        answered = {
            "role": "assistant",
            "model": "claude-opus-4-6",
            "content": [{"type": "text", "text": "Done."}],
        }
        records = [
            {
                "type": "user",
                "message": said,
                "uuid": str(uuid.uuid4()),
                "timestamp": self._time(0),
                **common,
                **more,
            },
            {
                "type": "assistant",
                "message": answered,
                "uuid": str(uuid.uuid4()),
                "timestamp": self._time(1),
                **common,
                **({"effort": effort} if effort else {}),
            },
        ]
        store = self.home / ".claude" / "projects" / re.sub("[^A-Za-z0-9]", "-", str(cwd))
        store.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(record) + "\n" for record in records]
        (store / f"{name}.jsonl").write_text("".join(lines))
        return name

    def _time(self, second: int) -> str:
        return f"2026-11-{self.made:02d}T10:00:{second:02d}.000Z"

    def events(self, kind: str) -> list[list[str]]:
        """The journal's records of one kind, oldest first, each as its fields after the kind."""
        data = self.journal.read_bytes().decode("utf-8", "surrogateescape")
        records = [record.split("\t", 3) for record in data.split("\0")[:-1]]
        return [fields[1:] for fields in records if fields[0] == kind]

    def agents(self) -> list[dict[str, object]]:
        """How each stand-in agent was started, oldest first."""
        return [json.loads(fields[0]) for fields in self.events("agent")]
