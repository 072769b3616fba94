"""Trajectories of a run as a Minari data set: what was done, where it led, and how it ended."""

import json
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import DependencyError, InputError
from citysim.pose import Pose
from citysim.runs.folder import RunFolder
from citysim.storage import folder_atomic
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance

COLUMNS = ("east_m", "north_m", "up_m", "heading_deg", "pitch_deg", "goal_east_m", "goal_north_m", "goal_up_m")
"""What the numbers of an observation's `pose` are; the last three are the goal's place (city frame)."""


def write_minari(folder: RunFolder, out: Path) -> Path:
    """Write the data set `citysim/SUITE-v0` under the folder `out` and return it.

    An episode of n actions has n + 1 observations, `pose` (8,) float64 as in COLUMNS, and n actions as JSON text; its
    reward is 1.0 at the last action of a success, else 0.0; it is terminated where the judge or the agent ended it and
    truncated where the budget did. Its id in the run is in its infos' `id`. Episodes without an action and unscored
    ones are left out. Load it with MINARI_DATASETS_PATH=OUT and `minari.load_dataset("citysim/SUITE-v0")`.

    Raises DependencyError, InputError for a run without a scored action, StorageError.
    """
    try:
        import minari
        from minari.data_collector import EpisodeBuffer
    except ImportError:
        raise DependencyError("the library minari", "none", "pip install 'citysim[export]'") from None
    from citysim.envs.trajectory import trajectory_spaces

    manifest, lines, instances = folder.finished_run()
    buffers: list[Any] = []
    for line in lines:
        records = folder.steps(line["id"]) if line["status"] != "unscored" else []
        if records:
            parts = episode_parts(line, records, instances[line["id"]])
            buffers.append(EpisodeBuffer(id=len(buffers), seed=instances[line["id"]].seed, **parts))
    if not buffers:
        raise InputError("a scored episode with at least one action", "none", "another run")
    seen, done = trajectory_spaces(len(COLUMNS))
    suite, agent = manifest["suite"]["name"], manifest["agent"]["name"]
    with folder_atomic(out) as made, _datasets_in(made), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that nobody's address and no link to code are given
        minari.create_dataset_from_buffers(
            dataset_id(suite), buffers, observation_space=seen, action_space=done, algorithm_name=agent,
            data_format="arrow", description=f"{suite} played by {agent}; columns of pose: {', '.join(COLUMNS)}",
        )  # fmt: skip
    return out


def dataset_id(suite: str) -> str:
    """The data set's name; Minari allows letters, digits, - and _."""
    return f"citysim/{re.sub(r'[^A-Za-z0-9_-]+', '-', suite)}-v0"


def episode_parts(line: Mapping[str, Any], records: Sequence[StepRecord], instance: Instance) -> dict[str, Any]:
    """One episode in the form of Minari's EpisodeBuffer."""
    poses = [records[0].before, *(record.after for record in records)]
    n, last = len(records), len(records) - 1
    won, spent = line["status"] == "success", line["stop_reason"] == "budget"
    return {
        "observations": {"pose": np.stack([_row(pose, instance.goal) for pose in poses])},
        "actions": [json.dumps(record.action, separators=(",", ":"))[:500] for record in records],
        "rewards": [float(won and k == last) for k in range(n)],
        "terminations": [k == last and not spent for k in range(n)],
        "truncations": [k == last and spent for k in range(n)],
        "infos": {"id": [line["id"]] * (n + 1)},
    }


def _row(pose: Pose, goal: tuple[float, float, float]) -> NDArray[np.float64]:
    pitch_deg = float(np.degrees(pose.pitch))
    return np.array([pose.east, pose.north, pose.up, pose.heading_deg, pitch_deg, *goal], dtype=np.float64)


@contextmanager
def _datasets_in(folder: Path) -> Iterator[None]:
    """Minari knows one place for its data sets, which only the environment names."""
    name = "MINARI_DATASETS_PATH"
    before = os.environ.get(name)
    os.environ[name] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
