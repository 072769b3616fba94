"""Clearance: the room above pavements, and who has taken it."""

import math
from collections import defaultdict

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST
from citysim.build.streets.site import OPEN_KINDS

Box = tuple[float, float, float, float, float, float]  # e0, n0, u0, e1, n1, u1
CELL = 6.0  # metres
FLUSH = 0.07  # metres: what stands out less from a wall is part of it
CLIMBED = (2, 8, 12)  # FeatureType: footbridges, escalators, stairs
ASIDE, HEADROOM = 0.6, 2.4  # metres that walkers take beside and above their lines there
UP = 0.5  # cosine: surfaces that face up more than this are ground or the top of something


class Clearance:
    """Boxes that signs must not enter: what buildings and bridges put over pavements, and other signs.

    With `survey` the meshes drawn so far are looked through; without, only boxes that were taken count.
    """

    def __init__(self, draft: CityDraft, survey: bool) -> None:
        solid = [b.polygon for b in draft.plan.buildings if b.min_height < 12.0 and b.kind not in OPEN_KINDS]
        self._walls = shapely.STRtree(solid) if solid else None
        self._taken: dict[tuple[int, int], list[Box]] = defaultdict(list)
        self._boxes: NDArray[np.float64] = np.zeros((0, 6))
        self._tree: shapely.STRtree | None = None
        if survey:
            self._boxes = np.concatenate([_attachments(draft, solid), _headroom(draft)])
            if len(self._boxes):
                self._tree = shapely.STRtree(shapely.box(*self._boxes[:, [0, 1, 3, 4]].T))

    def free(self, box: Box, margin: float = 0.3, own: shapely.Geometry | None = None) -> bool:
        """Whether a box, inflated by `margin`, meets nothing; with `own`, a footprint that no building may cover."""
        e0, n0, u0, e1, n1, u1 = box
        grown = (e0 - margin, n0 - margin, u0 - margin, e1 + margin, n1 + margin, u1 + margin)
        if any(_meet(grown, other) for key in _cells(grown) for other in self._taken.get(key, ())):
            return False
        if self._tree is not None:
            near = self._tree.query(shapely.box(e0 - 0.05, n0 - 0.05, e1 + 0.05, n1 + 0.05))
            found = self._boxes[near]
            if ((found[:, 2] < u1 + 0.05) & (found[:, 5] > u0 - 0.05)).any():
                return False
        return own is None or self._walls is None or not len(self._walls.query(own, predicate="intersects"))

    def soffit(self, box: Box) -> float:
        """The lowest underside over a box's ground plan that is above its foot (box[2]); infinite under the sky."""
        if self._tree is None:
            return math.inf
        near = self._tree.query(shapely.box(box[0], box[1], box[3], box[4]))
        heights = self._boxes[near, 2]
        over = heights[heights > box[2]]
        return float(over.min()) if len(over) else math.inf

    def take(self, box: Box) -> None:
        """Remember a box as taken."""
        for key in _cells(box):
            self._taken[key].append(box)


def _attachments(draft: CityDraft, solid: list[shapely.Polygon]) -> NDArray[np.float64]:
    """(N, 6) boxes of the triangles that stand in front of walls or over ways: not flush, not facing up."""
    parts = [p for p in draft.mesh.parts if p.detail in FINEST]
    if not parts:
        return np.zeros((0, 6))
    corners = np.concatenate([p.positions[p.triangles] for p in parts])
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    steep = normal[:, 2] < UP * np.linalg.norm(normal, axis=1)
    corners = corners[steep]
    if solid and len(corners):
        grown = shapely.buffer(np.array(solid, dtype=object), FLUSH, join_style="mitre", quad_segs=1)
        middle = shapely.points(corners[:, :, :2].mean(axis=1))
        hidden = np.zeros(len(corners), dtype=bool)
        hidden[shapely.STRtree(grown).query(middle, predicate="within")[0]] = True
        corners = corners[~hidden]
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def _headroom(draft: CityDraft) -> NDArray[np.float64]:
    """(N, 6) boxes of the room that walkers take on stairs, escalators and footbridges."""
    found = []
    for edge in draft.edges:
        if edge.attributes.get("FeatureType") in CLIMBED:
            a, b = edge.line[:-1], edge.line[1:]
            low, high = np.minimum(a, b), np.maximum(a, b)
            low[:, :2] -= ASIDE
            high[:, :2] += ASIDE
            high[:, 2] += HEADROOM
            found.append(np.concatenate([low, high], axis=1))
    return np.concatenate(found) if found else np.zeros((0, 6))


def _meet(a: Box, b: Box) -> bool:
    return all(a[i] < b[i + 3] and b[i] < a[i + 3] for i in range(3))


def _cells(box: Box) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i in range(int(box[0] // CELL), int(box[3] // CELL) + 1)
        for j in range(int(box[1] // CELL), int(box[4] // CELL) + 1)
    ]
