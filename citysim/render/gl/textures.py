"""Textures of materials in OpenGL: the very mip levels that the raster renderer reads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.city.glow import glows_of, with_glow
from citysim.render.raster.mipmaps import mip_chain, power_of_two


class TextureShelf:
    """Makes a pyrender texture of each picture of a city once."""

    def __init__(self, city: City, pyrender: Any) -> None:
        self._city = city
        self._glow_of = glows_of(city)
        self._cutoff_of: dict[int, int] = {}
        for number, material in enumerate(city.materials):
            if self.cutoff(number):
                self._cutoff_of.setdefault(material.texture, self.cutoff(number))
        self._kind = _texture_class(pyrender)
        self._made: dict[int, Any] = {}

    def cutoff(self, material: int) -> int:
        """The alpha byte below which a material has holes, 0 for an opaque one."""
        look = self._city.materials[material]
        if look.alpha_cutoff <= 0.0 or not self.shows(material):
            return 0
        return max(int(np.ceil(look.alpha_cutoff * 255.0 / max(look.color[3], 1e-6))), 1)

    def shows(self, material: int) -> bool:
        """Whether a material has a picture that the city has."""
        return 0 <= self._city.materials[material].texture < len(self._city.texture_keys)

    def glows(self, texture: int) -> bool:
        """Whether the alpha of a texture is its glow."""
        return texture in self._glow_of

    def get(self, index: int) -> Any:
        """The pyrender texture of a city's texture."""
        if index not in self._made:
            pixels = power_of_two(self._city.texture(index))
            if index in self._glow_of:
                pixels = with_glow(pixels, self._city.texture(self._glow_of[index]))
            levels = mip_chain(pixels, self._cutoff_of.get(index, 0), blend=index not in self._glow_of)
            self._made[index] = self._kind(levels)
        return self._made[index]

    def clear(self) -> None:
        """Forget all; pyrender frees those that no mesh of its scene uses."""
        self._made.clear()


def _texture_class(pyrender: Any) -> Any:
    from OpenGL import GL

    class LevelsTexture(pyrender.Texture):
        """A pyrender texture that uploads given mip levels, rows from the top."""

        def __init__(self, levels: list[NDArray[np.uint8]]) -> None:
            super().__init__(source=levels[0], source_channels="RGBA")
            self._levels = levels

        def _add_to_context(self) -> None:
            self._texid = GL.glGenTextures(1)
            GL.glBindTexture(GL.GL_TEXTURE_2D, self._texid)
            for level, pixels in enumerate(self._levels):
                height, width = pixels.shape[:2]
                GL.glTexImage2D(
                    GL.GL_TEXTURE_2D, level, GL.GL_RGBA8, width, height, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE,
                    np.ascontiguousarray(pixels),
                )  # fmt: skip
            GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAX_LEVEL, len(self._levels) - 1)
            GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR)
            GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR)
            for side in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, side, GL.GL_REPEAT)
            GL.glBindTexture(GL.GL_TEXTURE_2D, 0)

    return LevelsTexture
