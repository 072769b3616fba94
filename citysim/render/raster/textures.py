"""TextureArena: materials, and the mip chains of the textures in use."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from citysim import storage
from citysim.city import City
from citysim.city.glow import glows_of, with_glow
from citysim.city.pruning import note_use
from citysim.render.bodies import LAMP_LIGHT
from citysim.render.raster.layout import ALPHA_TEST, DOUBLE_SIDED, GLOW_OWN, GLOW_ROOMS, UNLIT, Looks
from citysim.render.raster.mipmaps import MAX_LEVELS, bordered, mip_chain, power_of_two
from citysim.render.raster.texels import VERSION, Chain, TexelStore, level_starts, save


class TextureArena:
    """Loads textures when a loaded chunk first uses them; `looks` is what kernels read."""

    def __init__(self, city: City, budget: int = 512_000_000) -> None:
        self._city = city
        materials = city.materials
        count = len(materials) + 2  # the last ones are plain white, and white that shines at night
        self._texture = np.full(count, -1, dtype=np.int32)
        self._color = np.ones((count, 4), dtype=np.float32)
        self._cutoff = np.zeros(count, dtype=np.int32)
        self._emissive = np.zeros((count, 3), dtype=np.float32)
        self._glow = np.zeros((count, 3), dtype=np.int32)
        self.flags: NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        self._emissive[-1] = LAMP_LIGHT
        textures = len(city.texture_keys)
        self._cutoff_of: dict[int, int] = {}
        self._glow_of = glows_of(city)
        for i, material in enumerate(materials):
            self._color[i] = material.color
            self._emissive[i] = material.emissive
            if 0 <= material.texture < textures:
                self._texture[i] = material.texture
                if material.alpha_cutoff > 0.0:
                    # alpha x factor >= cutoff, in bytes; at least 1 so that clear texels are holes
                    limit = material.alpha_cutoff * 255.0 / max(material.color[3], 1e-6)
                    self._cutoff[i] = max(int(np.ceil(limit)), 1)
                    self.flags[i] |= ALPHA_TEST
                    self._cutoff_of.setdefault(material.texture, int(self._cutoff[i]))
            if material.glow >= 0 and material.texture in self._glow_of:
                kind = GLOW_ROOMS if material.glow_cells[0] else GLOW_OWN
                self._glow[i] = kind, max(material.glow_cells[0], 1), max(material.glow_cells[1], 1)
            self.flags[i] |= (DOUBLE_SIDED if material.double_sided else 0) | (UNLIT if material.unlit else 0)
        # The last row is one white texel, for materials without a texture.
        self._shape = np.zeros((textures + 1, 3), dtype=np.int32)
        self._shape[textures] = (0, 0, 1)
        self._levels = np.zeros((textures + 1, MAX_LEVELS), dtype=np.int32)
        self._store = TexelStore(budget)
        self._place: dict[int, int] = {}  # texture -> first texel
        self._size: dict[int, int] = {}  # texture -> bytes of all levels
        self._folder = storage.cache_dir() / "texels" / city.appearance_sha256[:32] if city.appearance_sha256 else None
        if self._folder is not None:
            note_use(self._folder)
        self.looks = self._snapshot()

    @property
    def nbytes(self) -> int:
        """Bytes of all levels in use."""
        return self._store.nbytes

    def bytes_of(self, texture: int) -> int:
        """Bytes that a loaded texture takes."""
        return self._size[texture]

    def keep(self, textures: Collection[int]) -> None:
        """Forget all textures but these."""
        for texture in sorted(set(self._place) - set(textures)):
            self._store.drop(self._place.pop(texture))

    def require(self, materials: NDArray[np.int32]) -> tuple[int, ...]:
        """Load the textures of these materials, and say which they are; raises what City.texture raises."""
        inside = np.clip(np.unique(materials), 0, len(self._texture) - 1)
        used = sorted(set(self._texture[inside].tolist()) - {-1})
        for index in used:
            if index not in self._place:
                first, log_width, log_height = self._load(index)
                starts = level_starts(log_width, log_height)
                self._shape[index] = (log_width, log_height, len(starts) - 1)
                self._levels[index, : len(starts) - 1] = first + np.array(starts[:-1])
                self._place[index], self._size[index] = first, 4 * starts[-1]
        return tuple(used)

    def _load(self, index: int) -> tuple[int, int, int]:
        """Place, log2 width and log2 height of a texture, from the cache where it is there."""
        cutoff, glow = self._cutoff_of.get(index, 0), self._glow_of.get(index, -1)
        path = None
        if self._folder is not None:
            path = self._folder / f"{index}-{cutoff}-{glow}-v{VERSION}"
            found = self._store.map(path)
            if found is not None:
                return found
        chain = self._made(index, cutoff)
        if path is not None and save(path, chain):
            found = self._store.map(path)
            if found is not None:
                return found
        return self._store.put(chain), chain.log_width, chain.log_height

    def _made(self, index: int, cutoff: int) -> Chain:
        """The mip chain of a texture."""
        pixels = power_of_two(self._city.texture(index))
        if index in self._glow_of:
            pixels = with_glow(pixels, self._city.texture(self._glow_of[index]))
        levels = mip_chain(pixels, cutoff, blend=index not in self._glow_of)
        height, width = levels[0].shape[:2]
        texels = np.concatenate([bordered(level).view("<u4").ravel() for level in levels])
        return Chain(width.bit_length() - 1, height.bit_length() - 1, texels)

    def _snapshot(self) -> Looks:
        return Looks(
            self._texture,
            self._color,
            self._cutoff,
            self._emissive,
            self.flags,
            self._glow,
            self._store.texels,
            self._shape,
            self._levels,
        )
