"""Edges: noded walks become network edges with Hong Kong's attributes and heights of the very ground that is built."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.mesh import snap
from citysim.build.plans import WayPlan
from citysim.build.streets.flights import Flight
from citysim.build.streets.levels import Level
from citysim.build.streets.planar import key_of
from citysim.build.streets.site import is_drive
from citysim.build.streets.stairs import flight_line
from citysim.build.streets.walks import Walk
from citysim.build.streets.weave import graph_of
from citysim.geo.network import NetworkEdge

SPACING = 2.0  # metres between points of a line, at most
PROBE = 0.25  # metres between the heights that are looked at
FLAT = 0.008  # metres by which a line may differ from the ground between its points
CROSSINGS = (30, 31, 32, 33)
RAMP_LIMIT = 1 / 8  # steeper than this stops a wheelchair
ACCESS_LIMIT = 1 / 12


def chains(pieces: list[Walk], stops: set[tuple[int, int]]) -> list[Walk]:
    """Pieces of the same walk joined through nodes where nothing else meets, except at `stops`."""
    graph = graph_of(pieces)
    through = {
        node
        for node in graph
        if graph.degree(node) == 2
        and node not in stops
        and len({_identity(pieces[k]) for _, _, k in graph.edges(node, keys=True)}) == 1
    }
    done: set[int] = set()
    made = []
    for number, piece in enumerate(pieces):
        if number in done:
            continue
        done.add(number)
        points = [tuple(c[:2]) for c in piece.line.coords]
        for end in (-1, 0):
            while (node := key_of(points[end])) in through:
                onward = [k for _, _, k in graph.edges(node, keys=True) if k not in done]
                if not onward:
                    break
                done.add(onward[0])
                more = [tuple(c[:2]) for c in pieces[onward[0]].line.coords]
                if key_of(more[0]) != node:
                    more = more[::-1]
                points = points + more[1:] if end == -1 else more[:0:-1] + points
        made.append(piece.along(shapely.LineString(points)))
    return made


def _identity(walk: Walk) -> tuple[Any, ...]:
    return (walk.source, walk.feature, walk.name, walk.covered)


def lifted(
    lines: Sequence[shapely.LineString], height: Callable[[Any], NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    """For each line on the ground (K, 3) points close enough together that straight pieces follow the ground."""
    fine = [_probes(line) for line in lines]
    if not fine:
        return []
    z = snap(height(np.concatenate([points for points, _ in fine])))
    made = []
    at = 0
    for points, corner in fine:
        part = z[at : at + len(points)]
        at += len(points)
        made.append(np.column_stack([points, part])[_needed(points, part, corner)])
    return made


def _probes(line: shapely.LineString) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    corners = np.asarray(line.coords)[:, :2]
    gaps = np.hypot(*np.diff(corners, axis=0).T)
    fine = [corners[:1]]
    corner = [True]
    for a, b, gap in zip(corners[:-1], corners[1:], gaps, strict=True):
        count = max(math.ceil(gap / PROBE), 1)
        fine.append(a + (b - a) * (np.arange(1, count + 1)[:, None] / count))
        corner += [False] * (count - 1) + [True]
    return snap(np.concatenate(fine)), np.array(corner)


def _needed(xy: NDArray[np.float64], z: NDArray[np.float64], corner: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Indexes of the points a line needs: its corners, one every SPACING, and where the ground bends."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
    if z.max() - z.min() < FLAT:  # most of a city: every corner, and every eighth probe between
        since = np.arange(len(xy)) - np.maximum.accumulate(np.where(corner, np.arange(len(xy)), 0))
        return np.flatnonzero(corner | (since % round(SPACING / PROBE) == 0))
    kept = [0]
    at = 0
    s, h = along.tolist(), z.tolist()  # for a few numbers at a time quicker than arrays
    while at < len(xy) - 1:
        to = at + 1
        while to < len(xy) - 1 and not corner[to]:
            far = to + 1
            span = s[far] - s[at]
            if span > SPACING:
                break
            rise, run = h[far] - h[at], max(span, 1e-9)
            if any(abs(h[at] + rise * (s[k] - s[at]) / run - h[k]) > FLAT for k in range(at, far + 1)):
                break
            to = far
        kept.append(to)
        at = to
    return np.array(kept, dtype=np.int64)


def attributes(number: int, walk: Walk, line: NDArray[np.float64], **known: Any) -> dict[str, Any]:
    """Hong Kong's fields for one edge."""
    run = np.hypot(*np.diff(line[:, :2], axis=0).T)
    length = float(run.sum())
    rise = abs(float(line[-1, 2] - line[0, 2]))
    steepest = float(np.max(np.abs(np.diff(line[:, 2])) / np.maximum(run, 0.05))) if len(line) > 1 else 0.0
    way = walk.way
    covered = walk.covered or bool(way and (way.passage or way.covered))
    barrier = steepest > RAMP_LIMIT + 0.02
    made: dict[str, Any] = {
        "PedestrianRouteID": 1_000_000 + number,
        "FeatureType": walk.feature,
        "Location": 1,
        "WeatherProof": 1 if covered else 2,
        "WheelchairBarrier": 1 if barrier else 2,
        "WheelchairAccess": 2 if barrier or steepest > RAMP_LIMIT else 1,
        "ObstaclesType": 1,
        "Gradient": math.atan2(rise, max(length, 1e-6)),
        "Direction": 0,
        "Enabled": 1,
        "CrossingFeature": None,
        "StreetNameEN": walk.name or None,
        "AliasNameEN": None,
        "Shape_Length": round(length, 3),
    }
    if walk.feature in CROSSINGS:
        made["CrossingFeature"] = 2 if way is not None and way.crossing == "rail" else 1
    made.update(known)
    return made


