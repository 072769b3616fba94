"""Semantic classes: a fixed table from the categories of objects; numbers never change, new classes are appended."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.living.scene import CLOSURE_LABELS, PEOPLE_LABELS

CLASSES: dict[str, tuple[str, ...]] = {
    "ground": ("street", "square", "park", "playground", "pitch", "sandpit", "subway"),
    "sky": (),
    "building": ("building", "shop_front", "retaining_wall", "kiosk", "bus_shelter"),
    "entrance": ("entrance",),
    "sign": (
        "shop_sign", "building_sign", "street_sign", "direction_sign", "traffic_sign", "a_board", "big_screen",
        "directory_board", "map_board", "advertising_column", "sign_post",
    ),
    "vegetation": ("tree", "scrub", "grass", "garden", "planter", "hedge", "flower_bed"),
    "furniture": (
        "bench", "waste_basket", "post_box", "fire_hydrant", "street_cabinet", "telephone", "recycling", "cafe_table",
        "parasol_table", "picnic_table", "table_tennis", "drinking_water", "bicycle_parking", "crates", "goods_stand",
        "swing", "slide", "seesaw", "spring_rider", "climbing_frame", "bus_stop", "clock",
    ),
    "vehicle": ("car", "taxi", "van", "minibus", "bus", "truck", "motorcycle", "bicycle", "boat"),
    "person": (),
    "light": ("street_lamp", "traffic_signals", "crossing_globe"),
    "crossing": ("crossing",),
    "stairs": ("stairs", "escalator", "lift", "footbridge"),
    "barrier": ("bollard", "railing", "fence", "wall", "gate"),
    "water": ("water", "fountain"),
    "landmark": (
        "clock_tower", "statue", "sculpture", "column", "ferris_wheel", "lighthouse", "harbour_crane", "pagoda",
        "observation_tower", "radio_mast", "water_tower", "arch",
    ),
    "item": ("box", "book", "bottle", "bag", "cup", "phone", "newspaper", "umbrella"),
    "other": (),
}  # fmt: skip
"""Class -> categories of objects.jsonl. What has no identity (label 0) is ground, or sky where nothing was hit; people
of a crowd are "person", barriers of closures "barrier", categories that are nowhere listed "other"."""

NUMBERS = {name: number for number, name in enumerate(CLASSES)}
"""Class -> its number in `semantic` pictures."""
_OF_CATEGORY = {category: NUMBERS[name] for name, categories in CLASSES.items() for category in categories}


def class_of(category: str) -> int:
    """The class number of an object's category."""
    return _OF_CATEGORY.get(category, NUMBERS["other"])


def class_table(city: City) -> NDArray[np.uint8]:
    """Class number by object id, (largest id + 1,) uint8."""
    table = np.full(max((thing.id for thing in city.objects), default=0) + 1, NUMBERS["other"], dtype=np.uint8)
    for thing in city.objects:
        table[thing.id] = class_of(thing.category)
    table[0] = NUMBERS["ground"]
    return table


def semantic(labels: NDArray[np.int32], depth: NDArray[np.float32], table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Class numbers (H, W) uint8 of a label picture and its depth."""
    classes = table[np.where(labels < len(table), labels, 0)]
    classes[labels >= PEOPLE_LABELS] = NUMBERS["person"]
    classes[labels >= CLOSURE_LABELS] = NUMBERS["barrier"]
    classes[np.isinf(depth)] = NUMBERS["sky"]
    return classes
