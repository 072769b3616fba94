"""PlayedEpisode: an episode in a person's hands: live while a key is held, an agent's action when it is let go."""

import math
from dataclasses import replace
from typing import Any

from citysim.errors import InputError
from citysim.render.base import Renderer
from citysim.serve.play_controls import TURN_DEG_S, Controls, Held, pair
from citysim.tasks.actions import DIRECTIONS, MIN_S, SPRINT_M_S, STEP_S, WALK_M_S
from citysim.tasks.episode import Limits
from citysim.tasks.playing import episode_of
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance
from citysim.world import Command, Snapshot, World

LONGEST_STEPS, SHORTEST_STEPS, MOST_AT_ONCE = 120, 3, 12
STILL_S = 0.4
"""A look is over when the mouse has rested for so long."""
RATE_DEG_S = 180.0


class PlayedEpisode:
    """Plays one instance with an agent's actions, budget and observations.

    While a key is held or the mouse moves, the world is tried out live from a snapshot, picture by picture. Then it is
    put back and one action of that length, direction and turn is taken, so that the records are those of an agent that
    acted so. Walking goes on in actions of two seconds; one movement of the mouse is one look.
    """

    def __init__(self, world: World, renderer: Renderer, instance: Instance, limits: Limits) -> None:
        self.instance = instance
        self.records: list[StepRecord] = []
        self.episode = episode_of(world, renderer, instance, limits=limits, records=self.records)
        self._kept: Snapshot | None = None
        self._held = Held()
        self._steps, self._yaw, self._pitch, self._rested = 0, 0.0, 0.0, 0.0

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.episode.done

    def tick(self, controls: Controls, seconds: float) -> bool:
        """Do what the controls say for so long; returns whether anything changed. Raises SimulationFault."""
        changed = False
        for request in controls.asked():
            changed = self._request(request) or changed
        mouse, held = controls.looked(), controls.held
        if self.done or self.episode.mode != "first_person":
            self._kept = None
            return changed
        if held.direction:
            self._walk(held, mouse, min(max(round(seconds / STEP_S), 1), MOST_AT_ONCE))
            return True
        if self._steps:
            self._commit()
            changed = True
        if held.turn or mouse != (0.0, 0.0):
            self._look(mouse[0] + held.turn * TURN_DEG_S * seconds, mouse[1])
            return True
        self._rested += seconds
        if self._kept is not None and self._rested > STILL_S:
            self._commit()
            return True
        return changed

    def finish(self) -> None:
        """Take the action that is under way."""
        if not self.done:
            self._commit()

    def _request(self, request: dict[str, Any]) -> bool:
        """An action, an answer, or a drag of the map; nothing else is anybody's business."""
        if self.done:
            return False
        self._commit()
        if self.done:
            return True
        if "map_drag" in request:
            self.episode.act(self._drag(*pair(request["map_drag"], 2.0)))
        elif "answer" in request:
            self.episode.act(request["answer"])
        elif "act" in request:
            self.episode.act(request["act"])
        else:
            raise InputError("an act, an answer or a map_drag", "another request", '{"act": {"action": "jump"}}')
        return True

    def _drag(self, right: float, down: float) -> dict[str, Any]:
        """The pan that moves the open map by these shares of the picture."""
        view = self.episode.map.view
        if view is None:
            raise InputError("an open map", "a closed one", "open_map first")
        width, height = view.size
        middle = (width / 2.0, height / 2.0)
        here, there = view.to_local([middle, (middle[0] - right * width, middle[1] - down * height)])
        return {"action": "map_pan", "east": round(there[0] - here[0], 1), "north": round(there[1] - here[1], 1)}

    def _walk(self, held: Held, mouse: tuple[float, float], steps: int) -> None:
        started = (self._held.direction, self._held.sprint)
        if self._kept is not None and (not self._steps or started != (held.direction, held.sprint)):
            self._commit()
            if self.done:
                return
        self._begin()
        self._held = held
        steps = min(steps, LONGEST_STEPS - self._steps)
        lasting = steps * STEP_S
        yaw = min(max(mouse[0] / lasting + held.turn * TURN_DEG_S, -RATE_DEG_S), RATE_DEG_S)
        pitch = min(max(mouse[1] / lasting, -RATE_DEG_S), RATE_DEG_S)
        ahead, left = DIRECTIONS[held.direction]
        speed = SPRINT_M_S if held.sprint else WALK_M_S
        command = Command(ahead * speed, left * speed, -math.radians(yaw), math.radians(pitch))
        self.episode.world.advance(command, steps)
        self._steps += steps
        self._yaw += yaw * lasting
        self._pitch += pitch * lasting
        if self._steps >= LONGEST_STEPS:
            self._commit()

    def _look(self, yaw: float, pitch: float) -> None:
        self._begin()
        self.episode.world.look(-math.radians(yaw), math.radians(pitch))
        self._yaw += yaw
        self._pitch += pitch
        self._rested = 0.0

    def _begin(self) -> None:
        if self._kept is None:
            self._kept = self.episode.world.snapshot()
            self._steps, self._yaw, self._pitch, self._rested = 0, 0.0, 0.0, 0.0
            self._held = replace(self._held, direction="")

    def _commit(self) -> None:
        """Put the world back and take what was tried out as one action."""
        if self._kept is None:
            return
        self.episode.world.restore(self._kept)
        self._kept, steps, self._steps = None, self._steps, 0
        if steps == 0:
            yaw = (self._yaw + 180.0) % 360.0 - 180.0
            pitch = min(max(self._pitch, -90.0), 90.0)
            self.episode.act({"action": "look", "yaw": round(yaw, 1), "pitch": round(pitch, 1)})
            return
        seconds = max(steps, SHORTEST_STEPS) * STEP_S
        action: dict[str, Any] = {
            "action": "sprint" if self._held.sprint else "move",
            "dir": self._held.direction,
            "seconds": round(max(seconds, MIN_S), 6),
        }
        for key, turned in (("yaw_rate", self._yaw), ("pitch_rate", self._pitch)):
            if rate := round(min(max(turned / seconds, -RATE_DEG_S), RATE_DEG_S), 2):
                action[key] = rate
        self.episode.act(action)
