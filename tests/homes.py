"""Seeded homes in the real formats, of any number and size of sessions, for benchmarks and tests.

The conversations come from the demo's writers; what fills a transcript between them (tool calls, the
prompt snapshots of 64 KB that Claude Code 2.1.332 keeps) has the kinds and sizes of the real thing.
"""

import json
import math
import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sessidx.demo import claude, codex
from sessidx.demo.talk import Talk, stamp, uuid4, uuid7

HOME = "/home/alex"  # where the recorded folders lie; they need not exist
VERBS = ("Fix", "Add", "Trace", "Speed-up", "Split", "Document", "Test", "Remove", "Port", "Review")
THINGS = (
    "checkout",
    "cart",
    "invoice",
    "login",
    "search",
    "export",
    "webhook",
    "cache",
    "queue",
    "parser",
)
PLACES = (
    "retry",
    "timeout",
    "layout",
    "schema",
    "test",
    "script",
    "endpoint",
    "index",
    "form",
    "job",
)
BRANCHES = ("main", "main", "fix/{0}-{1}", "feature/{0}", "release/4.2")

_MARKS = (b"@SESSION@", b"@CWD@", b"@BRANCH@", b"@TIME@")
_PROSE = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor "


class Shape(NamedTuple):
    """How many sessions, and how their sizes spread: log-normal around the median."""

    claude: int
    codex: int
    median: int
    sigma: float = 1.2


SHAPES = {
    52: Shape(40, 12, 1_000_000, 1.5),
    1_000: Shape(700, 300, 160_000),
    10_000: Shape(7_000, 3_000, 60_000),
}
# Other people's: long names in other scripts, with blanks and quotes, which hold one word in common.
WIDE = {
    52: Shape(40, 12, 1_000_000, 1.4),
    1_000: Shape(700, 300, 375_000, 1.4),
    10_000: Shape(7_000, 3_000, 37_500, 1.4),
}
WIDE_FOLDERS = HOME + '/Documents/お客様の案件/checkout\'s "新しい" 日本語プロジェクト – {}'
# The home that sf comes from: 19.4 GB in 40 sessions, median 168 MB, largest 2.07 GB (in MB).
STORY = (
    *(9, 14, 19, 24, 30, 37, 44, 52, 60, 69, 78, 88, 98, 109, 119, 130, 140, 149, 157, 164),
    *(172, 185, 214, 256, 308, 371, 443, 523, 612, 709, 814, 926, 1045, 1171, 1305, 1445),
    *(1592, 1745, 1904, 2070),
)


