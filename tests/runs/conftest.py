"""One town on disk and its suite, shared by the tests of runs."""

from pathlib import Path

import pytest

from citysim.city import City
from citysim.runs.evaluate import evaluate
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite
from tests.towns import write_town


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> City:
    return write_town(tmp_path_factory.mktemp("cities") / "grid")


@pytest.fixture(scope="session")
def suite(town: City) -> Suite:
    return load_suite("starter", town, 0)


@pytest.fixture(scope="session")
def mixed_run(town: City, suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Greedy on eight instances: some succeed, some fail."""
    out = tmp_path_factory.mktemp("runs") / "greedy"
    evaluate(suite, town, "greedy", out=out, limit=8, image_size=(64, 48))
    return out
