"""dress: adds to the plan of an embedded city what planners of streets and houses leave to others."""

from dataclasses import replace

from citysim.build.chance import Chance
from citysim.build.plans import CityPlan, WayPlan
from citysim.build.procedural.dressing.grounds import on_grounds
from citysim.build.procedural.dressing.lamps import in_the_dark
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
from citysim.build.procedural.naming import Names, street_local
from citysim.build.procedural.naming.styles import STYLES


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
        *in_the_dark(plan, chance.child("lamps")),
        *on_grounds(plan.areas, manner, chance.child("grounds")),
        *along_streets(plan, manner, chance.child("streets")),
        *before_shops(plan.places, plan.buildings, plan.bounds, manner, chance.child("outside")),
    ]
    return replace(plan, props=tuple(props), ways=_in_both_scripts(plan.ways, preset, chance.child("scripts")))


def _in_both_scripts(ways: tuple[WayPlan, ...], preset: str, chance: Chance) -> tuple[WayPlan, ...]:
    """Ways with their names' Chinese or Japanese forms among their tags, where the preset has such."""
    script = STYLES[preset].script
    if not script:
        return ways
    local = {name: street_local(name, preset, chance) for name in {w.name for w in ways if w.name}}
    return tuple(
        replace(w, tags={**w.tags, script: local[w.name]}) if local.get(w.name) and script not in w.tags else w
        for w in ways
    )
