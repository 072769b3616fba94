"""City: everything about a place that never changes during an episode, shared by many worlds and processes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from citysim.city.tree import finest_tiles
from citysim.conditions import Conditions
from citysim.errors import FormatError
from citysim.geo.frames import LocalFrame
from citysim.geo.hours import OpeningHours
from citysim.geo.network import NetworkEdge, PedestrianNetwork


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks. `texture` indexes `City.textures`, -1 for none.

    `glow` indexes the texture that masks `emissive` (by its alpha, or by its light where that is full), -1 for none;
    `glow_cells` are the columns and rows of windows in it that are switched one by one, (0, 0) for none.
    """

    texture: int = -1
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)  # linear multiplier, glTF baseColorFactor
    alpha_cutoff: float = 0.0  # 0 opaque; otherwise texels with alpha below it are holes
    unlit: bool = False
    double_sided: bool = False
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""
    glow: int = -1
    glow_cells: tuple[int, int] = (0, 0)


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
    request: tuple[float, float, float, float] | None = None  # sphere a viewer must be in to see it, local metres


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

    def is_open(self, at: Conditions) -> bool:
        """Whether the place is open at a clock time and date; a place without hours that can be read always is."""
        try:
            hours = OpeningHours.parse(self.opening_hours) if self.opening_hours else None
        except FormatError:
            hours = None
        return hours is None or hours.is_open(at.weekday, at.clock_s % 86400.0 / 60.0)


@dataclass(frozen=True, eq=False)
class City:
    """One city: tiles, materials, objects, places and the pedestrian network, all in one local frame.

    Chunks and textures are loaded when asked for, kept within a budget of memory, and shared read-only.
    """

    name: str
    title: str
    frame: LocalFrame
    bounds: tuple[float, float, float, float]  # e0, n0, e1, n1 local metres
    tiles: tuple[Tile, ...]
    materials: tuple[Material, ...]
    texture_keys: tuple[str, ...]
    objects: tuple[CityObject, ...]
    places: tuple[Place, ...]
    network: PedestrianNetwork
    load_chunk: Callable[[int], Chunk]
    load_texture: Callable[[int], NDArray[np.uint8]]
    source: str = ""
    licence: str = ""
    attribution: str = ""
    content_sha256: str = ""
    appearance_sha256: str = ""
    utc_offset_h: float = 0.0
    path: Path | None = None
    hint_chunk: Callable[[int], None] | None = None
    seams: bool = False  # levels of detail of neighbouring tiles need not meet: a tileset from elsewhere

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """A city on disk is pickled as its place and opened again there; one in memory with all that it holds."""
        if self.path is None:
            return super().__reduce_ex__(protocol)
        return _reopened, (self.path.absolute(), self.content_sha256, self.appearance_sha256)

    def chunk(self, tile: int) -> Chunk:
        """Triangles of one tile; raises SimulationFault when its content cannot be had."""
        return self.load_chunk(tile)

    def texture(self, index: int) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 sRGB with straight alpha."""
        return self.load_texture(index)

    def expect(self, tiles: Iterable[int]) -> None:
        """Say which chunks will soon be asked for: they are read or decoded ahead. Changes nothing but time."""
        if self.hint_chunk is not None:
            for tile in tiles:
                self.hint_chunk(tile)

    @cached_property
    def finest(self) -> tuple[int, ...]:
        """Indexes of the tiles that together show everything at the finest level (physics walks these)."""
        return finest_tiles(self.tiles)

    @classmethod
    def in_memory(
        cls,
        chunks: Sequence[Chunk],
        materials: Sequence[Material] = (Material(),),
        textures: Sequence[NDArray[np.uint8]] = (),
        *,
        objects: Sequence[CityObject] = (),
        places: Sequence[Place] = (),
        edges: Sequence[NetworkEdge] = (),
        frame: LocalFrame | None = None,
        name: str = "memory",
    ) -> "City":
        """A city of given chunks, one tile each: for tests and for scenes made in code."""
        tiles: list[Tile] = []
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for index, chunk in enumerate(chunks):
            a = chunk.positions.min(axis=0) + chunk.origin
            b = chunk.positions.max(axis=0) + chunk.origin
            low, high = np.minimum(low, a), np.maximum(high, b)
            radius = float(np.linalg.norm(b - a) / 2)
            tiles.append(Tile(index, f"memory:{index}", -1, (), "ADD", 0.0, (a + b) / 2, radius, True))
        bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1])) if chunks else (0.0, 0.0, 0.0, 0.0)
        return cls(
            name=name,
            title=name,
            frame=frame or LocalFrame(114.2, 22.3, 0.0),
            bounds=bounds,
            tiles=tuple(tiles),
            materials=tuple(materials),
            texture_keys=tuple(f"memory:{i}" for i in range(len(textures))),
            objects=tuple(objects),
            places=tuple(places),
            network=PedestrianNetwork(edges),
            load_chunk=tuple(chunks).__getitem__,
            load_texture=tuple(textures).__getitem__,
        )


def _reopened(path: Path, content_sha256: str, appearance_sha256: str) -> City:
    """The city of a package folder; raises FormatError when it is another one than was pickled."""
    from citysim.city.loading import load_package

    city = load_package(path)
    if (city.content_sha256, city.appearance_sha256) != (content_sha256, appearance_sha256):
        raise FormatError(f"the city {content_sha256[:12]} in '{path}'", city.content_sha256[:12], "opening it again")
    return city
