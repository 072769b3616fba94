"""Carrying out a client's action, with pictures taken while it lasts."""

import base64
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from citysim.errors import InputError
from citysim.render.image import encode
from citysim.serve.admin import ADMIN, administer
from citysim.serve.session import Session
from citysim.tasks.actions import MAP_NAMES, STEP_S, Action, parse_action
from citysim.tasks.motion import command_of
from citysim.tasks.text import encodable

LEAST_S, MOST_FRAMES = 0.05, 120


@dataclass(frozen=True, slots=True)
class Sampling:
    """Pictures wanted: one every `interval` seconds of the action, at most `most`; none for an interval of 0."""

    interval: float = 0.0
    most: int = 60

    @classmethod
    def of(cls, interval: float | None, most: int | None) -> "Sampling":
        """What a query asked for, within limits; anything that is no time asks for nothing."""
        if interval is None or not math.isfinite(interval) or interval <= 0.0:
            return cls()
        return cls(max(interval, LEAST_S), min(max(60 if most is None else most, 0), MOST_FRAMES))


@dataclass(frozen=True, slots=True)
class Reply:
    """What an action came to: `error` says why it was refused, "" when it was carried out."""

    action: str
    error: str = ""
    notices: tuple[str, ...] = ()
    images: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def to_json(self, session: Session) -> dict[str, Any]:
        """The body of the reply, with the state as it is now."""
        ok = {"ok": True} if not self.error else {"ok": False, "error": self.error}
        told = {"action": self.action, "state": session.state(), "images": self.images, "notices": list(self.notices)}
        return ok | told | self.more


def carried_out(session: Session, value: Any, sampling: Sampling, admin: bool) -> Reply:
    """Carry out an action of the agent or, where `admin` allows, of the administration.

    What cannot be done is told in the reply; nothing has changed then.
    """
    name = value.get("action", value.get("type")) if isinstance(value, dict) else None
    if isinstance(name, str) and name in ADMIN:
        if not admin:
            return Reply(f"refused {name}", f"expected an agent's action, found '{name}'; try a server with --admin")
        try:
            told, more = administer(session, name, value)
        except InputError as error:
            return Reply(f"refused {name}", encodable(str(error)))
        return Reply(told, images=_now(session, sampling), more=more)
    try:
        action, notices = parse_action(value, session.mode)
    except InputError as error:
        return Reply("refused", encodable(str(error)))
    if action.name == "terminate":
        return Reply("terminated", notices=notices, images=_now(session, sampling))
    begun, world = time.monotonic(), session.world
    session.keep_up()
    if action.name in MAP_NAMES or action.name == "open_map":
        assert session.map is not None
        notices += session.map.act(action, world.pose)
    images: list[str] = []
    told, happened = _walk(session, action, sampling, lambda: images.append(data_url(session)))
    if sampling.interval and not images:
        images = _now(session, sampling)
    session.last_for(action.seconds, begun)
    return Reply("; ".join((told, *notices)), notices=(*notices, *happened), images=images)


def data_url(session: Session, size: tuple[int, int] | None = None) -> str:
    """What is seen now as a data URL of a JPEG."""
    return "data:image/jpeg;base64," + base64.b64encode(encode(session.picture(size), "JPEG")).decode("ascii")


def _now(session: Session, sampling: Sampling) -> list[str]:
    return [data_url(session)] if sampling.interval and sampling.most else []


def _walk(session: Session, action: Action, sampling: Sampling, see: Callable[[], None]) -> tuple[str, tuple[str, ...]]:
    """Let an action's time pass in pieces, with a look after each; what happened does not depend on the pieces."""
    if action.name == "look":
        session.world.look(-math.radians(action.yaw_deg), math.radians(action.pitch_deg))
    every = max(1, round(sampling.interval / STEP_S)) if sampling.interval else action.steps
    command, done, seen = command_of(action), 0, 0
    jump = None if command.jump_after_s is None else round(command.jump_after_s / STEP_S)
    walked, bumps, met = 0.0, 0, 0
    notices: list[str] = []
    while done < action.steps:
        count = min(every, action.steps - done)
        now = jump is not None and done <= jump < done + count
        after = (jump - done) * STEP_S if now and jump is not None else None
        passed = session.act(count, replace(command, jump_after_s=after))
        done += count
        walked += passed.distance_m
        bumps += passed.building_collisions
        met += passed.pedestrian_collisions
        notices += passed.notices
        if sampling.interval and count == every and seen < sampling.most:
            see()
            seen += 1
    told = action.name.replace("_", " ")
    if action.name in ("move", "sprint"):
        told = f"{action.name} {action.direction} for {action.seconds:.2f} s: {walked:.2f} m"
    touched = (*(("bumped into something",) if bumps else ()), *(("bumped into somebody",) if met else ()))
    return "; ".join((told, *touched)), tuple(notices)
