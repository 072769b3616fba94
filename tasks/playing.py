"""Episodes of a suite's instances."""

from citysim.render.base import Renderer
from citysim.tasks.episode import Episode, Limits
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance
from citysim.tasks.suites import judge_of
from citysim.world import World


def episode_of(
    world: World,
    renderer: Renderer | None,
    instance: Instance,
    *,
    limits: Limits | None = None,
    records: list[StepRecord] | None = None,
    seed: int | None = None,
) -> Episode:
    """An instance begun in `world`, which is in its city; `seed` in place of its own draws other people.

    `records` is filled as the episode goes. Raises UnknownNameError for a type without a judge, SimulationFault when
    there is no room to stand at the start.
    """
    return Episode(
        world, renderer, judge_of(instance.type), instance.to_goal(), conditions=instance.conditions_in(world.city),
        limits=limits, records=records, seed=instance.seed if seed is None else seed,
    )  # fmt: skip
