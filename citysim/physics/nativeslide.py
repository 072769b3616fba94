"""`nearest_step` and the walker's slide along planes as kernels."""

from typing import Any

import numpy as np

from citysim.geometry.jit import helper
from citysim.physics.nativelocal import LINE, SHOVE_M, SKIN

_FLAT = 1e-9


@helper
def nearest_step(x: float, y: float, planes: Any, count: int) -> tuple[bool, float, float]:
    """The step nearest to (x, y) on the allowed side of the first `count` lines, and whether there is one."""
    best_x, best_y = x, y
    for index in range(count):
        a, b, c = planes[index, LINE], planes[index, LINE + 1], planes[index, LINE + 2]
        if a * best_x + b * best_y >= c - _FLAT:
            continue
        size = np.sqrt(a * a + b * b)
        if size < _FLAT:
            return False, 0.0, 0.0
        a, b, c = a / size, b / size, c / size
        low, high = -np.inf, np.inf
        for other in range(index):
            a2, b2, c2 = planes[other, LINE], planes[other, LINE + 1], planes[other, LINE + 2]
            slope = b2 * a - a2 * b
            room = c2 - c * (a2 * a + b2 * b)
            if abs(slope) < _FLAT:
                if room > _FLAT:
                    return False, 0.0, 0.0
            elif slope > 0.0:
                low = max(low, room / slope)
            else:
                high = min(high, room / slope)
        if low > high + _FLAT:
            return False, 0.0, 0.0
        t = min(max(a * y - b * x, low), high)
        best_x, best_y = c * a - t * b, c * b + t * a
    return True, best_x, best_y


@helper
def slide(
    near: Any, count: int, east: float, north: float, rise: float, more: bool, a: float, b: float, c: float
) -> tuple[bool, float, float]:
    """The allowed horizontal step nearest to the wished one, for a given rise and one more line where `more`."""
    if count == 0 and not more:
        return True, east, north
    _, _, planes, _, _, desk = near
    skin = desk[SKIN]
    limit = np.sqrt(east * east + north * north) + SHOVE_M
    for attempt in range(2):
        for k in range(count):
            gap = skin - planes[k, 0] if attempt == 0 else min(0.0, skin - planes[k, 0])
            planes[k, LINE], planes[k, LINE + 1] = planes[k, 1], planes[k, 2]
            planes[k, LINE + 2] = gap - rise * planes[k, 3]
        lines = count
        if more:
            planes[lines, LINE], planes[lines, LINE + 1], planes[lines, LINE + 2] = a, b, c
            lines += 1
        found, x, y = nearest_step(east, north, planes, lines)
        if found and np.sqrt(x * x + y * y) <= limit:
            return True, x, y
    return False, 0.0, 0.0
