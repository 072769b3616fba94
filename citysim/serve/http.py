"""UrbanGround's endpoints."""

import json
import logging
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Header, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from citysim.city.checks import strict_json
from citysim.errors import InputError, UnknownNameError
from citysim.render.image import encode
from citysim.serve.acting import Sampling, carried_out, data_url
from citysim.serve.guard import ADMIN
from citysim.serve.session import Session
from citysim.serve.sessions import DEFAULT, NAME, FullError, Sessions
from citysim.serve.settings import LEAST_PX, MOST_PX, Settings
from citysim.serve.taskbook import TaskBook
from citysim.tasks.text import encodable

log = logging.getLogger("citysim.serve")
ENDPOINTS = (
    "GET /", "GET /health", "GET /state", "GET /profile", "GET /screenshot", "GET /task", "GET /tileset_source",
    "POST /action", "POST /task/enter", "POST /task/exit", "POST /stats/reset", "WS /ws",
)  # fmt: skip
_ERROR = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "error": {"type": "string"}},
    "required": ["ok", "error"],
}
_ERRORS: dict[int | str, dict[str, Any]] = {
    code: {"description": what, "content": {"application/json": {"schema": _ERROR}}}
    for code, what in (
        (400, "a body that is none"), (401, "no token"), (403, "not for an agent"), (404, "unknown"), (408, "too slow"),
        (413, "too large"), (422, "a parameter that is none"), (429, "too often, or too many sessions"),
        (500, "a fault of the server"),
    )
}  # fmt: skip


