"""The records of a Claude Code session as release 2.1.332 writes them."""

import random
from collections.abc import Iterator

from sessidx.demo.talk import Record, Talk, seeded, stamp, uuid4

VERSION = "2.1.332"


def records(talk: Talk) -> Iterator[Record]:
    """Every record of one session, in the order of its file."""
    rng = seeded(talk.id)
    of = {"sessionId": talk.id}
    parent: object = None
    modes: list[Record] = [
        {"type": "mode", "mode": "normal", **of},
        {"type": "permission-mode", "permissionMode": talk.mode, **of},
    ]
    if not talk.scripted:
        yield from modes
    yield {"type": "atis-latch", "atis": "", **of}
    for number in range(len(talk.turns)):
        for record in _turn(talk, number, rng):
            if "uuid" in record:
                link = {"parentUuid": parent, "isSidechain": False}
                yield {**link, **record, **_place(talk)}
                parent = record["uuid"]
            else:
                yield record
    yield {"type": "last-prompt", "lastPrompt": talk.turns[-1][0], "leafUuid": parent, **of}
    if not talk.scripted:
        yield {"type": "ai-title", "aiTitle": talk.title, **of}
        yield from modes
    if talk.chosen:
        yield {"type": "custom-title", "customTitle": talk.title, **of}
        yield {"type": "agent-name", "agentName": talk.title, **of}


def _turn(talk: Talk, number: int, rng: random.Random) -> Iterator[Record]:
    """A prompt, what the CLI notes beside it, and the answer."""
    prompt, answer = talk.turns[number]
    asked, answered = talk.asked(number), talk.answered(number)
    user = uuid4(rng)
    if not talk.scripted:
        yield _snapshot(user, asked)
    yield _user(talk, prompt, number, user, asked)
    if number == 0:
        yield {
            "attachment": {"type": "model", "identity": {"modelId": talk.model}},
            "type": "attachment",
            "uuid": uuid4(rng),
            "timestamp": stamp(asked),
        }
    yield _assistant(talk, answer, uuid4(rng), answered)
    if not talk.scripted:
        yield {
            "type": "system",
            "subtype": "turn_duration",
            "durationMs": int((answered - asked) * 1000),
            "messageCount": 4,
            "timestamp": stamp(answered),
            "uuid": uuid4(rng),
            "isMeta": False,
        }


def _place(talk: Talk) -> Record:
    """What ends every record of the conversation."""
    return {
        "userType": "external",
        "entrypoint": "sdk-cli" if talk.scripted else "cli",
        "cwd": talk.cwd,
        "sessionId": talk.id,
        "version": VERSION,
        "gitBranch": talk.branch,
    }


def _snapshot(message: str, when: float) -> Record:
    return {
        "type": "file-history-snapshot",
        "messageId": message,
        "snapshot": {"messageId": message, "trackedFileBackups": {}, "timestamp": stamp(when)},
        "isSnapshotUpdate": False,
    }


def _user(talk: Talk, prompt: str, number: int, uuid: str, when: float) -> Record:
    typed = {"origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human"}
    return {
        "promptId": uuid,
        "type": "user",
        "message": {"role": "user", "content": prompt},
        "uuid": uuid,
        "timestamp": stamp(when),
        "permissionMode": talk.mode,
        **({"promptSource": "sdk", "turnOrigin": "sdk"} if talk.scripted else typed),
        "turnPosition": {"promptIndex": number + 1, "turnIndex": number + 1},
    }


def _assistant(talk: Talk, answer: str, uuid: str, when: float) -> Record:
    return {
        "message": {
            "id": f"msg_{uuid[:8]}",
            "type": "message",
            "role": "assistant",
            "model": talk.model,
            "content": [{"type": "text", "text": answer}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1200, "cache_read_input_tokens": 0, "output_tokens": 80},
        },
        "requestId": f"req_{uuid[:8]}",
        "requestedModel": talk.model,
        "type": "assistant",
        "uuid": uuid,
        "timestamp": stamp(when),
        "effort": talk.effort,
        "perTurnEffort": talk.effort,
        "madeBy": "model",
    }
