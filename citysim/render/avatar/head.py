"""Head: face, hair and hat."""

import numpy as np
from numpy.typing import NDArray

from citysim.render.avatar.looks import DARK, HAIR, HAT, SKIN, Look
from citysim.render.avatar.shapes import Sculpture, ring_skin

Array = NDArray[np.float64]

SKULL = ((0.02, 0.045, 0.040, 0.020), (0.055, 0.078, 0.062, 0.010), (0.12, 0.092, 0.076, 0.0),
         (0.18, 0.090, 0.074, -0.004), (0.225, 0.052, 0.045, -0.008))  # fmt: skip
"""Rings of a head: height above the chin's lower edge, half depth, half width, centre ahead."""


def add_head(made: Sculpture, neck: Array, yaw: Array, look: Look, detail: int) -> None:
    """A head on (F, 3) a neck's upper end, turned by (F,) yaw."""
    c, s, zero, one = np.cos(yaw), np.sin(yaw), np.zeros_like(yaw), np.ones_like(yaw)
    axes = np.stack([np.stack([c, s, zero], 1), np.stack([-s, c, zero], 1), np.stack([zero, zero, one], 1)], axis=1)
    axes = axes * look.head

    def put(part: int, shape: Array, corners: NDArray[np.int64]) -> None:
        made.add(neck[:, None, :] + np.einsum("vk,fkd->fvd", shape, axes), corners, part)

    sides = (8, 6, 4, 4)[detail]
    if detail < 2:
        put(SKIN, _stack([(-0.06, 0.050, 0.050, 0.0), (0.05, 0.048, 0.048, 0.005)], 6), ring_skin(2, 6, False, False))
    skull: tuple[tuple[float, float, float, float], ...] = (
        SKULL if detail < 2 else ((0.02, 0.068, 0.058, 0.010), (0.12, 0.105, 0.09, 0.0), (0.20, 0.095, 0.08, 0.0))
    )
    if detail == 3:
        skull = skull[:2]
    put(SKIN, _stack(list(skull), sides), ring_skin(len(skull), sides, detail < 2, True))
    if detail == 0:
        nose = np.array([(0.086, 0.012, 0.085), (0.086, -0.012, 0.085), (0.086, 0.0, 0.125), (0.112, 0.0, 0.092)])
        put(SKIN, nose, np.array([(0, 3, 2), (1, 2, 3), (0, 1, 3)], dtype=np.int64)[:, ::-1])
        for side in (-1.0, 1.0):
            eye = [
                (0.0885, side * 0.030 + d, z)
                for d, z in ((-0.011, 0.118), (0.011, 0.118), (0.011, 0.132), (-0.011, 0.132))
            ]
            put(DARK, np.array(eye), np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int64))
    if look.hair != "none" and (detail < 2 or not look.hat):
        put(HAIR, *_hair(look, sides, detail))
        if look.hair in ("tail", "bun") and detail < 2:
            put(HAIR, *_knot(look.hair))
    if look.hat:
        put(HAT, *_crown(look.hat, sides))
        if look.hat != "cap" and detail < 3:
            put(HAT, *_brim(look.hat, sides))
        elif look.hat == "cap" and detail < 2:
            peak = [(0.06, 0.070, 0.172), (0.06, -0.070, 0.172), (0.165, -0.045, 0.158), (0.165, 0.045, 0.158)]
            put(HAT, np.array(peak), np.array([(0, 1, 2), (0, 2, 3), (2, 1, 0), (3, 2, 0)], dtype=np.int64))


def _stack(spots: list[tuple[float, float, float, float]], sides: int) -> Array:
    turn = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    return np.array(
        [(ahead + deep * c, broad * s, up) for up, deep, broad, ahead in spots
         for c, s in zip(np.cos(turn).tolist(), np.sin(turn).tolist(), strict=True)]
    )  # fmt: skip


def _hair(look: Look, sides: int, detail: int) -> tuple[Array, NDArray[np.int64]]:
    """A cap whose lower edge is high over the face and low at the back; inside it shows as well."""
    turn = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    front = np.clip(np.cos(turn), -1.0, 1.0)
    back = {"short": 0.055, "long": -0.17, "tail": 0.05, "bun": 0.055}[look.hair]
    side = {"short": 0.115, "long": -0.10, "tail": 0.11, "bun": 0.11}[look.hair]
    edge = np.where(front > 0.5, 0.172, np.where(front > -0.2, side, back))
    # Long hair falls outside the neck.
    deep = np.where(edge < 0.0, 0.085, 0.099)
    low = np.stack([deep * np.cos(turn) - 0.006, 0.088 * np.sin(turn), edge], axis=1)
    spots = [(0.19, 0.102, 0.088, -0.004), (0.228, 0.075, 0.066, -0.006)]
    if detail == 3:
        spots = [(0.215, 0.105, 0.09, -0.004)]
    if look.hair == "long" and detail < 3:
        middle = np.stack([0.101 * np.cos(turn) - 0.006, 0.090 * np.sin(turn), np.maximum(edge, 0.08)], axis=1)
        shape, rows = np.vstack([low, middle, _stack(spots, sides)]), 2 + len(spots)
    else:
        shape, rows = np.vstack([low, _stack(spots, sides)]), 1 + len(spots)
    return shape, ring_skin(rows, sides, False, True)


def _knot(kind: str) -> tuple[Array, NDArray[np.int64]]:
    if kind == "bun":
        spots = [(0.115, 0.020, 0.020, -0.105), (0.15, 0.042, 0.042, -0.118), (0.185, 0.022, 0.022, -0.105)]
    else:
        spots = [(-0.10, 0.008, 0.010, -0.125), (0.06, 0.024, 0.028, -0.135), (0.155, 0.016, 0.018, -0.098)]
    return _stack(spots, 5), ring_skin(3, 5, True, True)


def _crown(hat: str, sides: int) -> tuple[Array, NDArray[np.int64]]:
    high = {"cap": 0.245, "brim": 0.265, "helmet": 0.275}[hat]
    wide = {"cap": 1.0, "brim": 1.0, "helmet": 1.16}[hat]
    spots = [(0.155, 0.106 * wide, 0.091 * wide, -0.004), (0.205, 0.104 * wide, 0.090 * wide, -0.004),
             (high, 0.066 * wide, 0.058 * wide, -0.006)]  # fmt: skip
    return _stack(spots, sides), ring_skin(3, sides, False, True)


def _brim(hat: str, sides: int) -> tuple[Array, NDArray[np.int64]]:
    out = 0.085 if hat == "brim" else 0.03
    spots = [(0.152, 0.10, 0.085, 0.0), (0.140, 0.10 + out, 0.09 + out, 0.012 if hat == "helmet" else 0.0)]
    skin = ring_skin(2, sides, False, False)
    return _stack(spots, sides), np.vstack([skin, skin[:, ::-1]])
