"""`citysim render`: every view becomes a picture of the right size, and what cannot be drawn is said in one line."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from citysim.city import City
from citysim.cli import run
from citysim.render.gl import context
from citysim.snapshot import VIEWS
from tests.render.scenes import street

CITY = street()


@pytest.fixture(autouse=True)
def _small_city(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_: object) -> City:
        return CITY

    monkeypatch.setattr("citysim.catalog.load_city", load)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_a_picture(view: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, size = tmp_path / "x.png", "80x40"
    arguments = [
        "render",
        "street",
        "--at",
        "0,-3",
        "--heading-deg",
        "80",
        "--view",
        view,
        "--size",
        size,
        "-o",
        str(out),
    ]
    assert run([*arguments, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["size"] == size
    assert value["notices"] == []
    pixels = np.asarray(Image.open(out))
    assert pixels.shape == (40, 80, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 5


def test_a_tilted_map_and_fewer_samples(tmp_path: Path) -> None:
    made = []
    for name, more in (("flat", []), ("tilted", ["--tilt-deg", "40"])):
        out = tmp_path / f"{name}.png"
        assert run(["render", "street", "--view", "map", "--size", "80x60", *more, "-o", str(out), "--quiet"]) == 0
        made.append(out.read_bytes())
    for samples in ("1", "16"):
        out = tmp_path / f"{samples}.png"
        assert (
            run(["render", "street", "--at", "0,-3", "--samples", samples, "--size", "80x60", "-o", str(out), "-q"])
            == 0
        )
        made.append(out.read_bytes())
    assert len(set(made)) == 4


@pytest.mark.parametrize(
    "wrong",
    [
        ["--view", "panorama", "--size", "50x50"], ["--view", "map", "--tilt-deg", "80"], ["--samples", "5"],
        ["--view", "map", "--tilt-deg", "nan"], ["--view", "satellite", "--extent", "0"], ["--heading-deg", "nan"],
        ["--view", "map", "--heading-deg", "inf"], ["--size", "9000x9000"],
    ],
)  # fmt: skip
def test_wrong_requests_leave_nothing(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", "street", "--at", "0,-3", *wrong, "-o", str(tmp_path / "x.png")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: expected")
    assert len(error.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_an_eye_on_a_roof_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "x.png")
    assert run(["render", "street", "--at", "5,15", "--eye", "0", "--size", "40x30", "-o", out]) == 0  # on its roof
    assert "notice" not in capsys.readouterr().out


def test_no_driver_for_opengl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise ValueError("Invalid device ID (0)")

    monkeypatch.setattr(context, "pyrender_module", lambda: SimpleNamespace(OffscreenRenderer=none))
    common = ["render", "street", "--at", "0,-3", "--size", "40x30", "-o", str(tmp_path / "x.png")]
    assert run([*common, "--renderer", "gl"]) == 2
    error = capsys.readouterr().err
    assert "EGL" in error
    assert "libegl1" in error
    assert "raster" in error
    assert run(common) == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--view", "satellite", "--tilt-deg", "30"], ["a tilt makes no difference to the view satellite"]),
        (["--view", "map", "--tilt-deg", "30"], []),
        (["--view", "labels", "--time", "23:00", "--extent", "50"], ["an extent", "an hour"]),
        (["--view", "panorama", "--size", "64x32", "--pitch-deg", "5", "--fov-deg", "9"], ["a pitch", "a field"]),
        (["--pitch-deg", "5", "--fov-deg", "20", "--time", "23:00", "--weather", "fog", "--eye", "2"], []),
    ],
)  # fmt: skip
def test_what_a_view_does_not_use_is_said(
    given: list[str], said: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["render", "street", "--at", "0,-3", "--size", "40x30", *given, "-o", str(tmp_path / "x.png")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("notice: ")]
    assert len(lines) == len(said)
    assert all(words in line for words, line in zip(said, lines, strict=True))
