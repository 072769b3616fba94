"""A small web server on this machine whose answers, and misbehaviour, a test chooses."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """`fault`: "stall" (headers, then silence), "reset" (connection torn), "truncate" (half the body)."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""


@dataclass
class Site:
    url: str
    seen: list[Request]
    released: threading.Event


@contextmanager
def serve(answer: Callable[[Request], Reply]) -> Iterator[Site]:
    """Serve until the block ends; `Site.seen` lists the requests."""
    seen: list[Request] = []
    released = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            request = Request(parts.path, query, {k.lower(): v for k, v in self.headers.items()})
            seen.append(request)
            reply = answer(request)
            if reply.fault == "reset":
                # closing with unsent data and no linger sends RST
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 304:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if reply.fault == "stall":
                self.wfile.flush()
                released.wait(20.0)
                self.close_connection = True
                return
            if reply.status != 304:
                self.wfile.write(reply.body[: len(reply.body) // 2] if reply.fault == "truncate" else reply.body)
            if reply.fault:
                self.close_connection = True

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except OSError:  # the client or a fault closed the connection
                self.close_connection = True

        def finish(self) -> None:
            try:
                super().finish()
            except (OSError, ValueError):
                return

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Site(f"http://127.0.0.1:{server.server_address[1]}", seen, released)
    finally:
        released.set()
        server.shutdown()
        server.server_close()
        thread.join()
