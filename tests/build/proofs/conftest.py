"""Whole embedded cities for the proofs: the small one always, the large ones with `-m slow`."""

import os
from pathlib import Path

import pytest

from citysim.build.make import make_preset
from citysim.city import City, open_city
from tests.build.proofs.solid import Solid

READY = "CITYSIM_PROOF_CITIES"  # a folder of packages by preset name, to prove cities that are built already


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A function from a preset's name to its package, built once a session."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            ready = Path(os.environ.get(READY, ""), name)
            known = bool(os.environ.get(READY)) and (ready / "city.json").is_file()
            made[name] = ready if known else make_preset(name, tmp_path_factory.mktemp("proof") / name)
        return made[name]

    return folder


@pytest.fixture(scope="session")
def city_of(folder_of):  # type: ignore[no-untyped-def]
    """A function from a preset's name to the opened city."""
    opened: dict[str, City] = {}

    def city(name: str) -> City:
        if name not in opened:
            opened[name] = open_city(folder_of(name))
        return opened[name]

    return city


@pytest.fixture(scope="session")
def solid_of(city_of):  # type: ignore[no-untyped-def]
    """A function from a preset's name to its triangles, indexed."""
    solids: dict[str, Solid] = {}

    def solid(name: str) -> Solid:
        if name not in solids:
            solids[name] = Solid(city_of(name))
        return solids[name]

    return solid
