"""Records of a world's state: plain data for files, and a digest of every bit of it."""

import hashlib
from typing import Any

import numpy as np

from citysim.conditions import Conditions
from citysim.living.life import Life
from citysim.living.motion import Transition
from citysim.pose import Pose

PEOPLE_M = 100.0  # people further away are left out of records; the digest has them all


def step_record(
    life: Life, step: int, pose: Pose, conditions: Conditions, last: Transition | None, digest: str
) -> dict[str, Any]:
    """What `World.step_record` gives."""
    people: list[list[float]] = []
    if life.company is not None:
        crowd, places = life.company.crowd, life.company.positions(step)
        near = (places[0] - pose.east) ** 2 + (places[1] - pose.north) ** 2 < PEOPLE_M * PEOPLE_M
        seen = np.flatnonzero(crowd.active & near)
        rows = np.column_stack([seen, places[:, seen].T, crowd.headings[seen]])
        people = [[int(row[0]), *(round(value, 4) + 0.0 for value in row[1:])] for row in rows.tolist()]
    return {
        "step": step,
        "time": conditions.time,
        "weather": conditions.weather,
        "pose": [float(v) for v in (pose.east, pose.north, pose.up, pose.yaw, pose.pitch)],
        "people": people,
        "contacts": [contact.to_json() for contact in last.contacts] if last is not None else [],
        "notices": list(last.notices) if last is not None else [],
        "crossed": list(last.crossed) if last is not None else [],
        "state_sha256": digest,
    }


def digest_of(values: Any) -> str:
    """SHA-256 of nested tuples of numbers, texts, plain dataclasses and arrays, by their exact values."""
    sha = hashlib.sha256()
    _feed(sha, values)
    return sha.hexdigest()


def _feed(sha: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        sha.update(f"{value.dtype}{value.shape}".encode())
        sha.update(value.tobytes())
    elif isinstance(value, tuple):
        sha.update(f"({len(value)}".encode())
        for item in value:
            _feed(sha, item)
    elif hasattr(value, "values") and isinstance(value.values, tuple):
        _feed(sha, value.values)
    else:
        plain = value.item() if isinstance(value, np.generic) else value
        sha.update(f"{type(plain).__name__}:{plain!r};".encode())
