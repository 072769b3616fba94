"""WalkerConfig: the body of a walker and what it can climb."""

import math
from dataclasses import dataclass, fields

from citysim.errors import InputError

STEP_S = 1.0 / 60.0


@dataclass(frozen=True, slots=True)
class WalkerConfig:
    """An upright capsule; metres, seconds and degrees."""

    radius: float = 0.30
    height: float = 1.75
    eye_height: float = 1.60
    step_height: float = 0.35  # rises up to this are walked over
    slope_deg: float = 50.0  # ground up to this steep is walked on
    gravity: float = 9.81
    jump_speed: float = 3.2
    max_fall_speed: float = 53.0
    skin: float = 0.01  # gap kept to every surface, which keeps the plane constraints well posed

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not (math.isfinite(value) and value > 0.0):
                raise InputError(f"a positive walker {field.name}", repr(value), "the default")
        if self.height < self.step_height + 2.0 * self.radius:
            raise InputError(
                "a walker at least as high as its step and its width",
                f"height {self.height}, step_height {self.step_height}, radius {self.radius}",
                "a smaller step_height",
            )
        if self.slope_deg >= 90.0:
            raise InputError("a slope limit below 90 degrees", repr(self.slope_deg), "slope_deg=50")
