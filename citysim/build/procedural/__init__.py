"""Embedded cities: CityPlans from a name and a seed."""

from citysim.build.plans import CityPlan
from citysim.build.procedural.mini import SIZE, SIZES, plan_mini
from citysim.build.procedural.preset import Preset
from citysim.errors import UnknownNameError

PRESETS: dict[str, Preset] = {
    "mini": Preset("mini", "A small town: shops, a square, a footbridge, stairs, a passage", plan_mini, SIZE, SIZES),
}


def plan_preset(name: str, seed: int = 0, size: float | None = None) -> CityPlan:
    """The plan of the embedded city `name`. Raises UnknownNameError or InputError (size outside the preset's range)."""
    if name not in PRESETS:
        raise UnknownNameError.of("embedded city", name, PRESETS)
    return PRESETS[name].plan(seed, size)


__all__ = ["PRESETS", "Preset", "plan_mini", "plan_preset"]
