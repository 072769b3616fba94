"""The sun's shadow maps in OpenGL: drawn from the same places as the raster renderer's, and read by the same rule."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.render.base import Bodies, Camera
from citysim.render.gl.programs import Value
from citysim.render.raster.casting import Casting
from citysim.render.raster.layout import SHADOW_SIDE
from citysim.render.raster.shadows import ShadowMaps

FIRST_UNIT = 8  # of texture units; pyrender counts up from 0


class SunMaps:
    """Keeps the maps and the two textures that a view reads. `draw` and `bounds` are as ShadowMaps wants them."""

    def __init__(
        self, draw: Callable[[Camera, float], NDArray[np.float32]], bounds: tuple[float, float, float, float]
    ) -> None:
        self._draw = draw
        self._maps = ShadowMaps(self._drawn, bounds)
        self._textures: list[Any] = []
        self._slots: tuple[int, ...] = ()
        self._casting = Casting()

    def of(self, eye: Camera, sun: tuple[float, float, float], bodies: Bodies | None = None) -> dict[str, Value]:
        """Uniforms of flat.frag for an eye, a unit vector towards the sun and bodies; uploads what is new."""
        from OpenGL import GL

        if self._casting.lift():
            self._slots = ()
        shadows = self._maps.of(eye, sun)
        slots = tuple(int(slot) for slot in shadows.slots)
        if bodies is not None and len(bodies):
            self._casting.cast(bodies, shadows.pool, slots[0], self._maps.fine_place(eye, sun), eye)
            self._slots = ()
        if not self._textures:
            self._textures = [GL.glGenTextures(1) for _ in range(2)]
        if slots != self._slots:
            for unit, pixels in enumerate((shadows.fine, shadows.coarse)):
                GL.glActiveTexture(GL.GL_TEXTURE0 + FIRST_UNIT + unit)
                GL.glBindTexture(GL.GL_TEXTURE_2D, self._textures[unit])
                GL.glTexImage2D(
                    GL.GL_TEXTURE_2D, 0, GL.GL_R16UI, SHADOW_SIDE, SHADOW_SIDE, 0, GL.GL_RED_INTEGER,
                    GL.GL_UNSIGNED_SHORT, np.ascontiguousarray(pixels),
                )  # fmt: skip
                for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
                    GL.glTexParameteri(GL.GL_TEXTURE_2D, name, GL.GL_NEAREST)
            GL.glActiveTexture(GL.GL_TEXTURE0)
            self._slots = slots
        found: dict[str, Value] = {"shadowed": 1}
        for number, name in enumerate(("fine", "coarse")):
            rows, (along_normal, towards_sun, _) = shadows.rays[number], shadows.margins[number]
            place = rows[0] + (0.0, 0.0, towards_sun)
            found[f"{name}_map"] = FIRST_UNIT + number
            found[f"{name}_place"] = place.astype(np.float32)
            found[f"{name}_axes"] = np.ascontiguousarray(rows[4:7].T)  # columns east, north, up
            found[f"{name}_margin"] = float(along_normal)
        return found

    def forget(self) -> None:
        """Free the textures."""
        from OpenGL import GL

        if self._textures:
            GL.glDeleteTextures(self._textures)
        self._textures, self._slots = [], ()

    def _drawn(self, camera: Camera, depth: float) -> NDArray[np.float32]:
        self._slots = ()  # a slot now holds another map
        return self._draw(camera, depth)
