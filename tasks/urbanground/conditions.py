"""Variants of conditions: level 1 and SN again at another hour or in other weather, texts unchanged."""

from dataclasses import replace

from citysim.tasks.suite import Suite

CONDITIONS: dict[str, tuple[str, str]] = {
    "dusk": ("18:30", "sunny"),
    "night": ("23:30", "sunny"),
    "cloudy": ("14:00", "cloudy"),
    "overcast": ("14:00", "overcast"),
    "rain": ("14:00", "rainy"),
    "thunderstorm": ("14:00", "thunderstorm"),
}
"""Name -> (clock, weather), as UrbanGround sets them."""
VARIED = ("VR", "OU", "AEQ", "SN")


def under(suite: Suite, condition: str) -> Suite:
    """The suite's instances of the varied families under a condition; ids get its name."""
    time, weather = CONDITIONS[condition]
    instances = tuple(
        replace(
            instance,
            id=f"{instance.id}-{condition}",
            conditions={**instance.conditions, "time": time, "weather": weather},
            source=instance.id,
        )
        for instance in suite.instances
        if instance.type in VARIED
    )
    return Suite(f"{suite.name}-{condition}", suite.version, instances)
