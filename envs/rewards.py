"""Reward terms: plain differences of facts with a weight each."""

import math
from dataclasses import dataclass, fields

from citysim.errors import InputError


@dataclass(frozen=True, slots=True)
class RewardWeights:
    """What each term is multiplied by.

    progress   metres that the goal came nearer during the step, in a straight line or along the network
    success    1 in the step that reaches the goal
    step       1 every step
    collision  new touches of buildings and other surfaces
    contact    new touches of people
    """

    progress: float = 1.0
    success: float = 10.0
    step: float = -0.01
    collision: float = -0.1
    contact: float = -0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            if not math.isfinite(getattr(self, field.name)):
                raise InputError(f"a finite weight for {field.name}", repr(getattr(self, field.name)), "1.0")

    def terms(self, *, nearer_m: float, reached: bool, collisions: int, contacts: int) -> dict[str, float]:
        """Name -> weighted value of every term; their sum is the reward."""
        return {
            "progress": self.progress * nearer_m,
            "success": self.success * float(reached),
            "step": self.step,
            "collision": self.collision * collisions,
            "contact": self.contact * contacts,
        }
