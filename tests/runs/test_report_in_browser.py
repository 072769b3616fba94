"""The report page in a real browser: it opens, filters, draws, harms nobody, and can be read by everybody."""

import os
from pathlib import Path

import pytest

from citysim.runs.report import write_report
from tests.browser import browser_page

pytestmark = pytest.mark.browser
AXE = os.environ.get("CITYSIM_AXE", "node_modules/axe-core/axe.min.js")
"""axe-core, as `npm install axe-core` leaves it."""


def test_it_opens_filters_and_draws(mixed_run: Path) -> None:
    address = write_report(mixed_run).as_uri()
    with browser_page() as (page, complaints):
        page.goto(address)
        assert page.locator("details.episode").count() == 8
        page.get_by_label("Outcome").select_option("success")
        wins = page.locator('details.episode[data-status="success"]').count()
        assert page.locator("details.episode:visible").count() == wins
        assert page.locator("#count").inner_text() == f"{wins} of 8 episodes"
        page.get_by_label("Text").fill("nothing of the kind")
        assert page.locator("details.episode:visible").count() == 0
        page.evaluate("location.hash = 'starter-003'")  # a link opens an episode, whatever is filtered
        box = page.locator("#starter-003")
        box.locator("td.said").first.wait_for()
        assert box.locator("svg .track").get_attribute("d") != ""
        page.keyboard.press("Enter")  # its line has the focus
        box.locator(".inside").wait_for(state="hidden")
        assert complaints == []


def test_markup_in_texts_stays_text(hostile_run: Path) -> None:
    address = write_report(hostile_run).as_uri()
    with browser_page() as (page, complaints):
        page.goto(f"{address}#starter-001")
        box = page.locator("#starter-001")
        box.locator("td.said").first.wait_for()
        assert "</script><script>" in box.locator("td.said").first.inner_text()
        assert page.locator("script").count() == 1
        assert page.locator("img[src=x]").count() == 0
        assert page.title().startswith("greedy on starter")
        assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_and_a_phone_shows_all(mixed_run: Path, scheme: str) -> None:
    address = write_report(mixed_run).as_uri()
    with browser_page(390, 844, scheme) as (page, _):
        page.goto(address)
        page.locator("td.said").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if not Path(AXE).is_file():
            pytest.skip("no axe-core; npm install axe-core")
        page.evaluate(Path(AXE).read_text())
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        grave = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
        assert [(v["id"], v["nodes"][0]["html"][:200]) for v in grave] == []
