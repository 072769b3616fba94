"""Job: everything a worker must know to play episodes; small and picklable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citysim.agents.options import AgentOptions
from citysim.tasks.episode import Limits


@dataclass(frozen=True, slots=True)
class Job:
    """How episodes are played. `agent` is a name or module:factory, `out` the run folder.

    `options` are those of agents that talk to a model.
    `cities` are the package folders by content hash; cities in memory only are missing.
    """

    suite: str
    cities: Mapping[str, Path]
    agent: str
    out: Path
    seed: int = 0
    physics: str = "bullet"
    renderer: str = "raster"
    frames: bool = False
    limits: Limits = field(default_factory=Limits)
    options: AgentOptions = field(default_factory=AgentOptions)
