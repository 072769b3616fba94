"""The map that a walker carries: an overhead view to pan, zoom, turn and ask, never with a route on it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.base import Frame, Renderer
from citysim.render.mapmarks import PIN, MapPoint
from citysim.render.mapselect import MapSelection, map_select
from citysim.render.mapview import MapView
from citysim.render.overhead import draw_map
from citysim.tasks.actions import Action
from citysim.tasks.base import Goal
from citysim.tasks.parts import Point

OPENING_M = 400.0
"""Metres from the upper to the lower edge of the map when it is opened."""


class MapTool:
    """The map's state during one episode; `view` is None while it is closed.

    It opens over the walker, north up. `renderer` None draws nothing, and then nothing can be asked.
    """

    def __init__(self, city: City, renderer: Renderer | None, size: tuple[int, int], goal: Goal) -> None:
        self.city, self.renderer, self.size = city, renderer, size
        self.points = map_points(goal)
        self.view: MapView | None = None
        self._drawn: tuple[MapView, Frame] | None = None  # what `map_select` asks about

    @property
    def mode(self) -> str:
        """What the walker looks at: "map" while it is open, else "first_person"."""
        return "first_person" if self.view is None else "map"

    def act(self, action: Action, pose: Pose) -> tuple[str, ...]:
        """Carry out open_map, close_map or an action of the open map; returns what it has to tell."""
        if action.name == "open_map":
            extent = OPENING_M / self.size[1]
            self.view = MapView.of(self.city, self.size, center=(pose.east, pose.north), metres_px=extent)
        elif action.name == "close_map":
            self.view = None
        elif self.view is None:
            raise InputError("an open map", f"'{action.name}' while it is closed", "open_map first")
        elif action.name == "map_pan":
            self.view = self.view.pan(action.east_m, action.north_m)
        elif action.name == "map_zoom":
            self.view = self.view.zoom(action.factor)
        elif action.name == "map_orbit":
            self.view = self.view.orbit(action.yaw_deg, action.pitch_deg)
        elif action.name == "map_select":
            return (self._selected(self.view, action.x, action.y),)
        return ()

    def picture(self, pose: Pose, closures: Sequence[NDArray[np.float64]] = ()) -> NDArray[np.uint8] | None:
        """(H, W, 3) uint8: the open map with the walker, the points of the task and closed lines; None if closed."""
        if self.view is None or self.renderer is None:
            return None
        frame = draw_map(self.renderer, self.city, self.view, marker=pose, points=self.points, closures=closures)
        self._drawn = (self.view, frame)
        return frame.rgb

    def _selected(self, view: MapView, x: float, y: float) -> str:
        if self.renderer is None:
            return "nothing can be told of a map that is not drawn"
        if self._drawn is None or self._drawn[0] != view:
            self._drawn = (view, draw_map(self.renderer, self.city, view))
        found = map_select(self.city, view, self._drawn[1], x * self.size[0], y * self.size[1])
        return _told(found)


def map_points(goal: Goal) -> tuple[MapPoint, ...]:
    """Labelled points that a task gives: its start, and where it states them its goal or its stops."""
    start = _pin((goal.start.east, goal.start.north, goal.start.up), "Start", "#1a7f37")
    if goal.question is not None or not goal.stated:
        return (start,)
    if goal.stops:
        return (start, *(_pin(stop.position, stop.name) for stop in goal.stops))
    return (start, _pin(goal.position, f"Goal: {goal.name}" if goal.name else "Goal"))


def _pin(at: Point, label: str, color: str = PIN) -> MapPoint:
    return MapPoint(at[0], at[1], label, at[2], color)


def _told(found: MapSelection) -> str:
    lon, lat = found.lonlat
    kind = found.category.replace("_", " ")
    what = f"{found.name} ({kind})" if found.name and kind else found.name or kind or "nothing with a name"
    address = f", {found.place.address}" if found.place is not None and found.place.address else ""
    return f"here stands {what}{address}, at latitude {lat:.6f}, longitude {lon:.6f}"
