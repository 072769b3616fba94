"""Lamps: where a city's lamps hang, and the grid of cells in which kernels find those that reach a point."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.city import City, CityObject
from citysim.render.raster.layout import LAMPS_A_CELL

CELL_M = 16.0
MOST_CELLS = 1 << 20
SPACING_M = 26.0  # between lamps along ways
SHORTER = (0.75, 0.55, 0.4)  # of a lamp's reach, where there is no room for all of it
Rgb = tuple[float, float, float]
LED: Rgb = (1.00, 0.80, 0.52)  # 3000 K
SHOP: Rgb = (1.00, 0.86, 0.64)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light at a place (local metres) that ends `radius` metres away.

    `power` is the linear light that it would give close below it, `head` the radius of what is seen to shine, 0 for
    nothing.
    """

    place: tuple[float, float, float]
    radius: float
    power: Rgb
    head: float = 0.0


@dataclass(frozen=True, slots=True)
class LampGrid:
    """Lamps (L, 8) and cells (rows * columns, LAMPS_A_CELL) with their grid (5,) as in `layout.Extras`."""

    lamps: NDArray[np.float64]
    cells: NDArray[np.int32]
    grid: NDArray[np.float64]

    @classmethod
    def of(cls, city: City) -> "LampGrid":
        """The lamps of a city's objects; where none is known, as in a scan, one every so far along its ways."""
        found = lamps_of(city.objects)
        if not any(lamp.head for lamp in found):
            found = lamps_along(edge.line for edge in city.network.edges) + found
        return grid_of(found)


def lamps_of(objects: Iterable[CityObject]) -> list[Lamp]:
    """Street lamps at their heads, lamps below roofs, then the light that shop windows spill on the pavement."""
    street: list[Lamp] = []
    roofed: list[Lamp] = []
    shops: list[Lamp] = []
    for thing in objects:
        if thing.category == "street_lamp":
            street.append(_street_lamp(thing))
        elif thing.category == "ceiling_lamp":
            roofed.append(_ceiling_lamp(thing))
        elif thing.category == "shop_front":
            shops.append(_shop_window(thing))
    return street + roofed + shops


