"""StepRecord: what is written down about one action. Scores are computed from these records alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citysim.city.checks import number
from citysim.errors import FormatError
from citysim.pose import Pose

DIGITS = 6
"""Decimals kept of metres and degrees: a micrometre; judging uses the rounded values, so re-scoring agrees exactly."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One line of `steps/ID.jsonl`.

    `action` is what was carried out (or the refused value), `steps` its length in physics steps of 1/60 s. `before`
    and `after` are foot poses; `path_m` is the way walked in between, substep by substep. Collisions are those met
    during the action. `mode` is what the agent looked at when it acted ("first_person", "map" or "answer"). `invalid`
    says what was wrong with a refused action ("" when nothing was). `disclosed` are the labels of closures whose notice
    was given, `crossed` of those crossed while in force. `rained_s` and `sheltered_s` are seconds in the rain and
    under a roof, `pedestrians` how many people were on the street afterwards. `said` is what the agent gave as its
    reason, "" for nothing.
    """

    index: int
    action: Any
    steps: int
    before: Pose
    after: Pose
    lonlat: tuple[float, float]
    on_network: bool
    path_m: float = 0.0
    building_collisions: int = 0
    pedestrian_collisions: int = 0
    terminated: bool = False
    mode: str = "first_person"
    notices: tuple[str, ...] = ()
    invalid: str = ""
    frame: str | None = None
    disclosed: tuple[str, ...] = ()
    crossed: tuple[str, ...] = ()
    rained_s: float = 0.0
    sheltered_s: float = 0.0
    pedestrians: int = 0
    said: str = ""

    @property
    def duration_s(self) -> float:
        """Simulated seconds."""
        return self.steps / 60.0

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "step": self.index,
            "action": self.action,
            "steps": self.steps,
            "duration_s": round(self.duration_s, DIGITS),
            "before": _pose_json(self.before),
            "after": _pose_json(self.after),
            "lon": self.lonlat[0],
            "lat": self.lonlat[1],
            "on_network": self.on_network,
            "path_m": self.path_m,
            "building_collisions": self.building_collisions,
            "pedestrian_collisions": self.pedestrian_collisions,
            "terminated": self.terminated,
            "mode": self.mode,
            "notices": list(self.notices),
            "invalid": self.invalid,
            "frame": self.frame,
            "disclosed": list(self.disclosed),
            "crossed": list(self.crossed),
            "rained_s": self.rained_s,
            "sheltered_s": self.sheltered_s,
            "pedestrians": self.pedestrians,
            "said": self.said,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "StepRecord":
        """Read the JSON form back; raises FormatError."""
        try:
            return cls(
                int(value["step"]), value["action"], int(value["steps"]), _pose(value["before"]), _pose(value["after"]),
                (number(value["lon"]), number(value["lat"])), bool(value["on_network"]), number(value["path_m"]),
                int(value["building_collisions"]), int(value["pedestrian_collisions"]), bool(value["terminated"]),
                str(value["mode"]), tuple(map(str, value["notices"])), str(value["invalid"]), value["frame"],
                tuple(map(str, value["disclosed"])), tuple(map(str, value["crossed"])), number(value["rained_s"]),
                number(value["sheltered_s"]), int(value["pedestrians"]), str(value["said"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("a step record", f"{type(error).__name__}: {error}", "recording the run again") from None


def rounded(pose: Pose) -> Pose:
    """The pose as it comes back from its JSON form."""
    return _pose(_pose_json(pose))


def _pose_json(pose: Pose) -> dict[str, float]:
    pitch_deg = pose.pitch * 57.29577951308232
    return {
        "east": round(pose.east, DIGITS) + 0.0,
        "north": round(pose.north, DIGITS) + 0.0,
        "up": round(pose.up, DIGITS) + 0.0,
        "heading_deg": round(pose.heading_deg, DIGITS) % 360.0,
        "pitch_deg": round(pitch_deg, DIGITS) + 0.0,
    }


def _pose(value: Mapping[str, Any]) -> Pose:
    return Pose.from_heading(
        number(value["east"]),
        number(value["north"]),
        number(value["up"]),
        number(value["heading_deg"]),
        number(value["pitch_deg"]),
    )
