"""A loopback stand-in for the model: Anthropic's Messages, OpenAI's Responses and chat completions, Gemini's API.

Just enough of each. It answers every turn with one short sentence, echoes the model it was asked for and remembers what reached it. It
listens on 127.0.0.1 only and knows nothing of any real account.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.real import dialects

REPLY = "Understood, nothing to change."


@dataclass(frozen=True)
class Turn:
    """One request for an answer, as it reached the stand-in."""

    path: str
    model: str
    effort: str | None
    body: str

    def says(self, text: str) -> bool:
        """Whether the request carries `text` (a prompt that the check typed)."""
        return text in self.body


class StandIn:
    """The server and what it has seen; use it as a context manager."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.other: list[str] = []
        self.commands: dict[str, str] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.standin = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens, without a trailing slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> StandIn:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def call_for(self, turn: Turn) -> dialects.Json | None:
        """The tool call that answers a turn: to run what `commands` has for a word in it, and that once."""
        for word in [word for word in self.commands if turn.says(word)]:
            if call := dialects.shell_call(json.loads(turn.body), self.commands[word]):
                del self.commands[word]
                return call
        return None

    def that_say(self, text: str) -> list[Turn]:
        """The turns that carried `text`, oldest first."""
        return [turn for turn in list(self.turns) if turn.says(text)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the report is the output."""

    def do_HEAD(self) -> None:
        self._send(200, b"", "text/plain")

    def do_GET(self) -> None:
        self._note()
        if self.path.split("?")[0].endswith("/models"):
            self._json({"object": "list", "data": [], "models": []})
        else:
            self._json({"error": {"type": "not_found_error", "message": "not here"}}, 404)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.split("?")[0]
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        if path.endswith("/messages/count_tokens"):
            self._json({"input_tokens": 10})
        elif path.endswith("/messages"):
            self._turn(path, body, raw, (body.get("output_config") or {}).get("effort"))
            message = _message(str(body.get("model")))
            if body.get("stream"):
                self._events(_message_events(message))
            else:
                self._json(
                    {
                        **message,
                        "content": [{"type": "text", "text": REPLY}],
                        "stop_reason": "end_turn",
                    }
                )
        elif path.endswith("/chat/completions"):
            self._turn(path, body, raw, body.get("reasoning_effort"))
            self._chat(str(body.get("model")), stream=bool(body.get("stream")))
        elif "enerateContent" in path:
            model = path.rpartition("/")[2].partition(":")[0]
            self._turn(path, {"model": model}, raw, None)
            self._gemini(model, stream="streamGenerateContent" in path)
        elif path.endswith("/responses"):
            self._turn(path, body, raw, (body.get("reasoning") or {}).get("effort"))
            self._events(_response_events(str(body.get("model"))))
        else:
            self._note()
            self._json({}, 404)

    def _chat(self, model: str, *, stream: bool) -> None:
        call = self.server.standin.call_for(self._last)  # type: ignore[attr-defined]
        if not stream:
            self._json(dialects.chat(model, REPLY, call))
            return
        chunks = dialects.chat_chunks(model, REPLY, call)
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        self._send(200, "".join([*lines, "data: [DONE]\n\n"]).encode(), "text/event-stream")

    def _gemini(self, model: str, *, stream: bool) -> None:
        call = self.server.standin.call_for(self._last)  # type: ignore[attr-defined]
        answer = dialects.gemini(model, REPLY, call)
        if stream:
            self._send(200, f"data: {json.dumps(answer)}\r\n\r\n".encode(), "text/event-stream")
        else:
            self._json(answer)

    def _turn(self, path: str, body: dict[str, Any], raw: bytes, effort: str | None) -> None:
        turn = Turn(path, str(body.get("model")), effort, raw.decode("utf-8", "replace"))
        self._last = turn
        self.server.standin.turns.append(turn)  # type: ignore[attr-defined]

    def _note(self) -> None:
        self.server.standin.other.append(f"{self.command} {self.path}")  # type: ignore[attr-defined]

    def _json(self, value: object, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _events(self, events: list[dict[str, Any]]) -> None:
        lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
        self._send(200, "".join(lines).encode(), "text/event-stream")

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("request-id", "req_standin")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _message(model: str) -> dict[str, Any]:
    """An Anthropic message without its text."""
    usage = {
        "input_tokens": 12,
        "output_tokens": 7,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    return {
        "id": "msg_standin",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }


def _message_events(message: dict[str, Any]) -> list[dict[str, Any]]:
    """That message as the Messages API streams it."""
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": REPLY}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": message["usage"],
        },
        {"type": "message_stop"},
    ]


def _response_events(model: str) -> list[dict[str, Any]]:
    """One answer as the Responses API streams it."""
    item = {
        "type": "message",
        "id": "msg_standin",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": REPLY, "annotations": []}],
    }
    response = {"id": "resp_standin", "object": "response", "model": model, "output": [item]}
    usage = {
        "input_tokens": 12,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 19,
    }
    return [
        {
            "type": "response.created",
            "response": {**response, "output": [], "status": "in_progress"},
        },
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        {
            "type": "response.output_text.delta",
            "output_index": 0,
            "item_id": "msg_standin",
            "delta": REPLY,
        },
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {
            "type": "response.completed",
            "response": {**response, "status": "completed", "usage": usage},
        },
    ]
