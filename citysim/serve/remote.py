"""The WebSocket `/ws`: msgpack maps, one reply for each, with the request's id in it.

A connection has a `role`: the orchestrator begins and scores episodes, the agent observes and acts; neither may do what
is the other's. Both name the same `session`. A request is `{"id": 7, "op": "act", "action": {…}}`, its reply
`{"id": 7, "ok": true, …}` or `{"id": 7, "ok": false, "error": "expected …"}`. The server sends `{"event": "heartbeat"}`
when nothing was said for a while, and closes connections that say nothing for long.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgpack
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from citysim.errors import InputError
from citysim.serve.guard import ADMIN
from citysim.serve.remote_episode import RemoteEpisode
from citysim.serve.sessions import DEFAULT, Sessions
from citysim.serve.settings import Settings
from citysim.tasks.text import encodable, shown

log = logging.getLogger("citysim.serve")
MOST_BYTES = 64 * 1024
ORCHESTRATOR, AGENT = "orchestrator", "agent"
Operation = Callable[[RemoteEpisode, Mapping[str, Any]], dict[str, Any]]
OPERATIONS: dict[str, dict[str, Operation]] = {
    ORCHESTRATOR: {
        "instances": RemoteEpisode.instances,
        "reset": RemoteEpisode.reset,
        "score": RemoteEpisode.score,
    },
    AGENT: {"observe": RemoteEpisode.observe, "act": RemoteEpisode.act},
}
REFUSED, TOO_LARGE, IDLE = 4403, 4413, 4408


def add_socket(app: FastAPI, episodes: Sessions[RemoteEpisode], settings: Settings) -> None:
    """Add `/ws?role=agent|orchestrator&session=NAME`."""

    @app.websocket("/ws")
    async def socket(connection: WebSocket) -> None:
        role, name = connection.query_params.get("role", AGENT), connection.query_params.get("session", DEFAULT)
        allowed = role == AGENT or (role == ORCHESTRATOR and connection.scope.get("role") == ADMIN)
        await connection.accept()
        if not allowed:
            await connection.close(REFUSED, "refused")
            return
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # gone while we answered
            await _serve(connection, episodes, settings, role, name)


async def _serve(
    connection: WebSocket, episodes: Sessions[RemoteEpisode], settings: Settings, role: str, name: str
) -> None:
    """Answer one request after the other until the client leaves or is silent for too long."""
    heard = time.monotonic()
    waiting: asyncio.Task[Any] | None = None
    try:
        while True:
            waiting = waiting if waiting is not None else asyncio.create_task(connection.receive())
            await asyncio.wait((waiting,), timeout=min(settings.heartbeat_s, settings.idle_s))
            if not waiting.done():
                if time.monotonic() - heard > settings.idle_s:
                    await connection.close(IDLE, "idle")
                    return
                await connection.send_bytes(_packed({"event": "heartbeat", "role": role}))
                continue
            message, waiting = waiting.result(), None
            if message["type"] == "websocket.disconnect":
                return
            heard = time.monotonic()
            data = message.get("bytes")
            if data is not None and len(data) > MOST_BYTES:
                await connection.close(TOO_LARGE, "too large")
                return
            reply = await _answer(data, episodes, role, name)
            await connection.send_bytes(_packed(reply))
    finally:
        if waiting is not None:
            waiting.cancel()


async def _answer(data: bytes | None, episodes: Sessions[RemoteEpisode], role: str, name: str) -> dict[str, Any]:
    """The reply to one message."""
    request, id = _unpacked(data)
    if request is None:
        return {"id": id, "ok": False, "error": 'expected a msgpack map such as {"id": 1, "op": "observe"}'}
    op = request.get("op")
    if op == "ping":
        return {"id": id, "ok": True, "event": "pong"}
    known = OPERATIONS[role]
    if not isinstance(op, str) or op not in known:
        error = f"expected an op of the {role} ({', '.join((*known, 'ping'))}), found {shown(op)[:80]}"
        return {"id": id, "ok": False, "error": encodable(error)}

    def run() -> dict[str, Any]:
        with episodes.use(name) as episode:
            return known[op](episode, request)

    try:
        return {"id": id, "ok": True, **await asyncio.to_thread(run)}
    except InputError as error:
        return {"id": id, "ok": False, "error": encodable(str(error))}
    except Exception:
        log.exception("internal fault of op %s", op)
        return {"id": id, "ok": False, "error": "internal fault; the server's log says more"}


def _packed(value: dict[str, Any]) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


def _unpacked(data: bytes | None) -> tuple[dict[str, Any] | None, Any]:
    """The request, None for what is none, and its id where it has a plain one. Nothing but plain values is made."""
    if data is None:
        return None, None
    try:
        value = msgpack.unpackb(data, raw=False, strict_map_key=True, ext_hook=_no_extension, timestamp=0)
    except Exception:  # msgpack has many ways to say that bytes are none of its own
        return None, None
    if not isinstance(value, dict):
        return None, None
    id = value.get("id")
    return value, id if isinstance(id, int | str) and len(str(id)) <= 64 else None


def _no_extension(code: int, data: bytes) -> Any:
    raise ValueError(f"extension {code}")
