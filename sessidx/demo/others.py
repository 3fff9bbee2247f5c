"""The records of a Qwen Code session as 0.24.4 writes them, and of a Pi session as 1.6.0 does."""

import random
from collections.abc import Iterator

from sessidx.demo.talk import Record, Talk, seeded, stamp, uuid4

VERSIONS = {"qwen": "0.24.4", "pi": "1.6.0"}


def qwen(talk: Talk) -> Iterator[Record]:
    """Prompts and answers in a chain, then the title that the person gave."""
    rng = seeded(talk.id)
    parent: object = None
    for number, (prompt, answer) in enumerate(talk.turns):
        for kind, role, text, when in (
            ("user", "user", prompt, talk.asked(number)),
            ("assistant", "model", answer, talk.answered(number)),
        ):
            record = _qwen(talk, rng, parent, kind, when)
            if kind == "assistant":
                record["model"] = talk.model
            yield record | {"message": {"role": role, "parts": [{"text": text}]}}
            parent = record["uuid"]
    title: Record = {"customTitle": talk.title, "titleSource": "manual"}
    last = _qwen(talk, rng, parent, "system", talk.ended)
    yield last | {"subtype": "custom_title", "systemPayload": title}


def _qwen(talk: Talk, rng: random.Random, parent: object, kind: str, when: float) -> Record:
    return {
        "uuid": uuid4(rng),
        "parentUuid": parent,
        "sessionId": talk.id,
        "timestamp": stamp(when),
        "type": kind,
        "cwd": talk.cwd,
        "version": VERSIONS["qwen"],
        "gitBranch": talk.branch,
    }


def pi(talk: Talk) -> Iterator[Record]:
    """The header, the name, the model, then the messages, each entry under the one before."""
    rng = seeded(talk.id)
    provider, _, model = talk.model.partition("/")
    begun = {"timestamp": stamp(talk.begun)}
    yield {"type": "session", "version": 3, "id": talk.id, **begun, "cwd": talk.cwd}
    entries: list[Record] = [
        {"type": "session_info", **begun, "name": talk.title},
        {"type": "model_change", **begun, "provider": provider, "modelId": model},
    ]
    for number, (prompt, answer) in enumerate(talk.turns):
        for role, text, when in (
            ("user", prompt, talk.asked(number)),
            ("assistant", answer, talk.answered(number)),
        ):
            said: Record = {"role": role, "content": [{"type": "text", "text": text}]}
            said |= {"provider": provider, "model": model} if role == "assistant" else {}
            entries.append({"type": "message", "timestamp": stamp(when), "message": said})
    parent: object = None
    for entry in entries:
        own = f"{rng.getrandbits(32):08x}"
        yield entry | {"id": own, "parentId": parent}
        parent = own