def generate(
    home: str,
    claude: int,
    codex: int,
    *,
    seed: int = 1,
    median: int = 60_000,
    sigma: float = 1.2,
    now: float | None = None,
    folders: str = f"{HOME}/code/{{}}",
) -> None:
    """Write .claude with `claude` sessions and .codex with `codex` below `home`, of those `folders`."""
    rng = random.Random(seed)
    now = time.time() if now is None else now
    projects = [folders.format(name) for name in _projects(rng, claude + codex)]
    for _ in range(claude):
        talk = _talk(rng, projects, now, of_codex=False)
        _claude(home, talk, _size(rng, median, sigma), rng)
    for _ in range(claude // 30):
        _started_and_quit(home, uuid4(rng), rng.choice(projects))
    talks = [_talk(rng, projects, now, of_codex=True) for _ in range(codex)]
    _codex(home, talks, [_size(rng, median, sigma) for _ in talks], rng)


def story(home: str, *, seed: int = 1, now: float | None = None) -> None:
    """The forty huge sessions, as sparse files: a few MB of records at both ends, a hole between."""
    rng = random.Random(seed)
    now = time.time() if now is None else now
    projects = [f"{HOME}/code/{name}" for name in _projects(rng, 40)]
    for megabytes in rng.sample(STORY, len(STORY)):
        talk = _talk(rng, projects, now, of_codex=False)
        huge_transcript(home, talk, megabytes * 1_000_000, rng)


def a_talk(rng: random.Random, folder: str, now: float, *, of_codex: bool = False) -> Talk:
    """One made-up session in that folder."""
    return _talk(rng, [folder], now, of_codex=of_codex)


def transcript_path(home: str, talk: Talk) -> str:
    """Where Claude Code keeps the session."""
    folder = re.sub("[^a-zA-Z0-9]", "-", talk.cwd)
    return f"{home}/.claude/projects/{folder}/{talk.id}.jsonl"


def huge_transcript(
    home: str,
    talk: Talk,
    size: int,
    rng: random.Random,
    *,
    line: int = 64 << 20,
    ends: int = 1_000_000,
) -> str:
    """A sparse transcript of `size` bytes: records of `ends` bytes, holes in long lines, records."""
    front, back = _claude_halves(talk, 2 * ends, rng)
    path = transcript_path(home, talk)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(front)
        while (room := size - file.tell() - len(back)) > 4096:
            length = min(room, line)
            opening = _dump({"type": "api-request-blob", "sessionId": talk.id, "message": "\0"})
            before, after = opening.split(b"\\u0000")
            file.write(before)
            file.seek(length - len(opening), os.SEEK_CUR)
            file.write(after)
        file.write(back)
    os.utime(path, (talk.ended, talk.ended))
    return path


def growth(talk_id: str, cwd: str, when: float) -> bytes:
    """One more answer, as it is appended to a Claude transcript."""
    talk = Talk(talk_id, cwd, "main", "", [("And the rest?", "Done.")], when, "claude-opus-5-5")
    return _lines(list(claude.records(talk))[3:])


# --- what is talked about


def _projects(rng: random.Random, sessions: int) -> list[str]:
    count = max(3, round(math.sqrt(sessions)))
    return [f"{rng.choice(THINGS)}-{rng.choice(PLACES)}-{number}" for number in range(count)]


def _talk(rng: random.Random, folders: Sequence[str], now: float, *, of_codex: bool) -> Talk:
    thing, place = rng.choice(THINGS), rng.choice(PLACES)
    title = f"{rng.choice(VERBS)} the {thing} {place}"
    ended = now - math.exp(rng.uniform(math.log(300), math.log(86400 * 400)))
    prompts = [
        f"{title}, step {n}: {_PROSE[: rng.randrange(78)]}" for n in range(rng.randint(1, 4))
    ]
    return Talk(
        id=uuid7(rng, ended) if of_codex else uuid4(rng),
        cwd=rng.choice(folders),
        branch=rng.choice(BRANCHES).format(thing, place),
        title=title,
        turns=[(prompt, f"Done: {prompt}. {_PROSE * rng.randint(1, 6)}") for prompt in prompts],
        ended=ended,
        model=rng.choice(("gpt-5.5", "gpt-6-sol") if of_codex else ("claude-opus-5-5",)),
        effort=rng.choice(("low", "medium", "high")),
        mode=rng.choice(("on-request", "never") if of_codex else ("default", "plan")),
        scripted=rng.random() < 0.08,
        chosen=rng.random() < 0.1,
    )


def _size(rng: random.Random, median: int, sigma: float) -> int:
    return min(int(rng.lognormvariate(math.log(median), sigma)), max(2 * median, 50_000_000))


# --- Claude Code


def _claude(home: str, talk: Talk, size: int, rng: random.Random) -> None:
    path = transcript_path(home, talk)
    _write(path, b"".join(_claude_halves(talk, size, rng)), talk.ended)
    if talk.chosen:
        title = {"customTitle": talk.title, "by": "user", "at": stamp(talk.ended)}
        _write(f"{path[:-6]}/custom-title.json", _dump(title), talk.ended)
    if rng.random() < 0.1:
        helper = f"{path[:-6]}/subagents/agent-{rng.getrandbits(64):016x}.jsonl"
        _write(helper, _fill(talk, 20_000, rng, _TOOLS), talk.ended)


def _claude_halves(talk: Talk, size: int, rng: random.Random) -> tuple[bytes, bytes]:
    """The transcript, cut where more could be put in: it holds about `size` bytes."""
    told = list(claude.records(talk))
    answer = next(n for n, record in enumerate(told) if record["type"] == "assistant")
    front, back = _lines(told[:answer]), _lines(told[answer + 1 :])
    if size > 150_000:  # what a start of 2.1.332 costs
        front += _stamped(talk, _OPENING)
    front += _lines([told[answer]])
    room = size - len(front) - len(back)
    front += _fill(talk, room // 2, rng, _TOOLS)
    return front, _fill(talk, room // 2, rng, _TOOLS) + back


def _started_and_quit(home: str, session: str, cwd: str) -> None:
    told = [
        {"type": "mode", "mode": "normal", "sessionId": session},
        {"type": "permission-mode", "permissionMode": "default", "sessionId": session},
    ]
    talk = Talk(session, cwd, "main", "", [], 0.0, "")
    _write(transcript_path(home, talk), _lines(told), time.time() - 86400)


# --- Codex


def _codex(home: str, talks: Sequence[Talk], sizes: Sequence[int], rng: random.Random) -> None:
    if not talks:
        return
    store, rows = f"{home}/.codex", []
    for talk, size in zip(talks, sizes, strict=True):
        day = time.strftime("sessions/%Y/%m/%d", time.localtime(talk.begun))
        folder = "archived_sessions" if rng.random() < 0.05 else day
        path = f"{store}/{folder}/{codex.rollout_name(talk)}"
        told = list(codex.records(talk, _PROSE * 280))
        front, back = _lines(told[:6]), _lines(told[6:])
        filling = _fill(talk, size - len(front) - len(back), rng, _CALLS)
        _write(path, front + filling + back, talk.ended)
        rows.append(codex.thread_row(talk, path))
    codex.state_database(f"{store}/state_5.sqlite", rows)
    _write(f"{store}/session_index.jsonl", _lines(codex.session_index(talks)), time.time())


# --- filling


def _dump(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def _lines(records: Sequence[object] | Iterator[object]) -> bytes:
    return b"".join(_dump(record) + b"\n" for record in records)


def _write(path: str, data: bytes, modified: float) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    os.utime(path, (modified, modified))


def _fill(talk: Talk, room: int, rng: random.Random, pads: Sequence[bytes]) -> bytes:
    """Whole records of about `room` bytes."""
    chosen: list[bytes] = []
    while room > 0:
        chosen.append(rng.choice(pads))
        room -= len(chosen[-1])
    return _stamped(talk, b"".join(chosen))


def _stamped(talk: Talk, pad: bytes) -> bytes:
    values = (talk.id, talk.cwd, talk.branch, stamp(talk.begun))
    for mark, value in zip(_MARKS, values, strict=True):
        pad = pad.replace(mark, _dump(value)[1:-1])  # as it stands in a string
    return pad


def _linked(rng: random.Random, kind: str, **more: object) -> dict[str, object]:
    """A record of Claude's conversation with its marks."""
    ends = {"userType": "external", "entrypoint": "cli", "cwd": "@CWD@", "sessionId": "@SESSION@"}
    return {
        "parentUuid": uuid4(rng),
        "isSidechain": False,
        "type": kind,
        **more,
        "uuid": uuid4(rng),
        "timestamp": "@TIME@",
        **ends,
        "version": claude.VERSION,
        "gitBranch": "@BRANCH@",
    }


def _tool_call(rng: random.Random) -> bytes:
    """A call of a tool and its result."""
    use = f"toolu_{rng.getrandbits(64):016x}"
    call = {"type": "tool_use", "id": use, "name": "Bash", "input": {"command": "pytest -q"}}
    text = _PROSE * int(rng.lognormvariate(math.log(20), 1.0))
    result = {"tool_use_id": use, "type": "tool_result", "content": text}
    message = {"role": "assistant", "model": "claude-opus-5-5", "content": [call]}
    return _lines(
        [
            _linked(rng, "assistant", message=message, effort="high"),
            _linked(rng, "user", message={"role": "user", "content": [result]}),
        ]
    )


def _opening(rng: random.Random) -> bytes:
    shape = {"type": "api-request-shape", "sessionId": "@SESSION@", "shape": _PROSE * 550}
    listing = {"type": "skill_listing", "content": _PROSE * 170}
    prompt = {"type": "prompt_snapshot", "systemPrompt": [_PROSE * 200] * 4}
    kept = [_linked(rng, "attachment", attachment=kind) for kind in (listing, prompt)]
    return _lines([kept[0], shape, kept[1]])


def _function_call(rng: random.Random) -> bytes:
    call = f"call_{rng.getrandbits(64):016x}"
    output = _PROSE * int(rng.lognormvariate(math.log(20), 1.0))
    payloads: list[dict[str, object]] = [
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": call},
        {"type": "function_call_output", "call_id": call, "output": output},
    ]
    return _lines(
        {"timestamp": "@TIME@", "ordinal": 7, "type": "response_item", "payload": payload}
        for payload in payloads
    )


_CHANCE = random.Random(0)
_TOOLS = [_tool_call(_CHANCE) for _ in range(64)]
_CALLS = [_function_call(_CHANCE) for _ in range(64)]
_OPENING = _opening(_CHANCE)
