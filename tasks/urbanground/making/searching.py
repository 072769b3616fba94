"""PS: finding any place of a kind, the nearest of which is near enough."""

import numpy as np

from citysim.tasks.base import Goal
from citysim.tasks.sampling import length_until_near
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.figures import walk_figures
from citysim.tasks.urbanground.making.scout import Scout, rounded_point

NEAREST_M = (45.0, 260.0)
MOST_TARGETS = 40
"""Kinds that are everywhere are no search."""


def place_search(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A kind of place of which none is in reach at the start and the nearest is 45 to 260 m of walking away."""
    start = scout.stand(rng)
    if start is None:
        return None
    kinds = sorted({place.category for place in scout.places})
    kind = kinds[int(rng.integers(len(kinds)))]
    found = [place for place in scout.places if place.category == kind]
    if not found or len(found) > MOST_TARGETS:
        return None
    if any(np.hypot(p.entrance[0] - start.east, p.entrance[1] - start.north) < 25.0 for p in found):
        return None
    walks = [(scout.city.network.walk_distance(start.position, p.entrance), p.id, p) for p in found]
    length, _, nearest = min(walks)
    if not NEAREST_M[0] <= length <= NEAREST_M[1]:
        return None
    route = scout.route(start.position, nearest.entrance)
    if route is None:
        return None
    name = kind_name(kind)
    article = "an" if name[0] in "aeiou" else "a"
    goal = Goal(
        start,
        rounded_point(nearest.entrance),
        f"Find {article} {name} and stop at its door, within 15 m. Any {name} will do. Declare yourself done there.",
        name=nearest.name,
        shortest_path_m=round(length_until_near(route.points, rounded_point(nearest.entrance), 15.0), 3),
        stated=False,
        category=kind,
        targets=tuple(scout.stop(place) for place in found),
    )
    return Draft(goal, f"{kind} from {start.east:.0f},{start.north:.0f}", figures=walk_figures(route.points))


def kind_name(kind: str) -> str:
    """What people call a category of place."""
    return KINDS.get(kind, kind.replace("_", " "))


KINDS = {
    "alcohol": "wine shop",
    "art": "art shop",
    "bag": "bag shop",
    "bicycle": "bicycle shop",
    "books": "bookshop",
    "camera": "camera shop",
    "clothes": "clothes shop",
    "comics": "comic shop",
    "computer": "computer shop",
    "convenience": "convenience store",
    "copyshop": "copy shop",
    "cosmetics": "cosmetics shop",
    "doctors": "doctor's surgery",
    "educational_institution": "tuition centre",
    "electronics": "electronics shop",
    "estate_agent": "estate agency",
    "fabric": "fabric shop",
    "fast_food": "fast-food restaurant",
    "furniture": "furniture shop",
    "games": "game shop",
    "gift": "gift shop",
    "hardware": "hardware shop",
    "hobby": "hobby shop",
    "ice_cream": "ice-cream parlour",
    "jewelry": "jeweller's shop",
    "mobile_phone": "mobile-phone shop",
    "music": "music shop",
    "optician": "optician's shop",
    "pet": "pet shop",
    "photo": "photo studio",
    "seafood": "seafood shop",
    "shoes": "shoe shop",
    "sports": "sports shop",
    "stationery": "stationery shop",
    "tea": "tea shop",
    "toys": "toy shop",
    "video_games": "video-game shop",
    "watches": "watch shop",
}
