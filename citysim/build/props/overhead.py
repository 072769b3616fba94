"""Lamps below roofs: in arcades, roofed walks, subways, passages and lifts, below decks and canopies."""

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from citysim.build.covering import LIFT, ceilings, covered_edges
from citysim.build.draft import CityDraft, MaterialSpec
from citysim.build.facade import Facade
from citysim.build.mesh import Detail, snap

KIND = "ceiling_lamp"
MATERIAL = "props/ceiling_lamp"
STEP = 7.0  # metres between lamps along a line
APART = 4.5  # metres between any two lamps
LOW, HIGH = 2.15, 8.0  # metres above a line between which a lamp hangs
LONG, WIDE, THICK = 0.9, 0.16, 0.07  # metres
SINK = 0.004  # metres by which a lamp is let into its ceiling
SHALLOW, LIT = 1.5, 13.0  # metres: canopies that reach out less have none, nor those with a street lamp this near
STEEP = 0.8  # rise of a ceiling from which no lamp hangs on it
FACES = ((0, 1, 2, 3), (4, 5, 1, 0), (5, 6, 2, 1), (6, 7, 3, 2), (7, 4, 0, 3))  # below, then the four sides


def hang_lamps(draft: CityDraft, facades: Sequence[Facade]) -> None:
    """Add lamps, each an object, below every roof over a walked line, over the lower door of every lift, and below
    canopies that no street lamp reaches.
    """
    at = [_stations(edge.line) for edge in covered_edges(draft)]
    at += [_doorway(edge.line) for edge in draft.edges if edge.attributes["FeatureType"] == LIFT]
    draft.material(MATERIAL, MaterialSpec(color=(0.9, 0.88, 0.8, 1.0), emissive=(1.0, 0.86, 0.6)))
    hung: dict[tuple[int, int], list[NDArray[np.float64]]] = {}

    def hang(place: NDArray[np.float64], u: float, v: float, slope: NDArray[np.float64]) -> None:
        i, j = math.floor(place[0] / APART), math.floor(place[1] / APART)
        near = [p for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for p in hung.get((a, b), ())]
        if all(float(np.linalg.norm(p - place)) >= APART for p in near):
            hung.setdefault((i, j), []).append(place)
            _hang(draft, place, (u, v), slope)

    if at:
        spots = np.concatenate(at)
        heights, slopes = ceilings(draft, spots[:, :3])
        for (x, y, z, u, v), top, slope in zip(spots, heights, slopes, strict=True):
            if LOW <= top - z <= HIGH and math.hypot(*slope) <= STEEP:
                hang(np.array([x, y, top]), float(u), float(v), slope)
    for x, y, top, u, v in _dark_canopies(draft, facades):
        hang(np.array([x, y, top]), u, v, np.zeros(2))


def _dark_canopies(draft: CityDraft, facades: Sequence[Facade]) -> list[tuple[float, float, float, float, float]]:
    """Places below canopies (x, y, the underside's z) away from street lamps, and the unit vector along each wall."""
    lamps = [shapely.Point(thing.position[:2]) for thing in draft.objects if thing.category == "street_lamp"]
    tree = shapely.STRtree(lamps)
    found: list[tuple[float, float, float, float, float]] = []
    for facade in facades:
        for u0, u1, under, out in facade.covers:
            if out < SHALLOW or u1 - u0 < LONG + 0.4:
                continue
            count = max(round((u1 - u0) / STEP), 1)
            for k in range(count):
                x, y = facade.at(u0 + (u1 - u0) * (k + 0.5) / count, 0.72 * out)
                if not len(tree.query(shapely.Point(x, y), predicate="dwithin", distance=LIT)):
                    found.append((x, y, under, -facade.normal[1], facade.normal[0]))
    return found


def _stations(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 5) places along a line (N, 3) about STEP apart, and the unit vector along it at each."""
    pieces = np.diff(line[:, :2], axis=0)
    lengths = np.hypot(*pieces.T)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    count = max(round(float(along[-1]) / STEP), 1)
    at = (np.arange(count) + 0.5) / count * along[-1]
    piece = np.clip(np.searchsorted(along, at, side="right") - 1, 0, len(pieces) - 1)
    return np.column_stack(
        [
            *(np.interp(at, along, line[:, k]) for k in range(3)),
            pieces[piece] / np.maximum(lengths[piece], 1e-9)[:, None],
        ]
    )


def _doorway(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1, 5) the place inside a lift's shaft where one enters below."""
    foot = line[np.argmin(line[:, 2])]
    return np.array([[foot[0], foot[1], foot[2], 1.0, 0.0]])


def _hang(draft: CityDraft, place: NDArray[np.float64], along: tuple[float, float], slope: ArrayLike) -> None:
    """One lamp along a line, in the plane of its ceiling."""
    u = np.asarray(along)
    side = np.array([-u[1], u[0]])
    plan = np.array([u * a * LONG / 2 + side * b * WIDE / 2 for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))])
    top = place[2] + plan @ np.asarray(slope) + SINK
    xy = place[:2] + plan
    points = snap(np.concatenate([np.column_stack([xy, top - THICK]), np.column_stack([xy, top])]))
    low, high = points.min(axis=0), points.max(axis=0)
    e0, n0, u0, e1, n1, u1 = (float(w) for w in (*low, *high))
    number = draft.add_object(
        KIND,
        (round(float(place[0]), 3), round(float(place[1]), 3), round(float(place[2]), 3)),
        heading_deg=round(math.degrees(math.atan2(u[0], u[1])) % 360.0, 2),
        bounds=(e0, n0, u0, e1, n1, u1),
        color="#f5f0e0",
        color_name="white",
        material="painted metal",
        size_m=[round(float(w), 2) for w in high - low],
    )
    corners = points[np.array(FACES)].reshape(-1, 3)
    first = 4 * np.arange(len(FACES))[:, None]
    triangles = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])])
    draft.mesh.add(corners, triangles, None, MATERIAL, number, Detail.FINE)
