"""Leftovers: the cups, bags and books that stand on benches and tables."""

import math

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.props.handheld import HANDHELD, SURFACES
from citysim.build.props.model import give_bounds

JITTER = 0.06  # metres
ROUND = ("cafe_table", "parasol_table")  # too small for an umbrella


def leave_things(draft: CityDraft, kind: str, host: int, at: tuple[float, float, float], heading_deg: float,
                 chance: Chance) -> None:  # fmt: skip
    """Put things of chance on the surfaces of a host, each an object with the host as its parent."""
    if kind not in SURFACES:
        return
    spots, share = SURFACES[kind]
    c, s = math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))
    left = {"umbrella"} if kind in ROUND else set()  # one of a kind: two papers would lie in one another
    for n, (x, y, z) in enumerate(spots):
        here = chance.child(f"on/{n}")
        if here.unit("any") >= share:
            continue
        name = here.choice(tuple(k for k in HANDHELD if k not in left), "what")
        left.add(name)
        model = HANDHELD[name](here)
        x += here.uniform(-JITTER, JITTER, "x")
        y += here.uniform(-JITTER, JITTER, "y")
        spot = (at[0] + x * c + y * s, at[1] + y * c - x * s, at[2] + z)
        turn = round(here.uniform(0.0, 360.0, "turn"), 1)
        if name == "umbrella":  # across a seat it would hang over both edges
            turn = round((heading_deg + here.uniform(-12.0, 12.0, "turn")) % 360.0, 1)
        label = draft.add_object(name, spot, heading_deg=turn, parent=host)
        give_bounds(draft, label, model.stand(draft, spot, turn, label))
