"""The railway of `akiba`: a viaduct with shops below it, a station across it and a train on it."""

from dataclasses import replace

import shapely
from shapely.geometry import Polygon, box

from citysim.build.chance import Chance
from citysim.build.plans import BuildingPlan, EntrancePlan
from citysim.build.procedural.akiba.streets import LANE, VIADUCT, Skeleton
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.sketch import snapped
from citysim.build.procedural.tenancy import Shopfront, open_place

SOFFIT, DECK, PARAPET = 5.0, 7.3, 8.4  # heights above the street, metres
ARCADE = (18.0, 30.0)  # length of one building below the tracks
STATION = 96.0  # length of the station
BUSY = 170.0  # metres along the railway from the main row within which every arch is sought after
CONCRETE = "#a9a7a1"


def railway(bones: Skeleton, high: float) -> Polygon:
    """The ground below the tracks."""
    return box(bones.rail - VIADUCT / 2, -high, bones.rail + VIADUCT / 2, high)


def build_viaduct(district: District, bones: Skeleton) -> None:
    """Add the deck, arcades between the streets, the station north of the main row, and a train."""
    chance, sketch, high = district.chance.child("viaduct"), district.sketch, district.high
    x0, x1 = bones.rail - VIADUCT / 2, bones.rail + VIADUCT / 2
    station = _station_span(bones, high)
    pieces = [(-high + 0.5, station[0]), station, (station[1], high - 0.5)]
    deck = BuildingPlan("", box(0, 0, 1, 1), DECK, SOFFIT, kind="bridge", color=CONCRETE, material="concrete",
                        style="functional", tags={"building": "bridge", "man_made": "bridge"})  # fmt: skip
    for k, (y0, y1) in enumerate(pieces):
        if y1 - y0 > 2.0:
            sketch.buildings.append(replace(deck, id=f"akiba:viaduct/{k}", polygon=box(x0, y0, x1, y1), name="Viaduct"))
            for n, x in enumerate((x0, x1 - 0.35)):
                wall = box(x, y0, x + 0.35, y1)
                sketch.buildings.append(
                    replace(deck, id=f"akiba:viaduct/{k}/parapet{n}", polygon=wall, height=PARAPET, min_height=DECK)
                )
    _arcades(district, bones, chance.child("arcades"))
    _station(district, bones, station, chance.child("station"))
    _train(district, bones, station)


def _station_span(bones: Skeleton, high: float) -> tuple[float, float]:
    """From just south of the main row northwards."""
    length = min(STATION, high)
    low = bones.main - length / 3
    return round(low * 4) / 4, round((low + length) * 4) / 4


def _free_spans(bones: Skeleton, district: District) -> list[tuple[float, float]]:
    """Where along the viaduct no street passes below it."""
    passing = sorted((e.axis.points[0][1], e.street.facade) for e in district.graph.edges
                     if abs(e.axis.points[0][1] - e.axis.points[-1][1]) < 0.01
                     and min(e.axis.points[0][0], e.axis.points[-1][0]) < bones.rail
                     < max(e.axis.points[0][0], e.axis.points[-1][0]))  # fmt: skip
    spans, at = [], -district.high + 2.0
    for y, half in passing:
        if y - half - at > 8.0:
            spans.append((at, y - half))
        at = y + half
    spans.append((at, district.high - 2.0))
    return [s for s in spans if s[1] - s[0] > 8.0]


def _arcades(district: District, bones: Skeleton, chance: Chance) -> None:
    """Shops in the arches, open to the lanes on both sides."""
    sketch = district.sketch
    x0, x1 = bones.rail - VIADUCT / 2 + 0.9, bones.rail + VIADUCT / 2 - 0.9
    lanes = _lanes(district, bones)
    number = 0
    for s, (low, high) in enumerate(_free_spans(bones, district)):
        count = max(round((high - low) / chance.uniform(*ARCADE, f"{s}")), 1)
        for k in range(count):
            y0 = round((low + (high - low) * k / count + 0.6) * 8) / 8
            y1 = round((low + (high - low) * (k + 1) / count - 0.6) * 8) / 8
            if y1 - y0 < 6.0:
                continue
            number += 1
            ident = f"akiba:arcade/{number}"
            address = f"{lanes[0].name} {number}"
            door = EntrancePlan(f"{ident}/door", snapped((x0, y1 - 1.2)), "main", None, str(number))
            sketch.buildings.append(
                BuildingPlan(ident, box(x0, y0, x1, y1), SOFFIT, levels=1, kind="retail", address=address,
                             entrances=(door,), style="akiba_station", tags={"building": "retail"})
            )  # fmt: skip
            sought = 1.0 if abs((y0 + y1) / 2 - bones.main) < BUSY else 0.4
            west = Shopfront(ident, (x0, y1), (x0, y0), address, door=door.xy, weight=sought)
            district.builder.fronts += [west, Shopfront(ident, (x1, y0), (x1, y1), address, weight=sought)]


def _lanes(district: District, bones: Skeleton) -> list[Edge]:
    at = (bones.rail - VIADUCT / 2 - LANE / 2, bones.rail + VIADUCT / 2 + LANE / 2)
    found = [next(e for e in district.graph.edges if all(abs(p[0] - x) < 0.01 for p in e.axis.points)) for x in at]
    return found


def _station(district: District, bones: Skeleton, span: tuple[float, float], chance: Chance) -> None:
    """A hall over the tracks; its entrances are in the arcades below."""
    sketch = district.sketch
    name = district.names.street("Station")
    x0, x1 = bones.rail - VIADUCT / 2 + 0.36, bones.rail + VIADUCT / 2 - 0.36
    hall = box(x0, span[0] + 2.0, x1, span[1] - 2.0)
    sketch.buildings.append(
        BuildingPlan("akiba:station", hall, 15.5, DECK, levels=2, kind="train_station", name=name,
                     style="glass", tags={"building": "train_station", "name": name})
    )  # fmt: skip
    arcades = [b for b in sketch.buildings if b.id.startswith("akiba:arcade") and b.polygon.intersects(hall)]
    if arcades:
        below = min(arcades, key=lambda b: (abs(b.polygon.centroid.y - bones.main), b.id))
        at = below.polygon.representative_point()
        open_place(sketch, "company", district.names, snapped((at.x, at.y)), chance, below.id, below.address,
                   tags={"railway": "station"}, name=name, entrance=below.entrances[0].id)  # fmt: skip


def _train(district: District, bones: Skeleton, span: tuple[float, float]) -> None:
    """A train that has just left the station northwards, in four cars."""
    y = span[1] + 6.0
    for k in range(4):
        car = box(bones.rail + 2.2, y + 20.5 * k, bones.rail + 5.0, y + 20.5 * k + 20.0)
        if car.bounds[3] > district.high - 4.0:
            break
        district.sketch.buildings.append(
            BuildingPlan(f"akiba:train/{k + 1}", shapely.set_precision(car, 1 / 1024), 11.2, DECK, kind="train",
                         color="#b9c4c0", material="metal", style="metal", tags={"building": "train"})
        )  # fmt: skip
