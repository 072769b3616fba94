"""The report page in a real browser: it opens, filters, draws, harms nobody, and can be read by everybody."""

import json
import shutil
from pathlib import Path

import pytest

from citysim.runs.report import write_report
from tests.browser import browser_page, grave_faults

pytestmark = pytest.mark.browser


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
        page.get_by_text("0 of 8 episodes", exact=True).wait_for()
        assert page.locator("details.episode:visible").count() == 0
        page.evaluate("location.hash = 'starter-003'")  # a link opens an episode, whatever is filtered
        box = page.locator("#starter-003")
        box.locator("td.said").first.wait_for()
        assert box.locator("svg .track").get_attribute("d") != ""
        page.keyboard.press("Enter")  # its line has the focus
        box.locator(".inside").wait_for(state="hidden")
        assert complaints == []


def test_the_search_finds_what_the_model_said(mixed_run: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(mixed_run, tmp_path / "run"))
    steps = run / "steps" / "starter-005.jsonl"
    records = [json.loads(line) for line in steps.read_text().splitlines()]
    records[-1]["said"] = "I can see the Bakery's red awning"
    steps.write_text("".join(json.dumps(record) + "\n" for record in records))
    address = write_report(run).as_uri()
    with browser_page() as (page, complaints):
        page.goto(address)
        page.get_by_label("Text").fill("bakery's RED")
        page.get_by_text("1 of 8 episodes", exact=True).wait_for()
        assert page.locator("details.episode:visible").get_attribute("id") == "starter-005"
        page.get_by_role("button", name="Show all").click()
        page.get_by_text("8 episodes", exact=True).wait_for()
        failed = page.locator('details.episode[data-status="failure"]').first.get_attribute("data-failed")
        page.locator("select[name=failed]").select_option(failed)
        page.locator("#count", has_text=" of 8 episodes").wait_for()
        shown = page.locator("details.episode:visible")
        assert {shown.nth(k).get_attribute("data-failed") for k in range(shown.count())} == {failed}
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
        assert grave_faults(page) == []
