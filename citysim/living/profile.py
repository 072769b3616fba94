"""Profile: the person whose body the agent has, with the fields of UrbanGround's `/profile`."""

from dataclasses import asdict, dataclass
from typing import Any

START_BALANCE, WAGE = 500.0, 25.0
HUNGRY_S, TIRED_M = 6 * 3600.0, 12_000.0
"""Own estimates: after so long without food, and so far on foot, somebody is as hungry and as tired as can be."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Who the walker is and how it is.

    hunger and fatigue go from 0 to 100; activity is "standing", "walking", "running" or "in the air"; money in the
    city's currency. Nothing in this city earns or costs money yet, so that it stays as it began.
    """

    name: str
    gender: str
    age: int
    occupation: str
    hunger: float
    fatigue: float
    activity: str
    balance: float
    income_today: float
    total_income: float
    hourly_wage: float

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def profile_of(time_s: float, path_length_m: float, speed_m_s: float, grounded: bool) -> Profile:
    """The walker's profile so many seconds and metres after the start, at a speed."""
    doing = "standing" if speed_m_s < 0.1 else "walking" if speed_m_s < 2.5 else "running"
    return Profile(
        name="Sam Rivers",
        gender="female",
        age=29,
        occupation="surveyor",
        hunger=round(min(100.0 * time_s / HUNGRY_S, 100.0), 3),
        fatigue=round(min(100.0 * path_length_m / TIRED_M, 100.0), 3),
        activity=doing if grounded else "in the air",
        balance=START_BALANCE,
        income_today=0.0,
        total_income=0.0,
        hourly_wage=WAGE,
    )
