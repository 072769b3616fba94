"""The skeleton of a walker of size 1 in all its key poses: where joints are for a stride and a phase of the gait."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.gait import FOOT_SIDE, REACH_AHEAD, STANCE, TOE_AHEAD

Array = NDArray[np.float64]

KEYS = 8  # key poses of a turn
GAITS, GAIT_M = 7, 0.3  # strides that have poses of their own: 0, 0.3 ... 1.8 m; renderers go between them

HIP_M, THIGH_M, SHIN_M, ANKLE_M = 0.924, 0.425, 0.425, 0.08
HIP_SIDE, SHOULDER_UP, UPPER_ARM, FORE_ARM = 0.095, 0.50, 0.28, 0.25
HEEL_BACK = 0.07  # of the ankle
USUAL_M = 1.4  # the stride at which everything swings as given here

# Foot pitch in degrees (toes up positive) at the eight keys of a leg's own phase, at the usual stride.
PITCH = (16.0, 0.0, 0.0, -2.0, -22.0, -52.0, -34.0, 8.0)


class Leg(NamedTuple):
    """(F, 3) joints of a leg, and (F,) foot pitch in radians, toes up positive."""

    hip: Array
    knee: Array
    ankle: Array
    pitch: Array


class Arm(NamedTuple):
    """(F, 3) joints of an arm."""

    shoulder: Array
    elbow: Array
    wrist: Array


class Skeleton(NamedTuple):
    """Joints in F poses; x ahead, y left. (F,) yaws of pelvis, shoulders and head; legs and arms left, right."""

    pelvis: Array
    chest: Array  # between the shoulders
    hip_yaw: Array
    chest_yaw: Array
    head_yaw: Array
    legs: tuple[Leg, Leg]
    arms: tuple[Arm, Arm]


def skeleton(*, umbrella: bool = False, stoop: float = 0.0, wide: float = 0.185) -> Skeleton:
    """All poses, gait by gait: F = GAITS * KEYS. `wide` is half the distance between the shoulders, metres."""
    stride = np.repeat(np.arange(GAITS) * GAIT_M, KEYS)
    phase = np.tile(np.arange(KEYS) / KEYS, GAITS)
    swing = stride / USUAL_M
    rest = np.maximum(1.0 - stride / GAIT_M, 0.0)  # how much of someone who only stands
    turn = 2.0 * np.pi * phase
    left, right = _foot(stride, phase, rest), _foot(stride, phase + 0.5, rest)
    sway = rest * 0.045 * np.sin(turn) + (1.0 - rest) * 0.022 * np.sin(turn)
    hip_yaw = -0.10 * swing * np.cos(turn)
    level = np.full(len(phase), HIP_M) - 0.006 * rest * (1.0 - np.cos(2.0 * turn)) / 2.0
    sides = [(HIP_SIDE, left), (-HIP_SIDE, right)]
    longest = 0.997 * (THIGH_M + SHIN_M)
    for side, (ankle, _) in sides:
        hip_x, hip_y = -side * np.sin(hip_yaw), side * np.cos(hip_yaw) + sway
        flat = (ankle[:, 0] - hip_x) ** 2 + (ankle[:, 1] + np.sign(side) * FOOT_SIDE - hip_y) ** 2
        level = np.minimum(level, ankle[:, 2] + np.sqrt(np.maximum(longest**2 - flat, 0.01)))
    legs = tuple(_leg(side, foot, hip_yaw, sway, level) for side, foot in sides)
    pelvis = np.stack([np.zeros_like(sway), sway, level], axis=1)
    lean = 0.035 + 0.03 * swing + stoop
    chest = pelvis + np.stack([SHOULDER_UP * np.sin(lean), -0.35 * sway, SHOULDER_UP * np.cos(lean)], axis=1)
    chest_yaw = 0.09 * swing * np.cos(turn) + 0.03 * rest * np.sin(turn)
    head_yaw = 0.30 * rest * np.sin(turn + 0.9)
    arms = tuple(_arm(side, chest, chest_yaw, swing, turn, rest, wide) for side in (1.0, -1.0))
    if umbrella:
        arms = (arms[0], _raised(chest, chest_yaw, wide))
    return Skeleton(pelvis, chest, hip_yaw, chest_yaw, head_yaw, (legs[0], legs[1]), (arms[0], arms[1]))


def _foot(stride: Array, phase: Array, rest: Array) -> tuple[Array, Array]:
    """(F, 3) the ankle with y 0, and (F,) pitch; in stance the sole's pivot moves back as fast as the body goes on."""
    own = phase - np.floor(phase + 1e-9)
    key = np.rint(own * KEYS).astype(int) % KEYS
    pitch = np.radians(np.array(PITCH))[key] * np.minimum(stride / USUAL_M, 1.15)
    swing = np.clip((own - STANCE) / (1.0 - STANCE), 0.0, 1.0)
    ease = swing * swing * (3.0 - 2.0 * swing)
    flat = np.where(own <= STANCE + 1e-9, REACH_AHEAD - own, REACH_AHEAD - STANCE + ease * STANCE) * stride
    lift = (0.015 + 0.05 * stride / USUAL_M) * np.sin(np.pi * swing) * np.minimum(stride / 0.3, 1.0)
    # The sole turns about the heel while toes are up, about the toes while the heel is.
    pivot = np.where(pitch > 0.0, -HEEL_BACK, TOE_AHEAD)
    c, s = np.cos(pitch), np.sin(pitch)
    x = flat + pivot - pivot * c - ANKLE_M * s
    z = lift - pivot * s + ANKLE_M * c
    return np.stack([x + 0.012 * rest, np.zeros_like(x), z], axis=1), pitch


