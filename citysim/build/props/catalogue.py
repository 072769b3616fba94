"""Every kind of street furniture and how it is made."""

from collections.abc import Callable
from functools import lru_cache

from citysim.build.chance import Chance
from citysim.build.plans import PropPlan
from citysim.build.props import cases, lights, seats, vehicles
from citysim.build.props.model import Model
from citysim.build.props.trees import tree
from citysim.errors import UnknownNameError

Maker = Callable[[Chance, float | None], Model]

MAKERS: dict[str, Maker] = {
    "tree": lambda chance, height: tree(chance, min(22.0, height or chance.uniform(7.0, 10.5, "height"))),
    "tree_small": lambda chance, height: tree(chance, min(7.0, height or chance.uniform(4.6, 5.8, "height"))),
    "street_lamp": lights.street_lamp,
    "bench": seats.bench,
    "waste_basket": cases.waste_basket,
    "vending_machine": cases.vending_machine,
    "post_box": cases.post_box,
    "bus_stop": lights.bus_stop,
    "bus_shelter": seats.bus_shelter,
    "tram_stop": lights.tram_stop,
    "traffic_signals": lights.traffic_signals,
    "bollard": lights.bollard,
    "fire_hydrant": lights.fire_hydrant,
    "bicycle_parking": vehicles.bicycle_parking,
    "advertising_column": cases.advertising_column,
    "clock": lights.clock,
    "fountain": cases.fountain,
    "flagpole": lights.flagpole,
    "statue": cases.statue,
    "parking_meter": lights.parking_meter,
    "telephone": seats.telephone,
    "picnic_table": seats.picnic_table,
    "drinking_water": lights.drinking_water,
    "street_cabinet": cases.street_cabinet,
    "kiosk": seats.kiosk,
    "stall": seats.stall,
    "recycling": cases.recycling,
    "street_sign": lights.street_sign,
    "car": vehicles.car,
    "bicycle": vehicles.bicycle,
}


VARIANTS = {"tree": 24, "tree_small": 12, "car": 16}


def make(prop: PropPlan, chance: Chance) -> Model:
    """The model of a prop; raises UnknownNameError for a kind not in MAKERS.

    Models come in a limited number of variants and are shared: give a thing of its own to a `copy` of it.
    """
    if prop.kind not in MAKERS:
        raise UnknownNameError.of("kind of prop", prop.kind, MAKERS)
    height = None if prop.height is None else max(0.5, round(prop.height * 2) / 2)
    return _variant(prop.kind, height, chance.integer(0, VARIANTS.get(prop.kind, 8), "variant"))


@lru_cache(maxsize=1024)
def _variant(kind: str, height: float | None, number: int) -> Model:
    return MAKERS[kind](Chance(0, f"prop/{kind}/{number}"), height)