class _Refused(Exception):
    """A reply other than 2xx."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, encodable(error)


class _Json(JSONResponse):
    """Compact and finite."""

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


async def _body(request: Request) -> Any:
    """The JSON of the body, whatever its content type says; None for an empty one."""
    raw = await request.body()
    try:
        return strict_json(raw) if raw.strip() else None
    except ValueError:
        raise _Refused(400, "expected a JSON object, found another body") from None


def _session_name(
    x_session: Annotated[str | None, Header(pattern=NAME)] = None,
    session: Annotated[str | None, Query(pattern=NAME, description="The same as X-Session.")] = None,
) -> str:
    """Which session is meant."""
    return x_session or session or DEFAULT


Name = Annotated[str, Depends(_session_name)]
Body = Annotated[Any, Depends(_body)]
_ACTION_BODY = {
    "required": True,
    "content": {"application/json": {"schema": {"type": "object", "example": {"action": "move", "dir": "forward"}}}},
}
_ENTER_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}
    },
}


def add_routes(app: FastAPI, book: TaskBook, sessions: Sessions[Session], settings: Settings) -> None:
    """Add all endpoints. Those that touch a session run in threads, one at a time for each session."""

    @app.exception_handler(_Refused)
    async def refused(_: Request, error: _Refused) -> Response:
        return _Json({"ok": False, "error": error.error}, error.status)

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> Response:
        told = {"ok": False, "error": "expected one of " + ", ".join(ENDPOINTS)}
        return _Json(told, error.status_code, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        wrong = sorted({str(part["loc"][-1])[:40] for part in error.errors()})
        return _Json({"ok": False, "error": encodable(f"expected a valid value for {', '.join(wrong)}")}, 422)

    @app.exception_handler(FullError)
    async def full(_: Request, error: FullError) -> Response:
        return _Json({"ok": False, "error": str(error)}, 429)

    @app.exception_handler(UnknownNameError)
    async def unknown(_: Request, error: UnknownNameError) -> Response:
        return _Json({"ok": False, "error": encodable(str(error))}, 404)

    @app.exception_handler(InputError)
    async def wrong(_: Request, error: InputError) -> Response:
        return _Json({"ok": False, "error": encodable(str(error))}, 400)

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> Response:
        return _Json({"ok": False, "error": "internal fault; the server's log says more"}, 500)

    def allowed(request: Request) -> None:
        if request.scope.get("role") != ADMIN:
            raise _Refused(403, "expected the token of the orchestrator, found an agent's")

    @app.get("/", responses=_ERRORS)
    @app.get("/health", responses=_ERRORS)
    async def health() -> Response:
        """Whether the server is there."""
        return _Json({"ok": True, "service": "citysim", "status": "ready", "endpoints": list(ENDPOINTS)})

    @app.get("/state", responses=_ERRORS)
    def state(name: Name) -> Response:
        """The state object."""
        with sessions.use(name) as session:
            session.keep_up()
            return _Json(session.state())

    @app.get("/profile", responses=_ERRORS)
    def profile(name: Name) -> Response:
        """Who the walker is."""
        with sessions.use(name) as session:
            return _Json({"ok": True, **session.world.profile.to_json()})

    @app.get("/screenshot", responses={200: {"content": {"image/jpeg": {}, "image/png": {}}}, **_ERRORS})
    def screenshot(
        name: Name,
        width: int | None = None,
        height: int | None = None,
        quality: int = 85,
        format: Literal["jpeg", "jpg", "png"] = "jpeg",
        include_ui: Literal["0", "1", "true", "false"] = "0",
    ) -> Response:
        """What is seen now; sides are brought within 16 to 4096 and quality within 1 to 100."""
        wide, high = settings.image_size
        size = (_within(width, LEAST_PX, MOST_PX, wide), _within(height, LEAST_PX, MOST_PX, high))
        kind = "PNG" if format == "png" else "JPEG"
        with sessions.use(name) as session:
            session.keep_up()
            rgb = session.picture(size)
            if include_ui in ("1", "true"):
                from citysim.serve.overlay import with_overlay

                rgb = with_overlay(rgb, session.state())
        data = encode(rgb, kind, _within(quality, 1, 100, 85))
        return Response(data, media_type=f"image/{kind.lower()}")

    @app.get("/task", responses=_ERRORS)
    def task(name: Name) -> Response:
        """The active task, if any."""
        with sessions.use(name) as session:
            instance = session.instance
            return _Json({"ok": True, **(book.told(instance) if instance is not None else {"active": False})})

    @app.get("/tileset_source", responses=_ERRORS)
    async def tileset_source() -> Response:
        """Where the city comes from: it is part of the server."""
        return _Json(
            {
                "ok": True, "probe_completed": True, "internal_reachable": True, "source": "internal",
                "probe_latency_ms": 0.0, "internal_base_url": "", "config_file": "", "config_status": "built in",
                "tilesets": sorted(city.name for city in book.cities.values()),
            }
        )  # fmt: skip

    @app.post("/action", responses=_ERRORS, openapi_extra={"requestBody": _ACTION_BODY})
    def action(
        request: Request,
        name: Name,
        body: Body,
        image: Literal["0", "1", "true", "false"] = "0",
        interval: float | None = None,
        max_frames: int | None = None,
    ) -> Response:
        """Carry out one action; the reply comes when it has finished, 200 with ok false where it is refused."""
        if not isinstance(body, dict):
            raise _Refused(400, 'expected a JSON object such as {"action": "look", "yaw": 30}, found none')
        admin = settings.admin and request.scope.get("role") == ADMIN
        sampling = Sampling.of(interval, max_frames)
        with sessions.use(name) as session:
            reply = carried_out(session, body, sampling, admin)
            told = reply.to_json(session)
            if sampling.interval:
                told["interval"] = sampling.interval
            if image in ("1", "true"):
                told["image"] = data_url(session)
        return _Json(told)

    @app.post("/task/enter", responses=_ERRORS, openapi_extra={"requestBody": _ENTER_BODY})
    def enter(request: Request, name: Name, body: Body) -> Response:
        """Begin a task: everything of the one before is gone."""
        allowed(request)
        if not isinstance(body, dict) or not isinstance(body.get("id"), str):
            raise _Refused(400, 'expected {"id": "SN-…"}, found another body')
        instance = book.find(body["id"])
        with sessions.use(name) as session:
            session.enter(instance)
            told = {"ok": True, "action": f"entered {book.ids[instance.id]}", "task": book.told(instance)}
            return _Json(told | {"state": session.state()})

    @app.post("/task/exit", responses=_ERRORS)
    def leave(request: Request, name: Name) -> Response:
        """End the task; the walker stays where it is."""
        allowed(request)
        with sessions.use(name) as session:
            session.leave()
            return _Json({"ok": True, "action": "left the task"})

    @app.post("/stats/reset", responses=_ERRORS)
    def reset(request: Request, name: Name) -> Response:
        """Count collisions and seconds from zero."""
        allowed(request)
        with sessions.use(name) as session:
            session.reset_stats()
            return _Json({"ok": True, "action": "counting from zero"})


def _within(value: int | None, low: int, high: int, default: int) -> int:
    return default if value is None else min(max(value, low), high)
