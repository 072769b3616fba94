"""Street furniture along the streets: each thing gives way to crossings, junctions, stairs and what stands already."""

import math

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.streets import Street
from citysim.build.procedural.town import Town

LAMP_STEP, TREE_STEP, CAR_STEP = 26.0, 9.0, 6.5
CROWN = 5.0  # metres that a crown keeps from a footbridge and its stairs
_CLEAR = {"street_lamp": 2.0, "tree": 2.6, "car": 2.4, "bus_shelter": 3.5}


class Fitter:
    """Puts furniture beside streets where there is room."""

    def __init__(self, sketch: Sketch, town: Town, stairs: list[tuple[Xy, Xy]]) -> None:
        self.sketch, self.town, self._stairs = sketch, town, stairs

    def put(
        self, kind: str, street: Street, along: float, across: float, heading: float | None = None, **more: object
    ) -> bool:
        """Add a thing unless a crossing, junction, stair or other thing is too near; whether it was added."""
        x, y = street.point(along, across)
        room = _CLEAR.get(kind, 1.2)
        if max(abs(x), abs(y)) > self.town.half - 2.0 or self._blocked(street, along, room):
            return False
        aside = CROWN if kind == "tree" else 1.7 + room / 2
        if any(_distance((x, y), a, b) < aside for a, b in self._stairs):
            return False
        if any(math.dist((x, y), p.xy) < (room + _CLEAR.get(p.kind, 1.2)) / 1.6 for p in self.sketch.props):
            return False
        self.sketch.prop(kind, x, y, heading, **more)
        return True

    def _blocked(self, street: Street, along: float, room: float) -> bool:
        nodes = self.sketch.nodes
        for crossing in self.sketch.crossings:
            x, y = nodes[crossing.node]
            at, off = (x, y) if street.horizontal else (y, x)
            if abs(off - street.at) < 0.01 and abs(at - along) < 2.6 + room / 2:
                return True
        return any(
            abs(other.at - along) < other.width / 2 + 3.0 + room / 2
            for other in self.town.streets
            if other.horizontal != street.horizontal and other.start - 1 <= street.at <= other.end + 1
        )


def furnish(sketch: Sketch, town: Town, stairs: list[tuple[Xy, Xy]], chance: Chance) -> None:
    """Signals, a bus stop, lamps, trees, hydrants, bins, parked cars and single pieces."""
    fitter = Fitter(sketch, town, stairs)
    main, back, south, cross, tee = town.streets
    _signals(sketch, town)
    kerb = main.width / 2
    stop = cross.at - 34.0 if -town.half + 8.0 < cross.at - 34.0 else cross.at - 26.0
    fitter.put("bus_shelter", main, stop, kerb + 2.0, 180.0, name=f"{cross.name} Corner")
    fitter.put("bus_stop", main, stop + 4.0, kerb + 0.7, 180.0, name=f"{cross.name} Corner")
    for kind, along, sign, off in (
        ("post_box", cross.at + 13.0, 1, 0.9), ("vending_machine", tee.at - 9.5, 1, 5.5),
        ("fire_hydrant", cross.at - 16.5, -1, 0.7), ("fire_hydrant", tee.at + 12.0, 1, 0.7),
        ("telephone", cross.at - 20.0, 1, 1.0), ("street_cabinet", tee.at + 17.0, -1, 1.0),
        ("recycling", tee.at + 24.0, -1, 1.2), ("drinking_water", cross.at + 20.0, -1, 1.2),
    ):  # fmt: skip
        fitter.put(kind, main, along, sign * (kerb + off), 180.0 if sign > 0 else 0.0)
    for street in town.streets:
        height = 9.0 if street is main else 6.0
        for sign in (-1, 1):
            start = street.start + (10.0 if sign > 0 else 10.0 + LAMP_STEP / 2)
            _line(fitter, "street_lamp", street, sign, start, LAMP_STEP, 0.6, chance, height=height)
    for sign in (-1, 1):
        _line(fitter, "tree", main, sign, main.start + 6.0, TREE_STEP, 1.3, chance.child(f"trees{sign}"))
        _line(fitter, "waste_basket", main, sign, main.start + 20.0, 45.0, 0.9, chance)
        _line(fitter, "bench", main, sign, main.start + 28.5, 36.0, 1.6, chance)
    for street, sign in ((back, -1), (south, 1), (cross, 1), (tee, -1)):
        _cars(fitter, street, sign, chance.child(street.name))
    for k in range(4):
        fitter.put("bicycle_parking", back, cross.at + 16.0 + 1.2 * k, back.width / 2 + 0.9, 0.0)
    for k in range(5):
        fitter.put("bollard", main, tee.at - 16.0 + 1.6 * k, -(kerb + 0.5))


def _signals(sketch: Sketch, town: Town) -> None:
    """A post at both ends of every signalled crossing, on the side away from the junction."""
    for crossing in [c for c in sketch.crossings if c.kind == "signals"]:
        x, y = sketch.nodes[crossing.node]
        street = town.main if abs(y - town.main.at) < 0.01 else town.cross
        other = town.cross if street is town.main else town.main
        along = x if street.horizontal else y
        outwards = 1.0 if along > other.at else -1.0
        for sign in (-1, 1):
            spot = street.point(along + outwards * 2.7, sign * (street.width / 2 + 0.6))
            sketch.prop("traffic_signals", *spot)


def _line(
    fitter: Fitter, kind: str, street: Street, sign: int, start: float, step: float, off: float, chance: Chance,
    **more: object,
) -> None:  # fmt: skip
    """Things every `step` metres, jittered by 8 % and with one in twenty left out."""
    along = start
    index = 0
    while along < street.end:
        name = f"{kind}/{street.name}/{sign}/{index}"
        if chance.unit(name) > 0.05:
            fitter.put(kind, street, along + chance.uniform(-0.08, 0.08, f"{name}/at") * step,
                       sign * (street.width / 2 + off), None, **more)  # fmt: skip
        along += step
        index += 1


def _cars(fitter: Fitter, street: Street, sign: int, chance: Chance) -> None:
    """Parked cars along one kerb, headed with the traffic (right-hand) of that side."""
    heading = (270.0 if sign > 0 else 90.0) if street.horizontal else (0.0 if sign > 0 else 180.0)
    along, index = street.start + 5.0, 0
    while along < street.end - 5.0:
        near = any(
            abs(other.at - along) < other.width / 2 + 10.0
            for other in fitter.town.streets
            if other.horizontal != street.horizontal and other.start - 1 <= street.at <= other.end + 1
        )
        if not near and chance.unit(f"car{index}") < 0.45:
            fitter.put("car", street, along, sign * (street.width / 2 - 1.05), heading)
        along += CAR_STEP
        index += 1


def _distance(p: Xy, a: Xy, b: Xy) -> float:
    """Metres from a point to a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)
