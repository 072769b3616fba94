"""A flat ground, drafts of a few buildings and measures of their meshes."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Polygon, box

from citysim.build.buildings import build_buildings
from citysim.build.draft import CityDraft, Texture
from citysim.build.facade import Facade
from citysim.build.mesh import Detail, Part
from citysim.build.plans import BuildingPlan, CityPlan, PlacePlan, WayPlan, Xy
from citysim.geo.frames import LocalFrame


class Slope:
    """Ground rising eastwards; level by default."""

    def __init__(self, grade: float = 0.0) -> None:
        self.grade = grade

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(xy, dtype=np.float64)[:, 0] * self.grade

    def region(self, xy: ArrayLike) -> list[str]:
        return ["pavement"] * len(np.asarray(xy))


def plan_of(
    buildings: Iterable[BuildingPlan],
    ways: Iterable[WayPlan] = (),
    nodes: dict[int, Xy] | None = None,
    places: Iterable[PlacePlan] = (),
) -> CityPlan:
    """A plan with nothing else in it."""
    return CityPlan(
        name="street", title="street", source="test", licence="", attribution="", frame=LocalFrame(24.94, 60.17),
        bounds=(-200.0, -200.0, 200.0, 200.0), seed=7, generator={}, nodes=nodes or {}, ways=tuple(ways),
        buildings=tuple(buildings), places=tuple(places),
    )  # fmt: skip


_PAINTED: dict[str, Texture] = {}  # painting is pure and slow: once a process is enough


class _Draft(CityDraft):
    """A draft that remembers painted textures from one test to the next."""

    def texture(self, key: str, make: Callable[[], Texture]) -> Texture:
        if key not in _PAINTED:
            _PAINTED[key] = make()
        return super().texture(key, lambda: _PAINTED[key])


def built(plan: CityPlan, ground: Slope | None = None) -> tuple[CityDraft, list[Facade]]:
    """The draft after its buildings were built."""
    draft = _Draft(plan)
    return draft, build_buildings(draft, ground or Slope())


def house(name: str, shape: Polygon, height: float = 15.0, **rest: object) -> BuildingPlan:
    """A building plan with a stable id."""
    return BuildingPlan(f"test:{name}", shape, height, **rest)  # type: ignore[arg-type]


SQUARE = box(0.0, 0.0, 20.0, 12.0)


def triangles(
    draft: CityDraft,
    prefixes: tuple[str, ...] = ("facade/", "front/", "plain/", "roof/"),
    details: tuple[Detail, ...] = (Detail.ALL, Detail.MIDDLE),
) -> NDArray[np.float64]:
    """(T, 3, 3) corners of the triangles whose material begins with one of the prefixes."""
    chosen = [p for p in draft.mesh.parts if p.material.startswith(prefixes) and p.detail in details]
    if not chosen:
        return np.zeros((0, 3, 3))
    return np.concatenate([p.positions[p.triangles] for p in chosen])


def volume(corners: NDArray[np.float64]) -> float:
    """Signed volume of a closed surface with outward triangles (divergence theorem)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def area_vector(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the area vectors: zero for a closed surface."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return np.asarray(0.5 * np.cross(b - a, c - a).sum(axis=0))


def texels_per_metre(draft: CityDraft, part: Part) -> NDArray[np.float64]:
    """(T, 2) singular values of the map from surface metres to texture pixels of a part's triangles."""
    pixels = draft.textures[draft.materials[part.material].texture].pixels
    p, t = part.positions[part.triangles], part.uvs[part.triangles] * (pixels.shape[1], pixels.shape[0])
    e1, e2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    x = np.linalg.norm(e1, axis=1)
    ux = e1 / x[:, None]
    y0 = np.einsum("ij,ij->i", e2, ux)
    y1 = np.linalg.norm(e2 - ux * y0[:, None], axis=1)
    surface = np.zeros((len(p), 2, 2))
    surface[:, 0, 0], surface[:, 0, 1], surface[:, 1, 1] = x, y0, y1
    picture = np.stack([t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]], axis=2)
    return np.linalg.svd(picture @ np.linalg.inv(surface), compute_uv=False)
