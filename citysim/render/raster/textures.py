"""TextureArena: materials, and the mip chains of the textures in use, in flat arrays that grow."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.render.raster.arena import GrowingArray
from citysim.render.raster.layout import ALPHA_TEST, DOUBLE_SIDED, UNLIT, Looks
from citysim.render.raster.mipmaps import MAX_LEVELS, mip_chain, power_of_two


class TextureArena:
    """Loads textures when a loaded chunk first uses them; `looks` is what kernels read."""

    def __init__(self, city: City) -> None:
        self._city = city
        materials = city.materials
        count = max(len(materials), 1)
        self._texture = np.full(count, -1, dtype=np.int32)
        self._color = np.ones((count, 4), dtype=np.float32)
        self._cutoff = np.zeros(count, dtype=np.int32)
        self._emissive = np.zeros((count, 3), dtype=np.float32)
        self.flags: NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        textures = len(city.texture_keys)
        self._cutoff_of: dict[int, int] = {}
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
            self.flags[i] |= (DOUBLE_SIDED if material.double_sided else 0) | (UNLIT if material.unlit else 0)
        self._shape = np.zeros((max(textures, 1), 3), dtype=np.int32)
        self._levels = np.zeros((max(textures, 1), MAX_LEVELS), dtype=np.int64)
        self._texels = GrowingArray((), np.uint32)
        self._loaded: set[int] = set()
        self.looks = self._snapshot()

    @property
    def texel_count(self) -> int:
        """Texels of all levels loaded so far, 4 bytes each."""
        return self._texels.size

    def require(self, materials: NDArray[np.int32]) -> None:
        """Load the textures of these materials; raises what City.texture raises."""
        inside = np.clip(np.unique(materials), 0, len(self._texture) - 1)
        wanted = sorted(set(self._texture[inside].tolist()) - self._loaded - {-1})
        for index in wanted:
            chain = mip_chain(power_of_two(self._city.texture(index)), self._cutoff_of.get(index, 0))
            height, width = chain[0].shape[:2]
            self._shape[index] = (width.bit_length() - 1, height.bit_length() - 1, len(chain))
            for level, pixels in enumerate(chain):
                self._levels[index, level] = self._texels.append(pixels.view("<u4").ravel())
            self._loaded.add(index)
        if wanted:
            self.looks = self._snapshot()

    def _snapshot(self) -> Looks:
        return Looks(
            self._texture,
            self._color,
            self._cutoff,
            self._emissive,
            self.flags,
            self._texels.store,
            self._shape,
            self._levels,
        )
