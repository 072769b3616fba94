"""What glows survives the way through a package."""

from pathlib import Path

import numpy as np
import pytest

from citysim.build.draft import MaterialSpec, Texture
from citysim.build.package import write_package
from citysim.city import City, open_city
from citysim.city.glow import glow_mask
from citysim.errors import InputError
from tests.build.samples import make_draft

PICTURE = np.random.default_rng(2).integers(0, 256, (8, 16, 3), dtype=np.uint8)
MASK = np.random.default_rng(3).integers(0, 256, (8, 16), dtype=np.uint8)
FULL = np.full((8, 16), 255, dtype=np.uint8)


@pytest.fixture
def city(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> City:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    draft = make_draft(1)
    for number, (name, glow, cells) in enumerate(
        (("wall", MASK, (6, 2)), ("sign", FULL, (0, 0)), ("leafy", MASK, (0, 0)))
    ):
        draft.texture(name, lambda glow=glow, cells=cells: Texture(PICTURE, (1.0, 1.0), glow, cells))  # type: ignore[misc]
        draft.material(name, MaterialSpec(name, alpha_cutoff=0.5 if name == "leafy" else 0.0))
        x = 10.0 * number
        draft.mesh.quad([(x, 0, 1), (x + 8, 0, 1), (x + 8, 0, 5), (x, 0, 5)], name, 1)
    return open_city(write_package(draft, tmp_path / "glowing"))


def test_masks_cells_and_factors_come_back(city: City) -> None:
    looks = {m.name: m for m in city.materials}
    wall, sign, leafy, stone = looks["wall"], looks["sign"], looks["leafy"], looks["stone"]
    assert (wall.emissive, wall.glow_cells, sign.glow_cells) == ((1.0, 1.0, 1.0), (6, 2), (0, 0))
    assert np.array_equal(glow_mask(city.texture(wall.glow)), np.minimum(MASK, 254))
    assert np.array_equal(glow_mask(city.texture(sign.glow)), np.full_like(FULL, 254))
    assert np.array_equal(city.texture(wall.texture)[..., :3], PICTURE)
    assert (leafy.glow, stone.glow) == (-1, -1)  # holes use the alpha, and nothing glows without a mask
    assert np.array_equal(city.texture(sign.glow)[..., :3], PICTURE)  # other viewers show it in its own colours


def test_a_second_opening_reads_the_same_looks(city: City) -> None:
    assert city.path is not None
    assert open_city(city.path).materials == city.materials


def test_a_glow_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="8x16"):
        make_draft(0).texture("odd", lambda: Texture(PICTURE, (1.0, 1.0), MASK[:4]))
