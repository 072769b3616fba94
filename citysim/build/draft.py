"""CityDraft: what the builders fill in, one after the other, and the package writer writes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.aside import Aside
from citysim.build.chance import Chance
from citysim.build.mesh import MeshBuilder
from citysim.build.picture import Texture as Texture
from citysim.build.plans import CityPlan
from citysim.build.shelf import Shelf
from citysim.city import CityObject, Place
from citysim.errors import InputError
from citysim.geo.network import NetworkEdge

ROOM, STEADY = 160, 200  # glow of a window that somebody switches, at most, and of one that always shines, at least


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

    def __init__(self, plan: CityPlan, aside: Aside | None = None) -> None:
        self.plan = plan
        self.chance = Chance(plan.seed)
        self.mesh = MeshBuilder()
        self.textures = Shelf(aside or Aside())
        self.materials: dict[str, MaterialSpec] = {}
        self.objects: list[CityObject] = []
        self.places: list[Place] = []
        self.edges: list[NetworkEdge] = []
        self.warnings: list[str] = list(plan.warnings)
        self.object_of: dict[str, int] = {}  # plan id -> object id

    def texture(self, key: str, make: Callable[[], Texture]) -> Texture:
        """The texture `key`, made on first use."""
        if key not in self.textures:
            self.textures[key] = make()
        return self.textures[key]

    def painted(self, key: str, function: Callable[..., Texture], *args: Any) -> None:
        """Have the texture `key` painted by `function(*args)`, perhaps in another process (see `Aside`)."""
        if key not in self.textures:
            self.textures.paint(key, function, *args)

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
