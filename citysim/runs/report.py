"""write_report: one self-contained HTML page about a run: no scripts, no network, opens from disk."""

import base64
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citysim.errors import FormatError, InputError
from citysim.runs.citymap import read_city_map
from citysim.runs.drawing import MapFrame, bars, curve
from citysim.runs.folder import RunFolder
from citysim.runs.highlights import spread
from citysim.runs.summary import COLUMNS, figures_row, summarise
from citysim.storage import write_atomic
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance

PICTURES = 24  # pictures of an episode at most
WITH_PICTURES = 6  # episodes with pictures at most: a page is for reading, the run folder has them all
PICTURE_WIDTH = 240
CHART = (640.0, 220.0)


def write_report(run: Path, out: Path | None = None) -> Path:
    """Write the page of a finished run (default: report.html in its folder) and return its path.

    Raises InputError for what is no finished run, FormatError for broken records, StorageError.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    folder = RunFolder(run)
    manifest, lines, instances = folder.finished_run()
    if not lines:
        raise InputError("a run with episodes", f"none in '{run}'", "citysim eval")
    environment = Environment(
        loader=PackageLoader("citysim.runs", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("report.html.j2").render(_content(folder, manifest, lines, instances))
    path = out if out is not None else run / "report.html"
    write_atomic(path, page)
    return path


def _content(
    folder: RunFolder, manifest: dict[str, Any], lines: Sequence[dict[str, Any]], instances: dict[str, Instance]
) -> dict[str, Any]:
    summary = summarise(lines, manifest)
    steps = {line["id"]: _records(folder, line) for line in lines}
    played = {line["id"]: instances[line["id"]] for line in lines}
    cities = sorted({instance.city for instance in played.values()})
    charts = {city: read_city_map(folder, city) for city in cities}
    frames = {city: MapFrame(charts[city].get("bounds") or _bounds(steps, played, city)) for city in cities}
    pictured = _pictured(folder, lines)
    episodes = [
        _episode(
            line, played[line["id"]], steps[line["id"]], frames[played[line["id"]].city],
            charts[played[line["id"]].city].get("routes", {}).get(line["id"], []),
        )
        | {
            "pictures": _pictures(folder, line["id"]) if line["id"] in pictured else [],
            "map": 1 + cities.index(played[line["id"]].city),
        }
        for line in lines
    ]  # fmt: skip
    groups = [(f"{word} {key}", g) for word, table in (("type", "by_type"), ("level", "by_level"),
              ("start distance", "by_distance")) for key, g in summary[table].items()]  # fmt: skip
    return {
        "manifest": manifest,
        "summary": summary,
        "columns": COLUMNS,
        "rows": [figures_row("all", summary["all"]), *(figures_row(name, g) for name, g in groups)],
        "bars": bars([("all", summary["all"]), *groups]),
        "maps": [_map(folder, city, frames[city], charts[city]) for city in cities],
        "episodes": episodes,
        "chart": _chart(lines, steps, instances),
    }


def _map(folder: RunFolder, city: str, frame: MapFrame, chart: dict[str, Any]) -> dict[str, Any]:
    picture = folder.map_path(city).with_suffix(".jpg")
    background = _data_url(picture.read_bytes()) if picture.is_file() else ""
    return {"city": city, "frame": frame, "network": frame.paths(chart.get("network", [])), "background": background}


def _records(folder: RunFolder, line: dict[str, Any]) -> list[StepRecord]:
    """Records of an episode; one that was lost with its process may have none."""
    lost = line["status"] == "unscored" and not folder.steps_path(line["id"]).is_file()
    return [] if lost else folder.steps(line["id"])


def _episode(
    line: dict[str, Any], instance: Instance, records: Sequence[StepRecord], frame: MapFrame, route: list[list[float]]
) -> dict[str, Any]:
    track = [(r.before.east, r.before.north) for r in records[:1]] + [(r.after.east, r.after.north) for r in records]
    start = track[0] if track else (instance.start.east, instance.start.north)
    return {
        "line": line,
        "instance": instance,
        "track": frame.path(track),
        "route": frame.path(route),
        "start": frame.spot(start),
        "goal": frame.spot(instance.goal[:2]),
        "end": frame.spot(track[-1] if track else start),
        "view": frame.view([start, instance.goal[:2], *track, *route]),
        "steps": [_step(record) for record in records],
    }


def _step(record: StepRecord) -> dict[str, Any]:
    action = dict(record.action) if isinstance(record.action, dict) else {"action": record.action}
    name = str(action.pop("action", action.pop("type", "?")))
    told = [f"refused: {record.invalid}"] if record.invalid else []
    return {
        "index": record.index,
        "action": " ".join([name, *(f"{key} {_brief(value)}" for key, value in action.items() if value != 0)]),
        "seconds": f"{record.duration_s:.2f}",
        "walked": f"{record.path_m:.1f}",
        "place": f"{record.after.east:.1f}, {record.after.north:.1f}, {record.after.up:.1f}",
        "heading": f"{record.after.heading_deg:.0f}",
        "on_network": record.on_network,
        "bumps": record.building_collisions + record.pedestrian_collisions,
        "notices": "; ".join([*told, *record.notices]),
    }


def _brief(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _pictured(folder: RunFolder, lines: Sequence[dict[str, Any]]) -> set[str]:
    """Episodes whose pictures are shown: the first successes and failures that have some, in turn."""
    having = [line for line in lines if folder.frames(line["id"]).is_dir()]
    wins = [line["id"] for line in having if line["status"] == "success"]
    rest = [line["id"] for line in having if line["status"] != "success"]
    mixed = [id for pair in zip(wins, rest, strict=False) for id in pair]
    more = [id for id in wins + rest if id not in mixed]
    return set((mixed + more)[:WITH_PICTURES])


def _pictures(folder: RunFolder, id: str) -> list[dict[str, str]]:
    files = sorted(folder.frames(id).glob("*.jpg"))
    return [
        {"name": files[k].stem.lstrip("0") or "0", "url": _thumbnail(files[k])} for k in spread(len(files), PICTURES)
    ]


def _thumbnail(path: Path) -> str:
    from PIL import Image

    buffer = io.BytesIO()
    try:
        with Image.open(path) as picture:
            picture.thumbnail((PICTURE_WIDTH, PICTURE_WIDTH))
            picture.convert("RGB").save(buffer, "JPEG", quality=70)
    except Exception as error:  # Pillow has no one class for broken pictures
        raise FormatError("a picture", f"'{path}' ({type(error).__name__})", "removing it") from None
    return _data_url(buffer.getvalue())


def _data_url(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")


def _chart(
    lines: Sequence[dict[str, Any]], steps: dict[str, list[StepRecord]], instances: dict[str, Instance]
) -> dict[str, Any]:
    """Straight distance to the goal after every action, one curve an episode."""
    tables = {}
    for line in lines:
        goal, records = instances[line["id"]].goal, steps[line["id"]]
        poses = [r.before for r in records[:1]] + [r.after for r in records]
        tables[line["id"]] = [math.hypot(p.east - goal[0], p.north - goal[1]) for p in poses]
    most = max((v for values in tables.values() for v in values), default=1.0)
    count = max((len(values) - 1 for values in tables.values()), default=1)
    top = math.ceil(most / 50.0) * 50.0
    radius = max(instance.radius_m for instance in instances.values())
    return {
        "width": CHART[0],
        "height": CHART[1],
        "top": top,
        "count": count,
        "radius": radius,
        "radius_y": CHART[1] * (1 - radius / top),
        "curves": [
            {"id": line["id"], "status": line["status"], "d": curve(tables[line["id"]], top, count, *CHART)}
            for line in lines
            if tables[line["id"]]
        ],
    }


def _bounds(steps: dict[str, list[StepRecord]], instances: dict[str, Instance], city: str) -> list[float]:
    """Bounds of everything that happened in a city, for a run folder without a map."""
    here = [instance for instance in instances.values() if instance.city == city]
    points = [(r.after.east, r.after.north) for i in here for r in steps[i.id]]
    points += [(i.start.east, i.start.north) for i in here]
    points += [i.goal[:2] for i in here]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return [min(xs) - 30.0, min(ys) - 30.0, max(xs) + 30.0, max(ys) + 30.0]
