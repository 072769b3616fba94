"""The makers of each family, and the families that are derived from others."""

from collections.abc import Callable

from citysim.tasks.suite import Instance
from citysim.tasks.urbanground.making.closing import constrained_goal
from citysim.tasks.urbanground.making.draft import Maker
from citysim.tasks.urbanground.making.exploring import exploration
from citysim.tasks.urbanground.making.going import long_goal, short_goal
from citysim.tasks.urbanground.making.inferring import inferred_goal
from citysim.tasks.urbanground.making.instructing import instructed_goal
from citysim.tasks.urbanground.making.orienting import orientation
from citysim.tasks.urbanground.making.recognising import recognition
from citysim.tasks.urbanground.making.searching import place_search
from citysim.tasks.urbanground.making.varied import among_people, dynamic
from citysim.tasks.urbanground.making.visits import schedule, tour

MAKERS: dict[str, Maker] = {
    "VR": recognition,
    "OU": orientation,
    "AEQ": exploration,
    "SN": short_goal,
    "LN": long_goal,
    "IN": instructed_goal,
    "CN": constrained_goal,
    "PS": place_search,
    "II": inferred_goal,
    "TW": schedule,
    "MS": tour,
}
DERIVED: dict[str, tuple[str, Callable[[Instance, str], Instance]]] = {
    "DCR": ("CN", dynamic),
    "NP": ("LN", among_people),
}
"""Family -> (the family it varies, how)."""
