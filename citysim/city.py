"""City: everything about a place that never changes during an episode, shared by many worlds and processes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks. `texture` indexes `City.textures`, -1 for none."""

    texture: int = -1
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)  # linear multiplier, glTF baseColorFactor
    alpha_cutoff: float = 0.0  # 0 opaque; otherwise texels with alpha below it are holes
    unlit: bool = False
    double_sided: bool = False
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Triangles of one tile, ready for physics and rendering.

    origin      (3,) float64, local metres, on a 1/1024 m lattice
    positions   (V, 3) float32, metres relative to origin, axes east-north-up
    uvs         (V, 2) float32, glTF convention: (0, 0) is the top left texel corner, wraps by repetition
    colors      (V, 4) uint8, linear multiplier of the material's colour, 255 = 1
    triangles   (T, 3) int32, counter-clockwise seen from outside
    materials   (T,) int32, index into City.materials
    labels      (T,) int32, object id as in objects.jsonl, 0 where there is none
    """

    origin: NDArray[np.float64]
    positions: NDArray[np.float32]
    uvs: NDArray[np.float32]
    colors: NDArray[np.uint8]
    triangles: NDArray[np.int32]
    materials: NDArray[np.int32]
    labels: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Tile:
    """One node of the flattened tile tree; `index` is its place in `City.tiles`, parents come before children."""

    index: int
    uri: str
    parent: int  # -1 for the root
    children: tuple[int, ...]
    refine: str  # "REPLACE" or "ADD"
    geometric_error: float  # metres
    center: NDArray[np.float64]  # (3,) bounding sphere, local metres
    radius: float
    has_content: bool


@dataclass(frozen=True, slots=True)
class CityObject:
    """A thing with an identity; `id` equals the renderer's label."""

    id: int
    category: str
    name: str = ""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)  # local metres, foot point
    heading_deg: float = 0.0
    bounds: tuple[float, float, float, float, float, float] = (0.0,) * 6  # min e, n, u, max e, n, u
    attributes: dict[str, Any] = field(default_factory=dict)
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A named place a person can go to; `entrance` is the foot point at its door, local metres."""

    id: str
    name: str
    category: str
    entrance: tuple[float, float, float]
    building: int | None = None  # object id
    address: str = ""
    opening_hours: str = ""
    aliases: tuple[str, ...] = ()
    sign: int | None = None  # object id of its sign
    attributes: dict[str, Any] = field(default_factory=dict)
