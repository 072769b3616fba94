"""FreeWalk: a city to stroll through in real time, with sliders for the hour, the weather and the people."""

import math
from typing import Any

from citysim.city import City
from citysim.city.checks import is_number, is_text
from citysim.conditions import WEATHERS
from citysim.errors import InputError, UnknownNameError
from citysim.living.spec import CrowdSpec
from citysim.serve.play_controls import TURN_DEG_S, Controls, pair
from citysim.serve.session import Session
from citysim.serve.settings import Settings
from citysim.serve.stages import Stages
from citysim.serve.taskbook import TaskBook
from citysim.tasks.actions import DIRECTIONS, MAP_NAMES, SPRINT_M_S, STEP_S, WALK_M_S, parse_action
from citysim.tasks.suite import Suite
from citysim.tasks.text import shown
from citysim.world import Command

MOST_PEOPLE = 200
AROUND_M = 60.0
MOST_AT_ONCE = 12
MAP_S = 1.0
"""An open map is drawn anew so often; what is on it hardly changes."""


class FreeWalk:
    """A walk without a task: time passes by itself, nothing is counted and nothing recorded."""

    done = False

    def __init__(self, city: City, stages: Stages, settings: Settings) -> None:
        self.session = Session("free", TaskBook(Suite("free", "1", ()), [city]), stages, settings)
        self.session.leave()
        self.notices: tuple[str, ...] = ()
        self._since_drawn = 0.0

    def tick(self, controls: Controls, seconds: float) -> bool:
        """Let so much time pass; whether something changed to be seen. Raises SimulationFault."""
        world, tool = self.session.world, self.session.map
        jump, requests = False, controls.asked()
        for request in requests:
            jump = self._request(request) or jump
        yaw, pitch = controls.looked()
        steps, held = min(max(round(seconds / STEP_S), 1), MOST_AT_ONCE), controls.held
        if tool is not None and tool.view is not None:
            world.advance(Command(), steps)
            self._since_drawn += seconds
            return bool(requests) or self._since_drawn > MAP_S
        world.look(-math.radians(yaw), math.radians(pitch))
        ahead, left = DIRECTIONS[held.direction] if held.direction else (0.0, 0.0)
        speed = SPRINT_M_S if held.sprint else WALK_M_S
        turn = -math.radians(held.turn * TURN_DEG_S)
        world.advance(Command(ahead * speed, left * speed, turn, 0.0, 0.0 if jump else None), steps)
        return True

    def told(self) -> dict[str, Any]:
        """What the page shows beside the picture."""
        world = self.session.world
        state = self.session.state()
        return {
            "mode": state["mode"],
            "time": state["time"],
            "weather": state["weather"],
            "heading_deg": round(world.pose.heading_deg, 1),
            "people": state["pedestrian_count"],
            "status": state["surface"],
            "notices": list(self.notices),
        }

    def _request(self, request: dict[str, Any]) -> bool:
        """Carry out a request; returns whether it was a jump."""
        session, tool = self.session, self.session.map
        assert tool is not None
        if "time" in request:
            hours = request["time"]
            if not is_number(hours) or not 0.0 <= hours < 24.0:
                raise InputError("hours from 0 to 24", shown(hours)[:80], "14.5")
            session.set_conditions(clock_s=round(float(hours) * 3600.0))
        elif "weather" in request:
            weather = request["weather"]
            if not is_text(weather) or weather not in WEATHERS:
                raise UnknownNameError.of("a weather", shown(weather)[:80], WEATHERS)
            session.set_conditions(weather=weather)
        elif "people" in request:
            people = request["people"]
            if not is_number(people) or not 0 <= people <= MOST_PEOPLE:
                raise InputError(f"people from 0 to {MOST_PEOPLE}", shown(people)[:80], "48")
            crowd = CrowdSpec(int(people), 0, radius_m=AROUND_M) if people >= 1 else None
            session.world.have_people(crowd)
        elif "map_drag" in request:
            right, down = pair(request["map_drag"], 2.0)
            if tool.view is not None:
                width, height = tool.view.size
                middle = (width / 2.0, height / 2.0)
                here, there = tool.view.to_local([middle, (middle[0] - right * width, middle[1] - down * height)])
                tool.view = tool.view.pan(float(there[0] - here[0]), float(there[1] - here[1]))
        elif "act" in request:
            action, _ = parse_action(request["act"], session.mode)
            if action.name in MAP_NAMES or action.name == "open_map":
                self.notices = tool.act(action, session.world.pose)
            return action.name == "jump"
        return False

    def picture(self) -> Any:
        """(H, W, 3) uint8."""
        self._since_drawn = 0.0
        return self.session.picture()

    def close(self) -> None:
        """Free the world."""
        self.session.close()


def weathers() -> list[str]:
    """The names for the page's list."""
    return list(WEATHERS)
