"""VR: what the first picture shows: names on signs, colours of things, and which things there are."""

from collections.abc import Callable

import numpy as np

from citysim.city import CityObject
from citysim.pose import Pose
from citysim.tasks.base import Goal
from citysim.tasks.parts import Question
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.evidence import SHOWN_PX, THING_PX, Sight, is_clear, is_readable, sight
from citysim.tasks.urbanground.making.options import asked, shuffled
from citysim.tasks.urbanground.making.scout import Scout
from citysim.tasks.urbanground.making.searching import kind_name
from citysim.tasks.urbanground.making.viewing import viewpoint

COLORED = frozenset({
    "car", "taxi", "van", "umbrella", "bottle", "box", "cup", "bag", "book", "post_box", "waste_basket",
    "fire_hydrant", "telephone", "swing", "slide", "spring_rider", "climbing_frame", "kiosk", "parasol_table",
    "motorcycle", "minibus", "bus", "tram",
})  # fmt: skip
"""Kinds of things that are asked about by colour."""
ALIKE = ({"black", "dark grey", "dark blue"}, {"grey", "dark grey", "light grey"}, {"white", "light grey", "beige"},
         {"red", "maroon", "brown"}, {"green", "dark green"}, {"blue", "dark blue", "light blue"},
         {"orange", "yellow", "red"}, {"beige", "brown", "yellow"}, {"pink", "purple"})  # fmt: skip
"""Colours that nobody should have to tell apart."""
COLORS = ("black", "white", "grey", "red", "orange", "yellow", "green", "dark green", "blue", "dark blue", "maroon",
          "brown", "beige", "light grey", "dark grey")  # fmt: skip
LOOKS = 40
"""Places tried for one kind of question."""
Ask = Callable[[Scout, np.random.Generator, Sight, CityObject], Question | None]
THINGS = frozenset({
    "bench", "fire_hydrant", "post_box", "waste_basket", "telephone", "planter", "bus_stop", "traffic_signals",
    "motorcycle", "bicycle", "taxi", "van", "a_board", "cafe_table", "vending_machine", "kiosk", "bollard",
    "street_cabinet", "map_board", "direction_sign", "crates", "goods_stand", "tram_stop", "playground", "sculpture",
    "fountain", "swing", "bicycle_parking", "minibus",
})  # fmt: skip
"""Kinds of things that are asked about by being there."""


def recognition(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A question that the first picture answers: half of them about signs, a quarter each about colours and things."""
    ask = (_sign, _sign, _color, _thing)[int(rng.integers(4))]
    found = _candidates(scout, rng, ask)
    for _ in range(LOOKS if found else 0):
        thing = scout.objects[found[int(rng.integers(len(found)))]]
        pose = viewpoint(scout, rng, thing, thing.position[2] - 1.0, glance_deg=22.0)
        question = None if pose is None else ask(scout, rng, sight(scout, pose), thing)
        if question is not None and pose is not None:
            return question_draft(pose, question, f"{question.text}|{question.evidence}")
    return None


def _candidates(scout: Scout, rng: np.random.Generator, ask: Ask) -> list[int]:
    """What to ask about. A colour or kind is drawn before places are tried: what is seen easily is no usual answer."""
    if ask is _sign:
        return sorted(scout.sign_kinds)
    things = scout.city.objects
    if ask is _color:
        color = COLORS[int(rng.integers(len(COLORS)))]
        return [t.id for t in things if t.category in COLORED and t.attributes.get("color_name") == color]
    kinds = _kinds(scout)
    kind = kinds[int(rng.integers(len(kinds)))]
    return [thing.id for thing in things if thing.category == kind]


def _kinds(scout: Scout) -> list[str]:
    return sorted(THINGS & {thing.category for thing in scout.city.objects})


def question_draft(pose: Pose, question: Question, key: str) -> Draft:
    """A question asked at a pose, where nothing has to be reached."""
    here = (pose.east, pose.north, pose.up)
    return Draft(Goal(pose, here, asked(question), stated=False, question=question), key)


def sign_question(
    scout: Scout, rng: np.random.Generator, sign: CityObject, kind: str, text: str, hidden: frozenset[str]
) -> Question | None:
    """A question for the name on a place's sign; the wrong names are of the same kind, and none of `hidden`."""
    names = [p.name for p in scout.places if p.category == kind and p.name not in hidden and p.name != sign.name]
    return shuffled(rng, text, sign.name, names, sign.id)


def _sign(scout: Scout, rng: np.random.Generator, seen: Sight, sign: CityObject) -> Question | None:
    """What is the name of the only shop of a kind whose sign is in the picture?"""
    kind = scout.sign_kinds[sign.id]
    same = {
        scout.objects[id].name
        for id, shown in seen.shown.items()
        if scout.sign_kinds.get(id) == kind and shown.pixels >= SHOWN_PX
    }
    if same != {sign.name} or not is_readable(seen, sign):
        return None
    names = frozenset(scout.objects[id].name for id in seen.shown)
    return sign_question(scout, rng, sign, kind, f"What is the name of the {kind_name(kind)} in the picture?", names)


def _color(scout: Scout, rng: np.random.Generator, seen: Sight, thing: CityObject) -> Question | None:
    """What colour is the only thing of a kind in the picture?"""
    kind = thing.category
    same = [id for id, s in seen.shown.items() if scout.objects[id].category == kind and s.pixels >= SHOWN_PX]
    if same != [thing.id] or not is_clear(seen, thing, THING_PX):
        return None
    return color_question(rng, thing, f"What colour is the {kind.replace('_', ' ')} in the picture?")


def color_question(rng: np.random.Generator, thing: CityObject, text: str) -> Question | None:
    """A question for a thing's colour; no wrong colour is like the right one."""
    right = str(thing.attributes["color_name"])
    alike = {right}.union(*(group for group in ALIKE if right in group))
    return shuffled(rng, text, right, [color for color in COLORS if color not in alike], thing.id)


def _thing(scout: Scout, rng: np.random.Generator, seen: Sight, thing: CityObject) -> Question | None:
    """Which of four kinds of things is in the picture? All are drawn from one list, so that none is more likely."""
    if not is_clear(seen, thing, THING_PX):
        return None
    shown = {scout.objects[id].category for id in seen.shown}
    others = [kind.replace("_", " ") for kind in _kinds(scout) if kind not in shown]
    return shuffled(rng, "Which of these is in the picture?", thing.category.replace("_", " "), others, thing.id)
