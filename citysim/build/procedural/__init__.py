"""Embedded cities: CityPlans from a name and a seed."""

from citysim.build.plans import CityPlan
from citysim.build.procedural.mini import SIZE, SIZES, plan_mini
from citysim.build.procedural.preset import Preset, lazily
from citysim.errors import UnknownNameError

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("mini", "A small town: shops, a square, a footbridge, stairs, a passage", plan_mini, SIZE, SIZES),
        Preset(
            "harbour",
            "A steep port: promenade, markets, towers, ladder streets, escalators",
            lazily("citysim.build.procedural.harbour.plan", "plan_harbour"),
            600.0,
            (200.0, 2000.0),
        ),
        Preset(
            "oldtown",
            "Bending lanes round a square, a church on a mound, stairs, a river quay",
            lazily("citysim.build.procedural.oldtown.plan", "plan_oldtown"),
            600.0,
            (200.0, 2000.0),
        ),
        Preset(
            "akiba",
            "Electronics shops and stacked signs, a scramble crossing, a railway viaduct",
            lazily("citysim.build.procedural.akiba.plan", "plan_akiba"),
            750.0,
            (200.0, 2000.0),
        ),
        Preset(
            "grid",
            "Avenues and numbered streets, towers with setbacks, brick, a park",
            lazily("citysim.build.procedural.grid.plan", "plan_grid"),
            600.0,
            (200.0, 2000.0),
        ),
        Preset(
            "garden",
            "Slabs and rows on lawns, canals with low bridges, a local centre",
            lazily("citysim.build.procedural.garden.plan", "plan_garden"),
            600.0,
            (200.0, 2000.0),
        ),
    )
}


def plan_preset(name: str, seed: int = 0, size: float | None = None) -> CityPlan:
    """The plan of the embedded city `name`, furnished to the last cup.

    Raises UnknownNameError or InputError (size outside the preset's range).
    """
    if name not in PRESETS:
        raise UnknownNameError.of("embedded city", name, PRESETS)
    from citysim.build.procedural.dressing import dress

    return dress(PRESETS[name].plan(seed, size))


__all__ = ["PRESETS", "Preset", "plan_mini", "plan_preset"]
