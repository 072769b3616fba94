"""Field names and coded values of the Hong Kong 3D Pedestrian Network (Lands Department, layer PedestrianRoute).

Services spell the fields differently (`Shape__Length`, `Shape_Length`, `SHAPE_Length`, `Feature_Type`) and give coded
values either as integers or by their domain names. Inside citysim names and codes are those of the official layer.
Mind the trap: in the three true/false fields **2 means False**; compare with 1, never use `bool()`.
"""

from functools import lru_cache
from types import MappingProxyType
from typing import Any

FIELDS = (
    "OBJECTID",
    "PedestrianRouteID",
    "Location",
    "FeatureType",
    "AliasNameEN",
    "AliasNameTC",
    "CrossingFeature",
    "WeatherProof",
    "WheelchairBarrier",
    "WheelchairAccess",
    "ObstaclesType",
    "Gradient",
    "Direction",
    "PositionCertainty",
    "Enabled",
    "DataSource",
    "LevelSource",
    "StreetNameEN",
    "StreetNameTC",
    "ST_CODE",
    "FloorID",
    "BuildingID_1",
    "BuildingID_2",
    "SiteID",
    "TerminalID",
    "AccessTimeID",
    "CreationDate",
    "ModifiedBy",
    "LastAmendmentDate",
    "Shape_Length",
)

_TRUTH = {1: "True", 2: "False"}

DOMAINS: MappingProxyType[str, dict[int, str]] = MappingProxyType(
    {
        "Location": {1: "Outdoor", 2: "Indoor"},
        "FeatureType": {
            1: "Footway",
            2: "Footbridge",
            4: "Subway",
            5: "Service Lane",
            6: "Traffic Island",
            7: "RunIn",
            8: "Escalator",
            9: "Travelator",
            10: "Lift",
            11: "Ramp",
            12: "Staircase",
            13: "Stairlift",
            14: "Other",
            15: "M_Footway",
            16: "M_Escalator",
            17: "M_Travelator",
            18: "M_Lift",
            19: "M_Ramp",
            20: "M_Staircase",
            21: "M_Stairlift",
            22: "M_Others",
            23: "Generalized Walkway inside Park",
            24: "Footpath",
            25: "Village",
            26: "Track",
            30: "Crossing - Signalized",
            31: "Crossing - Zebra",
            32: "Crossing - Cautionary",
            33: "Crossing - Others",
        },
        "CrossingFeature": {
            1: "Road",
            2: "Tramway",
            3: "LightRail",
            4: "BicycleTrack",
            5: "PublicTransportInterchange",
        },
        "WeatherProof": {1: "Covered", 2: "NonCovered", 3: "Unclassified"},
        "WheelchairBarrier": _TRUTH,
        "WheelchairAccess": _TRUTH,
        "ObstaclesType": {
            1: "Accessible",
            2: "BridgePier",
            3: "BusStop",
            4: "FireHydrant",
            5: "LightPole",
            6: "RoadSign",
            7: "TrafficLight",
            8: "TrafficSign",
            9: "SignPole",
            10: "Bollard",
            11: "Tree",
            12: "ElectricBox",
            13: "ParkingMeter",
        },
        "Direction": {0: "Both Ways", 1: "One Way Forward", -1: "One Way Backward"},
        "PositionCertainty": {0: "Uncertain", 1: "Certain"},
        "Enabled": _TRUTH,
    }
)


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


_CANONICAL = {_key(name): name for name in FIELDS} | {"streetname": "StreetNameEN", "aliasname": "AliasNameEN"}
_CODES = {field: {_key(name): code for code, name in domain.items()} for field, domain in DOMAINS.items()}


@lru_cache(maxsize=4096)
def canonical_name(field: str) -> str:
    """The official spelling of a field name, matched without case and underscores; unknown names stay as they are."""
    return _CANONICAL.get(_key(field), field)


def coded_value(field: str, value: Any) -> Any:
    """The integer code of a value given as code, as digits or as its domain name; anything unknown stays as it is."""
    if field not in DOMAINS or isinstance(value, bool):
        return value
    if isinstance(value, str):
        text = value.strip()
        if text.lstrip("-").isdigit():
            return int(text)
        return _CODES[field].get(_key(text), value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def domain_name(field: str, code: Any) -> str:
    """The name of a coded value, or the value itself as text."""
    return DOMAINS.get(field, {}).get(code, "" if code is None else str(code))