def lamps_along(lines: Iterable[NDArray[np.float64]]) -> list[Lamp]:
    """Lamps that are not seen themselves, 5 m over the middle of every SPACING_M of lines (N, 3), none near another."""
    found: list[Lamp] = []
    cells: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    near = 0.5 * SPACING_M
    for line in lines:
        steps = np.sqrt((np.diff(line, axis=0) ** 2).sum(axis=1))
        along = np.concatenate([[0.0], np.cumsum(steps)])
        for at in np.arange(near, along[-1], SPACING_M):
            e, n, up = (float(np.interp(at, along, line[:, axis])) for axis in range(3))
            c, r = int(e // near), int(n // near)
            around = [p for dc in (-1, 0, 1) for dr in (-1, 0, 1) for p in cells.get((c + dc, r + dr), ())]
            if all(abs(p[2] - up) > 4.0 or (p[0] - e) ** 2 + (p[1] - n) ** 2 > near * near for p in around):
                cells.setdefault((c, r), []).append((e, n, up))
                found.append(Lamp((e, n, up + 5.0), 20.0, _scaled(LED, 6.0)))
    return found


def _street_lamp(thing: CityObject) -> Lamp:
    east, north, foot = thing.position
    top = thing.bounds[5] if thing.bounds[5] > foot + 1.0 else foot + 5.0
    tall = top - foot
    if tall >= 5.9:  # an arm reaches over the road
        heading = math.radians(thing.heading_deg)
        east, north = east + 1.7 * math.sin(heading), north + 1.7 * math.cos(heading)
        place, radius = (east, north, top - 0.2), min(16.0 + 2.0 * tall, 44.0)
        return Lamp(place, radius, _scaled(LED, 0.36 * tall * tall), 0.2)
    return Lamp((east, north, top - 0.35), 22.0, _scaled(LED, 7.5), 0.2)


def _ceiling_lamp(thing: CityObject) -> Lamp:
    e0, n0, low, e1, n1, _ = thing.bounds
    return Lamp((0.5 * (e0 + e1), 0.5 * (n0 + n1), low - 0.05), 10.0, _scaled(LED, 3.2))


def _shop_window(thing: CityObject) -> Lamp:
    e0, n0, low, e1, n1, high = thing.bounds
    heading = math.radians(thing.heading_deg)
    wide = math.hypot(e1 - e0, n1 - n0)
    place = (
        0.5 * (e0 + e1) + 0.5 * math.sin(heading),
        0.5 * (n0 + n1) + 0.5 * math.cos(heading),
        low + 0.75 * (high - low),
    )
    return Lamp(place, min(5.0 + wide, 10.0), _scaled(SHOP, 1.6))


def grid_of(lamps: list[Lamp]) -> LampGrid:
    """Cells that each list every lamp that reaches into them.

    No cell holds more than LAMPS_A_CELL: a lamp that would be one too many anywhere is left out everywhere, so that no
    border of cells shows. One that is seen reaches less far instead, at last only itself: no dark lamp stands between
    others that shine. Places are rounded to 1/1024 m.
    """
    if not lamps:
        return LampGrid(np.zeros((0, 8)), np.full((1, LAMPS_A_CELL), -1, np.int32), np.array([0.0, 0.0, 0.0, 0.0, 0.0]))
    places = np.round(np.array([lamp.place for lamp in lamps]) * 1024.0) / 1024.0
    reach = np.array([lamp.radius for lamp in lamps])
    size = CELL_M
    low = np.floor((places[:, :2] - reach[:, None]).min(axis=0))
    extent = (places[:, :2] + reach[:, None]).max(axis=0) - low
    while (extent[0] / size + 1.0) * (extent[1] / size + 1.0) > MOST_CELLS:
        size *= 2.0
    columns, rows = (int(v / size) + 1 for v in extent)
    cells = np.full((rows * columns, LAMPS_A_CELL), -1, dtype=np.int32)
    filled = np.zeros(rows * columns, dtype=np.int64)
    kept: list[NDArray[np.float64]] = []
    for lamp, (east, north, up) in zip(lamps, places, strict=True):
        for radius in (lamp.radius, *(share * lamp.radius for share in SHORTER if lamp.head)):
            touched = _touched(east - low[0], north - low[1], radius, size, columns, rows)
            room = len(touched) > 0 and filled[touched].max() < LAMPS_A_CELL
            if room:
                cells[touched, filled[touched]] = len(kept)
                filled[touched] += 1
                break
        if room or lamp.head:
            kept.append(np.array([east, north, up, 1.0 / radius**2, *lamp.power, lamp.head]))
    return LampGrid(np.array(kept).reshape(-1, 8), cells, np.array([low[0], low[1], 1.0 / size, columns, rows]))


def _touched(x: float, y: float, radius: float, size: float, columns: int, rows: int) -> NDArray[np.int64]:
    """Numbers of the cells that a circle reaches into."""
    c = np.arange(max(int((x - radius) / size), 0), min(int((x + radius) / size) + 1, columns))
    r = np.arange(max(int((y - radius) / size), 0), min(int((y + radius) / size) + 1, rows))
    dx = np.maximum(np.maximum(c * size - x, x - (c + 1) * size), 0.0)
    dy = np.maximum(np.maximum(r * size - y, y - (r + 1) * size), 0.0)
    near = dx[None, :] ** 2 + dy[:, None] ** 2 < radius * radius
    return np.asarray((r[:, None] * columns + c[None, :])[near], dtype=np.int64)


def _scaled(color: Rgb, power: float) -> Rgb:
    return (color[0] * power, color[1] * power, color[2] * power)
