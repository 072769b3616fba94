"""What a report tells of one episode: drawn on the map in full, told in figures, every step; packed small."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from citysim.runs.drawing import MapFrame
from citysim.tasks.distances import distances_m
from citysim.tasks.facts import facts_of
from citysim.tasks.parts import LETTERS
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance

Json = dict[str, Any]


def packed(details: Json) -> str:
    """Deflated JSON as base64: text that cannot break out of the page it stands in."""
    text = json.dumps(details, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode("ascii")


def track_of(records: Sequence[StepRecord], instance: Instance) -> list[tuple[float, float]]:
    """Where the walker stood at the start and after every action, local metres."""
    start = records[0].before if records else instance.start
    return [(start.east, start.north), *((r.after.east, r.after.north) for r in records)]


def distances_of(records: Sequence[StepRecord], instance: Instance) -> list[float]:
    """Metres to the goal at the start and after every action, as the task measures them."""
    goal = instance.to_goal()
    start = records[0].before if records else instance.start
    return distances_m(facts_of(start, records, goal, instance.clock_s), goal)


def details_of(
    line: Mapping[str, Any],
    instance: Instance,
    records: Sequence[StepRecord],
    frame: MapFrame,
    route: Sequence[Sequence[float]],
) -> Json:
    """The map, the facts and the steps of an episode; every text in it is plain, to be shown as text.

    view, start, goal ([x, y] or None), radius, track and route (SVG paths), closest and contacts (points), zones and
    stops with names, facts ([name, text] pairs), question, fault, steps (rows, see `_step`).
    """
    track = track_of(records, instance)
    left = distances_of(records, instance)
    nearest = min(range(len(left)), key=left.__getitem__)
    stops = [*instance.stops, *instance.targets]
    zones = [(zone.label, [vertex[:2] for vertex in zone.vertices]) for zone in instance.zones]
    aims = [stop.position[:2] for stop in stops] or [instance.goal[:2]]
    shown = [*track, *route, *aims, *(point for _, line in zones for point in line)]
    return {
        "view": frame.view([(p[0], p[1]) for p in shown]),
        "track": frame.path(track),
        "route": frame.path(route),
        "start": _xy(frame, track[0]),
        "end": _xy(frame, track[-1]),
        "goal": None if stops else _xy(frame, instance.goal),
        "radius": instance.radius_m,
        "stops": [[*_xy(frame, stop.position), stop.name] for stop in stops],
        "zones": [[label, frame.path(points)] for label, points in zones],
        "closest": _xy(frame, track[nearest]),
        "contacts": [
            [*_xy(frame, (r.after.east, r.after.north)), int(r.pedestrian_collisions > 0), r.index]
            for r in records
            if r.building_collisions or r.pedestrian_collisions
        ],
        "facts": _facts(line, instance, nearest),
        "question": None
        if instance.question is None
        else [instance.question.text, list(instance.question.options), instance.question.answer],
        "fault": str(line.get("fault", "")),
        "steps": [_step(record, left[k + 1]) for k, record in enumerate(records)],
    }


def _xy(frame: MapFrame, point: Sequence[float]) -> list[float]:
    return [round(point[0] - frame.west, 1), round(frame.north - point[1], 1)]


def _facts(line: Mapping[str, Any], instance: Instance, nearest: int) -> list[list[str]]:
    conditions, metrics = line.get("conditions") or {}, line["metrics"]
    goal = instance.goal_name or instance.category.replace("_", " ") or "a point"
    facts = [
        ["ended", f"{line['stop_reason']} after {line['sim_seconds']:.1f} simulated s"],
        ["goal", f"{goal} ({instance.goal_lonlat[1]:.6f}, {instance.goal_lonlat[0]:.6f})"],
        ["start", f"{instance.start_lonlat[1]:.6f}, {instance.start_lonlat[0]:.6f},"
                  f" heading {instance.start.heading_deg:.0f}°"],
        ["distance", f"{line['start_distance_m']:.1f} m at the start, {line['final_distance_m']:.1f} m at the end,"
                     f" {line['min_distance_m']:.1f} m at best (after {nearest} steps)"],
        ["walked", f"{line['path_length_m']:.1f} m; the shortest walk is {line['shortest_path_m']:.1f} m;"
                   f" SPL {metrics.get('spl', 0.0):.3f}"],
        ["on network", "-" if line["pna"] is None else f"{100 * line['pna']:.0f} % of the time"],
        ["bumps", f"{line['building_collisions']} into surfaces, {line['pedestrian_collisions']} into people"],
        ["conditions", f"{conditions.get('date', '')} {conditions.get('time', '')},"
                       f" {str(conditions.get('weather', '')).replace('_', ' ')}"],
        ["city, level", f"{instance.city}, {instance.level}"],
    ]  # fmt: skip
    told = {"spl", "success", "remaining_ratio", "oracle_success"}
    more = [f"{key.replace('_', ' ')} {value:g}" for key, value in sorted(metrics.items()) if key not in told and value]
    facts += (
        [["closed", "; ".join(f"{zone.label}: {zone.notice}" for zone in instance.zones)]] if instance.zones else []
    )
    return facts + ([["measured", ", ".join(more)]] if more else [])


def _step(record: StepRecord, left_m: float) -> list[Any]:
    """number, mode, action, seconds, metres walked, place, heading, on network, bumps, metres left, said, notices."""
    told = [f"refused: {record.invalid}"] if record.invalid else []
    told += [f"closed: {label}" for label in record.disclosed] + [f"crossed: {label}" for label in record.crossed]
    after = record.after
    return [
        record.index, {"first_person": "street"}.get(record.mode, record.mode), action_text(record),
        round(record.duration_s, 2), round(record.path_m, 1),
        f"{after.east:.1f}, {after.north:.1f}, {after.up:.1f}", round(after.heading_deg) % 360,
        int(record.on_network), record.building_collisions + record.pedestrian_collisions, round(left_m, 1),
        record.said, "; ".join([*told, *record.notices]), int(bool(record.invalid)),
    ]  # fmt: skip


def action_text(record: StepRecord) -> str:
    """An action in words: "move dir forward seconds 1.5", or an answer's letter."""
    value = record.action
    if not isinstance(value, dict):
        return f"answer {value}" if isinstance(value, str) and value in LETTERS else str(value)
    action = dict(value)
    name = str(action.pop("action", action.pop("type", "")))
    return " ".join([*([name] if name else []), *(f"{key} {_brief(v)}" for key, v in action.items() if v != 0)])


def _brief(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