def _leg(side: float, foot: tuple[Array, Array], yaw: Array, sway: Array, level: Array) -> Leg:
    ankle, pitch = foot[0].copy(), foot[1]
    ankle[:, 1] += np.sign(side) * FOOT_SIDE
    hip = np.stack([-side * np.sin(yaw), side * np.cos(yaw) + sway, level], axis=1)
    way = ankle - hip
    reach = np.minimum(np.linalg.norm(way, axis=1), 0.9995 * (THIGH_M + SHIN_M))
    along = (THIGH_M**2 - SHIN_M**2 + reach**2) / (2.0 * reach)
    out = np.sqrt(np.maximum(THIGH_M**2 - along**2, 0.0))
    unit = way / np.linalg.norm(way, axis=1)[:, None]
    ahead = np.stack([-unit[:, 2], np.zeros(len(way)), unit[:, 0]], axis=1)  # at right angles, forwards
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    return Leg(hip, hip + unit * along[:, None] + ahead * out[:, None], ankle, pitch)


def _arm(side: float, chest: Array, yaw: Array, swing: Array, turn: Array, rest: Array, wide: float) -> Arm:
    """An arm that swings against the leg of its side."""
    shoulder = _shoulder(side, chest, yaw, wide)
    angle = -side * 0.42 * np.minimum(swing, 1.3) * np.cos(turn) + 0.04 + 0.03 * rest * np.sin(turn + side)
    bend = 0.16 + 0.22 * np.minimum(swing, 1.3) + 0.18 * np.maximum(angle, 0.0)
    splay = side * 0.09
    elbow = shoulder + UPPER_ARM * _down(angle, splay)
    return Arm(shoulder, elbow, elbow + FORE_ARM * _down(angle + bend, 0.3 * splay))


def _raised(chest: Array, yaw: Array, wide: float) -> Arm:
    """The right arm that holds an umbrella's shaft before the shoulder."""
    shoulder = _shoulder(-1.0, chest, yaw, wide)
    elbow = shoulder + UPPER_ARM * _down(np.full(len(yaw), 0.25), -0.14)
    fore = np.array([0.52, 0.25, 0.82]) / np.linalg.norm([0.52, 0.25, 0.82])
    return Arm(shoulder, elbow, elbow + FORE_ARM * fore)


def _shoulder(side: float, chest: Array, yaw: Array, wide: float) -> Array:
    aside = np.stack([-side * wide * np.sin(yaw), side * wide * np.cos(yaw), np.full(len(yaw), -0.045)], axis=1)
    return np.asarray(chest + aside)


def _down(angle: Array, splay: float) -> Array:
    """(F, 3) unit vectors down, swung forwards by an angle and to the left by a splay."""
    way = np.stack([np.sin(angle), np.full(len(angle), np.sin(splay)), -np.cos(angle)], axis=1)
    return np.asarray(way / np.linalg.norm(way, axis=1)[:, None])
