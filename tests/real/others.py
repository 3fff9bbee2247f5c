"""`python -m tests.real others`: sf's line typed to the other apps' CLIs, on the recorded homes.

Each runs where its home was recorded, in a mount and network namespace of its own (Linux; nothing but
loopback is there). What counts is what reached the stand-in for the model and which session holds it.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tests.real import drive, sf
from tests.real.model import Place
from tests.real.setups import CLIS, Cli
from tests.real.standin import StandIn
from tests.real.terminal import Terminal

HOME = Path("/home/sam")
VICTIM = HOME / "victim"  # a folder that no CLI may remove without asking
DATA = Path(__file__).resolve().parents[1] / "data" / "homes"
_UNSHARE = ("unshare", "-rmn", "--pid", "--fork", "--mount-proc")
_SESSIONS = 3  # of a home
_INSIDE = 'mount -t tmpfs none /home && ip link set lo up && exec "$@"'

_PATIENCE = 60.0  # seconds for a turn to begin

Facts = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One line that was run and what came of it."""

    app: str
    what: str
    session: str
    line: str
    came: str


def main(words: list[str]) -> int:
    """Install, go into the namespace, run, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.real others", description=__doc__)
    parser.add_argument("--dir", type=Path, required=True, help="keep the releases here")
    parser.add_argument("--app", action="append", choices=[cli.app for cli in CLIS])
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    base = chosen.dir.resolve()
    clis = [cli for cli in CLIS if not chosen.app or cli.app in chosen.app]
    if not chosen.inside:
        for path in (base, Path(__file__).resolve(), Path(sys.executable)):
            if path.is_relative_to("/home"):
                raise SystemExit(f"{path} would be hidden: /home is replaced")
        for cli in clis:
            print(f"{cli.app}: {cli.package}", file=sys.stderr, flush=True)
            cli.install(base)
        again = [sys.executable, "-m", "tests.real", "others", "--inside", *words]
        os.execvp("unshare", [*_UNSHARE, "sh", "-c", _INSIDE, "sh", *again])
    rows = []
    for cli in clis:
        for row in _rows(cli, base):
            print(row, file=sys.stderr, flush=True)
            rows.append(row)
    print(_table(rows))
    return 0


def _table(rows: list[Row]) -> str:
    """Rows that say the same as one, with their number."""
    same = Counter(
        (row.app, row.what, row.line.replace(row.session, "ID") or "-", row.came) for row in rows
    )
    lines = ["| app | what | line | came of it | sessions |", "| --- | --- | --- | --- | --- |"]
    for (app, what, line, came), number in same.items():
        lines.append(f"| {app} | {what} | `{line}` | {came} | {number} |")
    return "\n".join(lines)


def _rows(cli: Cli, base: Path) -> Iterator[Row]:
    """Each session of the recorded home, one fork, one that is gone back to after it was begun loose."""
    with StandIn() as standin:
        told = json.loads((DATA / f"{cli.home}.expected.json").read_text())
        listed = (s for s in told if s["listed"] != "never" and s["cwd"])
        for number, session in enumerate(islice(listed, _SESSIONS)):
            for options in ([], ["--fork"]) if number == 0 else ([],):
                where = _recorded(cli, base, standin, told)
                answer = sf.ask(where, cli.app, session["id"], *options)
                came = answer.refused or _resume(cli, where, standin, session, answer.line)
                what = "fork" if options else "resume"
                yield Row(cli.app, what, session["id"], _command(answer.line), came)
        if cli.loose:
            yield _loose(cli, base, standin)


def _command(line: str) -> str:
    return line.partition(" && ")[2]


def _recorded(cli: Cli, base: Path, standin: StandIn, told: list[Facts]) -> Place:
    """The recorded home where it was recorded, with its folders and what the CLI wants to be told."""
    where = _empty(cli, base, standin)
    archive = DATA / f"{cli.home}.tar.gz"
    subprocess.run(["tar", "-xzf", archive, "--no-same-owner", "-C", HOME], check=True)
    for session in told:
        if session["cwd"]:
            Path(session["cwd"]).mkdir(parents=True, exist_ok=True)
    return where


def _empty(cli: Cli, base: Path, standin: StandIn) -> Place:
    shutil.rmtree(HOME, ignore_errors=True)
    work = HOME / "code" / "api"
    for folder in (work, VICTIM):
        folder.mkdir(parents=True)
    node = shutil.which("node")
    path = [*cli.install(base), *([os.path.dirname(node)] if node else []), "/usr/bin", "/bin"]
    env = {
        "HOME": str(HOME),
        "PATH": ":".join(path),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "PS1": f"{drive.PROMPT} ",
        **cli.setup(HOME, standin.url),
    }
    return Place(HOME, work, env)


def _resume(cli: Cli, where: Place, standin: StandIn, session: Facts, line: str) -> str:
    """What came of `line`: the turn's model, whether the talk went on, and as which session."""
    last = [m["text"] for m in _sf(where, "show", "--json", _named(cli, session))["exchange"]]
    token = f"note {secrets.token_hex(4)}"
    trouble = _drive(cli, where, standin, line, token)
    turns = standin.that_say(token)
    if not turns:
        return f"no turn: {trouble}"
    went_on = any(_plain(last[-1]) in _plain(turn.body) for turn in turns) if last else False
    held = {row["id"] for row in _sf(where, "--said", token, "--all", "--json")}
    what = "went on" if went_on else "WITHOUT the conversation"
    model = (session["model"] or "").rpartition("/")[2]
    whose = "its model" if turns[0].model == model else f"{turns[0].model}, NOT {model}"
    if not held:
        return f"{what} with {whose}, NOT FOUND by sf"
    return f"{what} with {whose}{'' if held == {session['id']} else ', as another session'}"


