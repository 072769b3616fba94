"""Street name plates on walls near junctions."""

import math
from collections import defaultdict
from dataclasses import dataclass

from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places.boards import heading_of
from citysim.build.places.clearance import Clearance
from citysim.build.places.front import board
from citysim.build.places.frontage import Frontage
from citysim.build.places.styles import style_of
from citysim.build.places.wall import Wall
from citysim.build.plans import Xy
from citysim.build.props.model import give_bounds
from citysim.build.text.atlas import Printed, TextAtlas
from citysim.build.text.sign import SignFace
from citysim.fonts.layout import drawable

NAMED_KINDS = (
    "trunk", "primary", "secondary", "tertiary", "residential", "unclassified", "living_street", "pedestrian",
    "service", "footway", "cycleway", "steps",
)  # fmt: skip
REACH = 26.0  # metres from a junction to the end of a wall that carries its plates
APART = 12.0  # metres between two plates of one name that face the same way
PARALLEL = math.cos(math.radians(28.0))
CAPITAL = 0.15  # metres
LOW, HIGH = 2.5, 3.9  # metres above the pavement: the usual place, and the one above a shop's board
OUT = 0.05


@dataclass(frozen=True, slots=True)
class _Plate:
    facade: Facade
    u: float  # of the end nearest to the junction
    inward: float  # +1 when the wall runs on with growing u
    name: tuple[str, ...]


def build_street_names(draft: CityDraft, ground: Ground, frontage: Frontage, clearance: Clearance) -> None:
    """Hang a plate on each wall end near a junction, with the name of the street the wall looks at.

    No plate where what `clearance` knows of would cover it.
    """
    plates = _wanted(draft, frontage)
    atlas = TextAtlas(draft, "places/streets")
    ground_color, ink = style_of(draft.plan).plate
    tickets = [
        atlas.want(SignFace(p.name, "narrow", ink, ground_color, 18, 0.5, frame=ink), (0.0, 0.0)) for p in plates
    ]
    atlas.pack()
    for plate, ticket in zip(plates, tickets, strict=True):
        _hang(draft, ground, plate, atlas.printed(ticket), clearance)


def _wanted(draft: CityDraft, frontage: Frontage) -> list[_Plate]:
    arms = _junctions(draft)
    found: list[_Plate] = []
    hung: dict[tuple[str, ...], list[tuple[Xy, Xy]]] = defaultdict(list)
    for at in sorted(arms):
        for number in frontage.near(at, REACH):
            facade = frontage.facades[number]
            if facade.length < 1.6 or facade.top - facade.base < LOW + 0.6:
                continue
            end = min((0.0, facade.length), key=lambda u: math.dist(facade.at(u), at))
            if math.dist(facade.at(end), at) > REACH:
                continue
            inward = 1.0 if end == 0.0 else -1.0
            spot = facade.at(end + inward * 0.8)
            if not frontage.usable(number, end + inward * 0.8):
                continue
            beside = [(-_parallel(facade, d), name) for name, d in arms[at] if _faces(facade, spot, at, d)]
            if not beside:
                continue
            name = min(beside)[1]
            near = hung[name]
            if any(math.dist(spot, p) < APART and _dot(facade.normal, n) > 0.7 for p, n in near):
                continue
            near.append((spot, facade.normal))
            found.append(_Plate(facade, end, inward, name))
    return found


def _junctions(draft: CityDraft) -> dict[Xy, list[tuple[tuple[str, ...], Xy]]]:
    """Nodes where streets of different names meet: position -> (name lines, direction) of each arm."""
    plan = draft.plan
    at_node: dict[int, set[tuple[tuple[str, ...], Xy]]] = defaultdict(set)
    for way in plan.ways:
        if not way.name or way.kind not in NAMED_KINDS or way.tunnel or way.layer < 0 or not drawable(way.name):
            continue
        second = way.tags.get("name:sv", "") if plan.locale.startswith("fi") else ""
        second = second or way.tags.get("name:zh", "") or way.tags.get("name:ja", "")
        name = (way.name, second) if second and second != way.name and drawable(second) else (way.name,)
        for i, node in enumerate(way.nodes):
            for j in (i - 1, i + 1):
                if 0 <= j < len(way.nodes):
                    a, b = plan.nodes[node], plan.nodes[way.nodes[j]]
                    length = math.dist(a, b)
                    if length > 1e-6:
                        at_node[node].add((name, ((b[0] - a[0]) / length, (b[1] - a[1]) / length)))
    return {
        plan.nodes[node]: sorted(arms) for node, arms in sorted(at_node.items()) if len({name for name, _ in arms}) > 1
    }


