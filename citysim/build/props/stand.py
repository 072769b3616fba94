"""build_props: street furniture and trees, each standing clear of the walking network."""

from collections import Counter
from dataclasses import replace

import numpy as np
import shapely

from citysim.build.draft import CityDraft, Ground
from citysim.build.plans import PropPlan, Xy
from citysim.build.props import heads, page, trees
from citysim.build.props.arms import arms_of
from citysim.build.props.catalogue import make
from citysim.build.props.landmarks import LANDMARKS
from citysim.build.props.leftovers import leave_things
from citysim.build.props.model import Model, give_bounds
from citysim.build.props.nameplates import Nameplates
from citysim.build.props.rooftops import roof_spot
from citysim.build.props.sightlines import Sightlines
from citysim.build.props.spots import find_spot, footprint
from citysim.build.props.surroundings import Surroundings
from citysim.build.props.wires import string_wires

NUDGE = 2.0  # metres a thing may be moved
FAR_NUDGE = {
    "traffic_signals": 9.0,
    "bus_stop": 5.0,
    "tram_stop": 5.0,
    "bus_shelter": 4.0,
    "fountain": 4.0,
    "statue": 4.0,
    **dict.fromkeys(LANDMARKS, 14.0),
}
ON_ROAD = frozenset({"car", "taxi", "van", "minibus", "motorcycle"})
ROADSIDE = frozenset(
    {
        "street_lamp", "bus_stop", "tram_stop", "bus_shelter", "traffic_signals", "parking_meter", "post_box",
        "telephone", "taxi_stand", "minibus_stop", "traffic_sign", "news_box",
    }
)  # fmt: skip
ON = "on"  # tag of props that stand on the roof of a building, whose plan id it holds
STANDING = ("kiosk", "stall", "sign_post")  # objects of earlier builders that furniture must not run into


def build_props(draft: CityDraft, ground: Ground) -> None:
    """Stand every prop of the plan on the ground, with an identity, at least 0.65 m off every walking line.

    A thing in the way is moved by up to 2 m (a few kinds further), else left out and counted in draft.warnings. Posts
    and trunks before the sign of a shop go to its end where there is room.
    """
    page.register(draft)
    heads.register(draft)
    trees.register(draft)
    around = Surroundings(draft, ground)
    views = Sightlines(draft)
    for thing in draft.objects:
        if thing.category in STANDING:
            e0, n0, _, e1, n1, _ = thing.bounds
            around.occupy(shapely.box(e0, n0, e1, n1))
    plates = Nameplates(draft)
    dropped: Counter[str] = Counter()
    stood: list[tuple[PropPlan, Model, Xy, float]] = []
    roofs: list[tuple[PropPlan, Model]] = []
    poles: list[tuple[int, tuple[float, float, float], float, float]] = []
    for planned in draft.plan.props:
        # a parasol would hide the board of the shop whose table it covers
        prop = planned if planned.kind != "parasol_table" or not views.before(planned.xy) else _open(planned)
        if prop.id in draft.object_of:  # built together with the place it belongs to
            continue
        pruned = prop.kind == "tree" and views.near(prop.xy)
        model = make(_sized(prop, around), draft.chance.child(f"prop/{prop.id}"), pruned=pruned)
        if ON in prop.tags:
            roofs.append((prop, model))
            continue
        heading = _heading(prop, around)
        reach = FAR_NUDGE.get(prop.kind, NUDGE)
        xy = None
        if prop.kind not in ON_ROAD:
            xy = views.step_aside(prop.kind, model, footprint(model, heading), prop.xy, around)
        if xy is None:
            xy = find_spot(model, heading, prop.xy, reach, around, anywhere=prop.kind in ON_ROAD)
        if xy is None:
            dropped[prop.kind] += 1
            continue
        views.stood(prop.kind, xy)
        stood.append((prop, model, xy, heading))
        plates.want(prop, xy)
    plates.pack()
    heights = ground.height(np.array([xy for _, _, xy, _ in stood]).reshape(-1, 2))
    for (prop, model, xy, heading), z in zip(stood, heights, strict=True):
        at = (xy[0], xy[1], float(z))
        text = " / ".join(text for text, _ in arms_of(prop))
        number = draft.add_object(prop.kind, at, name=prop.name, heading_deg=heading, plan_id=prop.id, text=text)
        give_bounds(draft, number, plates.hung(prop, model, heading).stand(draft, at, heading, number))
        leave_things(draft, prop.kind, number, at, heading, draft.chance.child(f"prop/{prop.id}"))
        if prop.kind == "utility_pole":
            poles.append((number, at, heading, prop.height or 10.0))
    string_wires(draft, poles)
    for prop, model in roofs:
        host = draft.object_of.get(prop.tags[ON])
        spot = None if host is None else roof_spot(draft, host, prop.xy, model.footprint())
        if spot is None:
            dropped[prop.kind] += 1
            continue
        at = spot
        heading = prop.heading_deg or 0.0
        number = draft.add_object(prop.kind, at, name=prop.name, heading_deg=heading, parent=host, plan_id=prop.id)
        give_bounds(draft, number, model.stand(draft, at, heading, number))
    for kind, count in sorted(dropped.items()):
        draft.warnings.append(f"{count} {kind} left out: no free spot within {FAR_NUDGE.get(kind, NUDGE):g} m")


def _open(prop: PropPlan) -> PropPlan:
    """A table under the sky in place of one under a parasol."""
    return replace(prop, kind="cafe_table")


def _sized(prop: PropPlan, around: Surroundings) -> PropPlan:
    """Lamps on main roads are taller."""
    if prop.kind == "street_lamp" and prop.height is None and around.near_major_road(prop.xy):
        return replace(prop, height=8.0)
    return prop


def _heading(prop: PropPlan, around: Surroundings) -> float:
    if prop.kind == "utility_pole":  # its arms reach across the street
        along = around.along_road(prop.xy)
        return prop.heading_deg or 0.0 if along is None else along
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
