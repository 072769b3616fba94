"""A headless Chromium for tests, driven by Playwright's core; tests skip with a reason where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def browser_page(width: int = 1200, height: int = 900, scheme: Any = "light") -> Iterator[tuple["Page", list[str]]]:
    """(page, complaints): a page in a browser of its own, and what its console and its scripts complained about."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the core of Playwright")
    complaints: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.set_default_timeout(60_000)
            page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            yield page, complaints
        finally:
            browser.close()


def grave_faults(page: "Page") -> list[tuple[str, str]]:
    """(rule, markup) of every serious or critical fault that axe-core finds in a page."""
    package = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python for its axe-core")
    (script,) = sorted(Path(package.__file__).parent.rglob("axe.min.js"))
    page.evaluate(script.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    grave = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    return [(v["id"], node["html"][:200]) for v in grave for node in v["nodes"]]
