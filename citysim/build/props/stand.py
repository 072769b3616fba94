"""build_props: street furniture and trees, each standing clear of the walking network."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from citysim.build.draft import CityDraft, Ground
from citysim.build.plans import PropPlan, Xy
from citysim.build.props import page, trees
from citysim.build.props.catalogue import make
from citysim.build.props.model import Model
from citysim.build.props.nameplates import Nameplates
from citysim.build.props.surroundings import Surroundings

NUDGE = 2.0  # metres a thing may be moved
FAR_NUDGE = {"traffic_signals": 9.0, "bus_stop": 5.0, "tram_stop": 5.0, "bus_shelter": 4.0}
ON_ROAD = frozenset({"car"})
ROADSIDE = frozenset(
    {"street_lamp", "bus_stop", "tram_stop", "bus_shelter", "traffic_signals", "parking_meter", "post_box", "telephone"}
)
STANDING = ("kiosk", "stall", "sign_post")  # objects of earlier builders that furniture must not run into


def build_props(draft: CityDraft, ground: Ground) -> None:
    """Stand every prop of the plan on the ground, with an identity, at least 0.65 m off every walking line.

    A thing in the way is moved by up to 2 m, else left out and counted in draft.warnings.
    """
    page.register(draft)
    trees.register(draft)
    around = Surroundings(draft, ground)
    for thing in draft.objects:
        if thing.category in STANDING:
            e0, n0, _, e1, n1, _ = thing.bounds
            around.occupy(shapely.box(e0, n0, e1, n1))
    plates = Nameplates(draft)
    dropped: Counter[str] = Counter()
    stood: list[tuple[PropPlan, Model, Xy, float]] = []
    for prop in draft.plan.props:
        heading = _heading(prop, around)
        model = make(_sized(prop, around), draft.chance.child(f"prop/{prop.id}"))
        xy = _place(prop, model, heading, around)
        if xy is None:
            dropped[prop.kind] += 1
            continue
        stood.append((prop, model, xy, heading))
        plates.want(prop, xy)
    plates.pack()
    heights = ground.height(np.array([xy for _, _, xy, _ in stood]).reshape(-1, 2))
    for (prop, model, xy, heading), z in zip(stood, heights, strict=True):
        at = (xy[0], xy[1], float(z))
        number = draft.add_object(prop.kind, at, name=prop.name, heading_deg=heading, plan_id=prop.id)
        bounds = plates.hung(prop, model).stand(draft, at, heading, number)
        _give_bounds(draft, number, bounds)
    for kind, count in sorted(dropped.items()):
        draft.warnings.append(f"{count} {kind} left out: no free spot within {FAR_NUDGE.get(kind, NUDGE):g} m")


def _sized(prop: PropPlan, around: Surroundings) -> PropPlan:
    """Lamps on main roads are taller."""
    if prop.kind == "street_lamp" and prop.height is None and around.near_major_road(prop.xy):
        return replace(prop, height=8.0)
    return prop


def _heading(prop: PropPlan, around: Surroundings) -> float:
    if prop.heading_deg is not None:
        return prop.heading_deg
    options = (
        (around.towards_road, around.towards_walk)
        if prop.kind in ROADSIDE
        else (around.towards_walk, around.towards_road)
    )
    if prop.kind in ON_ROAD:
        options = (around.along_road, around.towards_walk)
    for option in options:
        heading = option(prop.xy)
        if heading is not None:
            return heading
    return 0.0


def _place(prop: PropPlan, model: Model, heading: float, around: Surroundings) -> Xy | None:
    """The nearest free spot, or None."""
    shape = footprint(model, heading)
    here = shapely.transform(shape, lambda c: c + np.asarray(prop.xy))
    anywhere = prop.kind in ON_ROAD
    if around.free(np.array([here], dtype=object), anywhere)[0]:
        around.occupy(here)
        return prop.xy
    offsets = _offsets(FAR_NUDGE.get(prop.kind, NUDGE)) + np.asarray(prop.xy)
    moved = shapely.polygons(shapely.get_coordinates(shape)[None, :, :] + offsets[:, None, :])
    good = np.flatnonzero(around.free(moved, anywhere))
    if not len(good):
        return None
    x, y = np.round(offsets[good[0]] * 1024) / 1024
    around.occupy(moved[good[0]])
    return float(x), float(y)


def footprint(model: Model, heading: float) -> BaseGeometry:
    """The rectangle of a model's solid part, turned, around the origin."""
    x0, y0, x1, y1 = model.footprint()
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return shapely.polygons([(x * c + y * s, y * c - x * s) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))])


def _offsets(reach: float) -> NDArray[np.float64]:
    """Offsets on rings 0.25 m apart, near ones first."""
    rings = [0.25 * i for i in range(1, int(reach / 0.25) + 1)]
    turns = [math.pi / 8 * k for k in range(16)]
    return np.array([(r * math.sin(a), r * math.cos(a)) for r in rings for a in turns])


def _give_bounds(draft: CityDraft, number: int, bounds: tuple[float, ...]) -> None:
    e0, n0, u0, e1, n1, u1 = bounds
    draft.objects[number - 1] = replace(draft.objects[number - 1], bounds=(e0, n0, u0, e1, n1, u1))
