"""Every kind of street furniture and how it is made."""

from collections.abc import Callable
from functools import lru_cache

from citysim.build.chance import Chance
from citysim.build.plans import PropPlan
from citysim.build.props import cases, fleet, leisure, lights, roadside, seats, trade, vehicles
from citysim.build.props.landmarks import LANDMARKS
from citysim.build.props.model import Model
from citysim.build.props.trees import LEAST_PRUNED, PRUNED, tree
from citysim.errors import UnknownNameError

Maker = Callable[[Chance, float | None], Model]

MAKERS: dict[str, Maker] = {
    "tree": lambda chance, height: tree(chance, _tall(chance, height)),
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
    "traffic_sign": roadside.traffic_sign,
    "utility_pole": roadside.utility_pole,
    "news_box": roadside.news_box,
    "planter": roadside.planter,
    "direction_sign": roadside.direction_sign,
    "map_board": roadside.map_board,
    "crossing_globe": roadside.crossing_globe,
    "traffic_cone": roadside.traffic_cone,
    "taxi_stand": roadside.taxi_stand,
    "minibus_stop": roadside.minibus_stop,
    "letterboxes": roadside.letterboxes,
    "underground_waste": roadside.underground_waste,
    "cafe_table": trade.cafe_table,
    "parasol_table": trade.parasol_table,
    "a_board": trade.a_board,
    "goods_stand": trade.goods_stand,
    "crates": trade.crates,
    "capsule_machines": trade.capsule_machines,
    "swing": leisure.swing,
    "slide": leisure.slide,
    "climbing_frame": leisure.climbing_frame,
    "seesaw": leisure.seesaw,
    "spring_rider": leisure.spring_rider,
    "sandpit": leisure.sandpit,
    "table_tennis": leisure.table_tennis,
    "bicycle_shed": leisure.bicycle_shed,
    "taxi": fleet.taxi,
    "van": fleet.van,
    "minibus": fleet.minibus,
    "motorcycle": fleet.motorcycle,
}


VARIANTS = {"tree": 24, "tree_small": 12, "car": 16}


def make(prop: PropPlan, chance: Chance, *, pruned: bool = False) -> Model:
    """The model of a prop; raises UnknownNameError for a kind not in MAKERS. A `pruned` tree has a high crown.

    Models come in a limited number of variants and are shared: give a thing of its own to a `copy` of it.
    """
    if prop.kind not in MAKERS and prop.kind not in LANDMARKS:
        raise UnknownNameError.of("kind of prop", prop.kind, {**MAKERS, **LANDMARKS})
    height = None if prop.height is None else max(0.5, round(prop.height * 2) / 2)
    number = chance.integer(0, VARIANTS.get(prop.kind, 8), "variant")
    return _variant(prop.kind, height, number, pruned and prop.kind == "tree")


def _tall(chance: Chance, height: float | None) -> float:
    return min(22.0, height or chance.uniform(7.0, 10.5, "height"))


@lru_cache(maxsize=1024)
def _variant(kind: str, height: float | None, number: int, pruned: bool) -> Model:
    if pruned:
        chance = Chance(0, f"prop/{kind}/{number}")
        return tree(chance, max(_tall(chance, height), LEAST_PRUNED), PRUNED)
    return {**MAKERS, **LANDMARKS}[kind](Chance(0, f"prop/{kind}/{number}"), height)
