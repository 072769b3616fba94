"""Exported task files: keys, types and ids of every family, nothing that gives an answer away."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from citysim.cli import run as command
from citysim.errors import InputError
from citysim.serve.taskbook import TaskBook
from citysim.tasks.suite import Suite
from citysim.tasks.suitefile import read_suite
from citysim.tasks.urbanground.conditions import CONDITIONS, under
from citysim.tasks.urbanground.exporting import VARIANTS, export_urbanground, public_ids
from citysim.tasks.urbanground.families import FAMILIES
from tests.serve.conftest import Ground

QA = {"qaStartPoint", "qaOptions", "qaAnswerIndex", "startPoint", "endPoint"}
KEYS = {
    "VR": QA, "OU": QA, "AEQ": QA,
    **{key: {"startPoint", "endPoint"} for key in ("SN", "LN", "IN", "NP")},
    **{key: {"startPoint", "endPoint", "restrictedZones"} for key in ("CN", "DCR")},
    "PS": {"searchOrigin", "poiCategory", "startPoint", "endPoint"},
    "II": {"exploreStart", "poiCategory", "exploreDurationMinutes", "startPoint", "endPoint"},
    "TW": {"scheduleStart", "schedule", "startPoint", "endPoint"},
    "MS": {"multiRouteStart", "multiRouteTargets", "startPoint", "endPoint"},
}  # fmt: skip
STARTS = {
    "VR": "qaStartPoint", "OU": "qaStartPoint", "AEQ": "qaStartPoint", "PS": "searchOrigin", "II": "exploreStart",
    "TW": "scheduleStart", "MS": "multiRouteStart",
}  # fmt: skip


def files(ground: Ground) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text()) for path in (ground.folder / "task").glob("*.json")}


def test_every_family_has_its_keys(ground: Ground) -> None:
    made, ids = files(ground), public_ids(ground.suite)
    assert set(made) == set(ids.values())
    assert {instance.type for instance in ground.suite.instances} == set(FAMILIES)
    for instance in ground.suite.instances:
        task, family = made[ids[instance.id]], FAMILIES[instance.type]
        assert re.fullmatch(rf"{family.prefix}-\d{{8}}-\d{{6}}", task["id"])
        assert (task["type"], task["id"]) == (family.number, ids[instance.id])
        assert set(task) == {"id", "type", "description", *KEYS[instance.type]}
        start = task[STARTS.get(instance.type, "startPoint")]
        assert (start["lon"], start["lat"], start["height"]) == instance.start_lonlat
        assert start["yaw"] == pytest.approx(instance.start.heading_deg, abs=0.051)
        for zone in task.get("restrictedZones", ()):
            assert len(zone["vertices"]) >= 2


def test_answers_are_right_and_places_of_evidence_unknown(ground: Ground) -> None:
    made, ids = files(ground), public_ids(ground.suite)
    for instance in ground.suite.instances:
        task = made[ids[instance.id]]
        if instance.question is not None:
            assert [option["text"] for option in task["qaOptions"]] == list(instance.question.options)
            assert task["qaAnswerIndex"] == instance.question.answer
            assert task["description"] == instance.question.text
        if instance.question is not None or instance.type in ("PS", "TW", "MS"):
            assert task["endPoint"]["lat"] == task["endPoint"]["lon"] == 0.0
        if instance.type == "MS":
            assert [t["note"] for t in task["multiRouteTargets"]] == [stop.name for stop in instance.stops]
        if instance.type == "TW":
            assert [s["target"]["lat"] for s in task["schedule"]] == [stop.lonlat[1] for stop in instance.stops]


def test_the_folder_maps_ids_and_is_a_suite_again(ground: Ground, tmp_path: Path) -> None:
    mapping = json.loads((ground.folder / "mapping.json").read_text())
    ids = public_ids(ground.suite)
    assert mapping["ids"] == {ids[i.id]: i.id for i in ground.suite.instances}
    again = read_suite(ground.folder / "suite.jsonl")
    assert again.sha256 == mapping["sha256"] == ground.suite.sha256
    out = tmp_path / "again"
    assert command(["suite", "export", str(ground.folder / "suite.jsonl"), "-o", str(out), "--quiet"]) == 0
    for path in sorted(ground.folder.rglob("*.json*")):
        assert (out / path.relative_to(ground.folder)).read_bytes() == path.read_bytes()
    assert command(["suite", "export", str(ground.folder / "suite.jsonl"), "-o", str(out), "--quiet"]) == 2
    assert command(["suite", "export", "starter", "--format", "other", "-o", str(tmp_path / "x"), "--quiet"]) == 2
    assert not (tmp_path / "x").exists()


def test_ids_of_variants(ground: Ground) -> None:
    for condition in CONDITIONS:
        varied = under(ground.suite, condition)
        ids = public_ids(varied)
        assert len(set(ids.values())) == len(ids)
        for instance in varied.instances:
            prefix = VARIANTS[condition][instance.question is None]
            assert ids[instance.id].startswith(f"{prefix}-")


def test_the_server_knows_every_id(ground: Ground) -> None:
    book = TaskBook(ground.suite, [ground.city])
    for own, public in public_ids(ground.suite).items():
        for id in (own, public, f"RN-{public}", f"PL-{public}", f"DCR-{public}"):
            assert book.find(id).id == own
    for id in ("", "SN", f"XX-{public}", "../etc/passwd", "SN-20260615-0000011"):
        with pytest.raises(InputError):
            book.find(id)
    stray = dataclasses.replace(ground.suite.instances[0], city_sha256="0" * 64)
    with pytest.raises(InputError, match="made for"):
        TaskBook(Suite("stray", "1", (stray,)), [ground.city])


def test_more_than_a_minute_of_ids(ground: Ground, tmp_path: Path) -> None:
    one = ground.suite.instances[0]
    many = Suite("many", "1", tuple(dataclasses.replace(one, id=f"VR-{k:04d}") for k in range(4000)))
    ids = list(public_ids(many).values())
    assert len(set(ids)) == 4000
    assert ids[3661] == "LQ-20260615-010102"
    with pytest.raises(InputError, match="UrbanGround"):
        export_urbanground(Suite("odd", "1", (dataclasses.replace(one, type="odd"),)), tmp_path / "odd")
    assert not (tmp_path / "odd").exists()
