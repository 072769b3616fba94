"""Small figures: people a few pixels high, who are a coloured shape with two legs that go."""

import numpy as np
from numpy.typing import NDArray

from citysim.render.avatar.looks import BOTTOM, CANOPY, HAIR, HAT, SKIN, SOCKS, TOP, Look
from citysim.render.avatar.shapes import Sculpture, ring_skin
from citysim.render.avatar.skeleton import Leg, Skeleton

Array = NDArray[np.float64]

HEAD = ((0.0, 0.05), (0.13, 0.115), (0.24, 0.0))  # of the very small: heights over the neck, half widths
CANOPY_M, CANOPY_DEEP, CANOPY_UP = 0.54, 0.22, 0.36  # an umbrella's half width, its height, its tip over the chest


def small_figure(made: Sculpture, bones: Skeleton, look: Look, detail: int) -> None:
    """Someone of `detail` 4, below 22 pixels, or 5, below 11: no arms, knees, hands or bags."""
    tiny = detail > 4
    for leg in bones.legs:
        _leg(made, leg, look, tiny)
    hem = bones.pelvis - (bones.chest - bones.pelvis) * (0.1 + (0.0 if tiny else max(look.hem - 0.3, 0.0) * 2.0))
    sides = 3 if tiny else 4
    broad = look.broad + 0.035  # arms included
    if look.legs in ("skirt", "long skirt"):
        low = (bones.legs[0].knee + bones.legs[1].knee) / 2.0
        if look.legs == "long skirt":
            low = low + 0.7 * ((bones.legs[0].ankle + bones.legs[1].ankle) / 2.0 - low)
        spread = np.abs(bones.legs[0].knee[:, 0] - bones.legs[1].knee[:, 0]) / 2.0 + 0.11
        _prism(made, BOTTOM, low, spread, 0.21, bones.pelvis, 0.11, 0.16, sides)
    _prism(
        made, TOP, hem, 0.13, broad * 0.93, bones.chest + np.array([0.0, 0.0, 0.02]), 0.105, broad, sides, closed=True
    )
    _head(made, bones.chest + np.array([0.0, 0.0, 0.03]), look, tiny)


def small_umbrella(made: Sculpture, bones: Skeleton, detail: int) -> None:
    """An open umbrella over the head, as a low pyramid that is seen from below as well."""
    sides = 3 if detail > 4 else 4
    turn = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    rim = np.stack([np.cos(turn) * CANOPY_M, np.sin(turn) * CANOPY_M, np.full(sides, -CANOPY_DEEP)], axis=1)
    tip = bones.chest + np.array([0.08, 0.0, CANOPY_UP + CANOPY_DEEP])
    skin = np.array([(k, (k + 1) % sides, sides) for k in range(sides)], dtype=np.int64)
    made.add(tip[:, None, :] + np.vstack([rim, np.zeros((1, 3))]), np.vstack([skin, skin[:, ::-1]]), CANOPY)


def _leg(made: Sculpture, leg: Leg, look: Look, tiny: bool) -> None:
    """From the sole to the hip: one prism, or two where the calf has another colour than the thigh."""
    calf = SOCKS if look.colors.get(SOCKS) else SKIN
    sole = leg.ankle + np.array([0.03, 0.0, -0.075])
    if tiny:
        part = BOTTOM if look.legs in ("long", "long skirt") else calf
        _prism(made, part, sole, 0.055, 0.055, leg.hip, 0.095, 0.095, 3, single=True)
        return
    if look.legs == "long":
        _prism(made, BOTTOM, sole, 0.066, 0.058, leg.hip, 0.10, 0.085, 3)
        return
    _prism(made, calf, sole, 0.055, 0.05, leg.knee, 0.06, 0.056, 3)
    if look.legs == "short":
        _prism(made, BOTTOM, leg.knee, 0.09, 0.085, leg.hip, 0.10, 0.088, 3)


def _prism(
    made: Sculpture, part: int, low: Array, deep: float | Array, broad: float, high: Array, deep2: float, broad2: float,
    sides: int, *, closed: bool = False, single: bool = False,
) -> None:  # fmt: skip
    """Two level rings with a skin; a `single` one ends below in a point."""
    turn = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    c, s, flat = np.cos(turn), np.sin(turn), np.zeros(sides)
    upper = high[:, None, :] + np.stack([c * deep2, s * broad2, flat], axis=1)
    if single:
        skin = np.array([(0, 1 + (k + 1) % sides, 1 + k) for k in range(sides)], dtype=np.int64)
        made.add(np.concatenate([low[:, None, :], upper], axis=1), skin, part)
        return
    wide = np.broadcast_to(np.asarray(deep, dtype=np.float64), low.shape[:1])
    lower = np.stack([wide[:, None] * c, np.broadcast_to(s * broad, (len(low), sides)), np.zeros((len(low), sides))], 2)
    made.add(np.concatenate([low[:, None, :] + lower, upper], axis=1), ring_skin(2, sides, False, closed), part)


def _head(made: Sculpture, neck: Array, look: Look, tiny: bool) -> None:
    """A face below, hair or a hat above: two pyramids on one ring."""
    sides = 3 if tiny else 4
    turn = 2.0 * np.pi * np.arange(sides) / sides
    (low, _), (middle, wide), (top, _) = ((up * look.head, half * look.head) for up, half in HEAD)
    cover = HAT if look.hat else HAIR if look.hair != "none" else SKIN
    ring = np.stack([np.cos(turn) * wide, np.sin(turn) * wide, np.full(sides, middle)], axis=1)
    back = 0.03 if cover == HAIR else 0.0  # the ring of the hair lies further back: there is a face before it
    tip, chin = np.array([[-back, 0.0, top]]), np.array([[0.02, 0.0, low]])
    up = np.array([(k, (k + 1) % sides, sides) for k in range(sides)], dtype=np.int64)
    made.add(neck[:, None, :] + np.vstack([ring, tip]), up, cover)
    made.add(neck[:, None, :] + np.vstack([ring, chin]), up[:, [1, 0, 2]], SKIN)
