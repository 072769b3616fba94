"""StubServer: answers `POST /v1/chat/completions` on this machine, in a thread."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

LARGEST = 64_000_000
"""Bytes of a request that are read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a brain wants sent: a message, or another status with its headers; `pause_s` before anything is sent.

    `dead` closes the connection without a word.
    """

    message: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause_s: float = 0.0
    dead: bool = False
    text: str = ""


Brain = Callable[[dict[str, Any]], Reply]
"""Takes the JSON object of a request."""


class StubServer:
    """A server for the time of a `with` block; `base_url` is what agents are given.

    `key` is asked for as a bearer token where given. `requests` keeps what was asked.
    """

    def __init__(self, brain: Brain, *, key: str = "", port: int = 0) -> None:
        self.requests: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(brain, key, self.requests))
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "StubServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def serve_forever(self) -> None:
        """Serve in this thread until it is interrupted."""
        self._server.serve_forever()

    def close(self) -> None:
        """Stop serving."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


def _handler(brain: Brain, key: str, requests: list[dict[str, Any]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(min(size, LARGEST))
            if self.path.rstrip("/") != "/v1/chat/completions":
                return self._send(Reply(status=404), {"error": {"message": f"no {self.path[:100]}"}})
            if key and self.headers.get("Authorization") != f"Bearer {key}":
                given = self.headers.get("Authorization", "")  # echoed, as careless servers do
                return self._send(Reply(status=401), {"error": {"message": f"Incorrect API key provided: {given}"}})
            try:
                request = json.loads(body)
                messages = request["messages"]
                if not isinstance(messages, list) or not messages:
                    raise ValueError("no messages")
            except (ValueError, KeyError, TypeError) as error:
                return self._send(Reply(status=400), {"error": {"message": f"{type(error).__name__}"}})
            requests.append(request)
            reply = brain(request)
            time.sleep(reply.pause_s)
            if reply.dead:
                self.close_connection = True
                return None
            return self._send(reply, _completion(request, reply))

        def _send(self, reply: Reply, value: dict[str, Any]) -> None:
            data = (reply.text or json.dumps(value)).encode()
            try:
                self.send_response(reply.status)
                for name, text in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:  # a client that lost its patience
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler


def _completion(request: dict[str, Any], reply: Reply) -> dict[str, Any]:
    if reply.status != 200:
        return {"error": {"message": f"status {reply.status}"}}
    tokens_in, tokens_out = (len(json.dumps(part)) // 4 for part in (_text_of(request), reply.message))
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "model": request.get("model", ""),
        "choices": [{"index": 0, "message": reply.message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }


def _text_of(request: dict[str, Any]) -> list[str]:
    """The words of a request: pictures are left out of the count."""
    words: list[str] = []
    for message in request["messages"]:
        content = message.get("content") if isinstance(message, dict) else None
        parts = content if isinstance(content, list) else [{"text": content}]
        words += [str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text")]
    return words
