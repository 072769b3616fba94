"""TileStore: the tiles of one package as chunks and pixels, decoded when first asked for."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city.chunks import chunk_of
from citysim.city.model import Chunk, Material, Tile
from citysim.city.standins import cut_out, find_stand_ins
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.content.notices import Notices
from citysim.geo.content.surfaces import Surface
from citysim.geo.frames import LocalFrame
from citysim.geo.store import TileSource
from citysim.geo.tileset import TileNode, Tileset
from citysim.geo.volumes import bounding_sphere

GREY = (150, 150, 150, 255)
"""Stands for a texture that could not be had: neither white nor black, so that light still shapes it."""


class TileStore:
    """Flattened tiles, the materials and textures they use, and their contents.

    `placement` (4, 4) takes tileset coordinates to local metres; None for a tileset in Earth-centred coordinates.
    Feature ids in the tiles are object ids when `label_bases` is None; else it gives, by content URI, the object id of
    feature 0, and contents not in it have no labels. Contents in `missing` are known to be absent: the part of a
    coarser tile stands in for them where there is one, else they count as empty; textures in it are plain grey.
    `surfaces`, by tile, saves reading every content for them. `notices` say what decoding has left out so far.
    """

    def __init__(
        self,
        source: TileSource,
        tileset: Tileset,
        frame: LocalFrame,
        *,
        placement: NDArray[np.float64] | None = None,
        label_bases: Mapping[str, int] | None = None,
        missing: Collection[str] = (),
        surfaces: list[list[Surface]] | None = None,
    ) -> None:
        self.source, self.nodes, self.notices = source, tileset.tiles, Notices()
        self._missing = frozenset(missing)
        self._bases = label_bases
        self.to_local = frame.inverse if placement is None else placement
        self.frame = frame
        self._stand_ins = find_stand_ins(self.nodes, [bool(self._uris(node)) for node in self.nodes])
        self.tiles = tuple(self._tile(i, node) for i, node in enumerate(self.nodes))
        # surfaces of every tile, in order of appearance: the numbers of materials follow from it
        self.surfaces = (
            surfaces
            if surfaces is not None
            else [list(dict.fromkeys(s for u in self._uris(n) for s in surfaces_in(source, u))) for n in self.nodes]
        )
        distinct = list(dict.fromkeys(s for tile in self.surfaces for s in tile)) or [Surface()]
        pictures = [s.texture for s in distinct if s.texture]
        self.texture_keys = tuple(dict.fromkeys(pictures + [s.glow for s in distinct if s.glow]))
        index_of = {key: number for number, key in enumerate(self.texture_keys)}
        self.materials = tuple(_material(s, index_of.get(s.texture, -1), index_of.get(s.glow, -1)) for s in distinct)
        self._material_of = {surface: number for number, surface in enumerate(distinct)}

    def decode(self, index: int) -> Chunk:
        """Decode the contents of one tile; raises FormatError or StorageError."""
        node = self.nodes[index]
        if index in self._stand_ins:
            matrix = self.to_local @ node.matrix
            sphere = bounding_sphere(node.volume, matrix, self.frame.inverse)
            return cut_out(self.decode(self._stand_ins[index]), node.volume, matrix, sphere)
        meshes: list[Any] = []
        bases: list[int | None] = []
        matrix = self.to_local @ node.matrix
        for uri in self._uris(node):
            decoded = decode_meshes(self.source, uri, matrix, node.up_axis, self.notices)
            meshes += decoded
            bases += [0 if self._bases is None else self._bases.get(uri)] * len(decoded)
        turn = iter(bases)

        def label(features: NDArray[Any]) -> NDArray[Any]:
            base = next(turn)
            return np.zeros_like(features) if base is None else np.where(features >= 0, features + base, 0)

        return chunk_of(meshes, self._material_of.__getitem__, label)

    def pixels(self, index: int) -> NDArray[np.uint8]:
        """Decode one texture, (H, W, 4) uint8; raises FormatError or StorageError."""
        key = self.texture_keys[index]
        if key in self._missing:
            return np.full((1, 1, 4), GREY, dtype=np.uint8)
        return load_texture(self.source, key)

    def chunk_entry(self, index: int) -> tuple[str, Callable[[], Chunk]]:
        """Name in a `ChunkCache` and maker of one tile's chunk."""
        return f"tile-{index}", lambda: self.decode(index)

    def pixels_entry(self, index: int) -> tuple[str, Callable[[], NDArray[np.uint8]]]:
        """Name in a `ChunkCache` and maker of one texture."""
        return f"texture-{index}", lambda: self.pixels(index)

    def _uris(self, node: TileNode) -> tuple[str, ...]:
        return tuple(uri for uri in node.uris if uri not in self._missing)

    def _shown(self, index: int) -> str:
        """The contents of a tile by name; for a missing one those of its stand-in."""
        own = " ".join(self._uris(self.nodes[index]))
        if index not in self._stand_ins:
            return own
        return (
            f"{' '.join(self._uris(self.nodes[self._stand_ins[index]]))} instead of {' '.join(self.nodes[index].uris)}"
        )

    def _tile(self, index: int, node: TileNode) -> Tile:
        matrix = self.to_local @ node.matrix
        sphere = bounding_sphere(node.volume, matrix, self.frame.inverse)
        request = None
        if node.request_volume is not None:
            near = bounding_sphere(node.request_volume, matrix, self.frame.inverse)
            request = (float(near.center[0]), float(near.center[1]), float(near.center[2]), near.radius)
        return Tile(
            index=index,
            uri=self._shown(index),
            parent=node.parent,
            children=tuple(node.children),
            refine=node.refine,
            geometric_error=node.geometric_error,
            center=sphere.center,
            radius=sphere.radius,
            has_content=bool(self._uris(node)) or index in self._stand_ins,
            request=request,
        )


def _material(surface: Surface, texture: int, glow: int) -> Material:
    return Material(
        texture=texture,
        color=surface.color,
        alpha_cutoff=surface.alpha_cutoff,
        unlit=surface.unlit,
        double_sided=surface.double_sided,
        emissive=surface.emissive,
        name=surface.name,
        glow=glow,
        glow_cells=surface.glow_cells,
    )
