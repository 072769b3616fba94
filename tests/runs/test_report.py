"""The report page: complete, self-contained, and safe against what names contain."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from citysim.errors import InputError
from citysim.runs.drawing import MapFrame, bars, curve
from citysim.runs.folder import RunFolder
from citysim.runs.report import write_report


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


def test_nothing_is_loaded_from_elsewhere(text: str) -> None:
    page = Page(text)
    assert all(link.startswith(("#", "data:image/jpeg;base64,")) for link in page.links)
    assert "script" not in page.tags
    assert "link" not in page.tags
    assert not re.search(r"url\(|@import|https?://", text)


def test_every_episode_is_on_the_map_and_has_a_section(text: str, mixed_run: Path) -> None:
    lines, page = RunFolder(mixed_run).episodes(), Page(text)
    for line in lines:
        assert f'id="{line["id"]}"' in text
        assert page.links.count(f"#{line['id']}") == 2, "on the map and in the chart"
    assert page.classes.count("route") == len(lines)
    assert text.count('<tr><td class="n">') == sum(line["steps"] for line in lines)
    assert page.tags.count("image") == 1, "the map picture is embedded once"
    pictures = page.tags.count("img")
    assert pictures >= 10
    rate = sum(line["status"] == "success" for line in lines) / len(lines)
    assert f"{100 * rate:.0f} %" in text


def test_names_cannot_break_the_page(mixed_run: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(mixed_run, tmp_path / "run"))
    instances = [json.loads(line) for line in (run / "instances.jsonl").read_text().splitlines()]
    for instance in instances:
        instance["instruction"] = 'Walk to <script>alert("1")</script> & Söner'
    (run / "instances.jsonl").write_text("".join(json.dumps(i) + "\n" for i in instances))
    text = write_report(run).read_text()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "Söner" in text


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


@pytest.mark.browser
def test_it_draws_in_a_browser(text: str, mixed_run: Path, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs Chromium")
    picture = tmp_path / "page.png"
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--screenshot={picture}"]
    page = (mixed_run / "report.html").as_uri()
    subprocess.run([*command, "--window-size=390,1600", page], check=True, capture_output=True, timeout=120)
    from PIL import Image

    with Image.open(picture) as image:
        colours = image.convert("RGB").getcolors(1 << 24)
    assert colours is not None
    assert len(colours) > 200, "more than text: a map with trajectories"
