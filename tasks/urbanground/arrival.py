"""Going to one place: short and long goals, instructions, constraints, closures, pedestrians, and inferred places."""

from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.distances import distance_m


class Arrival:
    """Come within `goal.radius_m` (horizontally, on the globe) of the goal or of any of its `targets`.

    Arriving ends the episode by itself; declaring oneself done elsewhere fails. Crossing a closure in force ends it as
    failed and overrides arrival (UrbanGround's rule).
    """

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """`distance_m` is the distance to the nearest of what counts."""
        distance = min(distance_m(facts, place) for place in (goal.targets or (goal,)))
        arrived = distance <= goal.radius_m and facts.actions > 0
        metrics = closure_metrics(facts, goal, distance)
        if facts.crossed:
            return Verdict(True, False, "closure_crossed", distance, metrics)
        reason = "terminated" if facts.terminated else "arrived" if arrived else ""
        return Verdict(bool(reason), arrived, reason, distance, metrics)


def closure_metrics(facts: Facts, goal: Goal, distance: float) -> dict[str, float]:
    """How an episode with closures went: `closure_disclosed`, `closure_respected`, and `safe_progress`.

    Safe progress is ours, since UrbanGround gives its rate (SPR) in words only: no closure was crossed after its
    notice, and the walker ended nearer to the goal than it began.
    """
    if not goal.zones:
        return {}
    respected = not facts.crossed
    return {
        "closure_disclosed": float(len(set(facts.disclosed)) > 0),
        "closure_respected": float(respected),
        "safe_progress": float(respected and distance < distance_m(facts, goal, 0)),
    }
