"""The oracle: walks the shortest network routes through the same actions, physics and budget as any agent."""

import math
from typing import Any

import numpy as np

from citysim.agents.base import AgentContext, AgentSpec, Privileged, privileges
from citysim.agents.path import Path
from citysim.agents.plan import NEAR_M, plan_of
from citysim.agents.pursuit import choose
from citysim.errors import InputError
from citysim.pose import Pose, wrap_angle
from citysim.tasks.actions import STEP_S
from citysim.tasks.episode import Observation
from citysim.tasks.parts import Point

CORRIDOR_M = 0.45
"""How far it lets itself stray from the line: pavements are wider, stairs and doors hardly."""
LIFTS = (10, 13, 18, 21)
"""FeatureTypes that it goes round: it does not wait."""
DETOURS: tuple[dict[str, Any], ...] = (
    {"action": "move", "dir": "left", "seconds": 0.6},
    {"action": "move", "dir": "right", "seconds": 1.2},
    {"action": "move", "dir": "backward", "seconds": 0.8},
    {"action": "move", "dir": "left", "seconds": 1.2},
    {"action": "move", "dir": "right", "seconds": 2.0},
)
"""Side steps tried in turn when something stands in the way."""


class OracleAgent:
    """Follows the route, turning while it runs; side-steps what blocks it, and takes another way when nothing helps."""

    spec = AgentSpec("oracle", privileged=("pose", "goal", "network"), sees=False)

    def begin(self, context: AgentContext) -> None:
        """Plan the route; nothing is kept from the last episode."""
        self._known: Privileged = privileges(context)
        self._lifts = frozenset(e.id for e in self._known.network.edges if e.attributes.get("FeatureType") in LIFTS)
        self._aims = plan_of(self._known)
        self._next = 0  # number of the point under way
        self._closed: frozenset[int] = frozenset()
        self._blocked = 0
        self._detour = 0
        self._expected: tuple[float, float] | None = None  # where on the path, and the gain hoped for
        self._where = 0.0  # arc length on the path
        self._plan(self._known.pose())

    def act(self, observation: Observation) -> dict[str, Any]:
        """The next action; turns on the spot only where no walk gets on."""
        if observation.mode == "answer":
            return {"answer": self._aims.answer}
        pose = self._known.pose()
        points, last = self._aims.points, len(self._aims.points) - 1
        if self._aims.stay and (not points or (self._next == last and _apart(pose, points[last]) < NEAR_M)):
            return {"action": "terminate"}
        if self._next < last and _apart(pose, points[self._next]) < NEAR_M:
            self._next += 1
            self._expected = None
            self._plan(pose)
        before = self._where
        self._where, away = self._path.locate(pose.position, self._where)
        if away > 8.0:
            self._plan(pose)
        elif self._expected is not None and self._where - before < 0.25 * self._expected[1]:
            self._blocked += 1
            self._expected = None
            return self._sidestep(pose)
        elif self._expected is not None:
            self._blocked = 0
        self._expected = None
        if self._path.length - self._where < 0.5:
            return self._straight(pose)
        found = choose(self._path, pose, self._where, CORRIDOR_M)
        if found is None:
            return self._turn(pose)
        self._expected = (self._where, found.gain_m)
        action: dict[str, Any] = {"action": found.name, "dir": "forward", "seconds": round(found.steps * STEP_S, 6)}
        return action | ({"yaw_rate": found.yaw_rate_deg_s} if found.yaw_rate_deg_s else {})

    def _plan(self, pose: Pose) -> None:
        if not self._aims.points:
            return
        goal = np.array(self._aims.points[self._next])
        try:
            route = self._aims.network.route(pose.position, goal, closed=self._closed | self._lifts)
            points = route.points
        except InputError:
            self._closed = frozenset()
            points = np.stack([pose.position, goal])
        self._path = Path(points)
        self._where = 0.0

    def _turn(self, pose: Pose) -> dict[str, Any]:
        ahead = self._path.point_at(self._where + 1.5)
        off = wrap_angle(math.atan2(ahead[1] - pose.north, ahead[0] - pose.east) - pose.yaw)
        if abs(off) < math.radians(2.0):  # already facing it: nothing but walking is left
            self._expected = (self._where, 0.5)
            return {"action": "move", "dir": "forward", "seconds": 0.5}
        return {"action": "look", "yaw": round(-math.degrees(off), 3)}

    def _straight(self, pose: Pose) -> dict[str, Any]:
        """Within half a metre of the end: straight at the goal."""
        east, north, _ = self._aims.points[self._next]
        off = wrap_angle(math.atan2(north - pose.north, east - pose.east) - pose.yaw)
        if abs(off) > math.radians(15.0):
            return {"action": "look", "yaw": round(-math.degrees(off), 3)}
        return {"action": "sprint", "dir": "forward", "seconds": 1.0}

    def _sidestep(self, pose: Pose) -> dict[str, Any]:
        """Go round what is in the way; after every second round of side steps close the edge and plan anew."""
        if self._blocked > 2 * len(DETOURS):
            snap = self._aims.network.snap(self._path.point_at(self._where + 1.0))
            if snap is not None:
                self._closed |= {self._aims.network.edges[snap.edge].id}
            self._blocked = 0
            self._plan(pose)
        step = DETOURS[self._detour % len(DETOURS)]
        self._detour += 1
        return dict(step)


def _apart(pose: Pose, point: Point) -> float:
    return math.hypot(pose.east - point[0], pose.north - point[1])
