"""`python -m tests.real`: resume real sessions of real releases with sf's line. Opt-in: it installs by npm, needs tmux.

Nothing of the person's is read: every CLI runs under `env -i` with a made-up home, a made-up key and a stand-in for the
model on 127.0.0.1, and what it would send elsewhere ends at a closed port.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
from pathlib import Path

from tests.real import install, matrix, report
from tests.real.claude import Claude
from tests.real.codex import Codex
from tests.real.model import Agent


def main() -> int:
    """Run the chosen part of the matrix and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.real", description=__doc__)
    parser.add_argument(
        "--dir", type=Path, help="keep the releases and the results here (else a temporary folder)"
    )
    parser.add_argument("--app", choices=["claude-code", "codex"], action="append")
    parser.add_argument(
        "--release", action="append", help="only sessions made by this release (or: latest)"
    )
    parser.add_argument("--kind", choices=matrix.KINDS, action="append", help="only these resumes")
    parser.add_argument(
        "--again", type=Path, nargs="+", metavar="ROWS", help="only print these rows.json again"
    )
    parser.add_argument("--only", default="", help="only cases whose name holds this")
    parser.add_argument(
        "--details", action="store_true", help="every line too, not only the tables"
    )
    chosen = parser.parse_args()
    if chosen.again:
        seen = [matrix.row(fact) for file in chosen.again for fact in json.loads(file.read_text())]
        return _print(seen, details=chosen.details)
    if chosen.dir:
        chosen.dir.mkdir(parents=True, exist_ok=True)
        return _run(chosen, chosen.dir.resolve())
    with tempfile.TemporaryDirectory(prefix="sf-real-") as folder:
        return _run(chosen, Path(folder).resolve())


def _run(chosen: argparse.Namespace, base: Path) -> int:
    agents: list[Agent] = [Claude(), Codex()]
    seen: list[matrix.Row] = []
    for agent in agents:
        if chosen.app and agent.name not in chosen.app:
            continue
        newest = install.newest(base / "npm", agent.package)
        for release in agent.releases:
            if chosen.release and release not in chosen.release:
                continue
            number = newest if release == "latest" else release
            part = matrix.Part(chosen.only, tuple(chosen.kind or matrix.KINDS))
            for row in matrix.rows(agent, number, newest, base, part, _say):
                seen.append(row)
                for trouble in row.trouble:
                    _say(f"  not as wanted: {trouble}")
    (base / "rows.json").write_text(json.dumps([dataclasses.asdict(row) for row in seen], indent=1))
    return _print(seen, details=chosen.details)


def _print(seen: list[matrix.Row], *, details: bool) -> int:
    for app in dict.fromkeys(row.app for row in seen):
        print(report.matrix(seen, app), end="\n\n")
    if details:
        print(report.details(seen), end="\n\n")
    print(report.summary(seen))
    return int(any(row.trouble for row in seen))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if sys.argv[1:2] == ["others"]:
    from tests.real import others

    sys.exit(others.main(sys.argv[2:]))
sys.exit(main())
