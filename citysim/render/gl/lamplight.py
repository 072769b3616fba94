"""What shines at night, as textures and uniforms of flat.frag: the lamps of a city in their grid, rooms and signs."""

from typing import Any

import numpy as np

from citysim.city import City
from citysim.render.atmosphere import Atmosphere
from citysim.render.gl.programs import Value
from citysim.render.raster.lamps import LampGrid
from citysim.render.raster.layout import LAMPS_A_CELL

LAMPS_UNIT, CELLS_UNIT = 10, 11  # texture units


class LampTextures:
    """Uploads a city's lamps when they first shine."""

    def __init__(self, city: City) -> None:
        self._city = city
        self._textures: list[Any] = []
        self._grid = np.zeros(5)

    def of(self, atmosphere: Atmosphere) -> dict[str, Value]:
        """Uniforms of flat.frag for what an hour lights."""
        a = atmosphere
        if a.lamp_light <= 0.0:
            return {"night": 0}
        self._upload()
        return {
            "night": 1,
            "lamps": LAMPS_UNIT,
            "lamp_cells": CELLS_UNIT,
            "lamp_grid": self._grid[:3].astype(np.float32),
            "lamp_cell_counts": self._grid[3:5].astype(np.int32),
            "lamp_light": float(a.lamp_light),
            "room_share": float(a.room_share),
            "room_color": np.array(a.room_color, dtype=np.float32),
            "sign_gain": float(a.sign_gain),
        }

    def forget(self) -> None:
        """Free the textures."""
        from OpenGL import GL

        if self._textures:
            GL.glDeleteTextures(self._textures)
        self._textures = []

    def _upload(self) -> None:
        """Lamps as rows of two texels (place and 1 / radius^2; power), cells as LAMPS_A_CELL texels each."""
        if self._textures:
            return
        from OpenGL import GL

        made = LampGrid.of(self._city)
        columns, rows = max(int(made.grid[3]), 1), max(int(made.grid[4]), 1)
        lamps = made.lamps.astype(np.float32) if len(made.lamps) else np.zeros((1, 8), dtype=np.float32)
        cells = np.ascontiguousarray(made.cells[: rows * columns].reshape(rows, columns * LAMPS_A_CELL), np.int32)
        self._grid = made.grid
        self._textures = [GL.glGenTextures(1) for _ in range(2)]
        for unit, texture, inner, outer, kind, pixels, width in (
            (LAMPS_UNIT, self._textures[0], GL.GL_RGBA32F, GL.GL_RGBA, GL.GL_FLOAT, lamps, 2),
            (CELLS_UNIT, self._textures[1], GL.GL_R32I, GL.GL_RED_INTEGER, GL.GL_INT, cells, cells.shape[1]),
        ):
            GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
            GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
            GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, inner, width, len(pixels), 0, outer, kind, pixels)
            for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, name, GL.GL_NEAREST)
        GL.glActiveTexture(GL.GL_TEXTURE0)
