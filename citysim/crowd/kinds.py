"""What kinds of network edges mean to people on foot; codes of the Hong Kong 3D Pedestrian Network's `FeatureType`.

Speeds on stairs after Weidmann (1993): 0.610 m/s up and 0.694 m/s down, horizontally, against 1.34 m/s.
"""

from typing import Any

LIFTS = frozenset({10, 13, 18, 21})
STEPS = frozenset({12, 20})
ESCALATORS = frozenset({8, 16})
CROSSINGS = frozenset({30, 31, 32, 33})
SIGNALLED = frozenset({30})
PASSING = LIFTS | ESCALATORS | CROSSINGS

STAIRS_UP, STAIRS_DOWN = 0.610 / 1.34, 0.694 / 1.34
ESCALATOR = 0.45
LIFT_M_S = 1.0


def pace_on(kind: Any, rise: float) -> float:
    """Share of the free speed on an edge of a kind that rises by so many metres in walking direction."""
    if kind in STEPS:
        return STAIRS_UP if rise > 0.0 else STAIRS_DOWN
    if kind in ESCALATORS:
        return ESCALATOR
    return 1.0


def half_width(kind: Any) -> float:
    """Metres to each side of the line that are walked on."""
    if kind in ESCALATORS or kind in LIFTS:
        return 0.6
    if kind in STEPS:
        return 1.0
    return 1.8 if kind in CROSSINGS else 1.4
