"""Session: one episode of one instance, driven by tool calls; knows what an agent may know and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citysim.agents.chat.prompts import turn_text
from citysim.city import City
from citysim.errors import InputError
from citysim.physics import default_engine
from citysim.render import make_renderer
from citysim.render.image import encode
from citysim.tasks.episode import Limits, Observation
from citysim.tasks.parts import LETTERS
from citysim.tasks.playing import episode_of
from citysim.tasks.suite import Instance
from citysim.world import World

LARGEST_PX = 768
"""Longest side of a picture: larger ones cost clients more than they show."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a tool answers: words and a JPEG picture (None after the end)."""

    text: str
    jpeg: bytes | None


class Session:
    """Owns world and renderer of its episode. `observe` costs nothing; every `act` is an action of the budget."""

    def __init__(
        self, instance: Instance, city: City, *, size: tuple[int, int] = (640, 480), physics: str | None = None,
        renderer: str = "raster",
    ) -> None:  # fmt: skip
        """Raises InputError for pictures larger than 768 pixels."""
        if max(size) > LARGEST_PX:
            raise InputError(f"pictures of at most {LARGEST_PX} pixels a side", f"{size[0]}x{size[1]}", "640x480")
        self.instance = instance
        self._renderer = make_renderer(renderer, city)
        self._world = World(city, physics=physics if physics is not None else default_engine())
        self.episode = episode_of(self._world, self._renderer, instance, limits=Limits(image_size=size))

    @property
    def over(self) -> bool:
        """Whether no further action is taken."""
        return self.episode.done

    def observe(self) -> Seen:
        """What there is to be seen now."""
        if self.over:
            return Seen("The episode is over.", None)
        seen = self.episode.observe()
        return Seen(told(seen), None if seen.rgb is None else encode(seen.rgb, "JPEG"))

    def act(self, action: Mapping[str, Any], reason: str = "") -> Seen:
        """Take an action or give the answer; raises InputError once the episode is over.

        A refused action costs a step, as it does any agent; the answer says what was wrong.
        """
        record = self.episode.act(dict(action), said=reason)
        if self.over:  # its outcome is for those who score, not for the agent
            refused = f" Your last action was refused: {record.invalid}" if record.invalid else ""
            return Seen(f"The episode is over.{refused}", None)
        return self.observe()

    def close(self) -> None:
        """Free world and renderer."""
        self._renderer.close()
        self._world.close()


def told(seen: Observation) -> str:
    """An observation in words, with the task."""
    return f"Task: {seen.instruction}\n{turn_text(seen)}{_options(seen.options)}"


def _options(options: Sequence[str]) -> str:
    if not options:
        return ""
    return "\nOptions: " + " ".join(f"{a}) {text}" for a, text in zip(LETTERS, options, strict=False))
