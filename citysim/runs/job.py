"""Job: everything a worker must know to play episodes; small and picklable."""

from dataclasses import dataclass, field
from pathlib import Path

from citysim.tasks.episode import Limits


@dataclass(frozen=True, slots=True)
class Job:
    """How episodes are played. `city` is a package folder, `agent` a name or module:factory, `out` the run folder."""

    suite: str
    city: Path | None
    agent: str
    out: Path
    seed: int = 0
    physics: str = "bullet"
    renderer: str = "raster"
    frames: bool = False
    limits: Limits = field(default_factory=Limits)
