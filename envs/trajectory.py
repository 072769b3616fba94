"""Spaces of recorded trajectories, for data sets made of runs."""

import string
from typing import Any

import numpy as np
from gymnasium import spaces

LONGEST_ACTION = 500
"""Characters of an action as JSON text."""


def trajectory_spaces(columns: int) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
    """(observations, actions): a Dict with `pose`, `columns` numbers as float64, and JSON text in ASCII."""
    pose = spaces.Box(-np.inf, np.inf, (columns,), np.float64)
    return spaces.Dict({"pose": pose}), spaces.Text(LONGEST_ACTION, min_length=0, charset=string.printable)