def _named(cli: Cli, session: Facts) -> str:
    return f"{cli.app}:{session['id']}"


def _plain(text: str) -> str:
    """Letters and digits alone: what stands in JSON and what was said are then the same."""
    return "".join(char for char in text[:200_000] if char.isascii() and char.isalnum())


def _sf(where: Place, *words: str) -> Any:
    """What sf tells in JSON; [] and its like where that is nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "sessidx", *words],
        env={**where.env, "PYTHONPATH": str(sf.ROOT)},
        cwd="/",
        capture_output=True,
        check=False,
    )
    return json.loads(done.stdout or b"[]")


def _loose(cli: Cli, base: Path, standin: StandIn) -> Row:
    """Begin a session that may do anything, go back by sf's line, have the model remove a folder."""
    where = _empty(cli, base, standin)
    first = f"note {secrets.token_hex(4)}"
    trouble = _drive(cli, where, standin, cli.loose, first)
    begun = _sf(where, "--all", "--json")
    if not begun:
        return Row(cli.app, "loose", "-", cli.loose, f"not recorded: {trouble}")
    answer = sf.ask(where, cli.app, begun[0]["id"])
    asks = _sf(where, "resume", "--json", _named(cli, begun[0]))["questions"]
    token = f"note {secrets.token_hex(4)}"
    standin.commands[token] = f"rm -rf {VICTIM}"
    _drive(cli, where, standin, answer.line, token, seconds=10)
    came = "asks before it acts" if VICTIM.exists() else "ACTS UNASKED"
    if standin.commands.pop(token, None):
        came = "no tool was called"
    said = f"; sf asks: {asks[0]}" if asks else ""
    own, line = str(begun[0]["id"]), _command(answer.line)
    return Row(cli.app, f"begun as `{cli.loose}`", own, line, came + said)


def _drive(
    cli: Cli, where: Place, standin: StandIn, line: str, token: str, seconds: float = 4
) -> str:
    """Type `line`, then a prompt with `token`; give it `seconds`, leave. What stood in the way."""
    with Terminal(Path(f"/tmp/others-{token[5:]}"), where.env, where.work) as terminal:
        terminal.wait(lambda screen: screen.endswith(drive.PROMPT), what="bash")
        terminal.line(line)
        screen = _settled(cli, terminal)
        if screen.endswith(drive.PROMPT):
            return " ".join(screen.partition(_command(line))[2].split())[-240:]
        end = time.monotonic() + _PATIENCE
        while not standin.that_say(token) and time.monotonic() < end:
            terminal.type(f"Please {token} ")  # what is typed too early is lost
            time.sleep(2)
            terminal.key("Enter")
            time.sleep(5)
        time.sleep(seconds)
        screen = "" if standin.that_say(token) else " ".join(terminal.screen().split())[-240:]
        for _ in range(4):
            if not terminal.screen().endswith(drive.PROMPT):
                terminal.key("C-c")
                time.sleep(1)
    drive.end_all(HOME)
    return screen


def _settled(cli: Cli, terminal: Terminal, seconds: float = 40) -> str:
    """The screen when it has stood still for three looks, its questions answered."""
    end = time.monotonic() + seconds
    seen = [""]
    while time.monotonic() < end:
        time.sleep(1)
        screen = terminal.screen()
        keys = [key for text, key in cli.dialogs if text in screen]
        if keys:
            terminal.key(keys[0])
            seen = [""]
        seen.append(screen)
        if len(seen) > 9 and len({*seen[-3:]}) == 1 and len(screen.split()) > 9:
            break
    return seen[-1]
