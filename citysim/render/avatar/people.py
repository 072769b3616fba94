"""people_bodies: a crowd's state as bodies to draw."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from citysim.gait import scattered, sizes, stride
from citysim.render.avatar.figure import DETAILS, figure
from citysim.render.avatar.looks import (
    BAG,
    BAGS,
    BOTTOM,
    CANOPY,
    DARK,
    GREYS,
    HAIR,
    HAIRS,
    LOOKS,
    PARTS,
    SKIN,
    SKINS,
    SOCKS,
    TOP,
    UMBRELLAS,
)  # fmt: skip
from citysim.render.avatar.notice import board
from citysim.render.avatar.skeleton import GAIT_M, KEYS
from citysim.render.avatar.street import BOARD_PARTS, barrier
from citysim.render.bodies import Bodies, BodyMesh

Array = NDArray[np.float64]

OUTFITS = 64  # sets of colours of each look
OLDEST = 120
UNDER_UMBRELLA = 13  # of 16 people when it rains
BARRIER, BOARD = len(LOOKS) * 2 * DETAILS, len(LOOKS) * 2 * DETAILS + 1


def people_bodies(
    positions: Array,
    yaws: Array,
    speeds: Array,
    phases: Array,
    ids: NDArray[np.int64],
    ages: Array,
    *,
    raining: bool = False,
    label_base: int = 0,
    seed: int = 0,
    looks: NDArray[np.int64] | None = None,
) -> Bodies:
    """People as they stand and walk at this moment; person i has the label `label_base + ids[i]`.

    positions (N, 3) foot points in local metres; yaws (N,) radians; speeds (N,) m/s as `gait.turns` was fed with, and
    phases (N,) turns of the gait: feet then stay where they are put down. ids (N,) integers say who it is: look,
    colours and size follow from it, the age and the seed, and are the same in every view. `looks` (N,) numbers of
    `LOOKS` overrules the choice. When it rains most people hold an umbrella.
    """
    who = scattered(ids if seed == 0 else ids + np.int64(seed) * np.int64(1_000_003))
    lot = (who & np.uint64(OUTFITS - 1)).astype(np.intp)
    if looks is None:
        looks = look_table()[np.minimum(ages, OLDEST).astype(np.intp), (who >> np.uint64(6)).astype(np.intp) & 63]
    colors = outfits()[looks, lot]
    mesh = looks * (2 * DETAILS)
    if raining:
        mesh = mesh + DETAILS * ((who >> np.uint64(12)) & np.uint64(15) < UNDER_UMBRELLA)
    place = np.empty((len(ids), 4))
    place[:, :3], place[:, 3] = positions, yaws
    meshes, coarser = figures()
    return Bodies(
        meshes, mesh.astype(np.int32), place, phases * KEYS, (ids + label_base).astype(np.int32), colors,
        sizes(ages, ids), coarser, stride(speeds) / GAIT_M,
    )  # fmt: skip


@cache
def figures() -> tuple[tuple[BodyMesh, ...], NDArray[np.int32]]:
    """Every figure (looks without and with umbrella in all details, barrier, board), and each one's simpler one."""
    people = [
        figure(look, umbrella=umbrella, detail=detail)
        for look in LOOKS
        for umbrella in (False, True)
        for detail in range(DETAILS)
    ]
    numbers = np.arange(len(people) + 2, dtype=np.int32)
    simpler = (numbers % DETAILS < DETAILS - 1) & (numbers < BARRIER)
    return (*people, barrier(), board(*BOARD_PARTS)), numbers + simpler.astype(np.int32)


@cache
def look_table() -> NDArray[np.intp]:
    """(OLDEST + 1, 64) which look people of an age have, by lot."""
    rows = []
    for age in range(OLDEST + 1):
        fit = [n for n, look in enumerate(LOOKS) if look.ages[0] <= age < look.ages[1]] or [0]
        rows.append([fit[k * len(fit) // 64] for k in range(64)])
    return np.array(rows, dtype=np.intp)


@cache
def outfits() -> NDArray[np.uint8]:
    """(looks, OUTFITS, PARTS, 3) uint8 sRGB."""
    made = np.zeros((len(LOOKS), OUTFITS, PARTS, 3), dtype=np.uint8)
    usual = {SKIN: SKINS, HAIR: HAIRS, CANOPY: UMBRELLAS, DARK: ("#17181c",), BAG: BAGS}
    for number, look in enumerate(LOOKS):
        known = usual | ({HAIR: GREYS} if look.grey else {}) | look.colors
        for part, names in known.items():
            lots = scattered(np.arange(OUTFITS) + 1000 * (number * PARTS + part)) >> np.uint64(20)
            tints = np.array([[int(name[k : k + 2], 16) for k in (1, 3, 5)] for name in names], dtype=np.uint8)
            made[number, :, part] = tints[(lots % np.uint64(len(names))).astype(np.intp)]
        if look.suit:
            made[number, :, BOTTOM] = made[number, :, TOP]
        if SOCKS not in look.colors:
            made[number, :, SOCKS] = made[number, :, SKIN]
    return made
