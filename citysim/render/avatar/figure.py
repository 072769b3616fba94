"""figure: the mesh of a look in all its poses."""

import numpy as np
from numpy.typing import NDArray

from citysim.gait import TOE_AHEAD
from citysim.render.avatar.carried import carry, umbrella_over
from citysim.render.avatar.head import add_head
from citysim.render.avatar.looks import BOTTOM, DETAIL, SHOES, SKIN, SOCKS, STRIPE, TOP, Look
from citysim.render.avatar.shapes import Sculpture, ring_skin, rings
from citysim.render.avatar.skeleton import GAITS, HEEL_BACK, Arm, Leg, Skeleton, skeleton
from citysim.render.avatar.small import small_figure, small_umbrella
from citysim.render.bodies import BodyMesh

Array = NDArray[np.float64]

SIDES = ((8, 6, 5), (6, 4, 3), (4, 3, 3), (4, 3, 3))
"""Corners around torso, legs and arms in each level of detail, from near to far."""
SMALL = len(SIDES)  # from this detail on figures are those of `small`
DETAILS = SMALL + 2


def figure(look: Look, *, umbrella: bool = False, detail: int = 0) -> BodyMesh:
    """A person of size 1, facing x; `detail` 0 is the best figure, those to 5 are for being seen small."""
    bones = skeleton(umbrella=umbrella, stoop=look.stoop, wide=look.broad)
    made = Sculpture()
    if detail >= SMALL:
        small_figure(made, bones, look, detail)
        if umbrella:
            small_umbrella(made, bones, detail)
        return made.mesh(GAITS)
    torso, legs, arms = SIDES[detail]
    for leg in bones.legs:
        _leg(made, leg, look, legs, detail)
    spine = _Spine(bones)
    _hips(made, spine, bones, look, torso, detail)
    _top(made, spine, bones, look, torso, detail)
    for arm in bones.arms:
        _arm(made, arm, look, arms, detail)
    add_head(made, spine.at(1.0) + spine.up * 0.05, bones.chest_yaw + bones.head_yaw, look, detail)
    carry(made, bones, spine.axes, look, detail)
    if umbrella:
        umbrella_over(made, bones.arms[1].wrist, detail)
    return made.mesh(GAITS)


class _Spine:
    """The line from the pelvis to between the shoulders, and directions across it."""

    def __init__(self, bones: Skeleton) -> None:
        self._low, self._high = bones.pelvis, bones.chest
        self._yaws = bones.hip_yaw, bones.chest_yaw
        way = self._high - self._low
        self.up = way / np.linalg.norm(way, axis=1)[:, None]

    def at(self, share: float) -> Array:
        """(F, 3) a point: 0 pelvis, 1 shoulders."""
        return np.asarray(self._low + (self._high - self._low) * share)

    def sides(self, share: float) -> tuple[Array, Array]:
        """(F, 3) ahead and left at a point."""
        yaw = self._yaws[0] + (self._yaws[1] - self._yaws[0]) * share
        left = np.stack([-np.sin(yaw), np.cos(yaw), np.zeros_like(yaw)], axis=1)
        ahead = np.cross(left, self.up)
        return ahead / np.linalg.norm(ahead, axis=1)[:, None], left

    @property
    def axes(self) -> Array:
        """(F, 3, 3) rows ahead, left and up between the shoulders."""
        ahead, left = self.sides(1.0)
        return np.stack([ahead, left, np.cross(ahead, left)], axis=1)

    def tube(self, made: Sculpture, part: int, spots: list[tuple[float, float, float]], sides: int,
             *, low: bool = False, high: bool = False) -> None:  # fmt: skip
        """Rings at (share, half depth, half width)."""
        centers = np.stack([self.at(share) for share, _, _ in spots], axis=1)
        both = [self.sides(share) for share, _, _ in spots]
        made.tube(
            part, centers, [(deep, broad) for _, deep, broad in spots], sides,
            across=np.stack([a for a, _ in both], axis=1), left=np.stack([b for _, b in both], axis=1),
            low=low, high=high,
        )  # fmt: skip


