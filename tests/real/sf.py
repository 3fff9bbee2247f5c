"""The one question put to sf: the line that resumes a session, in the environment in which it will be run."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.real.model import Place

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Answer:
    """The line, or why there is none, and what sf says it withheld."""

    line: str = ""
    refused: str = ""
    withheld: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def ask(where: Place, app: str, session: str, *options: str) -> Answer:
    """`sf resume --shell bash -y [OPTIONS] APP:ID`, as printed and as JSON."""
    words = ["resume", "--shell", "bash", "-y", *options, f"{app}:{session}"]
    printed = _sf(where, *words)
    if printed.returncode:
        return Answer(refused=printed.stderr.strip() or f"exit {printed.returncode}")
    plan = json.loads(_sf(where, *words, "--json").stdout)
    withheld = tuple(str(item) for item in plan.get("withheld") or ())
    notes = tuple(str(item) for item in plan.get("notes") or ())
    return Answer(printed.stdout.rstrip("\n"), withheld=withheld, notes=notes)


def _sf(where: Place, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sessidx", *words]
    env = {**where.env, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command,
        env=env,
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