def edge(number: int, walk: Walk, line: NDArray[np.float64], **known: Any) -> NetworkEdge:
    """One network edge."""
    return NetworkEdge(number, line, attributes(number, walk, line, **known))


def stair_edge(number: int, flight: Flight) -> NetworkEdge:
    """The network edge of a flight, from its lower to its upper end."""
    line = flight_line(flight)
    way = flight.way
    walk = Walk(shapely.LineString(line[:, :2]), 12, 0, way.name, way, flight.width, way.id)
    known = {"WheelchairBarrier": 1, "WheelchairAccess": 2, "AliasNameEN": way.name or None}
    if way.conveying:
        known |= {"FeatureType": 8, "Direction": way.conveying if flight.upwards else -way.conveying}
    return edge(number, walk, line, **known)


def level_edges(first: int, level: Level) -> list[NetworkEdge]:
    """The network edges of a bridge or subway, numbered from `first`; stretches end where ways or stairs meet."""
    made: list[NetworkEdge] = []
    for way, a, b in level.stretches:
        start, end = np.array(a), np.array(b)
        count = max(math.ceil(float(np.hypot(*(end - start))) / SPACING), 1)
        xy = start + (end - start) * (np.arange(count + 1)[:, None] / count)
        line = snap(np.column_stack([xy, np.full(count + 1, level.z)]))
        walk = Walk(shapely.LineString(line[:, :2]), 4 if level.below else 2, 0, way.name, way, way.width, way.id)
        known = {"WeatherProof": 1} if level.below or way.covered else {}
        made.append(edge(first + len(made), walk, line, **known))
    return made


def overpass_edge(number: int, way: WayPlan, line: NDArray[np.float64]) -> NetworkEdge:
    """The network edge of a line (K, 3) over a bridge and its ramps."""
    walk = Walk(shapely.LineString(line[:, :2]), 1 if is_drive(way) else 2, 0, way.name, way, way.width, way.id)
    return edge(number, walk, line, **({"WeatherProof": 1} if way.covered else {}))
