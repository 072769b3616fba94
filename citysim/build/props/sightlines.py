"""Sightlines: the ground before shop signs, which posts and trunks leave free so that passers-by can read them."""

import math
from collections import defaultdict

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from citysim.build.draft import CityDraft
from citysim.build.plans import Xy
from citysim.build.props.model import Model
from citysim.build.props.surroundings import Surroundings

DEEP, NEAR = 7.0, 4.2  # metres before a sign that are kept free where there is room, and rather than those of others
EDGE = 0.3  # metres at both ends of a sign, which may stand behind a post
TALL, SLENDER = 1.7, 1.6  # metres: what reaches over the eyes, and is narrow enough to stand between two shops
CROWN = 4.0  # metres that the crown of a tree reaches
STEP, LATERAL = 0.25, (0.0, -0.3, 0.3, -0.6, 0.6, -0.9, 0.9)  # metres between places tried along a wall, and across it
REACH = 3.5  # metres that a thing goes along the wall
SHORT = {"traffic_signals": 1.5, "crossing_globe": 0.75, "bus_stop": 2.5, "tram_stop": 2.5, "street_sign": 1.5}
BESIDE = 1.0  # metres between two that stepped aside: their plates are wider than their posts
APART = {"street_lamp": 9.0, "tree": 4.0, "tree_small": 3.0, "utility_pole": 9.0}  # metres between two of a kind


class Sightlines:
    """The rectangles before all fascias of a draft."""

    def __init__(self, draft: CityDraft) -> None:
        views: list[tuple[BaseGeometry, BaseGeometry]] = []
        along: list[Xy] = []
        for thing in draft.objects:
            if thing.category != "shop_sign" or thing.attributes.get("kind") != "fascia":
                continue
            turn = math.radians(thing.heading_deg)
            out, side = (math.sin(turn), math.cos(turn)), (math.cos(turn), -math.sin(turn))
            e0, n0, _, e1, n1, _ = thing.bounds
            half = ((e1 - e0) + (n1 - n0)) / (abs(side[0]) + abs(side[1])) / 2.0 - EDGE
            x, y = (e0 + e1) / 2.0, (n0 + n1) / 2.0
            if half > 0.2:
                wall = [(x + side[0] * a, y + side[1] * a) for a in (-half, half)]
                deep, near = (
                    shapely.Polygon([*wall, *((u + out[0] * far, v + out[1] * far) for u, v in reversed(wall))])
                    for far in (DEEP, NEAR)
                )
                views.append((deep, near))
                along.append(side)
        self._along = along
        self._deep, self._near = (shapely.STRtree([v[k] for v in views]) for k in (0, 1))
        self._stood: dict[str, list[Xy]] = defaultdict(list)
        self._aside: list[Xy] = []

    def step_aside(self, kind: str, model: Model, shape: BaseGeometry, xy: Xy, around: Surroundings) -> Xy | None:
        """Where a thing that would hide a sign stands between two instead; None where it hides none or has no room.

        `shape` is its footprint around the origin. The place is marked as occupied.
        """
        x0, y0, x1, y1 = shape.bounds
        if not len(self._along) or _height(model) < TALL or max(x1 - x0, y1 - y0) > SLENDER:
            return None
        here = _moved(shape, np.array([xy]))[0]
        for views in (self._deep, self._near):
            hidden = views.query(here, predicate="intersects")
            if not len(hidden):
                return None
            tries = self._tries(self._along[int(hidden.min())], SHORT.get(kind, REACH)) + np.asarray(xy)
            spot = self._free(kind, shape, np.round(tries * 1024) / 1024, views, around)
            if spot is not None:
                return spot
        return None

    def _free(
        self, kind: str, shape: BaseGeometry, points: NDArray[np.float64], views: shapely.STRtree, around: Surroundings
    ) -> Xy | None:
        """The first point where a thing hides nothing of some views, stands free and far from others of its kind."""
        shapes = _moved(shape, points)
        good = np.ones(len(points), dtype=bool)
        good[views.query(shapes, predicate="intersects")[0]] = False
        apart = APART.get(kind, 0.0)
        for x, y in self._stood[kind]:
            if abs(x - points[0, 0]) < apart + 2 * REACH and abs(y - points[0, 1]) < apart + 2 * REACH:
                good &= np.hypot(points[:, 0] - x, points[:, 1] - y) >= apart
        for x, y in self._aside:
            if abs(x - points[0, 0]) < BESIDE + 2 * REACH and abs(y - points[0, 1]) < BESIDE + 2 * REACH:
                good &= np.hypot(points[:, 0] - x, points[:, 1] - y) >= BESIDE
        left = np.flatnonzero(good)
        if len(left):
            left = left[around.free(shapes[left], False)]
        if not len(left):
            return None
        around.occupy(shapes[left[0]])
        self._aside.append((float(points[left[0], 0]), float(points[left[0], 1])))
        return self._aside[-1]

    def before(self, xy: Xy) -> bool:
        """Whether a place lies before a sign."""
        return len(self._deep.query(shapely.Point(xy), predicate="intersects")) > 0

    def near(self, xy: Xy) -> bool:
        """Whether a tree at a place would spread its crown before a sign."""
        return len(self._deep.query(shapely.Point(xy), predicate="dwithin", distance=CROWN)) > 0

    def stood(self, kind: str, xy: Xy) -> None:
        """Remember where a thing stands, from which others of its kind keep away."""
        if kind in APART:
            self._stood[kind].append(xy)

    @staticmethod
    def _tries(along: Xy, reach: float) -> NDArray[np.float64]:
        """(N, 2) offsets along a wall, near ones first."""
        steps = [STEP * k for k in range(1, int(reach / STEP) + 1)]
        flat = [(sign * s, lateral) for s in steps for lateral in LATERAL for sign in (1.0, -1.0)]
        flat.sort(key=lambda st: abs(st[0]) + abs(st[1]))
        return np.array([(along[0] * s - along[1] * t, along[1] * s + along[0] * t) for s, t in flat])


def _moved(shape: BaseGeometry, points: NDArray[np.float64]) -> NDArray[np.object_]:
    """(N,) a footprint at N places."""
    moved: NDArray[np.object_] = shapely.polygons(shapely.get_coordinates(shape)[None, :, :] + points[:, None, :])
    return moved


def _height(model: Model) -> float:
    """Metres from a model's foot to its top."""
    return max((float(p.positions[:, 2].max()) for p in model.pieces), default=0.0)
