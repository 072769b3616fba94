"""Door: who may reach the page of `citysim play`: this machine alone, or whoever has the token."""

import hmac
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

from citysim.serve.guard import App, Receive, Scope, Send
from citysim.serve.settings import is_loopback

COOKIE = "citysim_play"
HEADERS = [
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     b"img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]  # fmt: skip


class Door:
    """An ASGI application around another one.

    With a token it wants it as `?token=` or in the cookie that the page sets then. Without, only addresses of this
    machine are served, whatever a name server says that they are called; sockets are opened by our own page only.
    """

    def __init__(self, app: App, token: str | None) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host, query = headers.get(b"host", ""), parse_qs(scope.get("query_string", b"").decode("latin-1"))
        given = query.get("token", [""])[0] or _cookie(headers.get(b"cookie", ""))
        allowed = self._allowed(host, given)
        if scope["type"] == "websocket":
            if not allowed or urlsplit(headers.get(b"origin", "")).netloc != host:
                await receive()
                await send({"type": "websocket.close", "code": 4401, "reason": "refused"})
                return
            await self._app(scope, receive, send)
            return
        if not allowed:
            text = b"citysim play: expected the address with its token, as it was printed"
            await send({"type": "http.response.start", "status": 401, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": text})
            return
        more = list(HEADERS)
        if self._token is not None:
            more.append((b"set-cookie", f"{COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/".encode()))

        async def with_headers(message: Scope) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        await self._app(scope, receive, with_headers)

    def _allowed(self, host: str, given: str) -> bool:
        if self._token is not None:
            return hmac.compare_digest(given.encode(), self._token.encode())
        try:
            return is_loopback(urlsplit(f"//{host}").hostname or "")
        except ValueError:
            return False


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except Exception:  # a header that is no cookie
        return ""
    return found.value if found is not None else ""
