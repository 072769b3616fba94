"""CityDraft: what the builders fill in, one after the other, and the package writer writes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.chance import Chance
from citysim.build.mesh import MeshBuilder
from citysim.build.plans import CityPlan
from citysim.city import CityObject, Place
from citysim.errors import InputError
from citysim.geo.network import NetworkEdge

ROOM, STEADY = 160, 200  # glow of a window that somebody switches, at most, and of one that always shines, at least


@dataclass(frozen=True, slots=True)
class Texture:
    """A picture: (H, W, 3 or 4) uint8 sRGB with power-of-two sides, covering `metres` (width, height) of surface.

    `glow` (H, W) uint8 says what gives off light at night, 255 fully, in pictures of opaque materials. Without `cells`
    it shines in the picture's own colours: sign faces, lenses, lamps. With `cells` (columns, rows of windows in one
    repetition) it is light from rooms behind: up to `ROOM` each window is switched by itself, drawn by lot from object,
    column of whole u and row; above `STEADY` (shop windows, staircases) it shines all evening.
    """

    pixels: NDArray[np.uint8]
    metres: tuple[float, float] = (1.0, 1.0)
    glow: NDArray[np.uint8] | None = None
    cells: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class MaterialSpec:
    """A named look; `texture` is a key of CityDraft.textures or "" for plain colour. color is a linear multiplier.

    `emissive` (linear) times the texture, and times its `glow` where it has one, is added at night; all zeros mean
    (1, 1, 1) for a texture with `glow`.
    """

    texture: str = ""
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    alpha_cutoff: float = 0.0
    unlit: bool = False
    double_sided: bool = False
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Ground(Protocol):
    """The one walkable ground: every builder asks it for heights, none invents its own."""

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) local metres -> (N,) metres: the ground surface (not bridges, not tunnels below)."""

    def region(self, xy: ArrayLike) -> list[str]:
        """(N, 2) -> N names: carriageway, pavement, crossing, square, park, grass, water, court, ..."""


class CityDraft:
    """Meshes, materials, objects, places and network of one city while it is being built."""

    def __init__(self, plan: CityPlan) -> None:
        self.plan = plan
        self.chance = Chance(plan.seed)
        self.mesh = MeshBuilder()
        self.textures: dict[str, Texture] = {}
        self.materials: dict[str, MaterialSpec] = {}
        self.objects: list[CityObject] = []
        self.places: list[Place] = []
        self.edges: list[NetworkEdge] = []
        self.warnings: list[str] = list(plan.warnings)
        self.object_of: dict[str, int] = {}  # plan id -> object id

    def texture(self, key: str, make: Callable[[], Texture]) -> Texture:
        """The texture `key`, made on first use."""
        if key not in self.textures:
            made = make()
            height, width = made.pixels.shape[:2]
            if height & (height - 1) or width & (width - 1) or made.pixels.dtype != np.uint8:
                raise InputError(
                    "a uint8 texture with power-of-two sides", f"{key}: {made.pixels.shape}", "resizing it"
                )
            if made.glow is not None and (made.glow.shape != (height, width) or made.glow.dtype != np.uint8):
                raise InputError(
                    f"a glow as (H, W) uint8 like its picture, {height}x{width}",
                    f"{key}: {made.glow.shape} {made.glow.dtype}",
                    "one byte a texel",
                )
            self.textures[key] = made
        return self.textures[key]

    def material(self, name: str, spec: MaterialSpec) -> str:
        """Register a material under its name (the same name must mean the same look) and return the name."""
        known = self.materials.setdefault(name, spec)
        if known != spec:
            raise InputError("one look per material name", f"two for {name!r}", "a name that includes what differs")
        return name

    def add_object(
        self,
        category: str,
        position: tuple[float, float, float],
        *,
        name: str = "",
        heading_deg: float = 0.0,
        bounds: tuple[float, float, float, float, float, float] | None = None,
        parent: int | None = None,
        plan_id: str = "",
        **attributes: Any,
    ) -> int:
        """Give a thing an identity; returns its id, to be used as `label` of its triangles. Ids count from 1."""
        number = len(self.objects) + 1
        box = bounds if bounds is not None else (*position, *position)
        extra = {key: value for key, value in sorted(attributes.items()) if value not in (None, "")}
        if plan_id:
            extra["source"] = plan_id
            self.object_of[plan_id] = number
        self.objects.append(CityObject(number, category, name, position, heading_deg, box, extra, parent))
        return number
