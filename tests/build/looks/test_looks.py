import hashlib

import numpy as np
import pytest

from citysim.build.draft import CityDraft
from citysim.build.looks import RECIPES, look
from citysim.build.textures.noise import fbm, lattice
from citysim.errors import UnknownNameError
from tests.build.scene import empty_plan


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_look_registers_a_texture_with_power_of_two_sides(name: str) -> None:
    draft = CityDraft(empty_plan())
    made = look(draft, name)
    texture = draft.textures[draft.materials[made.material].texture]
    assert texture.metres == made.metres
    assert min(made.metres) > 0
    if draft.materials[made.material].alpha_cutoff:
        alpha = texture.pixels[..., 3]
        assert 0.02 < (alpha < 128).mean() < 0.98 or name == "clear"
    assert look(draft, name) == made


@pytest.mark.parametrize("name", ["asphalt", "paving", "grass", "brick", "water", "concrete", "setts"])
def test_ground_textures_repeat_without_a_seam(name: str) -> None:
    pixels = RECIPES[name].make().astype(np.float64)
    across = np.abs(pixels[:, 0] - pixels[:, -1]).mean()
    inside = np.abs(np.diff(pixels, axis=1)).mean(axis=(0, 2))
    assert across <= inside.max() + 2.0
    down = np.abs(pixels[0] - pixels[-1]).mean()
    assert down <= np.abs(np.diff(pixels, axis=0)).mean(axis=(1, 2)).max() + 2.0


def test_no_plastic_extremes() -> None:
    for name in ("asphalt", "paving", "grass", "plaster", "concrete", "roof_tiles"):
        mean = RECIPES[name].make()[..., :3].mean()
        assert 25 < mean < 235


def test_unknown_look_names_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="asphalt"):
        look(CityDraft(empty_plan()), "asfalt")


def test_noise_is_the_same_everywhere() -> None:
    digest = hashlib.sha256(np.floor(fbm("key", 64) * 255).astype(np.uint8).tobytes()).hexdigest()
    assert digest[:16] == "85e0a704e9fdc9d0"
    values = lattice("key", 40, 50)
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert abs(values.mean() - 0.5) < 0.03
    assert len(np.unique(values)) > 1990
