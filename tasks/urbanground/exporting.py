"""Task files of UrbanGround's public client: its keys, types, ids and places, made of our instances."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citysim.errors import InputError
from citysim.storage import folder_atomic, write_atomic
from citysim.tasks.parts import LonLat, Stop, Zone
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.suitefile import write_suite
from citysim.tasks.urbanground.conditions import CONDITIONS
from citysim.tasks.urbanground.families import FAMILIES

FOLDER = "task"
"""The sub-folder that the client looks for its files in."""
SUITE_FILE, MAPPING_FILE = "suite.jsonl", "mapping.json"
VARIANTS: dict[str, tuple[str, str]] = {
    "rain": ("RQ", "RN"),
    "thunderstorm": ("TSQ", "TSN"),
    "overcast": ("OCQ", "OCN"),
    "cloudy": ("CLQ", "CLN"),
    "dusk": ("EVQ", "EVN"),
    "night": ("NTQ", "NTN"),
}
"""Condition -> prefixes that the client gives to questions and to walks under it."""
PREFIXES = frozenset(("PL", "DCR", *(prefix for pair in VARIANTS.values() for prefix in pair)))
"""Prefixes that the client puts before the id of the task that it varies."""
NOWHERE = {"lat": 0.0, "lon": 0.0, "height": 0.0, "yaw": 0.0, "label": ""}
"""The client's placeholder."""
Json = dict[str, Any]


def public_ids(suite: Suite) -> dict[str, str]:
    """Our id -> the client's (PREFIX-YYYYMMDD-HHMMSS) for every instance; the suite alone decides it.

    The date is the instance's own; the time counts the instances of a prefix in the suite's order, so that it says
    nothing. Raises InputError for a type that the client does not know.
    """
    counts: dict[str, int] = {}
    found: dict[str, str] = {}
    for instance in suite.instances:
        prefix = prefix_of(instance)
        counts[prefix] = number = counts.get(prefix, 0) + 1
        day = instance.conditions["date"].replace("-", "")
        clock = f"{number // 3600 % 24:02d}{number // 60 % 60:02d}{number % 60:02d}"
        found[instance.id] = f"{prefix}-{day}-{clock}"
    return found


def prefix_of(instance: Instance) -> str:
    """The prefix of an instance's id at the client: its family's, or that of the condition it varies another in."""
    if instance.type == "point_goal":
        return "SN"
    if instance.type not in FAMILIES:
        raise InputError(f"a type of UrbanGround ({', '.join(FAMILIES)})", repr(instance.type), "suite urbanground")
    condition = instance.id.rpartition("-")[2]
    if instance.source and condition in VARIANTS and _is_under(instance, condition):
        return VARIANTS[condition][instance.question is None]
    return FAMILIES[instance.type].prefix


def _is_under(instance: Instance, condition: str) -> bool:
    return (instance.conditions["time"], instance.conditions["weather"]) == CONDITIONS[condition]


def task_file(instance: Instance, id: str) -> Json:
    """One instance as the object of a task file.

    Nothing that the agent has to find out is in it beyond what the client needs to score: questions keep the place of
    their evidence to themselves, and a search its targets.
    """
    number = FAMILIES[instance.type].number if instance.type in FAMILIES else 0
    start = _point(instance.start_lonlat, yaw=round(instance.start.heading_deg, 1) % 360.0, label="Start")
    end = _point(instance.goal_lonlat, label=instance.goal_name)
    made: Json = {"id": id, "type": number, "description": instance.instruction}
    if instance.question is not None:
        options = [{"text": option} for option in instance.question.options]
        made |= {"description": instance.question.text, "qaStartPoint": start, "qaOptions": options}
        return made | {"qaAnswerIndex": instance.question.answer, "startPoint": NOWHERE, "endPoint": NOWHERE}
    if instance.type == "PS":
        unknown = {"poiCategory": instance.category, "startPoint": NOWHERE, "endPoint": NOWHERE}
        return made | {"searchOrigin": start, **unknown}
    if instance.type == "II":
        looked_for = {"poiCategory": instance.category, "exploreDurationMinutes": 0, "startPoint": NOWHERE}
        return made | {"exploreStart": start, "endPoint": end, **looked_for}
    if instance.type == "TW":
        stops = [{"target": _stop(stop)} for stop in instance.stops]
        return made | {"scheduleStart": start, "schedule": stops, "startPoint": NOWHERE, "endPoint": NOWHERE}
    if instance.type == "MS":
        targets = [{"kind": "poi", "point": _stop(s), "poiCategory": "", "note": s.name} for s in instance.stops]
        return made | {
            "multiRouteStart": start,
            "multiRouteTargets": targets,
            "startPoint": NOWHERE,
            "endPoint": NOWHERE,
        }
    made |= {"startPoint": start, "endPoint": end}
    if instance.zones:
        made["restrictedZones"] = [_zone(zone) for zone in instance.zones]
    return made


def export_urbanground(suite: Suite, out: Path) -> Json:
    """Write `out/task/ID.json` for every instance, `out/mapping.json` (the client's ids -> ours) and `out/suite.jsonl`.

    `out` is what the client takes as `--build-folder`, and `citysim serve --suite` as well. Returns the mapping file's
    content. Raises InputError for instances that the client has no type for, StorageError for a folder in use.
    """
    ids = public_ids(suite)
    files = {ids[i.id]: task_file(i, ids[i.id]) for i in suite.instances}
    mapping = {
        "schema": "citysim.urbanground-export/1",
        "suite": suite.name,
        "sha256": suite.sha256,
        "ids": {ids[i.id]: i.id for i in suite.instances},
    }
    with folder_atomic(out) as folder:
        (folder / FOLDER).mkdir()
        for id, value in files.items():
            write_atomic(folder / FOLDER / f"{id}.json", _text(value))
        write_atomic(folder / MAPPING_FILE, _text(mapping))
        write_suite(folder / SUITE_FILE, suite)
    return mapping


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _point(lonlat: LonLat, yaw: float = 0.0, label: str = "") -> Json:
    lon, lat, height = lonlat
    return {"lat": lat, "lon": lon, "height": height, "yaw": yaw, "label": label}


def _stop(stop: Stop) -> Json:
    return _point(stop.lonlat, label=stop.name)


def _zone(zone: Zone) -> Json:
    """A closure; the delay is what the client's own files say too, and its code leaves unread."""
    vertices: Sequence[Json] = [{"lat": lat, "lon": lon} for lon, lat, _ in zone.lonlats]
    return {"label": zone.label, "vertices": vertices, "closureDelayMinutes": round(zone.notice_at_s / 60.0, 3)}
