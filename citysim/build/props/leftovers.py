"""Leftovers: the cups, bags and books that lie on benches and tables."""

import math

import shapely
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.props.handheld import HANDHELD
from citysim.build.props.model import Model, give_bounds
from citysim.build.props.surfaces import SURFACES

JITTER = 0.06  # metres
ROUND = ("cafe_table", "parasol_table")  # too small for an umbrella


def leave_things(draft: CityDraft, kind: str, host: int, at: tuple[float, float, float], heading_deg: float,
                 chance: Chance) -> None:  # fmt: skip
    """Put things of chance on the surface of a host, each an object with the host as its parent.

    Each lies wholly on the surface and clear of the others; what finds no room is not left.
    """
    if kind not in SURFACES:
        return
    surface = SURFACES[kind]
    c, s = math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))
    left = {"umbrella"} if kind in ROUND else set()  # one of a kind: two papers would look stamped
    taken: list[BaseGeometry] = []
    for n, (x, y) in enumerate(surface.spots):
        here = chance.child(f"on/{n}")
        if here.unit("any") >= surface.share:
            continue
        name = here.choice(tuple(k for k in HANDHELD if k not in left), "what")
        model = HANDHELD[name](here)
        near = (x + here.uniform(-JITTER, JITTER, "x"), y + here.uniform(-JITTER, JITTER, "y"))
        turn = round(here.uniform(0.0, 360.0, "turn"), 1)
        if name == "umbrella":  # along a seat: across it would hang over both edges
            turn = round((heading_deg + here.uniform(-12.0, 12.0, "turn")) % 360.0, 1)
        outline = rotate(_silhouette(model), heading_deg - turn, origin=(0.0, 0.0))
        place = surface.place(outline, near, taken)
        if place is None:
            continue
        left.add(name)
        taken.append(translate(outline, *place))
        x, y = place
        spot = (at[0] + x * c + y * s, at[1] + y * c - x * s, at[2] + surface.height)
        label = draft.add_object(name, spot, heading_deg=turn, parent=host)
        give_bounds(draft, label, model.stand(draft, spot, turn, label))


def _silhouette(model: Model) -> BaseGeometry:
    """A thing's outline from above."""
    points = [xy for piece in model.pieces for xy in piece.positions[:, :2].tolist()]
    return shapely.MultiPoint(points).convex_hull
