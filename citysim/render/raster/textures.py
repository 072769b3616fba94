"""TextureArena: materials, and the mip chains of the textures in use, in flat arrays that grow and can be packed."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.city.glow import glows_of, with_glow
from citysim.render.raster.arena import GrowingArray
from citysim.render.raster.layout import ALPHA_TEST, DOUBLE_SIDED, GLOW_OWN, GLOW_ROOMS, UNLIT, Looks
from citysim.render.raster.mipmaps import MAX_LEVELS, bordered, mip_chain, power_of_two

WHITE_TEXELS = 4


class TextureArena:
    """Loads textures when a loaded chunk first uses them; `looks` is what kernels read."""

    def __init__(self, city: City) -> None:
        self._city = city
        materials = city.materials
        count = len(materials) + 1  # the last one is plain white
        self._texture = np.full(count, -1, dtype=np.int32)
        self._color = np.ones((count, 4), dtype=np.float32)
        self._cutoff = np.zeros(count, dtype=np.int32)
        self._emissive = np.zeros((count, 3), dtype=np.float32)
        self._glow = np.zeros((count, 3), dtype=np.int32)
        self.flags: NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
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
        self._texels = GrowingArray((), np.uint32)
        self._texels.append(np.full(WHITE_TEXELS, 0xFFFFFFFF, dtype=np.uint32))
        self._spans: dict[int, tuple[int, int]] = {}  # texture -> first texel and number of texels of its levels
        self.looks = self._snapshot()

    @property
    def texel_count(self) -> int:
        """Texels of all levels loaded so far, 4 bytes each."""
        return self._texels.size

    @property
    def nbytes(self) -> int:
        """Bytes of all levels in use."""
        return self._texels.nbytes

    def bytes_of(self, texture: int) -> int:
        """Bytes that a loaded texture takes."""
        return 4 * self._spans[texture][1]

    def keep(self, textures: Collection[int]) -> None:
        """Forget all textures but these."""
        spans = sorted((self._spans[texture], texture) for texture in textures if texture in self._spans)
        self._spans = {}
        end = WHITE_TEXELS
        for (first, count), texture in spans:
            self._levels[texture] += end - first
            self._spans[texture] = (end, count)
            end += count
        self._texels.keep([(0, WHITE_TEXELS), *(span for span, _ in spans)])

    def require(self, materials: NDArray[np.int32]) -> tuple[int, ...]:
        """Load the textures of these materials, and say which they are; raises what City.texture raises."""
        inside = np.clip(np.unique(materials), 0, len(self._texture) - 1)
        used = sorted(set(self._texture[inside].tolist()) - {-1})
        wanted = [texture for texture in used if texture not in self._spans]
        for index in wanted:
            pixels = power_of_two(self._city.texture(index))
            if index in self._glow_of:
                pixels = with_glow(pixels, self._city.texture(self._glow_of[index]))
            chain = mip_chain(pixels, self._cutoff_of.get(index, 0), blend=index not in self._glow_of)
            height, width = chain[0].shape[:2]
            self._shape[index] = (width.bit_length() - 1, height.bit_length() - 1, len(chain))
            first = self._texels.size
            for level, pixels in enumerate(chain):
                self._levels[index, level] = self._texels.append(bordered(pixels).view("<u4").ravel())
            self._spans[index] = (first, self._texels.size - first)
        if wanted:
            self.looks = self._snapshot()
        return tuple(used)

    def _snapshot(self) -> Looks:
        return Looks(
            self._texture,
            self._color,
            self._cutoff,
            self._emissive,
            self.flags,
            self._glow,
            self._texels.store,
            self._shape,
            self._levels,
        )
