"""A Codex session as release 0.171 writes it: rollout, row of the database, name."""

import json
import random
import time
from collections.abc import Iterator, Sequence

from sessidx.demo.talk import Record, Talk, seeded, stamp, uuid7

VERSION = "0.171.0"


def rollout_name(talk: Talk) -> str:
    """The file's name: local time of the start, and the id."""
    begun = time.strftime("%Y-%m-%dT%H-%M-%S", time.localtime(talk.begun))
    return f"rollout-{begun}-{talk.id}.jsonl"


def records(talk: Talk, instructions: str = "You are Codex, a coding agent.") -> Iterator[Record]:
    """Every record of one session, in the order of its rollout."""
    rng = seeded(talk.id)
    events = [(talk.begun, "session_meta", _meta(talk, instructions, rng))]
    for number in range(len(talk.turns)):
        events += _turn(talk, number, rng)
    for ordinal, (when, kind, payload) in enumerate(events):
        yield {"timestamp": stamp(when), "ordinal": ordinal, "type": kind, "payload": payload}


def _meta(talk: Talk, instructions: str, rng: random.Random) -> Record:
    return {
        "session_id": talk.id,
        "id": talk.id,
        "timestamp": stamp(talk.begun),
        "cwd": talk.cwd,
        "runtime_workspace_roots": [talk.cwd],
        "originator": "codex_exec" if talk.scripted else "codex-tui",
        "cli_version": VERSION,
        "source": "exec" if talk.scripted else "cli",
        "thread_source": "user",
        "model_provider": "openai",
        "base_instructions": {"text": instructions},
        "history_mode": "paginated",
        "git": {
            "commit_hash": f"{rng.getrandbits(160):040x}",
            "branch": talk.branch,
            "repository_url": f"https://github.com/alex/{talk.cwd.rpartition('/')[2]}.git",
        },
    }


def _turn(talk: Talk, number: int, rng: random.Random) -> Iterator[tuple[float, str, Record]]:
    """A prompt, the settings it was sent with, and the answer."""
    prompt, answer = talk.turns[number]
    asked, done = talk.asked(number), talk.answered(number)
    turn = uuid7(rng, asked)
    begun: Record = {"turn_id": turn, "started_at": int(asked)}
    ended: Record = {"last_agent_message": answer, "completed_at": int(done)}
    yield asked, "event_msg", {"type": "task_started", **begun}
    if number == 0:
        yield asked, "response_item", _message("user", _ENVIRONMENT.format(cwd=talk.cwd))
    yield asked, "turn_context", _settings(talk, turn)
    yield asked, "response_item", _message("user", prompt)
    yield asked, "event_msg", _item(talk, turn, "UserMessage", {"type": "text", "text": prompt})
    yield done, "event_msg", _item(talk, turn, "AgentMessage", {"type": "Text", "text": answer})
    yield done, "response_item", _message("assistant", answer)
    yield done, "event_msg", {"type": "task_complete", **begun, **ended}


_ENVIRONMENT = """<environment_context>
  <cwd>{cwd}</cwd>
  <shell>bash</shell>
</environment_context>"""


def _settings(talk: Talk, turn: str) -> Record:
    return {
        "turn_id": turn,
        "cwd": talk.cwd,
        "approval_policy": talk.mode,
        "approvals_reviewer": "user",
        "permission_profile": permission_profile(talk),
        "model": talk.model,
        "effort": talk.effort,
        "summary": "none",
        "sandbox_policy": {"type": talk.sandbox},
    }


def _item(talk: Talk, turn: str, kind: str, content: Record) -> Record:
    item = {"type": kind, "id": f"{kind.lower()}_{turn}", "content": [content]}
    return {"type": "item_completed", "thread_id": talk.id, "turn_id": turn, "item": item}


