"""What the stand-in answers in the two dialects that most other CLIs speak: chat completions, and Gemini's."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def chat(model: str, reply: str, call: Json | None = None) -> Json:
    """A whole chat completion: `reply`, or the tool `call` ({name, arguments as text})."""
    message: Json = {"role": "assistant", "content": None if call else reply}
    if call:
        message["tool_calls"] = [_called(call)]
    return _chat(model, "chat.completion") | {
        "choices": [{"index": 0, "message": message, "finish_reason": _end(call)}],
        "usage": _USAGE,
    }


def chat_chunks(model: str, reply: str, call: Json | None = None) -> list[Json]:
    """The same as it is streamed."""
    told: Json = {"tool_calls": [{"index": 0, **_called(call)}]} if call else {"content": reply}
    deltas: tuple[Json, Json] = ({"role": "assistant"} | told, {})
    ends = (None, _end(call))
    chunks = [
        _chat(model, "chat.completion.chunk")
        | {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
        for delta, end in zip(deltas, ends, strict=True)
    ]
    usage = _chat(model, "chat.completion.chunk") | {"choices": [], "usage": _USAGE}
    return [*chunks, usage]


def gemini(model: str, reply: str, call: Json | None = None) -> Json:
    """A whole answer of generateContent, which is also the only part of a streamed one."""
    from json import loads

    part: Json = {"text": reply}
    if call:
        part = {"functionCall": {"name": call["name"], "args": loads(call["arguments"])}}
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 7, "totalTokenCount": 19},
        "modelVersion": model,
        "responseId": "resp_standin",
    }


def shell_call(request: Json, command: str) -> Json | None:
    """The call by which the tool of a request that takes a `command`, or several, runs that one; None without."""
    from json import dumps

    for tool in request.get("tools") or []:
        for made in tool.get("functionDeclarations") or [tool.get("function") or tool]:
            schema = made.get("parametersJsonSchema") or made.get("parameters") or {}
            known = schema.get("properties") or {}
            for key, value in (("command", command), ("commands", [command])):
                if key in known:
                    told = {name: _filler(known.get(name)) for name in schema.get("required") or ()}
                    return {"name": made["name"], "arguments": dumps({**told, key: value})}
    return None


def _filler(schema: object) -> object:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return {"boolean": False, "integer": 20, "number": 20, "array": []}.get(str(kind), "a note")


_USAGE = {"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19}


def _chat(model: str, kind: str) -> Json:
    return {"id": "chatcmpl-standin", "object": kind, "created": 1_790_000_000, "model": model}


def _called(call: Json) -> Json:
    return {"id": "call_standin1", "type": "function", "function": call}


def _end(call: Json | None) -> str:
    return "tool_calls" if call else "stop"
