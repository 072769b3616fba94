"""Replays: films of recorded episodes that come out as they were recorded, and say so when they do not."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from citysim.city import City
from citysim.cli.app import app
from citysim.errors import DependencyError, InputError, StorageError, UnknownNameError
from citysim.runs import filming
from citysim.runs.filming import film
from citysim.runs.folder import RunFolder
from citysim.runs.replay import replay
from citysim.runs.replay_panels import action_words, wrapped
from citysim.runs.replay_steps import Watched, differing
from citysim.world import Command, World

VIEW = (96, 64)


def shortest(run: Path) -> str:
    folder = RunFolder(run)
    return min((line["id"] for line in folder.episodes()), key=lambda id: len(folder.steps(id)))


def test_an_episode_is_filmed_and_equal_to_its_record(mixed_run: Path, town: City, tmp_path: Path) -> None:
    import av

    id = shortest(mixed_run)
    made = replay(mixed_run, id, tmp_path / "film.mp4", city=town, size=VIEW, rate=2)
    assert made.difference == ""
    assert made.actions == len(RunFolder(mixed_run).steps(id))
    with av.open(str(made.path)) as film_:
        frames = [frame.to_ndarray(format="rgb24") for frame in film_.decode(video=0)]
        assert id in film_.metadata["title"]
    assert len(frames) == made.pictures > 8
    assert frames[0].shape[1] == VIEW[0] * 3 // 2
    walked = sum(record.steps for record in RunFolder(mixed_run).steps(id)) / 60.0
    assert made.pictures / 2.0 > walked
    assert np.abs(frames[5].astype(int) - frames[-1].astype(int)).mean() > 1.0
    assert list(tmp_path.iterdir()) == [made.path]


def test_a_gif_needs_nothing_but_pillow(
    mixed_run: Path, town: City, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(DependencyError, match=r"\.gif"):
        replay(mixed_run, shortest(mixed_run), tmp_path / "film.mp4", city=town)
    made = replay(mixed_run, shortest(mixed_run), tmp_path / "film.gif", city=town, size=VIEW, rate=1, speed=2)
    with Image.open(made.path) as image:
        assert getattr(image, "n_frames", 0) > 3


def test_a_changed_record_is_told(mixed_run: Path, town: City, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(mixed_run, run)
    id = shortest(run)
    path = RunFolder(run).steps_path(id)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[1]["after"]["east"] += 0.000001
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = replay(run, id, tmp_path / "film.gif", city=town, size=VIEW, rate=1)
    assert made.difference.startswith("step 2: after was")
    assert made.path.is_file()
    assert town.path is not None
    words = ["replay", str(run), id, "-o", str(tmp_path / "b.gif"), "--city", str(town.path), "--size", "96x64"]
    result = CliRunner().invoke(app, [*words, "--rate", "1", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["equal"] is False


def test_wrong_input_is_refused_and_leaves_nothing(mixed_run: Path, town: City, tmp_path: Path) -> None:
    id, out, renamed = shortest(mixed_run), tmp_path / "films" / "film.gif", tmp_path / "renamed"
    shutil.copytree(mixed_run, renamed)
    path = RunFolder(renamed).instances_path
    path.write_text(path.read_text().replace('"city":"grid"', '"city":"nowhere"'))
    calls: list[Callable[[], object]] = [
        lambda: replay(mixed_run, "nobody", out, city=town),
        lambda: replay(mixed_run, id, tmp_path / "film.avi", city=town),
        lambda: replay(mixed_run, id, out, city=town, rate=7),
        lambda: replay(mixed_run, id, out, city=town, speed=0),
        lambda: replay(mixed_run, id, out, city=town, size=(97, 64)),
        lambda: replay(tmp_path / "norun", id, out, city=town),
        lambda: replay(mixed_run, id, out, city=dataclasses.replace(town, content_sha256="0" * 64)),
        lambda: replay(renamed, id, out),
    ]
    for call in calls:
        with pytest.raises((InputError, UnknownNameError)):
            call()
    assert not out.parent.exists()
    assert list(tmp_path.iterdir()) == [renamed]


def test_a_film_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    path.write_bytes(b"old")
    with pytest.raises(AttributeError), film(path, (8, 8), 2) as add:
        add(None)  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError), film(tmp_path / "file" / "film.gif", (8, 8), 2) as add:
        add(np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(InputError, match="even"), film(tmp_path / "odd.mp4", (9, 8), 2) as add:
        add(np.zeros((8, 9, 3), np.uint8))
    assert filming.FORMATS == (".mp4", ".gif")


def test_a_watched_walk_is_the_same_walk(town: City) -> None:
    world = World(town)
    line = town.network.edges[0].line
    world.reset(world.ground_pose(float(line[0, 0]), float(line[0, 1]), 40.0))
    start = world.snapshot()
    for command, steps in ((Command(1.4, 0.2, 0.3, -0.1), 125), (Command(2.5, 0.0, jump_after_s=0.5), 60)):
        world.restore(start)
        world.advance(command, steps)
        whole = world.pose
        world.restore(start)
        stops: list[float] = []

        def seen(stops: list[float] = stops) -> None:
            stops.append(world.time_s)

        Watched(world, 7, seen).advance(command, steps)
        assert world.pose == whole
        assert len(stops) == -(-steps // 7)
    world.close()


def test_differences_name_the_field(mixed_run: Path) -> None:
    record = RunFolder(mixed_run).steps(shortest(mixed_run))[0]
    assert differing(record, record) == ""
    assert "path_m" in differing(record, dataclasses.replace(record, path_m=record.path_m + 1.0))


def test_words_fit_their_room() -> None:
    assert action_words({"action": "move", "dir": "forward", "seconds": 2.0}) == "move: dir forward, seconds 2"
    assert action_words({"action": "jump"}) == "jump"
    assert action_words(["strange"]) == '["strange"]'
    lines = wrapped("I should turn left at the red shop because the sign says so " * 9, 10, 300, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("...")
    assert wrapped("", 10, 300, 3) == []
    assert len(wrapped("x" * 300, 10, 100, 2)) == 1