def _faces(facade: Facade, spot: Xy, junction: Xy, direction: Xy) -> bool:
    """Whether the wall runs along this arm of the junction, beside it, and looks at it."""
    if _parallel(facade, direction) < PARALLEL:
        return False
    to_spot = (spot[0] - junction[0], spot[1] - junction[1])
    ahead = _dot(to_spot, direction)
    off = -_dot(to_spot, facade.normal)
    return -3.0 < ahead < REACH and 1.0 < off < 20.0


def _parallel(facade: Facade, direction: Xy) -> float:
    along = ((facade.b[0] - facade.a[0]) / facade.length, (facade.b[1] - facade.a[1]) / facade.length)
    return abs(_dot(along, direction))


def _hang(draft: CityDraft, ground: Ground, plate: _Plate, printed: Printed, clearance: Clearance) -> None:
    facade = plate.facade
    capital = min(CAPITAL, (facade.length - 0.3) / printed.width)
    if capital < 0.1:
        return
    w, h = printed.width * capital, printed.height * capital
    style = style_of(draft.plan)
    for middle, rise in _places(facade, plate, w, style.plates_high):
        z = float(ground.height([facade.at(middle, 0.6)])[0]) + rise
        if rise == HIGH and z + h <= facade.top - 0.05:  # above the fascias of the place
            z += max(0.0, style.head + style.tallest + 0.2 - HIGH)
        if z + h > facade.top - 0.05:
            return
        u0, u1 = middle - w / 2, middle + w / 2
        points = [facade.at(u, out) for u in (u0, u1) for out in (0.02, OUT + 0.1)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = (min(xs), min(ys), z, max(xs), max(ys), z + h)
        if clearance.free(box, 0.0):
            break
    else:
        return
    clearance.take(box)  # the plate of the next street that ends here hangs beside it
    wall = Wall(facade)
    wall.box((u0, u1), (z, z + h), (0.0, OUT), color="#c9ccd0", faces="lrtd")
    board(wall, printed, (u0, u0, u1, u1), (z, z + h), OUT)
    if rise == LOW:
        facade.taken.append((u0, u1))
    at = (*facade.at(middle, OUT), z)
    text = " / ".join(plate.name)
    label = draft.add_object(
        "street_sign", at, name=plate.name[0], heading_deg=heading_of(facade), parent=facade.object, text=text
    )
    give_bounds(draft, label, wall.stand(draft, label))


def _places(facade: Facade, plate: _Plate, width: float, high: bool) -> list[tuple[float, float]]:
    """Middles of the plate along the wall and heights, to be tried in this order.

    Low where the wall is free within 4 m of the corner; where it is let, or `high`, above the shops' boards.
    """
    first = 0.2 + width / 2
    for step in range(0 if high and facade.top - facade.base > HIGH + 0.6 else 9):
        inward = first + 0.5 * step
        if inward + width / 2 > facade.length - 0.1:
            break
        u = plate.u + plate.inward * inward
        if all(u + width / 2 + 0.1 <= t0 or u - width / 2 - 0.1 >= t1 for t0, t1 in facade.taken):
            return [(u, LOW)]
    steps = [0.0, *(0.5 * k for k in range(1, 9) if first + 0.5 * k + width / 2 < facade.length - 0.1)]
    return [(plate.u + plate.inward * (min(first, facade.length / 2) + step), HIGH) for step in steps]


def _dot(a: Xy, b: Xy) -> float:
    return a[0] * b[0] + a[1] * b[1]
