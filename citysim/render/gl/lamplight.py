"""What shines at night, as textures and uniforms of flat.frag: the lamps of a city in their grid, rooms and signs."""

from typing import Any

import numpy as np

from citysim.render.gl.programs import Value
from citysim.render.raster.layout import EXTRA_OWN, EXTRA_ROOM, EXTRA_SHARE, LAMPS_A_CELL, Extras

LAMPS_UNIT, CELLS_UNIT = 10, 11  # texture units


class LampTextures:
    """Uploads a city's lamps when they first shine."""

    def __init__(self) -> None:
        self._textures: list[Any] = []

    def of(self, extras: Extras | None) -> dict[str, Value]:
        """Uniforms of flat.frag for the raster renderer's extras of an hour."""
        if extras is None:
            return {"night": 0}
        self._upload(extras)
        numbers = extras.numbers
        return {
            "night": 1,
            "lamps": LAMPS_UNIT,
            "lamp_cells": CELLS_UNIT,
            "lamp_grid": extras.grid[:3].astype(np.float32),
            "lamp_cell_counts": extras.grid[3:5].astype(np.int32),
            "lamp_light": float(numbers[5]),
            "room_share": float(numbers[EXTRA_SHARE]),
            "room_color": numbers[EXTRA_ROOM : EXTRA_ROOM + 3].astype(np.float32),
            "sign_gain": float(numbers[EXTRA_OWN]),
        }

    def forget(self) -> None:
        """Free the textures."""
        from OpenGL import GL

        if self._textures:
            GL.glDeleteTextures(self._textures)
        self._textures = []

    def _upload(self, extras: Extras) -> None:
        """Lamps as rows of two texels (place and 1 / radius^2; power), cells as LAMPS_A_CELL texels each."""
        if self._textures:
            return
        from OpenGL import GL

        columns, rows = max(int(extras.grid[3]), 1), max(int(extras.grid[4]), 1)
        lamps = extras.lamps.astype(np.float32) if len(extras.lamps) else np.zeros((1, 8), dtype=np.float32)
        cells = np.ascontiguousarray(extras.cells[: rows * columns].reshape(rows, columns * LAMPS_A_CELL), np.int32)
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
