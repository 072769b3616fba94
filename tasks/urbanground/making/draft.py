"""Draft: what a maker proposes before an expert has proved it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from citysim.tasks.base import Goal
from citysim.tasks.suite import DAY
from citysim.tasks.urbanground.making.scout import Scout


@dataclass(frozen=True, slots=True)
class Draft:
    """A goal with the conditions it is set in; `key` names what makes it different from others of its family.

    `figures` are published with the suite (length, turns, level changes, ...).
    """

    goal: Goal
    key: str
    conditions: Mapping[str, str] = field(default_factory=lambda: dict(DAY))
    figures: Mapping[str, float] = field(default_factory=dict)


class Maker(Protocol):
    """Draws a draft from a generator, or gives None when this draw came to nothing: the next one may."""

    def __call__(self, scout: Scout, rng: np.random.Generator) -> Draft | None:
        """Draw."""
