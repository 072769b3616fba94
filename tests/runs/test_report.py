"""The report page: complete, self-contained, and safe against what names contain."""

import base64
import hashlib
import json
import re
import shutil
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from citysim.errors import InputError
from citysim.runs.drawing import MapFrame, bars, curve
from citysim.runs.folder import RunFolder
from citysim.runs.report import write_report
from tests.runs.conftest import HOSTILE


class Page(HTMLParser):
    """Collects tags and what they point to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.classes: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]
        self.classes += [value or "" for name, value in attrs if name == "class"]


@pytest.fixture(scope="module")
def text(mixed_run: Path) -> str:
    return write_report(mixed_run).read_text()


def details(text: str, id: str) -> dict[str, Any]:
    found = re.search(rf'id="{re.escape(id)}"[^>]* data-packed="([^"]*)"', text)
    assert found is not None
    value: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return value


def test_nothing_is_loaded_from_elsewhere(text: str) -> None:
    page = Page(text)
    assert all(link.startswith(("#", "data:image/jpeg;base64,")) for link in page.links)
    assert page.tags.count("script") == 1
    assert "link" not in page.tags
    assert not re.search(r"url\(|@import|https?://", text)
    script = text[text.index("<script>") + 8 : text.index("</script>")]
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{allowed}'" in text, "no other script may run"


def test_every_episode_is_on_the_map_and_has_a_section(text: str, mixed_run: Path) -> None:
    folder = RunFolder(mixed_run)
    page = Page(text)
    for line in folder.episodes():
        assert text.count(f'data-id="{line["id"]}"') == 2, "on the map and in the chart"
        told = details(text, line["id"])
        assert len(told["steps"]) == line["steps"]
        assert told["route"].startswith("M")
        assert told["closest"] in [told["start"], told["end"]] or line["steps"] > 1
        assert len(told["contacts"]) == sum(r.building_collisions > 0 for r in folder.steps(line["id"]))
    assert page.classes.count("episode") == len(folder.episodes())
    assert page.tags.count("image") == 1, "the map picture is embedded once"
    assert page.tags.count("img") >= 10
    rate = sum(line["status"] == "success" for line in folder.episodes()) / len(folder.episodes())
    assert f"{100 * rate:.0f} %" in text


def test_names_and_what_a_model_said_cannot_break_the_page(hostile_run: Path) -> None:
    text = write_report(hostile_run).read_text()
    assert text.count("<script") == 1
    assert "&lt;script&gt;" in text
    assert "Söner" in text
    assert "onerror=" not in re.sub(r"&lt;.*?&gt;", "", text)
    assert HOSTILE in details(text, "starter-001")["steps"][0][10]


def test_a_run_without_map_or_frames_still_reports(mixed_run: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(mixed_run, tmp_path / "run"))
    (run / "maps" / "grid.json").unlink()
    (run / "maps" / "grid.jpg").unlink()
    shutil.rmtree(run / "frames")
    out = write_report(run, tmp_path / "elsewhere.html")
    assert out == tmp_path / "elsewhere.html"
    assert "img" not in Page(out.read_text()).tags
    with pytest.raises(InputError, match="run folder"):
        write_report(tmp_path)


def test_drawings() -> None:
    frame = MapFrame((-10.0, -20.0, 30.0, 40.0))
    assert frame.path([(-10, 40), (30, -20)]) == "M0.0 0.0L40.0 60.0"
    assert frame.path([]) == ""
    assert frame.spot((0.0, 0.0)) == {"x": "10.0", "y": "40.0"}
    left, top, width, height = map(float, frame.view([(0, 0), (200, 0)]).split())
    assert width / height == pytest.approx(4 / 3, abs=0.01)
    assert left == pytest.approx(-15.0)
    assert top < 40.0 < top + height
    assert curve([100.0, 50.0, 0.0], 100.0, 2, 10.0, 10.0) == "M0.0 0.0L5.0 5.0L10.0 10.0"
    group = {"n": 4, "success_rate": 0.5, "success_interval": [0.15, 0.85]}
    assert bars([("all", group), ("none", {**group, "n": 0})]) == [
        {"name": "all", "n": 4, "rate": 50.0, "low": 15.0, "high": 85.0}
    ]
