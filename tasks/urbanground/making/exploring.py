"""AEQ: questions whose evidence is not in the first picture but a short walk away."""

import math

import numpy as np

from citysim.city import CityObject
from citysim.pose import Pose
from citysim.tasks.base import Goal
from citysim.tasks.parts import Question
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.evidence import THING_PX, is_clear, is_readable, sight
from citysim.tasks.urbanground.making.figures import walk_figures
from citysim.tasks.urbanground.making.options import asked
from citysim.tasks.urbanground.making.recognising import COLORED, COLORS, color_question, sign_question
from citysim.tasks.urbanground.making.scout import Scout
from citysim.tasks.urbanground.making.searching import kind_name
from citysim.tasks.urbanground.making.viewing import viewpoint

WALK_M = (12.0, 130.0)
AROUND_M = 70.0
"""Within so many metres of the start the thing that is asked about is the only one of its kind."""
WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def exploration(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A sign to be read (two of three) or a thing's colour, out of the first picture and within reach."""
    pose = scout.stand(rng)
    if pose is None:
        return None
    about_sign = int(rng.integers(3)) > 0
    near = _signs(scout, pose) if about_sign else _things(scout, pose, COLORS[int(rng.integers(len(COLORS)))])
    if not near:
        return None
    thing = near[int(rng.integers(len(near)))]
    if thing.id in sight(scout, pose).shown:
        return None
    view = viewpoint(scout, rng, thing, pose.up)
    if view is None:
        return None
    seen = sight(scout, view)
    if not (is_readable(seen, thing) if about_sign else is_clear(seen, thing, THING_PX)):
        return None
    route = scout.route(pose.position, view.position)
    if route is None or not WALK_M[0] <= route.length_m <= WALK_M[1]:
        return None
    question = _question(scout, rng, pose, thing, about_sign)
    if question is None:
        return None
    goal = Goal(
        pose, (view.east, view.north, view.up), asked(question), shortest_path_m=round(route.length_m, 3),
        stated=False, question=question,
    )  # fmt: skip
    return Draft(goal, f"{question.text}|{thing.id}", figures=walk_figures(route.points))


def _signs(scout: Scout, pose: Pose) -> list[CityObject]:
    """Signs of places that are the only ones of their kind around."""
    around = [(scout.objects[id], kind) for id, kind in scout.sign_kinds.items() if _near(pose, scout.objects[id])]
    names: dict[str, set[str]] = {}
    for sign, kind in around:
        names.setdefault(kind, set()).add(sign.name)
    return [sign for sign, kind in around if len(names[kind]) == 1]


def _things(scout: Scout, pose: Pose, color: str) -> list[CityObject]:
    """Things of a colour that are the only ones of their kind around."""
    around = [thing for thing in scout.city.objects if thing.category in COLORED and _near(pose, thing)]
    kinds = [thing.category for thing in around]
    return [t for t in around if kinds.count(t.category) == 1 and t.attributes.get("color_name") == color]


def _near(pose: Pose, thing: CityObject) -> bool:
    return math.hypot(thing.position[0] - pose.east, thing.position[1] - pose.north) <= AROUND_M


def _question(
    scout: Scout, rng: np.random.Generator, pose: Pose, thing: CityObject, about_sign: bool
) -> Question | None:
    bearing = math.degrees(math.atan2(thing.position[0] - pose.east, thing.position[1] - pose.north))
    away = math.hypot(thing.position[0] - pose.east, thing.position[1] - pose.north)
    where = f"about {max(10.0, round(away, -1)):.0f} m to the {WINDS[round(bearing / 45.0) % 8]} of here"
    if about_sign:
        kind = scout.sign_kinds[thing.id]
        text = f"There is one {kind_name(kind)} around here, {where}. What is its name?"
        return sign_question(scout, rng, thing, kind, text, frozenset())
    return color_question(rng, thing, f"What colour is the {thing.category.replace('_', ' ')} {where}?")
