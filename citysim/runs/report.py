"""write_report: one self-contained HTML page about a run: it loads nothing, opens from disk, and escapes all names."""

import base64
import hashlib
import io
import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from citysim.errors import FormatError, InputError
from citysim.runs.citymap import read_city_map
from citysim.runs.drawing import MapFrame, bars, curve
from citysim.runs.folder import RunFolder
from citysim.runs.highlights import spread
from citysim.runs.lock import locked
from citysim.runs.report_episode import details_of, distances_of, packed, track_of
from citysim.runs.report_tables import Table, condition_of, failure_of, failures_table, groups, urbanground_tables
from citysim.runs.summary import COLUMNS, figures_row, summarise
from citysim.storage import write_atomic
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance

PICTURES = 24  # pictures of an episode at most
WITH_PICTURES = 12  # episodes with pictures in the page at most; those of others stay in the run folder
PICTURE_WIDTH = 240
CHART = (640.0, 220.0)
CURVES = 60  # more than so many lines tell nothing


def write_report(run: Path, out: Path | None = None) -> Path:
    """Write the page of a finished run (default: report.html in its folder) and return its path.

    Raises InputError for what is no finished run, FormatError for broken records, StorageError, also while another
    process works on the run.
    """
    folder = RunFolder(run)
    folder.manifest()  # an error of its own where this is no run folder
    with locked(run):
        return _written(folder, run, out)


def _written(folder: RunFolder, run: Path, out: Path | None) -> Path:
    from jinja2 import Environment, PackageLoader, StrictUndefined

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
    path = out if out is not None else run / "report.html"
    beside = path.absolute().parent == run.absolute()
    page = environment.get_template("report.html.j2").render(_content(folder, manifest, lines, instances, beside))
    write_atomic(path, page)
    return path


def _content(
    folder: RunFolder,
    manifest: dict[str, Any],
    lines: Sequence[dict[str, Any]],
    instances: dict[str, Instance],
    beside: bool,
) -> dict[str, Any]:
    summary = summarise(lines, manifest)
    cities = sorted({instances[line["id"]].city for line in lines})
    steps = {line["id"]: _records(folder, line) for line in lines}
    played = {line["id"]: instances[line["id"]] for line in lines}
    charts = {city: read_city_map(folder, city) for city in cities}
    frames = {city: MapFrame(charts[city].get("bounds") or _bounds(steps, played, city)) for city in cities}
    pictured = _pictured(folder, lines)
    episodes = []
    for line in lines:
        id, instance = line["id"], played[line["id"]]
        frame, route = frames[instance.city], charts[instance.city].get("routes", {}).get(line["id"], [])
        details = details_of(line, instance, steps[id], frame, route)
        if beside and id not in pictured:
            details["files"] = [file.name for file in _some(folder, id)]
        episodes.append(
            {
                "line": line,
                "instance": instance,
                "condition": condition_of(line),
                "failed": failure_of(line).replace("_", " "),
                "map": 1 + cities.index(instance.city),
                "track": frame.brief(track_of(steps[id], instance)),
                "goal": frame.spot(instance.goal[:2]),
                "start": details["start"],
                "packed": packed(details),
                "pictures": _pictures(folder, id) if id in pictured else [],
            }
        )
    script = (files("citysim.runs") / "templates" / "report.js").read_text(encoding="utf-8")
    grouped = groups(summary, lines)
    return {
        "manifest": manifest,
        "summary": summary,
        "columns": COLUMNS,
        "rows": [figures_row(name, g, intervals=True) for name, g in [("all", summary["all"]), *grouped]],
        "bars": bars([("all", summary["all"]), *grouped]),
        "tables": [*_failures(lines), *urbanground_tables(summary.get("urbanground"))],
        "failed": sorted({failure_of(line).replace("_", " ") for line in lines} - {""}),
        "conditions": sorted({condition_of(line) for line in lines}),
        "levels": sorted({line["level"] for line in lines}),
        "maps": [_map(folder, city, frames[city], charts[city]) for city in cities],
        "episodes": episodes,
        "types": sorted({line["type"] for line in lines}),
        "cities": cities,
        "statuses": sorted({line["status"] for line in lines}),
        "chart": _chart(lines, steps, instances),
        "script": script,
        "script_sha256": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    }


def _failures(lines: Sequence[dict[str, Any]]) -> list[Table]:
    table = failures_table(lines)
    return [] if table is None else [table]


def _map(folder: RunFolder, city: str, frame: MapFrame, chart: dict[str, Any]) -> dict[str, Any]:
    picture = folder.map_path(city).with_suffix(".jpg")
    background = _data_url(picture.read_bytes()) if picture.is_file() else ""
    return {"city": city, "frame": frame, "network": frame.paths(chart.get("network", [])), "background": background}


def _records(folder: RunFolder, line: dict[str, Any]) -> list[StepRecord]:
    """Records of an episode; one that was lost with its process may have none."""
    lost = line["status"] == "unscored" and not folder.steps_path(line["id"]).is_file()
    return [] if lost else folder.steps(line["id"])


def _pictured(folder: RunFolder, lines: Sequence[dict[str, Any]]) -> set[str]:
    """Episodes whose pictures are shown: the first successes and failures that have some, in turn."""
    having = [line for line in lines if folder.frames(line["id"]).is_dir()]
    wins = [line["id"] for line in having if line["status"] == "success"]
    rest = [line["id"] for line in having if line["status"] != "success"]
    mixed = [id for pair in zip(wins, rest, strict=False) for id in pair]
    more = [id for id in wins + rest if id not in mixed]
    return set((mixed + more)[:WITH_PICTURES])


def _pictures(folder: RunFolder, id: str) -> list[dict[str, str]]:
    return [{"name": file.stem.lstrip("0") or "0", "url": _thumbnail(file)} for file in _some(folder, id)]


def _some(folder: RunFolder, id: str) -> list[Path]:
    """Files of pictures of an episode, evenly spread."""
    found = sorted(folder.frames(id).glob("*.jpg"))
    return [found[k] for k in spread(len(found), PICTURES)]


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
    """Distance to the goal after every action, one curve an episode, of some of them where there are many."""
    some = [lines[k] for k in spread(len(lines), CURVES)]
    tables = {line["id"]: distances_of(steps[line["id"]], instances[line["id"]]) for line in some}
    most = max((v for values in tables.values() for v in values), default=1.0)
    count = max((len(values) - 1 for values in tables.values()), default=1)
    top = max(math.ceil(most / 50.0) * 50.0, 50.0)
    radius = max(instance.radius_m for instance in instances.values())
    return {
        "width": CHART[0],
        "height": CHART[1],
        "top": top,
        "count": count,
        "radius": radius,
        "radius_y": CHART[1] * (1 - radius / top),
        "shown": len(some),
        "curves": [
            {"id": line["id"], "status": line["status"], "d": curve(tables[line["id"]], top, count, *CHART)}
            for line in some
            if len(tables[line["id"]]) > 1
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
