"""Make the sessions of one release, then resume each of them with sf's line, by that release and by the newest."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.real import drive, install, judge, sf
from tests.real.model import Agent, Case, Change, Found, Place, Settings
from tests.real.standin import StandIn

KINDS = ("bare", "resume", "permissive", "fork")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One resume (or, without `now`, what stood in its way)."""

    app: str
    recorded_by: str
    resumed_by: str
    kind: str
    case: str
    recorded: Found | None
    now: Found | None
    line: str
    trouble: tuple[str, ...]
    notes: tuple[str, ...] = ()


def row(fact: dict[str, Any]) -> Row:
    """A row out of rows.json."""
    known = {name: _found(fact[name]) for name in ("recorded", "now")}
    lists = {name: tuple(fact[name]) for name in ("trouble", "notes")}
    return Row(**{**fact, **known, **lists})


def _found(fact: dict[str, Any] | None) -> Found | None:
    return Found(**{**fact, "settings": Settings(**fact["settings"])}) if fact else None


@dataclass(frozen=True)
class Part:
    """The part of the matrix to run: cases whose name holds `only`, resumed as `kinds` say."""

    only: str = ""
    kinds: tuple[str, ...] = KINDS


def rows(
    agent: Agent, release: str, newest: str, base: Path, part: Part, say: Say
) -> Iterator[Row]:
    """Every row of the sessions made by `release`."""
    with StandIn() as standin:
        where = _fresh(agent, release, base, standin)
        made: list[tuple[Case, Found]] = []
        for case in agent.cases(release):
            if part.only not in case.name:
                continue
            say(f"{agent.name} {release}: make {case.name}")
            line = shlex.join([agent.program, *case.args])
            outcome = drive.run(agent, where, standin, where.work, line)
            if outcome.found:
                made.append((case, outcome.found))
            else:
                why = outcome.refused or "nothing recorded"
                yield Row(agent.name, release, release, "make", case.name, None, None, line, (why,))
        frozen = base / "frozen"
        _copy(where.home, frozen)
        for name, (start, change) in _special(agent, release).items():
            if part.only in name and "resume" in part.kinds:
                say(f"{agent.name} {release}: {name}")
                yield _odd(agent, release, base, standin, name, start, change)
        for kind, by in _passes(agent, release, newest):
            if kind not in part.kinds:
                continue
            _copy(frozen, where.home)
            where = _place(agent, by, base, standin)
            for case, found in made:
                if kind in ("resume", "bare") or judge.loose(found.settings):
                    say(f"{agent.name} {release} by {by}: {kind} {case.name}")
                    yield _resume(agent, where, standin, (release, by, kind), case, found)


def _special(agent: Agent, release: str) -> dict[str, tuple[str, Change | None]]:
    """What is tried once: a session still held in the background, transcripts that were changed."""
    start = agent.holds(release)
    held: dict[str, tuple[str, Change | None]] = {"held": (start, None)} if start else {}
    return {**held, **agent.hostile(release)}


def _odd(
    agent: Agent,
    release: str,
    base: Path,
    standin: StandIn,
    name: str,
    start: str,
    change: Change | None,
) -> Row:
    """Make one session in a home of its own, change its transcript or let its process live, resume."""
    where = _fresh(agent, release, base, standin)
    outcome = drive.run(agent, where, standin, where.work, start, stay=change is None)
    if not outcome.found:
        why = outcome.refused or "nothing recorded"
        return Row(agent.name, release, release, "make", name, None, None, start, (why,))
    if change:
        path = next(where.home.rglob(f"*{outcome.found.id}.jsonl"))
        change(path, where)
    how = (release, release, "resume")
    return _resume(agent, where, standin, how, Case(name, ()), outcome.found)


def _passes(agent: Agent, release: str, newest: str) -> list[tuple[str, str]]:
    """How the sessions are resumed, and by which release; with options only the loose ones.

    `bare` is the control, without sf: what the CLI restores by itself. It is not judged.
    """
    fork = [("fork", release)] if agent.forks(release) else []
    passes = [("bare", release), ("resume", release), ("permissive", release), *fork]
    later = [(kind, newest) for kind in ("bare", "resume", "permissive")]
    return passes + (later if newest != release else [])


def _resume(
    agent: Agent,
    where: Place,
    standin: StandIn,
    how: tuple[str, str, str],
    case: Case,
    found: Found,
) -> Row:
    """Ask sf for the line, run it from another folder, send a prompt, compare."""
    release, by, kind = how
    if kind == "bare":
        answer = sf.Answer(f"cd {where.work} && {agent.bare(found.id)}")
    else:
        options = [] if kind == "resume" else [f"--{kind}"]
        answer = sf.ask(where, agent.name, found.id, *options)
    head = (agent.name, release, by, kind, case.name, found)
    if answer.refused:
        return Row(*head, None, "", (answer.refused,))
    outcome = drive.run(agent, where, standin, where.home, answer.line)
    notes = answer.notes + tuple(f"the CLI asked: {a}" for a in outcome.asked)
    if not outcome.found:
        trouble = [outcome.refused or "no record of the turn"]
    elif kind == "bare":
        trouble = []
    else:
        trouble = judge.deviations(agent, by, found.settings, outcome.found, kind == "permissive")
        if (outcome.found.id != found.id) != (kind == "fork"):
            trouble.append(f"the turn went to {outcome.found.id}")
    return Row(*head, outcome.found, answer.line, tuple(trouble), notes)


def _place(agent: Agent, release: str, base: Path, standin: StandIn) -> Place:
    where = drive.place(base, install.install(base / "npm", agent.package, release))
    where.env.update(agent.prepare(where, release, standin.url))
    return where


def _fresh(agent: Agent, release: str, base: Path, standin: StandIn) -> Place:
    shutil.rmtree(base / "home", ignore_errors=True)
    (base / "home" / "code" / "shop-api").mkdir(parents=True)
    return _place(agent, release, base, standin)


def _copy(source: Path, target: Path) -> None:
    """`target` anew, as `source` is, sockets left out."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True, ignore=_sockets)


def _sockets(folder: str, names: list[str]) -> set[str]:
    return {
        name
        for name in names
        if (Path(folder) / name).is_socket() or (Path(folder) / name).is_fifo()
    }
