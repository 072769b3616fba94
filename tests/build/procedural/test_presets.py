import time

import pytest

from citysim.build.procedural import PRESETS, plan_preset
from citysim.errors import InputError, UnknownNameError


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_makes_a_plan_of_its_own_name_and_size(name: str) -> None:
    preset = PRESETS[name]
    assert preset.name == name
    assert len(preset.title) <= 80
    plan = plan_preset(name)
    assert plan.name == name
    assert plan.bounds[2] - plan.bounds[0] == preset.size
    assert plan.generator == {"kind": "procedural", "preset": name, "seed": 0, "size": preset.size}
    smallest = plan_preset(name, seed=5, size=preset.sizes[0])
    assert smallest.bounds[2] - smallest.bounds[0] == preset.sizes[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_the_largest_size_is_planned_within_a_minute(name: str) -> None:
    preset = PRESETS[name]
    start = time.process_time()
    largest = plan_preset(name, seed=5, size=preset.sizes[1])
    assert largest.bounds[2] - largest.bounds[0] == preset.sizes[1]
    assert time.process_time() - start < 60.0


@pytest.mark.parametrize("size", [0.0, -5.0, 10.0, 1e9, float("nan"), float("inf")])
def test_sizes_out_of_range_are_refused(size: float) -> None:
    with pytest.raises(InputError, match="180 to 320 metres"):
        plan_preset("mini", size=size)


def test_unknown_presets_name_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="mini"):
        plan_preset("minii")
