"""Tests of the walker run on every physics that is installed."""

from collections.abc import Iterator

import pytest

from citysim.physics import ENGINES, default_engine
from tests.physics import scenes


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2].startswith("test_walker"):
        metafunc.fixturenames.append("engine")
        metafunc.parametrize("engine", ENGINES, indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "bullet" and default_engine() != "bullet":
        pytest.skip("needs PyBullet")
    scenes.engines.append(request.param)
    yield request.param
    scenes.engines.pop()
