"""How wide a way is: what is tagged, else what its class has in a European town, then what fits the street."""

from collections.abc import Sequence

import numpy as np
from shapely import STRtree, distance, intersection, line_interpolate_point, linestrings, points
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from citysim.build.adding import plain_sum
from citysim.build.osm.tagvalues import Tags, integer, metres
from citysim.build.plans import DRIVE_KINDS

WIDEST = 40.0  # metres: "64" occurs and means the square, not the street
PAVEMENT = 1.5  # metres left between a carriageway and a facade
TO_SIDEWALK = 1.0  # metres between a kerb and the centre line of a mapped pavement
_LANE = {"motorway": 3.5, "trunk": 3.5, "primary": 3.25, "secondary": 3.25, "tertiary": 3.0}
_DEFAULT = {
    "living_street": 5.5,
    "service": 3.5,
    "busway": 3.5,
    "tram": 2.6,
    "pedestrian": 6.0,
    "footway": 2.5,
    "sidewalk": 2.5,
    "path": 1.5,
    "cycleway": 2.5,
    "steps": 2.0,
    "escalator": 1.6,
    "crossing": 4.0,
    "platform": 3.0,
    "corridor": 3.0,
    "elevator": 1.6,
}


def lane_count(tags: Tags, kind: str, oneway: bool) -> int:
    """Lanes as tagged (1 to 8), else two, or one on narrow one-way streets."""
    tagged = integer(tags.get("lanes"))
    if 1 <= tagged <= 8:
        return tagged
    if tags.get("highway", "").endswith("_link") or kind in ("service", "busway", "tram"):
        return 1
    return 1 if oneway and kind not in ("motorway", "trunk", "primary", "secondary") else 2


def tagged_width(tags: Tags) -> float | None:
    """The sum of lane widths, else `width`, else `est_width`; None where absent or beyond 40 m."""
    lanes = [metres(part, low=1.5, high=8.0) for part in tags.get("width:lanes", "").split("|")]
    if all(lane is not None for lane in lanes):
        return plain_sum(lane for lane in lanes if lane is not None)
    for key in ("width", "width:carriageway", "est_width"):
        found = metres(tags.get(key), low=0.5, high=WIDEST)
        if found is not None:
            return found
    return None


def way_width(tags: Tags, kind: str, oneway: bool) -> float:
    """Metres between the kerbs, or the walkable width of a footway, before fitting."""
    tagged = tagged_width(tags)
    if tagged is not None:
        return max(tagged, 2.5) if kind in DRIVE_KINDS else max(tagged, 0.9)
    lanes = lane_count(tags, kind, oneway)
    if kind in _LANE:
        return lanes * _LANE[kind] + (0.75 if lanes == 1 else 0.0)
    if kind in ("residential", "unclassified"):
        return lanes * 2.75 + 2.0  # a parking strip; fitting takes it away where there is no room
    if kind == "service" and integer(tags.get("lanes")) >= 2:
        return 5.5
    if kind == "service" and tags.get("service") in ("alley", "driveway"):
        return 3.0
    if kind == "path" and tags.get("highway") == "track":
        return 2.5
    return _DEFAULT.get(kind, 2.5)


def least_width(kind: str, lanes: int) -> float:
    """Metres that fitting never goes below."""
    if kind in DRIVE_KINDS:
        return max(2.5, 2.5 * lanes) if kind != "tram" else 2.6
    return 1.5


class Fitting:
    """Shrinks ways that would overlap facades or mapped pavements."""

    def __init__(self, facades: Sequence[BaseGeometry], sidewalks: Sequence[LineString]) -> None:
        self._facades = STRtree(facades)
        segments = [
            (a, b) for line in sidewalks for a, b in zip(line.coords[:-1], line.coords[1:], strict=True) if a != b
        ]
        self._walks = linestrings(np.array(segments).reshape(-1, 2, 2)) if segments else np.empty(0, dtype=object)
        self._headings = np.array([_heading(a, b) for a, b in segments])
        self._walk_tree = STRtree(self._walks)

    def fit(self, line: LineString, kind: str, lanes: int, width: float) -> float:
        """The width that leaves 1.5 m to facades (0 for footways) and keeps mapped pavements off the carriageway."""
        drive = kind in DRIVE_KINDS
        stations = np.arange(min(4.0, line.length / 2), line.length, 4.0)
        at = line_interpolate_point(line, stations)
        if not len(at):
            return width
        half = width / 2
        _, gaps = self._facades.query_nearest(at, max_distance=half + PAVEMENT, return_distance=True, all_matches=False)
        # nearer than 1 m the way enters the building: a passage, or a fault the street builder settles
        gaps = gaps[gaps > 1.0]
        if len(gaps):
            half = min(half, float(np.min(gaps)) - (PAVEMENT if drive else 0.0))
        if drive and kind != "tram" and len(self._walks):
            sides = self._sidewalk_gaps(line, stations, half + TO_SIDEWALK)
            if len(sides):
                half = min(half, float(np.percentile(sides, 20)) - TO_SIDEWALK)
        return min(width, max(2 * half, least_width(kind, lanes)))

    def _sidewalk_gaps(self, line: LineString, stations: np.ndarray, reach: float) -> np.ndarray:
        """Perpendicular metres from each station to a pavement that runs parallel within `reach`."""
        found: list[float] = []
        for station in stations:
            here = line.interpolate(float(station))
            ahead = line.interpolate(min(float(station) + 1.0, line.length))
            back = line.interpolate(max(float(station) - 1.0, 0.0))
            east, north = ahead.x - back.x, ahead.y - back.y
            length = float(np.hypot(east, north))
            if length < 0.5:
                continue
            across = np.array([-north, east]) / length * reach
            ray = LineString([(here.x - across[0], here.y - across[1]), (here.x + across[0], here.y + across[1])])
            hits = np.sort(self._walk_tree.query(ray, predicate="intersects"))
            turn = np.abs((self._headings[hits] - _heading((0, 0), (east, north)) + 90) % 180 - 90)
            hits = hits[turn < 25]
            if len(hits):
                met = distance(points(here.x, here.y), intersection(self._walks[hits], ray))
                found += [float(m) for m in met if m > 1.5]
        return np.array(found)


def _heading(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.degrees(np.arctan2(b[1] - a[1], b[0] - a[0])) % 180)
