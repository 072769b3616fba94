"""A street for tests of night and rain: ground, a wall of windows, a lit sign, lamps with known places, a roof."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City, CityObject, Material
from tests.render.scenes import box, merge, noise, quad

LAMPS = ((0.0, 6.0), (40.0, 6.0), (80.0, 6.0))
ROOF = (-30.0, -20.0, -10.0, 0.0)  # west, south, east, north of a roof 4 m up
COLUMNS = 8  # windows across the picture of the wall


def windows() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A plaster wall with 8 x 1 dark panes, and a glow texture whose alpha marks the panes."""
    picture = noise(256, (150, 140, 128), 4, 3)
    glow = np.zeros((256, 256, 4), dtype=np.uint8)
    for column in range(COLUMNS):
        left = column * 32 + 8
        picture[64:192, left : left + 16, :3] = (40, 48, 60)
        glow[64:192, left : left + 16] = (150, 130, 100, 150)
    return picture, glow


def sign() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """White bars on dark blue, all of it lit."""
    picture = np.zeros((64, 256, 4), dtype=np.uint8)
    picture[...] = (24, 40, 88, 255)
    for bar in range(8):
        picture[12:52, 16 + 30 * bar : 30 + 30 * bar, :3] = 240
    glow = picture.copy()
    glow[..., 3] = 220
    return picture, glow


def night_street(*, sign_glows: bool = True) -> City:
    """The wall stands along north 12, its sign 3 m up between east 4 and 8; the roof covers ROOF, open at its sides."""
    wall, wall_glow = windows()
    board, board_glow = sign()
    materials = [
        Material(0, name="ground"),
        Material(1, emissive=(1.0, 1.0, 1.0), glow=2, glow_cells=(COLUMNS, 1), name="wall"),
        Material(
            3, emissive=(1.0, 1.0, 1.0) if sign_glows else (0.0, 0.0, 0.0), glow=4 if sign_glows else -1, name="sign"
        ),
        Material(-1, (0.5, 0.5, 0.5, 1.0), name="grey"),
    ]
    textures = [noise(128, (120, 120, 118), 5, 1), wall, wall_glow, board, board_glow]
    parts = [
        quad([(-100, -60, 0), (140, -60, 0), (140, 12, 0), (-100, 12, 0)], (0, 0, 60, 18), material=0, label=1),
        quad([(4, 11.9, 3), (8, 11.9, 3), (8, 11.9, 4), (4, 11.9, 4)], material=2, label=9),
    ]
    for storey in range(6):
        z = 4.0 * storey
        corners = [(-100.0, 12.0, z), (140.0, 12.0, z), (140.0, 12.0, z + 4.0), (-100.0, 12.0, z + 4.0)]
        parts.append(quad(corners, (10.0 * storey, 0.0, 10.0 * storey + 10.0, 1.0), material=1, label=5))
    west, south, east, north = ROOF
    parts.append(box((west, south, 4.0), (east, north, 4.3), material=3, label=7))
    objects = [
        CityObject(20 + k, "street_lamp", "", (x, y, 0.0), 0.0, (x, y, 0.0, x, y, 5.0))
        for k, (x, y) in enumerate(LAMPS)
    ]
    return City.in_memory([merge(parts)], materials, textures, objects=objects)
