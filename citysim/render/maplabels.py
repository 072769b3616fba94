"""Which names a map shows, and where: streets along their lines, areas in their middles, places at their doors."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from citysim.city import City, CityObject, Place
from citysim.fonts.layout import drawable
from citysim.render.camera import Camera

Array = NDArray[np.float64]

STEP_M = 8.0  # between the points that stand for a street's line
GAP_M = 45.0  # a junction: a street goes on behind one
SIDES_M = 28.0  # how far apart the lines of one street lie, pavement to pavement
ELONGATED = 3.5  # how much longer than wide the ways of one name are where they are a street, not a square
FAR_APART_PX = 560.0  # a name is said again after so many pixels
AREAS = ("park", "square", "water", "garden", "cemetery", "playground", "pitch")
LANDMARKS = {
    "townhall", "place_of_worship", "museum", "station", "theatre", "university", "library", "hotel", "hospital",
    "school", "cinema", "stadium", "attraction", "monument", "castle", "arts_centre", "ferry_terminal", "bus_station",
}  # fmt: skip
LANDMARK_PX_M, PLACE_PX_M = 0.45, 1.1  # pixels a metre from which landmarks and other places are named


@dataclass(frozen=True, slots=True)
class MapName:
    """A name with pixels it may stand at, best first; `angle` in degrees counter-clockwise."""

    text: str
    anchors: tuple[tuple[float, float], ...]
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class _Atlas:
    """What names need of a city, computed once: points and directions along each street, areas and places."""

    streets: dict[str, tuple[Array, Array]]  # name: (n, 3) points, (n, 2) unit directions
    areas: tuple[tuple[str, CityObject], ...]
    buildings: tuple[tuple[str, CityObject], ...]
    places: tuple[tuple[str, bool, Place], ...]  # name, whether a landmark


_ATLASES: "WeakKeyDictionary[City, _Atlas]" = WeakKeyDictionary()


def street_names(city: City, camera: Camera, width_of: "dict[str, float]") -> Iterator[MapName]:
    """Streets in the picture, those with most room first; `width_of` says how many pixels wide a name is drawn."""
    rows: list[tuple[float, str, MapName]] = []
    for name, (points, directions) in _atlas(city).streets.items():
        pixels = camera.project(points)[:, :2]
        ends = camera.project(points + np.pad(directions, ((0, 0), (0, 1))))[:, :2]
        inside = ((pixels >= 0.0) & (pixels < camera.size)).all(axis=1)
        wide = width_of.get(name, 0.0)
        tried: list[tuple[float, tuple[float, float], float]] = []
        numbers = np.flatnonzero(inside)
        for number in numbers[:: max(1, len(numbers) // 14)]:
            along = ends[number] - pixels[number]
            size = math.hypot(*along)
            if size > 0.0:
                tried.append(_room(pixels, number, along / size, wide, camera))
        tried.sort(key=lambda row: -row[0])
        kept: list[tuple[float, tuple[float, float], float]] = []
        for room, where, angle in tried:
            if room >= 0.8 * wide and all(math.dist(where, k[1]) > FAR_APART_PX for k in kept):
                kept.append((room, where, angle))
        for repeat, (room, where, angle) in enumerate(kept):
            others = tuple(w for _, w, a in tried if math.dist(w, where) < FAR_APART_PX / 2 and abs(a - angle) < 1.0)
            rows.append((repeat * 1e6 - room, name, MapName(name, (where, *others), angle)))
    for _, _, row in sorted(rows, key=lambda row: row[:2]):
        yield row


def area_names(city: City, camera: Camera, width_of: "dict[str, float]") -> Iterator[MapName]:
    """Parks, squares and waters that are wide enough for most of their names, the largest first."""
    return _in_middles(_atlas(city).areas, camera, width_of, 0.6)


def building_names(city: City, camera: Camera, width_of: "dict[str, float]") -> Iterator[MapName]:
    """Named buildings that no place is called after and that are as wide as their names, the largest first."""
    return _in_middles(_atlas(city).buildings, camera, width_of, 1.0)


def _in_middles(
    things: tuple[tuple[str, CityObject], ...], camera: Camera, width_of: "dict[str, float]", share: float
) -> Iterator[MapName]:
    found = []
    for name, thing in things:
        e0, n0, _, e1, n1, u1 = thing.bounds
        corners = camera.project([(e, n, u1) for e in (e0, e1) for n in (n0, n1)])[:, :2]
        low, high = corners.min(axis=0), corners.max(axis=0)
        middle = (low + high) / 2
        if high[0] - low[0] < share * width_of.get(name, 0.0) or not _inside(middle, camera):
            continue
        x, y = float(middle[0]), float(middle[1])
        third = float(high[1] - low[1]) / 4
        found.append((-float((high - low).prod()), name, ((x, y), (x, y + third), (x, y - third))))
    for _, name, anchors in sorted(found):
        yield MapName(name, anchors)


def place_names(city: City, camera: Camera) -> Iterator[tuple[str, tuple[float, float], bool]]:
    """Places whose doors are in the picture, landmarks first: name, pixel, whether a landmark."""
    if camera.focal_px < LANDMARK_PX_M:
        return
    rows = [row for row in _atlas(city).places if row[1] or camera.focal_px >= PLACE_PX_M]
    if not rows:
        return
    pixels = camera.project([place.entrance for _, _, place in rows])[:, :2]
    seen: set[str] = set()
    for (name, landmark, _), pixel in zip(rows, pixels, strict=True):
        if name not in seen and _inside(pixel, camera):
            seen.add(name)
            yield name, (float(pixel[0]), float(pixel[1])), landmark


def every_name(city: City) -> list[str]:
    """All names that `street_names`, `area_names` and `building_names` may ask the width of."""
    atlas = _atlas(city)
    return [*atlas.streets, *(name for name, _ in atlas.areas), *(name for name, _ in atlas.buildings)]


def _room(
    pixels: Array, number: int, along: Array, wide: float, camera: Camera
) -> tuple[float, tuple[float, float], float]:
    """Pixels of free line around a point of a street, where a name would stand best on it, and its angle."""
    scale = camera.focal_px
    offset = pixels - pixels[number]
    far, side = offset @ along, offset @ np.array([-along[1], along[0]])
    on = np.abs(side) < max(0.3 * SIDES_M * scale, 3.0)
    reach = np.sort(far[on])
    zero = int(np.searchsorted(reach, 0.0))
    breaks = np.flatnonzero(np.diff(reach) > max(GAP_M * scale, 2.0))
    first = reach[breaks[breaks < zero][-1] + 1] if (breaks < zero).any() else reach[0]
    last = reach[breaks[breaks >= zero][0]] if (breaks >= zero).any() else reach[-1]
    # As far as the picture goes, with half a name to spare.
    limits = [first, last]
    for axis in (0, 1):
        if abs(along[axis]) > 1e-9:
            edges = sorted((edge - pixels[number, axis]) / along[axis] for edge in (0.0, camera.size[axis]))
            limits = [max(limits[0], edges[0]), min(limits[1], edges[1])]
    middle = min(max((limits[0] + limits[1]) / 2, -wide / 4), wide / 4)
    near = (np.abs(far - middle) < 10.0 * scale) & (np.abs(side) < SIDES_M * scale)
    across = (float(side[near].min()) + float(side[near].max())) / 2 if near.any() else 0.0
    where = pixels[number] + along * middle + np.array([-along[1], along[0]]) * across
    angle = -math.degrees(math.atan2(along[1], along[0]))
    angle = angle - 180.0 if angle > 90.0 else angle + 180.0 if angle <= -90.0 else angle
    return float(limits[1] - limits[0]), (float(where[0]), float(where[1])), angle


def _inside(pixel: Array, camera: Camera) -> bool:
    return bool(0 <= pixel[0] < camera.size[0] and 0 <= pixel[1] < camera.size[1])


def _atlas(city: City) -> _Atlas:
    found = _ATLASES.get(city)
    if found is None:
        found = _ATLASES[city] = _make_atlas(city)
    return found


def _make_atlas(city: City) -> _Atlas:
    lines: dict[str, list[tuple[Array, Array]]] = {}
    for edge in city.network.edges:
        name = _both(edge.attributes.get("StreetNameEN"), edge.attributes.get("StreetNameTC"))
        if name:
            lines.setdefault(name, []).append(_sampled(edge.line))
    streets = {
        name: (np.concatenate([p for p, _ in parts]), np.concatenate([d for _, d in parts]))
        for name, parts in lines.items()
    }
    # A way across a square bears the square's name, and a paved street may be mapped as an area: it is either.
    areas = [(_said(thing.name), thing) for thing in city.objects if thing.category in AREAS]
    areas = [(name, thing) for name, thing in areas if name and not (name in streets and _elongated(streets[name][0]))]
    taken = {name for name, _ in areas}
    streets = {name: row for name, row in streets.items() if name not in taken}
    rows = []
    for place in city.places:
        chinese = next((a for a in place.aliases if _foreign(a)), None)
        name = _both(place.name, chinese)
        if name:
            rows.append((name, place.category in LANDMARKS, place))
    rows.sort(key=lambda row: (not row[1], row[0], row[2].id))
    taken |= {place.name for place in city.places}
    houses = [
        (_said(thing.name), thing) for thing in city.objects if thing.category == "building" and thing.name not in taken
    ]
    return _Atlas(streets, tuple(areas), tuple(row for row in houses if row[0]), tuple(rows))


def _elongated(points: Array) -> bool:
    """Whether points spread along a line rather than over an area."""
    if len(points) < 3:
        return True
    across, along = np.linalg.eigvalsh(np.cov(points[:, :2].T))
    return bool(along > ELONGATED * ELONGATED * max(float(across), 0.0))


def _said(name: object) -> str:
    text = " ".join(str(name or "").split())
    return text if text and drawable(text, "round") else ""


def _foreign(text: str) -> bool:
    """Whether a name is in another script than Latin: Chinese, Japanese, Cyrillic and the like."""
    return any(ord(letter) > 0x24F for letter in text if letter.isalpha())


def _both(name: object, other: object) -> str:
    """A name, followed by its form in another script where the typefaces can draw that."""
    first, second = _said(name), _said(other)
    if not first:
        return second
    if second and _foreign(second) and not _foreign(first) and second not in first and drawable_whole(second):
        return f"{first} {second}"
    return first


def drawable_whole(text: str) -> bool:
    """Whether the typefaces have every letter."""
    from citysim.fonts.layout import runs

    return "".join(part for _, part in runs(text, "round")) == " ".join(text.split())


def _sampled(line: Array) -> tuple[Array, Array]:
    """Points every few metres along a line, and the directions there."""
    points, directions = [], []
    for a, b in pairwise(line):
        length = float(np.hypot(*(b - a)[:2]))
        if length < 0.01:
            continue
        count = max(1, math.ceil(length / STEP_M))
        at = (np.arange(count) + 0.5) / count
        points.append(a + at[:, None] * (b - a))
        directions.append(np.broadcast_to((b - a)[:2] / length, (count, 2)))
    if not points:
        return np.zeros((0, 3)), np.zeros((0, 2))
    return np.concatenate(points), np.concatenate(directions)
