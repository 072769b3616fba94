"""Tests of the walker run on every physics that is installed."""

from collections.abc import Iterator

import pytest

from citysim.physics import ENGINES, default_engine
from tests.physics import scenes


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2].startswith("test_walker"):
        metafunc.parametrize("engine", ENGINES, indirect=True)


@pytest.fixture(autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    name = getattr(request, "param", default_engine())
    if name == "bullet" and default_engine() != "bullet":
        pytest.skip("needs PyBullet")
    scenes.engines.append(name)
    yield name
    scenes.engines.pop()
