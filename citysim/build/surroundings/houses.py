"""Houses beyond the edge: boxes with windows, a ground floor and a roof, a dozen triangles each."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.surroundings.manners import Manner
from citysim.build.surroundings.pictures import BAY, COUNT, FRONT, FRONTS, STRIPS, WALLS, register

SUNK = 3.0  # metres that a house reaches below the ground it stands on
PITCH = 0.55  # rise of a pitched roof over half its width
Corners = NDArray[np.float64]


def raise_house(
    draft: CityDraft, corners: Corners, foot: float, height: float, manner: Manner, chance: Chance,
    fronts: bool = True, pale: float = 0.0,
) -> None:  # fmt: skip
    """A house over four corners (4, 2), counter-clockwise from above, `height` metres high.

    `fronts` gives it shop fronts at street level; `pale` mixes air into its colour, 1 all of it.
    """
    color = _mixed(chance.choice(manner.palette, "color"), pale)
    strips = chance.unit("strips") < manner.strips
    walls = register(draft, STRIPS if strips else WALLS)
    shift = float(chance.integer(0, 40, "shift") * COUNT)
    eaves = max(round((height - FRONT) / BAY), 1) * BAY + FRONT
    eaves += chance.uniform(0.0, 0.6, "eaves")  # no two roofs in one plane
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        bays = max(round(float(np.abs(b - a).sum()) / BAY), 1) / COUNT
        storeys = (eaves - (FRONT if fronts else 0.0)) / BAY / COUNT
        low = foot + (FRONT if fronts else 0.0)
        _wall(draft, a, b, (low if fronts else foot - SUNK, foot + eaves), walls,
              (shift, 0.0, shift + bays, storeys + (0.0 if fronts else SUNK / BAY / COUNT)), color)  # fmt: skip
        if fronts:
            _wall(draft, a, b, (foot, low), register(draft, FRONTS), (shift, 0.0, shift + bays, 1.0), color)
    if chance.unit("gable") < manner.gables and height < 25.0:
        _pitched(draft, corners, foot + eaves, walls, color, chance)
    else:
        style = look(draft, "roof_bitumen")
        top = np.column_stack([corners, np.full(4, foot + eaves)])
        draft.mesh.add(top, [(0, 1, 2), (0, 2, 3)], corners / style.metres, style.material)


def _wall(
    draft: CityDraft, a: Corners, b: Corners, z: tuple[float, float], material: str,
    uv: tuple[float, float, float, float], color: tuple[int, int, int, int],
) -> None:  # fmt: skip
    quad = [(*a, z[0]), (*b, z[0]), (*b, z[1]), (*a, z[1])]
    draft.mesh.quad(quad, material, uv=uv, color=color)


def _pitched(
    draft: CityDraft, corners: Corners, z: float, walls: str, color: tuple[int, int, int, int], chance: Chance
) -> None:
    """A ridge along the longer side, gables at its ends."""
    sides = [float(np.abs(corners[(k + 1) % 4] - corners[k]).sum()) for k in range(2)]
    p = corners if sides[0] >= sides[1] else np.roll(corners, -1, axis=0)
    rise = PITCH * min(sides) / 2
    ends = [(p[1] + p[2]) / 2, (p[3] + p[0]) / 2]
    points = np.array([*((*c, z) for c in p), (*ends[0], z + rise), (*ends[1], z + rise)])
    style = look(draft, "roof_tiles")
    long, slope = max(sides), float(np.sqrt((min(sides) / 2) ** 2 + rise**2))
    u, v = long / style.metres[0], slope / style.metres[1]
    tone = chance.integer(205, 256, "tiles")
    for a, b, c, d in ((0, 1, 4, 5), (2, 3, 5, 4)):
        draft.mesh.add(points[[a, b, c, d]], [(0, 1, 2), (0, 2, 3)], [(0, v), (u, v), (u, 0), (0, 0)], style.material,
                       color=(tone, tone, tone, 255))  # fmt: skip
    for a, b, c in ((1, 2, 4), (3, 0, 5)):
        draft.mesh.add(points[[a, b, c]], [(0, 1, 2)], [(0.0, 0.02), (0.04, 0.02), (0.02, 0.0)], walls, color=color)


def _mixed(color: str, pale: float) -> tuple[int, int, int, int]:
    rgb = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
    air = (176, 190, 204)
    red, green, blue = (round(c + (a - c) * pale) for c, a in zip(rgb, air, strict=True))
    return red, green, blue, 255
