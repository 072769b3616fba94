"""OU: where something is, seen from where one stands and looks."""

import math

import numpy as np

from citysim.tasks.parts import Question
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.recognising import question_draft
from citysim.tasks.urbanground.making.scout import Scout

DISTANCE_M = (25.0, 160.0)
MARGIN_DEG = 20.0
"""How far from the border of its quarter a direction is at least."""
SIDES = ("in front of you", "to your right", "behind you", "to your left")


def orientation(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """The quarter in which a named place or landmark lies; the quarter is drawn first, so that all are as likely."""
    pose = scout.stand(rng)
    if pose is None:
        return None
    side = int(rng.integers(4))
    near = []
    for name, point, id in scout.named:
        east, north = point[0] - pose.east, point[1] - pose.north
        bearing = math.degrees(math.atan2(east, north)) - pose.heading_deg - 90.0 * side
        off = (bearing + 180.0) % 360.0 - 180.0
        if DISTANCE_M[0] <= math.hypot(east, north) <= DISTANCE_M[1] and abs(off) <= 45.0 - MARGIN_DEG:
            near.append((name, id))
    if not near:
        return None
    name, id = near[int(rng.integers(len(near)))]
    order = [int(k) for k in rng.permutation(4)]
    a, b, c, d = (SIDES[k] for k in order)
    text = f"As you stand now, facing the way you do at the start: where is {name}?"
    question = Question(text, (a, b, c, d), order.index(side), (id,))
    return question_draft(pose, question, f"{name}|{pose.east:.0f},{pose.north:.0f}")
