"""What people carry: bags, a camera, an umbrella."""

import numpy as np
from numpy.typing import NDArray

from citysim.render.avatar.looks import BAG, CANOPY, DARK, Look
from citysim.render.avatar.shapes import Sculpture, ring_skin
from citysim.render.avatar.skeleton import Skeleton

Array = NDArray[np.float64]

CANOPY_UP, CANOPY_M, CANOPY_DEEP = 0.93, 0.52, 0.20  # of an umbrella: above the hand, half width, height
CANOPY_AT = (-0.12, 0.16)  # its tip ahead and to the left of the hand: nearly over the head


def carry(made: Sculpture, bones: Skeleton, axes: Array, look: Look, detail: int) -> None:
    """Whatever the look carries, as far as it is seen in this detail; `axes` are those between the shoulders."""
    if "backpack" in look.carries and detail < 3:
        made.box(BAG, _from(bones.chest, axes, (-0.185, 0.0, -0.20)), axes, (0.075, 0.14, 0.20), 0.8)
    if detail > 1:
        return
    if "backpack" in look.carries:
        for side in (-1.0, 1.0):  # straps
            strap = [(0.13, 0.10, -0.22), (0.13, 0.135, -0.22), (0.085, 0.13, 0.02), (0.085, 0.095, 0.02)]
            points = _many(bones.chest, axes, [(x, side * y, z) for x, y, z in strap])
            made.plate(BAG, points if side > 0.0 else points[:, ::-1])
    if "shoulder" in look.carries:
        made.box(BAG, _from(bones.pelvis, axes, (0.0, -0.235, -0.02)), axes, (0.13, 0.045, 0.10), 0.85)
    if "shoulder" in look.carries and look.hem < 0.3:  # the strap of a bag; over a coat it is held
        low = _many(bones.pelvis, axes, [(0.035, -0.225, 0.08), (-0.035, -0.225, 0.08)])
        top = _many(bones.chest, axes, [(-0.015, -0.13, 0.03), (0.015, -0.13, 0.03)])
        made.plate(BAG, np.concatenate([low, top], axis=1), both=True)
    if "case" in look.carries:
        hand = bones.arms[0].wrist
        level = np.broadcast_to(np.eye(3), (len(hand), 3, 3))
        made.box(BAG, hand + np.array([0.0, 0.01, -0.30]), level, (0.20, 0.04, 0.13))
    if "camera" in look.carries:
        made.box(DARK, _from(bones.chest, axes, (0.155, 0.0, -0.24)), axes, (0.035, 0.06, 0.04))


def umbrella_over(made: Sculpture, hand: Array, detail: int) -> None:
    """An open umbrella whose shaft leans from the hand over the head; its cloth is seen from below as well."""
    sides = (8, 6, 5, 4)[detail]
    tip = hand + np.array([*CANOPY_AT, CANOPY_UP])
    way = tip - hand
    turn = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    rim = np.stack([np.cos(turn), np.sin(turn), np.zeros(sides)], axis=1) * CANOPY_M
    rims = [rim - (0.0, 0.0, CANOPY_DEEP)]
    if detail < 2:
        rims.append(rim * 0.55 - (0.0, 0.0, 0.06))
    shape = np.vstack([*rims, np.zeros((1, 3))])
    last = len(shape) - 1 - sides
    tips = [(last + k, last + (k + 1) % sides, len(shape) - 1) for k in range(sides)]
    skin = np.vstack([*([ring_skin(2, sides, False, False)] if detail < 2 else []), np.array(tips, dtype=np.int64)])
    made.add(tip[:, None, :] + shape, np.vstack([skin, skin[:, ::-1]]), CANOPY)
    if detail < 3:
        ways = [np.broadcast_to(np.eye(3)[axis], (len(hand), 1, 3)) for axis in (0, 1)]
        ends = np.stack([hand - 0.12 * way, tip + 0.05 * way], axis=1)
        made.tube(DARK, ends, [(0.012, 0.012), (0.010, 0.010)], 3, across=ways[0], left=ways[1])


def _from(origin: Array, axes: Array, place: tuple[float, float, float]) -> Array:
    return np.asarray(origin + np.einsum("k,fkd->fd", np.array(place), axes))


def _many(origin: Array, axes: Array, places: list[tuple[float, float, float]]) -> Array:
    return np.asarray(origin[:, None, :] + np.einsum("vk,fkd->fvd", np.array(places), axes))