def _leg(made: Sculpture, leg: Leg, look: Look, sides: int, detail: int) -> None:
    ahead, left = _bent(leg.hip, leg.knee, leg.ankle)
    shin, thigh = leg.ankle - leg.knee, leg.knee - leg.hip
    trousers = look.legs == "long"
    calf = SOCKS if look.colors.get(SOCKS) else SKIN
    lower = BOTTOM if trousers else calf
    spots = [leg.ankle - 0.02 * shin, leg.knee + 0.35 * shin, leg.knee, leg.hip + (0.02 if trousers else 0.2) * thigh]
    radii = [(0.042, 0.040), (0.058, 0.052), (0.060, 0.056), (0.088, 0.078)]
    if trousers:
        radii = [(0.056, 0.052), (0.064, 0.058), (0.066, 0.062), (0.092, 0.082)]
    keep = ([0, 1, 2, 3], [0, 2, 3], [0, 2, 3], [0, 3])[detail]
    turned = {0: 0, 1: 0, 2: 1, 3: 2}  # which of the directions below a ring takes
    frames = np.stack([ahead[k] for k in (0, 1, 2)], axis=1)
    made.tube(
        lower, np.stack([spots[k] for k in keep], axis=1), [radii[k] for k in keep], sides,
        across=frames[:, [turned[k] for k in keep]], left=left[:, None, :], high=detail < 3,
    )  # fmt: skip
    if look.legs == "short" and detail < 3:
        spots, radii = [leg.knee - 0.12 * thigh, leg.hip + 0.05 * thigh], [(0.088, 0.082), (0.10, 0.088)]
        made.tube(BOTTOM, np.stack(spots, axis=1), radii, sides, across=frames[:, [2, 2]], left=left[:, None, :])
    if detail == 3:
        return
    c, s = np.cos(leg.pitch), np.sin(leg.pitch)
    zero = np.zeros_like(c)
    axes = np.stack(
        [np.stack([c, zero, s], axis=1), np.stack([zero, zero + 1.0, zero], axis=1), np.stack([-s, zero, c], axis=1)],
        axis=1,
    )
    _foot(made, leg, axes, detail)


def _foot(made: Sculpture, leg: Leg, axes: Array, detail: int) -> None:
    """A shoe: a sole with a toe, highest at the ankle."""
    heel, toe = -HEEL_BACK, TOE_AHEAD
    low = [(heel, -0.036, -0.08), (toe, -0.036, -0.08), (toe, 0.036, -0.08), (heel, 0.036, -0.08)]
    middle = [(heel, -0.042, -0.05), (toe + 0.01, -0.04, -0.06), (toe + 0.01, 0.04, -0.06), (heel, 0.042, -0.05)]
    high = [(x, y, z) for x, y, z in ((heel + 0.01, -0.034, 0.0), (toe - 0.02, -0.03, -0.045))]
    high += [(x, -y, z) for x, y, z in reversed(high)]
    skin = ring_skin(2 if detail else 3, 4, True, True)
    if detail == 2:
        high = [(0.0, 0.0, 0.02)]
        skin = np.array([(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)], dtype=np.int64)
    shape = np.array(low + (middle if detail == 0 else []) + high)
    made.add(leg.ankle[:, None, :] + np.einsum("vk,fkd->fvd", shape, axes), skin, SHOES)


def _bent(high: Array, joint: Array, low: Array) -> tuple[list[Array], Array]:
    """(F, 3) directions forwards at the lower end, the joint and the upper end of a limb, and to the left."""
    ways = [joint - low, high - low, high - joint]
    left = np.zeros_like(high)
    left[:, 1] = 1.0
    ahead = []
    for way in ways:
        cross = np.cross(left, way)
        ahead.append(cross / np.linalg.norm(cross, axis=1)[:, None])
    return ahead, left


def _hips(made: Sculpture, spine: _Spine, bones: Skeleton, look: Look, sides: int, detail: int) -> None:
    """The seat of trousers, or a skirt."""
    broad = 0.155 if look.broad > 0.17 else 0.165
    if look.legs in ("long", "short"):
        spots = [(-0.17, 0.07, 0.10), (0.0, 0.118, broad), (0.30, 0.102, _belt(look))]
        spine.tube(made, BOTTOM, spots if detail < 3 else spots[:2], sides)
    else:
        _skirt(made, BOTTOM, spine, bones, look, (0.1,) if look.legs == "skirt" else (-0.75, 0.0), sides)


def _belt(look: Look) -> float:
    """Half the width of what is worn below, at the waist: over a shirt that is tucked in, under one that is not."""
    return look.slim * look.broad * (0.84 if look.hem > 0.0 else 0.97)


def _skirt(
    made: Sculpture, part: int, spine: _Spine, bones: Skeleton, look: Look, heights: tuple[float, ...], sides: int
) -> None:  # fmt: skip
    """Cloth from the waist round both legs; `heights` of its rings: 0 at the knees, 1 the hips, -1 the ankles."""
    turn = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    found = []
    for height in heights:
        both = [
            leg.knee + (leg.hip - leg.knee if height > 0.0 else leg.knee - leg.ankle) * height for leg in bones.legs
        ]
        middle = (both[0] + both[1]) / 2.0
        # Wide enough that the corners of both legs lie inside the oval.
        deep = (np.abs(both[0][:, 0] - both[1][:, 0]) / 2.0 + 0.065) * 1.45
        oval = [
            deep[:, None] * np.cos(turn),
            np.full((len(deep), 1), 0.215) * np.sin(turn),
            np.zeros((len(deep), sides)),
        ]
        found.append(middle[:, None, :] + np.stack(oval, axis=2))
    ahead, left = zip(*[spine.sides(share) for share in (0.0, 0.30)], strict=True)
    centers = np.stack([spine.at(0.0), spine.at(0.30)], axis=1)
    radii = np.array([(0.138, 0.185), (0.108, _belt(look) + (0.02 if part == TOP else 0.0))])
    found.append(rings(centers, radii, sides, np.stack(ahead, axis=1), np.stack(left, axis=1)))
    count = len(heights) + 2
    skin = ring_skin(count, sides, False, False)
    if sides > 4:  # its inside is seen near the hem
        skin = np.vstack([skin, ring_skin(2, sides, False, False)[:, ::-1]])
    made.add(np.concatenate(found, axis=1), skin, part)


