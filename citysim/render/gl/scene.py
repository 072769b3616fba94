"""City tiles as pyrender nodes."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from citysim.city import Chunk, City
from citysim.render.gl.textures import TextureShelf
from citysim.render.raster.layout import GLOW_OWN, GLOW_ROOMS
from citysim.render.skirts import Skirting
from citysim.render.switches import Switch, picture_counts, same

MOST_TRIANGLES = 4_000_000


class CityScene:
    """A pyrender scene that loads tiles when they are shown; above `most_triangles` those out of sight go again."""

    def __init__(self, city: City, pyrender: Any, *, most_triangles: int = MOST_TRIANGLES) -> None:
        self.city, self.pyrender, self._most = city, pyrender, most_triangles
        self.scene = pyrender.Scene()
        self._nodes: dict[int, Any] = {}
        self._sizes: dict[int, int] = {}
        self._materials: dict[int, Any] = {}
        self._shelf = TextureShelf(city, pyrender)
        self._skirting = Skirting(city)
        self._pictures = picture_counts(city.materials)
        self._switched: dict[int, Any] = {}  # nodes of what shows one of several pictures, beside their tiles' own
        self._states: Mapping[int, int] = {}

    def switch(self, states: Mapping[int, int] | None) -> None:
        """Show the pictures of these states from now on."""
        if not same(states, self._states):
            self._states = dict(states or {})
            for tile in list(self._switched):
                self._switch(tile, self._skirting.chunk(tile))

    def show(self, tiles: list[int]) -> None:
        """Make exactly these tiles visible."""
        wanted = set(tiles)
        for tile in tiles:
            if tile not in self._nodes:
                chunk = self._skirting.chunk(tile)
                self._nodes[tile], self._sizes[tile] = self._node(chunk), len(chunk.triangles)
                self._switch(tile, chunk)
        if sum(self._sizes.values()) > self._most:
            self._forget(set(self._nodes) - wanted)
        for tile, node in self._nodes.items():
            for shown in (node, self._switched.get(tile)):
                if shown is not None:
                    shown.mesh.is_visible = tile in wanted

    def _forget(self, tiles: set[int]) -> None:
        """Take tiles out; pyrender frees what no mesh of the scene uses any more when it draws the next picture."""
        for tile in tiles:
            del self._sizes[tile]
            for node in (self._nodes.pop(tile), self._switched.pop(tile, None)):
                if node is not None:
                    self.scene.remove_node(node)
        self._materials.clear()
        self._shelf.clear()

    def _node(self, chunk: Chunk) -> Any:
        return self._placed(
            chunk, [self._primitive(chunk, m) for m in np.unique(chunk.materials).tolist() if self._pictures[m] == 1]
        )

    def _switch(self, tile: int, chunk: Chunk) -> None:
        """Put what shows one of several pictures into the scene anew."""
        many = [m for m in np.unique(chunk.materials).tolist() if self._pictures[m] > 1]
        if many:
            old = self._switched.pop(tile, None)
            if old is not None:
                self.scene.remove_node(old)
            self._switched[tile] = self._placed(chunk, [self._primitive(chunk, m) for m in many])

    def _placed(self, chunk: Chunk, primitives: list[Any]) -> Any:
        if not primitives:
            return None
        pose = np.eye(4)
        pose[:3, 3] = chunk.origin
        return self.scene.add(self.pyrender.Mesh(primitives), pose=pose)

    def _primitive(self, chunk: Chunk, material: int) -> Any:
        """The triangles of one material; a vertex that two objects share is doubled, so that ids stay whole."""
        chosen = np.flatnonzero(chunk.materials == material)
        corners = chunk.triangles[chosen].astype(np.int64).ravel()
        labels = np.repeat(chunk.labels[chosen].astype(np.int64), 3)
        pairs, index = np.unique(corners * (1 << 32) + labels, return_inverse=True)
        vertex = pairs >> 32
        uvs = np.ascontiguousarray(chunk.uvs[vertex], dtype=np.float32)
        ids = np.zeros_like(uvs)
        ids[:, 0] = pairs & 0xFFFFFFFF
        if self._pictures[material] > 1:
            number = (pairs & 0xFFFFFFFF).astype(np.int32)
            counts = np.full(len(number), self._pictures[material], dtype=np.int32)
            uvs[:, 0] = Switch(vertex, number, counts, uvs[:, 0].copy()).u(self._states)
        ids[:, 1] = material
        return self.pyrender.Primitive(
            positions=np.ascontiguousarray(chunk.positions[vertex]),
            texcoord_0=uvs,
            texcoord_1=ids,
            color_0=chunk.colors[vertex].astype(np.float32) / 255.0,
            indices=index.reshape(-1, 3).astype(np.uint32),
            material=self._material(material),
        )

    def _glow_code(self, material: int) -> float:
        """What flat.frag reads of a material's glow: kind + 4 x columns + 1024 x rows of windows."""
        look = self.city.materials[material]
        if look.glow < 0 or not self._shelf.glows(look.texture):
            return 0.0
        columns, rows = look.glow_cells
        return float((GLOW_ROOMS if columns else GLOW_OWN) + 4 * min(max(columns, 1), 255) + 1024 * max(rows, 1))

    def _material(self, index: int) -> Any:
        if index not in self._materials:
            look = self.city.materials[index]
            self._materials[index] = self.pyrender.MetallicRoughnessMaterial(
                baseColorTexture=self._shelf.get(look.texture) if self._shelf.shows(index) else None,
                baseColorFactor=(*look.color[:3], self._glow_code(index)),
                emissiveFactor=look.emissive,
                metallicFactor=self._shelf.cutoff(index) / 255.0,
                roughnessFactor=1.0 if look.unlit else 0.5 if look.double_sided else 0.0,
                doubleSided=look.double_sided,
                alphaMode="OPAQUE",
            )
        return self._materials[index]
