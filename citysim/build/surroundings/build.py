"""build_surroundings: the order in which the land beyond the edge comes about."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.streets.rim import PROBE, WATER, RimSide, rim_sides
from citysim.build.streets.surface import GroundSurface
from citysim.build.surroundings.far import raise_far
from citysim.build.surroundings.land import lay_land
from citysim.build.surroundings.manners import MANNERS
from citysim.build.surroundings.plots import build_plots


def build_surroundings(draft: CityDraft, ground: GroundSurface) -> None:
    """Add what is seen beyond the edge of an embedded city; nothing for other cities.

    All of it has label 0: it is a picture to look at, no part of the city, and nobody gets there.
    """
    plan = draft.plan
    preset = str(plan.generator.get("preset", ""))
    if preset not in MANNERS:
        return
    manner, chance = MANNERS[preset], Chance(plan.seed, f"surroundings/{preset}")
    sides = rim_sides(plan.bounds, ground)
    inside = [np.clip(np.linspace(0.0, side.length, 40), PROBE, side.length - PROBE) for side in sides]
    lowest = min(
        float(ground.height(side.points(along, -PROBE)).min()) for side, along in zip(sides, inside, strict=True)
    )
    for k, side in enumerate(sides):

        def heights(along: NDArray[np.float64], side: RimSide = side) -> NDArray[np.float64]:
            return ground.height(side.points(np.clip(along, PROBE, side.length - PROBE), -PROBE))

        def height(at: float, side: RimSide = side) -> float:
            return float(heights(np.array([at]), side)[0])

        corner = WATER not in (side.runs[-1].kind, sides[(k + 1) % 4].runs[0].kind)
        lay_land(draft, side, heights, corner, lowest - 1.0, manner.plain)
        build_plots(draft, side, height, corner, manner, chance.child(k))
    raise_far(draft, sides, lowest - 1.0, manner, chance.child("far"))
