"""Playing in a real browser: a short task to its end by keys alone, and a free walk with its sliders."""

import dataclasses
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from citysim.catalog import load_city
from citysim.pose import Pose
from citysim.runs.folder import RunFolder
from citysim.serve.play import FreeStage, make_play_app, task_maker
from citysim.serve.run import server_of
from citysim.serve.settings import Settings
from citysim.serve.stages import Stages
from citysim.tasks.parts import lonlat_of
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite
from tests.browser import browser_page

pytestmark = pytest.mark.browser
SETTINGS = Settings(image_size=(160, 120), physics="native")
PATIENCE_S = 90.0


@contextmanager
def serving(app: Any) -> Iterator[str]:
    server = server_of(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30.0)


def until(page: Any, selector: str, attribute: str, wanted: Any) -> None:
    end = time.monotonic() + PATIENCE_S
    while not wanted(page.locator(selector).get_attribute(attribute)):
        assert time.monotonic() < end, f"{selector} has not got there"
        page.wait_for_timeout(50)


def near_task(suite: Suite) -> Suite:
    """The first task moved: begun 18 m before its goal and facing it, on the longest straight footway."""
    city = load_city("mini")
    edge = max(city.network.edges, key=lambda e: math.dist(e.line[0], e.line[-1]))
    (east, north, up), (far_east, far_north, _) = edge.line[0], edge.line[-1]
    length = max(((far_east - east) ** 2 + (far_north - north) ** 2) ** 0.5, 1.0)
    ahead = ((far_east - east) / length, (far_north - north) / length)
    east, north = east + 4.0 * ahead[0], north + 4.0 * ahead[1]
    goal = (east + 18.0 * ahead[0], north + 18.0 * ahead[1], float(up))
    start = Pose.from_heading(
        float(east), float(north), float(up), math.degrees(math.atan2(ahead[0], ahead[1])) % 360.0
    )
    first = dataclasses.replace(
        suite.instances[0], start=start, start_lonlat=lonlat_of(city.frame, (start.east, start.north, start.up)),
        goal=goal, goal_lonlat=lonlat_of(city.frame, goal), shortest_path_m=3.0,
    )  # fmt: skip
    return Suite("near", "1", (first,))


def test_a_short_task_by_keys(tmp_path: Path) -> None:
    city = load_city("mini")
    suite, stages = near_task(load_suite("starter", city, 0)), Stages([city], "raster")
    make = task_maker(suite, [city], suite.instances, stages, SETTINGS, tmp_path / "run", "tester")
    with serving(make_play_app(make, stages, None)) as address, browser_page() as (page, complaints):
        page.goto(address)
        page.get_by_role("button", name="Start").click()
        until(page, "#view", "data-pictures", lambda n: int(n or 0) > 0)
        assert page.locator("#instruction").inner_text() == suite.instances[0].instruction
        assert page.locator("#left").inner_text() == "100"
        page.keyboard.press("m")
        page.locator("#map-buttons").wait_for()
        page.keyboard.press("m")
        page.locator("#street-buttons").wait_for()
        page.keyboard.down("w")
        until(page, "#cover", "data-status", lambda status: status is not None)
        page.keyboard.up("w")
        assert "Success" in page.locator("#cover-text").inner_text()
        assert complaints == []
    (line,) = RunFolder(tmp_path / "run").episodes()
    assert (line["status"], line["agent"]) == ("success", "human:tester")
    names = [record.action["action"] for record in RunFolder(tmp_path / "run").steps(line["id"])]
    assert names[:3] == ["open_map", "close_map", "move"]


def test_a_free_walk_with_sliders() -> None:
    city = load_city("mini")
    stages = Stages([city], "raster")
    app = make_play_app(lambda: FreeStage(city, stages, SETTINGS), stages, None)
    with serving(app) as address, browser_page(390, 844, "dark") as (page, complaints):
        page.goto(address)
        page.get_by_role("button", name="Start").click()
        until(page, "#view", "data-pictures", lambda n: int(n or 0) > 5)
        page.get_by_label("Hour").fill("22")
        page.get_by_label("Weather").select_option("fog")
        page.locator("#weather", has_text="fog").wait_for()
        page.locator("#time", has_text="22:0").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert complaints == []
