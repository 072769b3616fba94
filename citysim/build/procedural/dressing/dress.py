"""dress: adds to the plan of an embedded city what planners of streets and houses leave to others."""

from dataclasses import replace

from citysim.build.chance import Chance
from citysim.build.plans import CityPlan
from citysim.build.procedural.dressing.grounds import on_grounds
from citysim.build.procedural.dressing.landmarks import place_landmarks
from citysim.build.procedural.dressing.manners import MANNERS
from citysim.build.procedural.dressing.outside import before_shops
from citysim.build.procedural.dressing.streetside import (
    along_streets,
    at_corners,
    at_crossings,
    at_squares,
    at_stops,
    park_others,
)
from citysim.build.procedural.naming import Names


def dress(plan: CityPlan) -> CityPlan:
    """The plan with landmarks, playthings, what shops put outside, signs, poles, stops and other vehicles.

    Landmarks come first: whatever finds no room when it is built gives way to them.
    """
    preset = str(plan.generator.get("preset", ""))
    if preset not in MANNERS:
        return plan
    manner, chance = MANNERS[preset], Chance(plan.seed, f"dress/{preset}")
    names = Names(preset, chance.child("names"))
    landmarks = place_landmarks(plan, manner, names, chance.child("landmarks"))
    props = [
        *landmarks,
        *park_others(plan.props, manner, chance.child("parked")),
        *at_crossings(plan, manner),
        *at_corners(plan, manner),
        *at_squares(plan, landmarks, chance.child("ways")),
        *at_stops(plan, manner, chance.child("stops")),
        *on_grounds(plan.areas, manner, chance.child("grounds")),
        *along_streets(plan, manner, chance.child("streets")),
        *before_shops(plan.places, plan.buildings, plan.bounds, manner, chance.child("outside")),
    ]
    return replace(plan, props=tuple(props))
