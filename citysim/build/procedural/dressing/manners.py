"""Manner: how a preset is dressed."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Manner:
    """Shares and lists of one preset; shares are of the places, cars or junctions they are about."""

    goods: float = 0.4  # of greengrocers, florists and the like with a stand outside
    boards: float = 0.15  # of shops with a folding board
    tables: float = 0.35  # of cafes and restaurants with tables outside
    parasols: float = 0.2  # of these tables under a parasol
    capsules: float = 0.0  # of toy and game shops with capsule machines
    vehicles: Mapping[str, float] | None = None  # share of parked cars that are something else
    signs: float = 0.3  # of street ends with a traffic sign
    poles: float = 0.0  # metres between utility poles in minor streets, 0 for none
    globes: bool = False  # at zebra crossings
    posts: bool = False  # with street names at corners, where few walls stand near them or the place is used to them
    stops: tuple[str, ...] = ()  # kinds of stops near bus shelters
    ground: tuple[str, ...] = ()  # landmarks on the ground, in the order they are placed
    roofs: tuple[str, ...] = ()  # landmarks on roofs
    square: tuple[str, ...] = ("planter", "planter", "map_board")


MANNERS: dict[str, Manner] = {
    "harbour": Manner(
        goods=0.75, boards=0.1, tables=0.12, vehicles={"taxi": 0.2, "van": 0.2, "minibus": 0.06, "motorcycle": 0.08},
        signs=0.4, globes=True, stops=("taxi_stand", "minibus_stop", "map_board", "vending_machine"),
        square=("planter", "planter", "planter", "map_board", "stall", "flagpole", "kiosk", "clock"),
        ground=("ferris_wheel", "clock_tower", "gate", "lighthouse", "harbour_crane", "pagoda", "sculpture",
                "observation_tower", "column"),
        roofs=("radio_mast", "big_screen", "water_tower", "radio_mast", "big_screen"),
    ),
    "akiba": Manner(
        goods=0.5, boards=0.07, tables=0.04, capsules=0.22, vehicles={"van": 0.2, "taxi": 0.12, "motorcycle": 0.12},
        signs=0.35, poles=36.0, stops=("map_board", "taxi_stand", "vending_machine"),
        ground=("torii", "big_screen", "sculpture", "clock_tower", "observation_tower", "pagoda"),
        roofs=("big_screen", "radio_mast", "big_screen", "water_tower", "radio_mast", "sculpture", "big_screen",
               "water_tower", "radio_mast", "big_screen", "water_tower", "sculpture", "sculpture", "sculpture",
               "sculpture"),
    ),
    "oldtown": Manner(
        goods=0.6, boards=0.22, tables=0.5, parasols=0.4, vehicles={"van": 0.15, "motorcycle": 0.15}, signs=0.15,
        ground=("column", "obelisk", "arch", "windmill", "clock_tower", "bandstand", "sculpture", "lighthouse",
                "water_tower"),
        roofs=("water_tower", "radio_mast", "water_tower"),
        square=("parasol_table", "parasol_table", "parasol_table", "planter", "map_board", "stall", "stall",
                "advertising_column", "drinking_water"),
    ),
    "grid": Manner(
        goods=0.5, boards=0.2, tables=0.25, parasols=0.3, vehicles={"taxi": 0.2, "van": 0.18}, signs=0.5, posts=True,
        stops=("news_box", "news_box", "map_board", "vending_machine"),
        square=("planter", "planter", "map_board", "flagpole", "kiosk", "picnic_table", "drinking_water"),
        ground=("obelisk", "arch", "sculpture", "clock_tower", "bandstand", "ferris_wheel", "column"),
        roofs=("water_tower", "radio_mast", "water_tower", "big_screen", "water_tower", "radio_mast", "water_tower"),
    ),
    "garden": Manner(
        goods=0.5, boards=0.2, tables=0.5, parasols=0.5, vehicles={"van": 0.12, "motorcycle": 0.05}, signs=0.3,
        posts=True, stops=("map_board", "vending_machine"),
        ground=("chimney", "windmill", "water_tower", "sculpture", "observation_tower", "bandstand", "clock_tower",
                "sculpture", "column"),
        roofs=("radio_mast", "radio_mast"), square=("planter", "planter", "parasol_table", "stall", "kiosk",
                                                         "drinking_water"),
    ),
    "mini": Manner(
        goods=0.5, boards=0.3, tables=0.5, parasols=0.3, vehicles={"taxi": 0.1, "van": 0.1}, ground=("clock_tower",),
    ),
}  # fmt: skip
