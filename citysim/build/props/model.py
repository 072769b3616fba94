"""Model: a small mesh in its own axes (x right, y forward, z up, origin at its foot), ready to be stood anywhere."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import RECIPES, look
from citysim.build.mesh import FINEST, Detail, snap
from citysim.build.textures.colors import linear

Xyz = tuple[float, float, float]
Uv = tuple[float, float, float, float]
SOLID_HEIGHT = 2.0  # metres: what is lower stands in a walker's way


@dataclass(frozen=True, slots=True)
class Piece:
    """Triangles of one material, colour and detail."""

    positions: NDArray[np.float64]
    triangles: NDArray[np.int32]
    uvs: NDArray[np.float64]
    colors: NDArray[np.uint8]
    material: str
    detail: Detail


class Model:
    """Pieces of a thing. `material` is the name of a look, or of a material registered elsewhere ("@name")."""

    def __init__(self, detail: Detail = Detail.FINE) -> None:
        self.pieces: list[Piece] = []
        self.detail = detail
        self._merged: tuple[int, list[Piece]] | None = None

    def add(
        self,
        positions: ArrayLike,
        triangles: ArrayLike,
        uvs: ArrayLike | None = None,
        *,
        material: str = "paint",
        color: str = "#ffffff",
        detail: Detail | None = None,
    ) -> None:
        """Add triangles (counter-clockwise from outside); uvs in metres for looks, in texture units for "@" ones."""
        points = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
        where = np.zeros((len(points), 2)) if uvs is None else np.asarray(uvs, dtype=np.float64).reshape(-1, 2)
        if not material.startswith("@"):
            where = where / np.asarray(RECIPES[material].metres)
        tint = np.empty((len(points), 4), dtype=np.uint8)
        tint[:] = _tint(color)
        faces = np.asarray(triangles, dtype=np.int32).reshape(-1, 3)
        self.pieces.append(Piece(points, faces, where, tint, material, self.detail if detail is None else detail))

    def quad(
        self,
        corners: ArrayLike,
        uv: Uv | None = None,
        *,
        material: str = "paint",
        color: str = "#ffffff",
        both: bool = False,
    ) -> None:
        """A quad by lower left, lower right, upper right, upper left as seen from outside.

        `uv` is (left, top, right, bottom); None: metres along the edges. `both` adds the same picture on the back.
        """
        points = np.asarray(corners, dtype=np.float64).reshape(4, 3)
        if uv is None:
            w, h = float(np.linalg.norm(points[1] - points[0])), float(np.linalg.norm(points[3] - points[0]))
            uv = (0.0, 0.0, w, h)
        left, top, right, bottom = uv
        where = [(left, bottom), (right, bottom), (right, top), (left, top)]
        self.add(points, [(0, 1, 2), (0, 2, 3)], where, material=material, color=color)
        if both:
            self.add(points[[1, 0, 3, 2]], [(0, 1, 2), (0, 2, 3)], where, material=material, color=color)

    def box(
        self,
        center: Xyz,
        size: Xyz,
        color: str = "#ffffff",
        *,
        material: str = "paint",
        taper: tuple[float, float] = (1.0, 1.0),
        shift: tuple[float, float] = (0.0, 0.0),
        faces: str = "fblrt",
    ) -> None:
        """A box standing on z = center[2] (x and y centred), its top scaled by `taper` and moved by `shift`.

        `faces` picks front (+y), back, left, right, top and d (down).
        """
        cx, cy, z0 = center
        w, d, h = size
        low = [(cx + sx * w / 2, cy + sy * d / 2, z0) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        high = [
            (cx + shift[0] + sx * w / 2 * taper[0], cy + shift[1] + sy * d / 2 * taper[1], z0 + h)
            for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        quads = {
            "b": (low[0], low[1], high[1], high[0]),
            "r": (low[1], low[2], high[2], high[1]),
            "f": (low[2], low[3], high[3], high[2]),
            "l": (low[3], low[0], high[0], high[3]),
            "t": (high[0], high[1], high[2], high[3]),
            "d": (low[3], low[2], low[1], low[0]),
        }
        self.quads([quads[face] for face in faces], material=material, color=color)

    def quads(self, corners: Sequence[Sequence[Xyz]], *, material: str = "paint", color: str = "#ffffff") -> None:
        """Many quads of one look, as `quad` with metres along the edges."""
        points = np.asarray(corners, dtype=np.float64)
        w = np.sqrt(((points[:, 1] - points[:, 0]) ** 2).sum(axis=1))
        h = np.sqrt(((points[:, 3] - points[:, 0]) ** 2).sum(axis=1))
        where = np.zeros((len(points), 4, 2))
        where[:, 1, 0] = where[:, 2, 0] = w
        where[:, 0, 1] = where[:, 1, 1] = h
        self.add(points.reshape(-1, 3), _faces(len(points)), where.reshape(-1, 2), material=material, color=color)

    def plate(
        self,
        center: Xyz,
        radius: float,
        sides: int,
        picture: Uv | None,
        material: str,
        turn: float = 0.0,
        *,
        color: str = "#ffffff",
        back: bool = False,
    ) -> None:
        """A regular flat plate facing +y (-y with `back`), showing the square `picture` it is cut out of."""
        cx, cy, cz = center
        angles = [turn + 2 * math.pi * k / sides for k in range(sides)]
        points = [(cx + radius * math.cos(a), cy, cz + radius * math.sin(a)) for a in angles]
        left, top, right, bottom = picture or (0.1, 0.1, 0.1, 0.1)
        reach = max(abs(math.cos(a)) for a in angles)
        where = [
            (
                left + (right - left) * (0.5 - math.cos(a) / reach / 2),
                top + (bottom - top) * (0.5 - math.sin(a) / reach / 2),
            )
            for a in angles
        ]
        fan = [(0, i, i + 1) if back else (0, i + 1, i) for i in range(1, sides - 1)]
        self.add(points, fan, where, material=material, color=color)

    def tube(
        self,
        a: Xyz,
        b: Xyz,
        radii: tuple[float, float],
        color: str = "#ffffff",
        *,
        sides: int = 6,
        material: str = "paint",
        caps: str = "b",
        uv: Uv | None = None,
        detail: Detail | None = None,
    ) -> None:
        """A round bar from `a` to `b` with its radii there; `caps` may name "a", "b" or both."""
        start, end = np.array(a, dtype=np.float64), np.array(b, dtype=np.float64)
        length = float(np.linalg.norm(end - start))
        axis = (end - start) / length
        helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        u = np.cross(helper, axis)
        u /= float(np.linalg.norm(u))
        v = np.cross(axis, u)
        turns = [2 * math.pi * i / sides for i in range(sides + 1)]
        ring = np.array([u * math.cos(t) + v * math.sin(t) for t in turns])
        points = np.concatenate([start + ring * radii[0], end + ring * radii[1]])
        left, top, right, bottom = uv or (0.0, 0.0, 2 * math.pi * max(radii), length)
        share = np.arange(sides + 1) / sides
        where = np.concatenate(
            [np.column_stack([left + (right - left) * share, np.full(sides + 1, y)]) for y in (bottom, top)]
        )
        n = sides + 1
        faces = [f for i in range(sides) for f in ((i, i + 1, n + i + 1), (i, n + i + 1, n + i))]
        self.add(points, faces, where, material=material, color=color, detail=detail)
        for cap, low, radius in (("a", True, radii[0]), ("b", False, radii[1])):
            if cap in caps and radius > 0:
                disc = points[:sides] if low else points[n : n + sides]
                fan = [(0, i + 1, i) if low else (0, i, i + 1) for i in range(1, sides - 1)]
                plain = None if material.startswith("@") and uv is None else np.full((sides, 2), 0.1)
                self.add(disc, fan, plain, material=material, color=color, detail=detail)

    def post(
        self, xy: tuple[float, float], z: tuple[float, float], radii: tuple[float, float], color: str, sides: int = 6
    ) -> None:
        """A vertical round post with a closed top."""
        self.tube((*xy, z[0]), (*xy, z[1]), radii, color, sides=sides)

    def copy(self) -> "Model":
        """A model with the same pieces, to which more can be added."""
        other = Model(self.detail)
        other.pieces = list(self.pieces)
        return other

    def merged(self) -> list[Piece]:
        """Pieces joined by material and detail, in order of first use; worked out anew only when pieces were added."""
        if self._merged is None or self._merged[0] != len(self.pieces):
            self._merged = len(self.pieces), self._join()
        return self._merged[1]

    def _join(self) -> list[Piece]:
        groups: dict[tuple[str, Detail], list[Piece]] = {}
        for piece in self.pieces:
            groups.setdefault((piece.material, piece.detail), []).append(piece)
        return [_join(pieces) for pieces in groups.values()]

    def footprint(self) -> tuple[float, float, float, float]:
        """(x0, y0, x1, y1) of what a walker could bump into: vertices and edges below SOLID_HEIGHT."""
        solid = [p.positions for p in self.pieces if p.detail in FINEST and p.positions[:, 2].min() < SOLID_HEIGHT]
        points = np.concatenate(solid) if solid else np.zeros((1, 3))
        low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def stand(self, draft: CityDraft, at: Xyz, heading_deg: float, label: int) -> tuple[float, ...]:
        """Add the model to the draft with its foot at `at`, its front facing `heading_deg`; returns its bounds."""
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for piece in self.merged():
            points = snap(turned(piece.positions, heading_deg) + np.asarray(at))
            material = piece.material[1:] if piece.material.startswith("@") else look(draft, piece.material).material
            draft.mesh.add(points, piece.triangles, piece.uvs, material, label, piece.detail, piece.colors)
            if piece.detail in FINEST:
                low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
        return (*(float(v) for v in low), *(float(v) for v in high))

    @property
    def triangle_count(self) -> int:
        """Triangles of the fine level."""
        return sum(len(p.triangles) for p in self.pieces if p.detail in FINEST)


@cache
def _tint(color: str) -> tuple[int, int, int, int]:
    red, green, blue = linear(color)
    return int(red), int(green), int(blue), 255


@cache
def _faces(count: int) -> NDArray[np.int32]:
    """(2 count, 3) triangles of quads whose corners follow one another."""
    first = 4 * np.arange(count, dtype=np.int32)[:, None]
    both = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])], axis=1)
    return both.reshape(-1, 3).astype(np.int32)


def give_bounds(draft: CityDraft, number: int, bounds: tuple[float, ...]) -> None:
    """Set the bounds of an object once its mesh is known."""
    e0, n0, u0, e1, n1, u1 = bounds
    draft.objects[number - 1] = replace(draft.objects[number - 1], bounds=(e0, n0, u0, e1, n1, u1))


def turned(points: NDArray[np.float64], heading_deg: float) -> NDArray[np.float64]:
    """(N, 3) model axes to east, north, up when the front (+y) faces `heading_deg` clockwise from north."""
    c, s = math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([x * c + y * s, y * c - x * s, points[:, 2]])


def _join(pieces: Sequence[Piece]) -> Piece:
    offsets = np.cumsum([0, *(len(p.positions) for p in pieces[:-1])])
    return Piece(
        np.concatenate([p.positions for p in pieces]),
        np.concatenate([p.triangles + np.int32(o) for p, o in zip(pieces, offsets, strict=True)]),
        np.concatenate([p.uvs for p in pieces]),
        np.concatenate([p.colors for p in pieces]),
        pieces[0].material,
        pieces[0].detail,
    )
