"""The WebSocket of `citysim play`: JSON texts from the page; to it a JSON text, then a JPEG, for every new picture."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from fastapi import WebSocket, WebSocketDisconnect

from citysim.city.checks import strict_json
from citysim.errors import CitySimError, InputError
from citysim.serve.play_controls import Controls
from citysim.tasks.text import encodable

log = logging.getLogger("citysim.serve")
TICK_S = 1.0 / 20.0
LONGEST_TICK_S = 0.2
MOST_CHARS = 4096


class Stage(Protocol):
    """What is played; all methods are called from threads, one at a time."""

    def enter(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Begin what a request names; what the page must know of it."""

    def tick(self, controls: Controls, seconds: float) -> bool:
        """Let time pass; whether there is something new to see."""

    def shown(self) -> tuple[dict[str, Any], bytes]:
        """What to tell, and the picture as JPEG."""

    def close(self) -> None:
        """Free it."""


async def serve_player(connection: WebSocket, make: Callable[[], Stage]) -> None:
    """Play with one page until it leaves."""
    await connection.accept()
    controls = Controls()
    stage = await asyncio.to_thread(make)
    entering: asyncio.Queue[dict[str, Any]] = asyncio.Queue(4)
    hearing = asyncio.create_task(_hear(connection, controls, entering))
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # gone while we answered
            await _loop(connection, stage, controls, entering, hearing)
    finally:
        hearing.cancel()
        await asyncio.to_thread(stage.close)


async def _loop(
    connection: WebSocket, stage: Stage, controls: Controls, entering: "asyncio.Queue[dict[str, Any]]",
    hearing: "asyncio.Task[None]",
) -> None:  # fmt: skip
    entered, last = False, time.monotonic()
    while not hearing.done():
        begun = time.monotonic()
        try:
            new = False
            if not entering.empty():
                request = entering.get_nowait()
                told = await asyncio.to_thread(stage.enter, request)
                await connection.send_text(_text({"entered": told}))
                entered = new = True
                last = time.monotonic()
            if entered:
                now = time.monotonic()
                passed, last = min(now - last, LONGEST_TICK_S), now
                new = await asyncio.to_thread(stage.tick, controls, passed) or new
            if new:
                told, picture = await asyncio.to_thread(stage.shown)
                await connection.send_text(_text(told))
                await connection.send_bytes(picture)
        except CitySimError as error:
            await connection.send_text(_text({"error": encodable(str(error))}))
        await asyncio.sleep(max(0.0, begun + TICK_S - time.monotonic()))


async def _hear(connection: WebSocket, controls: Controls, entering: "asyncio.Queue[dict[str, Any]]") -> None:
    """Take messages in until the page leaves; what is none is left out."""
    while True:
        message = await connection.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > MOST_CHARS:
            continue
        try:
            value = strict_json(text)
            if isinstance(value, dict) and "enter" in value:
                entering.put_nowait(value)
            else:
                controls.take(value)
        except (InputError, ValueError, asyncio.QueueFull) as error:
            log.debug("left out a message: %s", error)


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