def _message(role: str, text: str) -> Record:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def permission_profile(talk: Talk) -> Record:
    """What 0.171 writes for a sandbox, in the rollout and (as JSON) in the database."""
    if talk.sandbox == "danger-full-access":
        return {"type": "disabled"}
    root: Record = {"type": "special", "value": {"kind": "root"}}
    entries: list[Record] = [{"path": root, "access": "read"}]
    if talk.sandbox == "workspace-write":
        entries.append({"path": {"type": "path", "path": talk.cwd}, "access": "write"})
        shared = ({"type": "special", "value": {"kind": kind}} for kind in ("slash_tmp", "tmpdir"))
        entries += [{"path": path, "access": "write"} for path in shared]
    files = {"type": "restricted", "entries": entries}
    return {"type": "managed", "file_system": files, "network": "restricted"}


_THREADS = """
CREATE TABLE threads (
    id TEXT PRIMARY KEY, rollout_path TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    source TEXT NOT NULL, model_provider TEXT NOT NULL, cwd TEXT NOT NULL, title TEXT NOT NULL,
    sandbox_policy TEXT NOT NULL, approval_mode TEXT NOT NULL,
    tokens_used INTEGER NOT NULL DEFAULT 0, has_user_event INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0, archived_at INTEGER,
    git_sha TEXT, git_branch TEXT, git_origin_url TEXT, cli_version TEXT NOT NULL DEFAULT '',
    first_user_message TEXT NOT NULL DEFAULT '', agent_nickname TEXT, agent_role TEXT,
    memory_mode TEXT NOT NULL DEFAULT 'enabled',
    model TEXT, reasoning_effort TEXT, agent_path TEXT,
    created_at_ms INTEGER, updated_at_ms INTEGER, thread_source TEXT,
    preview TEXT NOT NULL DEFAULT '',
    recency_at INTEGER NOT NULL DEFAULT 0, recency_at_ms INTEGER NOT NULL DEFAULT 0,
    history_mode TEXT NOT NULL DEFAULT 'legacy', name TEXT, is_pinned INTEGER NOT NULL DEFAULT 0,
    thread_section_id TEXT, section_position INTEGER, section_entered_at_ms INTEGER,
    project_id TEXT, originator TEXT, daybreak_enabled BOOLEAN,
    creator_user_id TEXT, creator_account_id TEXT, attached_thread_parent_id TEXT)
"""


def thread_row(talk: Talk, path: str) -> Record:
    """The session's row in the state database; `path` is that of its rollout."""
    prompt, asked = talk.turns[0][0], talk.asked(len(talk.turns) - 1)
    archived = "/archived_sessions/" in path
    return {
        "id": talk.id,
        "rollout_path": path,
        "created_at": int(talk.begun),
        "updated_at": int(talk.ended),
        "source": "exec" if talk.scripted else "cli",
        "model_provider": "openai",
        "cwd": talk.cwd,
        "title": prompt,
        "sandbox_policy": json.dumps(permission_profile(talk), separators=(",", ":")),
        "approval_mode": talk.mode,
        "archived": int(archived),
        "archived_at": int(talk.ended) + 60 if archived else None,
        "git_branch": talk.branch,
        "cli_version": VERSION,
        "first_user_message": prompt,
        "model": talk.model,
        "reasoning_effort": talk.effort,
        "created_at_ms": int(talk.begun * 1000),
        "updated_at_ms": int(talk.ended * 1000),
        "thread_source": "user",
        "preview": prompt,
        "recency_at": int(asked),
        "recency_at_ms": int(asked * 1000),
        "history_mode": "paginated",
        "name": None if talk.scripted else talk.title,
        "originator": "codex_exec" if talk.scripted else "codex-tui",
    }


def state_database(path: str, rows: Sequence[Record]) -> None:
    """Write state_5.sqlite with these rows; closed again, so nothing lies beside it."""
    import sqlite3

    columns = list(rows[0])
    values = ",".join(f":{name}" for name in columns)
    database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        with database:
            database.execute(_THREADS)
            insert = f"INSERT INTO threads ({','.join(columns)}) VALUES ({values})"  # noqa: S608
            database.executemany(insert, rows)
    finally:
        database.close()


def session_index(talks: Sequence[Talk]) -> Iterator[Record]:
    """The lines of session_index.jsonl: the name of every session that a person led."""
    for talk in talks:
        if not talk.scripted:
            yield {"id": talk.id, "thread_name": talk.title, "updated_at": stamp(talk.ended)}