def _top(made: Sculpture, spine: _Spine, bones: Skeleton, look: Look, sides: int, detail: int) -> None:
    """Shirt, jacket or coat, with what is worn on it."""
    waist, chest = look.slim * look.broad * 0.95, look.broad
    spots = [(0.30, 0.108, waist), (0.72, 0.122, chest * 0.96), (0.95, 0.085, chest * 0.93), (1.06, 0.052, 0.065)]
    if look.hem > 0.3:
        _skirt(made, TOP, spine, bones, look, (0.12,), sides)
    elif look.hem > 0.0:
        wide = 0.178 if look.broad < 0.17 else 0.197
        deep = 0.144
        if "skirt" in look.legs:  # over it
            deep, wide = 0.155, 0.205
        spots.insert(0, (0.22 - look.hem / 0.5, deep, wide))
    if detail == 2:
        spots.pop()
    elif detail == 3:
        spots = [(spots[0][0], 0.125, 0.17), (0.95, 0.10, chest)]
    spine.tube(made, TOP, spots, sides, high=True)
    if detail:
        return
    axes, shoulders = spine.axes, spine.at(1.0)

    def on(front: list[tuple[float, float, float]]) -> Array:
        return np.asarray(shoulders[:, None, :] + np.einsum("vk,fkd->fvd", np.array(front), axes))

    if "collar" in look.wears:
        made.plate(DETAIL, on([(0.068, -0.050, 0.025), (0.128, 0.0, -0.20), (0.068, 0.050, 0.025)]))
    if "tie" in look.wears:
        half = [(0.076, 0.016, 0.015), (0.131, 0.026, -0.15)]
        rim = [(x, -y, z) for x, y, z in half] + [(0.136, 0.0, -0.19)] + half[::-1]
        made.plate(STRIPE, on(rim))
    if "vest" in look.wears:
        for share, broad in ((0.42, 0.92 * look.broad), (0.70, 0.985 * look.broad)):
            band = [(share - 0.05, 0.126, broad + 0.006), (share + 0.05, 0.127, broad + 0.006)]
            spine.tube(made, STRIPE, band, sides)


def _arm(made: Sculpture, arm: Arm, look: Look, sides: int, detail: int) -> None:
    ahead, left = _bent(arm.shoulder, arm.elbow, arm.wrist)
    upper, fore = arm.elbow - arm.shoulder, arm.wrist - arm.elbow
    frames = np.stack(ahead, axis=1)

    def tube(part: int, spots: list[tuple[Array, float, float, int]], sides: int, **ends: bool) -> None:
        """Rings at (centre, half depth, half width, which of the directions it takes)."""
        thick = 1.0 if look.broad > 0.17 else 0.88
        made.tube(
            part, np.stack([spot for spot, *_ in spots], axis=1), [(a * thick, b * thick) for _, a, b, _ in spots],
            sides, across=frames[:, [k for *_, k in spots]], left=left[:, None, :], **ends,
        )  # fmt: skip

    top = (arm.shoulder + 0.02 * upper, 0.064, 0.064, 2)
    if detail == 3:
        tube(TOP, [(arm.wrist, 0.04, 0.04, 0), top], sides)
        return
    if look.sleeves == "long":
        tube(TOP, [(arm.wrist, 0.040, 0.040, 0), (arm.elbow, 0.050, 0.050, 1), top], sides, high=True)
    else:
        tube(TOP, [(arm.elbow - 0.35 * upper, 0.060, 0.060, 2), top], sides, high=True)
        bare = [
            (arm.wrist, 0.030, 0.030, 0),
            (arm.elbow, 0.040, 0.040, 1),
            (arm.shoulder + 0.45 * upper, 0.046, 0.046, 2),
        ]
        tube(SKIN, bare, sides)
    if detail < 2:
        hand = [(arm.wrist + 0.34 * fore, 0.022, 0.014, 0), (arm.wrist + 0.1 * fore, 0.042, 0.024, 0),
                (arm.wrist - 0.03 * fore, 0.028, 0.022, 0)]  # fmt: skip
        tube(SKIN, hand, 4, low=True)
