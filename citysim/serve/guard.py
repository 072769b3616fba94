"""Guard: what every request passes before it is looked at: token, size, rate; and the headers of every reply."""

import asyncio
import hmac
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from citysim.serve.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_S = 30.0
"""A body must be there by then."""
CLIENTS = 1024
"""Addresses whose rate is remembered."""
CORS = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET, POST, OPTIONS"),
    (b"access-control-allow-headers", b"Authorization, Content-Type, X-Session"),
    (b"access-control-max-age", b"600"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
]
ADMIN, AGENT = "admin", "agent"


class Guard:
    """An ASGI application around another one. It writes `role` ("admin" or "agent") into the scope."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._tokens = [
            (token.encode(), role)
            for token, role in ((settings.token, ADMIN), (settings.agent_token, AGENT))
            if token is not None
        ]
        self._allowance: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        role = self._role(scope)
        if scope["type"] == "websocket":
            if role is None or not self._in_time(scope):
                await receive()
                await send({"type": "websocket.close", "code": 4401 if role is None else 4429, "reason": "refused"})
                return
            scope["role"] = role
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS":
            await _reply(send, 204, None)
        elif role is None:
            await _reply(
                send, 401, "expected a bearer token, found none or another", [(b"www-authenticate", b"Bearer")]
            )
        elif not self._in_time(scope):
            await _reply(send, 429, "expected fewer requests a second", [(b"retry-after", b"1")])
        else:
            scope["role"] = role
            await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, which must be small and in time, and hand it on whole."""
        most = self._settings.most_body_bytes
        body, more = bytearray(), True
        try:
            async with asyncio.timeout(BODY_S):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        await _reply(send, 413, f"expected a body of at most {most} bytes")
                        return
        except TimeoutError:
            await _reply(send, 408, f"expected the body within {BODY_S:g} s")
            return
        handed = False

        async def again() -> Message:
            nonlocal handed
            if handed:
                return await receive()
            handed = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *CORS]
            await send(message)

        await self._app(scope, again, with_headers)

    def _role(self, scope: Scope) -> str | None:
        """Who asks; every token is compared, in constant time."""
        if not self._tokens:
            return ADMIN
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _, token = given.partition(b" ")
        found = None
        for known, role in self._tokens:
            if hmac.compare_digest(token.strip(), known) and scheme.lower() == b"bearer":
                found = role
        return found

    def _in_time(self, scope: Scope) -> bool:
        """Whether a client keeps to its rate: a bucket that holds two seconds' worth."""
        rate, now = self._settings.requests_s, time.monotonic()
        client = str((scope.get("client") or ("",))[0])
        left, since = self._allowance.pop(client, (2.0 * rate, now))
        left = min(left + (now - since) * rate, 2.0 * rate)
        self._allowance[client] = (max(left - 1.0, 0.0), now)
        while len(self._allowance) > CLIENTS:
            self._allowance.popitem(last=False)
        return left >= 1.0


async def _reply(send: Send, status: int, error: str | None, more: list[tuple[bytes, bytes]] | None = None) -> None:
    body = b"" if error is None else json.dumps({"ok": False, "error": error}).encode()
    kind = [(b"content-type", b"application/json")] if body else []
    length = [(b"content-length", str(len(body)).encode())] if body else []
    await send({"type": "http.response.start", "status": status, "headers": [*kind, *length, *CORS, *(more or [])]})
    await send({"type": "http.response.body", "body": body})
