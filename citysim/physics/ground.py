"""Ground under a walker: a rounded foot felt for with a handful of rays."""

import math
from typing import NamedTuple

import numpy as np

from citysim.physics.config import WalkerConfig
from citysim.physics.space import Array, Space

# Rings of rays as (radius as a share of the capsule's, count, first angle). The inner three stand for a flat sole:
# 15 deg puts them 2.2 cm apart both eastwards and northwards, so that no crossing of 2 cm cracks between tiles can
# swallow them together. The outer ring is cast only where the others find a drop.
_SOLE = (1.0 / 6.0, 3, math.pi / 12.0)
_RING = (2.0 / 3.0, 6, math.pi / 6.0)
_RIM = (14.0 / 15.0, 8, 0.0)
_DROP_M = 0.10
_LAYER_M = 0.002  # surfaces nearer to each other than this are one


class Support(NamedTuple):
    """What carries the foot, and the steepest thing that lifts it; heights in local metres, -inf for nothing."""

    walkable: float  # highest foot height held by ground within the slope limit
    steep: float  # highest foot height held by anything steeper
    steep_normal: tuple[float, float, float]

    def __bool__(self) -> bool:
        return self.walkable > -math.inf


class GroundProbe:
    """Casts rays from inside the capsule, where nothing can be, down to the ground.

    A hit at horizontal offset d carries a foot at height `hit - (r - sqrt(r^2 - d^2))`: the foot is the bottom of a
    ball of the capsule's radius, so edges lift it gradually.
    """

    def __init__(self, space: Space, config: WalkerConfig) -> None:
        self._space = space
        self._step = config.step_height
        self._start = config.step_height + config.radius  # the centre of the lifted capsule's lower ball
        self._walkable = math.cos(math.radians(config.slope_deg))
        self._near = _rays(config.radius, (_SOLE, _RING))
        self._rim = _rays(config.radius, (_RIM,))
        self._ahead = np.arange(0.10, 2.0 * config.radius + 0.01, 0.05)

    @property
    def rays(self) -> tuple[Array, Array, Array]:
        """East and north offset and drop (R, 3) of the rays always cast, of those cast at a drop, distances ahead."""
        sole, rim = (np.column_stack([at[:, :2], np.array(drops)]) for at, drops in (self._near, self._rim))
        return np.asarray(sole, np.float64), np.asarray(rim, np.float64), np.asarray(self._ahead, np.float64)

    def feel(self, east: float, north: float, up: float, depth: float) -> Support:
        """Support within [up - depth, up + step height] under a foot at (east, north)."""
        support = self._cast(self._near, east, north, up, depth)
        if support.walkable < up - _DROP_M:
            rim = self._cast(self._rim, east, north, up, depth)
            support = Support(
                max(support.walkable, rim.walkable), *max(support[1:], rim[1:], key=lambda steep: steep[0])
            )
        return support

    def levels_off(self, east: float, north: float, up: float, normal: tuple[float, float, float]) -> bool:
        """Whether steep ground of this normal rises no more than a step uphill: a bevel or roughness, not a slope."""
        flat = max(math.hypot(normal[0], normal[1]), 1e-9)
        starts = np.empty((len(self._ahead), 3))
        starts[:, 0] = east - self._ahead * normal[0] / flat
        starts[:, 1] = north - self._ahead * normal[1] / flat
        starts[:, 2] = up + self._start
        hits = self._space.cast_rays(starts, starts - (0.0, 0.0, self._start - 0.01))
        rise = self._start - hits.distance
        return bool(rise.max() <= self._step) and bool(np.isfinite(rise).any())

    def surfaces(self, east: float, north: float, top: float, bottom: float) -> list[float]:
        """Heights of all walkable surfaces a vertical line meets between two heights, ascending."""
        found = []
        while top > bottom:
            hits = self._space.cast_rays(np.array([(east, north, top)]), np.array([(east, north, bottom)]))
            if not math.isfinite(hits.distance[0]):
                break
            top -= float(hits.distance[0])
            if hits.normal[0, 2] >= self._walkable:
                found.append(top)
            top -= _LAYER_M
        return found[::-1]

    def _cast(self, rays: tuple[Array, list[float]], east: float, north: float, up: float, depth: float) -> Support:
        offsets, drops = rays
        starts = offsets + np.array((east, north, up + self._start))
        hits = self._space.cast_rays(starts, starts - (0.0, 0.0, self._start + depth))
        walkable, steep, steep_normal = -math.inf, -math.inf, (0.0, 0.0, 1.0)
        top = up + self._start
        highest = up + self._step + 1e-6
        for distance, normal, drop in zip(hits.distance.tolist(), hits.normal.tolist(), drops, strict=True):
            height = top - distance
            if height > highest:
                continue
            if normal[2] >= self._walkable:
                walkable = max(walkable, height - drop)
            elif height - drop > steep:
                steep, steep_normal = height - drop, (normal[0], normal[1], normal[2])
        return Support(walkable, steep, steep_normal)


def _rays(radius: float, rings: tuple[tuple[float, int, float], ...]) -> tuple[Array, list[float]]:
    offsets, drops = [], []
    for share, count, first in rings:
        ring = share * radius
        drop = 0.0 if share < 0.5 else radius - math.sqrt(radius * radius - ring * ring)
        for k in range(count):
            angle = first + 2.0 * math.pi * k / count
            offsets.append((ring * math.cos(angle), ring * math.sin(angle), 0.0))
            drops.append(drop)
    return np.array(offsets), drops
