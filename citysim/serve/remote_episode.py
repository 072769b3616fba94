"""RemoteEpisode: an episode that an orchestrator begins and scores, and an agent plays, from afar."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from citysim.city.checks import is_whole
from citysim.errors import InputError, UnknownNameError
from citysim.render.image import encode
from citysim.serve.settings import LEAST_PX, MOST_PX, Settings
from citysim.serve.stages import Stages
from citysim.serve.taskbook import TaskBook
from citysim.tasks.episode import BUDGET, Episode, Limits, Observation
from citysim.tasks.facts import episode_metrics
from citysim.tasks.playing import episode_of
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance
from citysim.tasks.text import shown
from citysim.world import World

IMAGES = ("jpeg", "rgb", "none")
MOST_ACTIONS, QUALITY = 10_000, 85
Message = Mapping[str, Any]


class RemoteEpisode:
    """One world by a name, and the episode in it. Every method is called with `lock` held."""

    def __init__(self, name: str, book: TaskBook, stages: Stages, settings: Settings) -> None:
        self.name, self._book, self._stages, self._settings = name, book, stages, settings
        self.lock = threading.RLock()
        self.heard = time.monotonic()
        self._world: World | None = None
        self._episode: Episode | None = None
        self._instance: Instance | None = None
        self._seed = 0
        self._reply_to_reset: dict[str, Any] = {}

    def instances(self, message: Message) -> dict[str, Any]:
        """The suite and the ids, types and cities of its instances."""
        rows = [{"id": i.id, "type": i.type, "city": i.city} for i in self._book.suite.instances]
        return {"suite": self._book.suite.name, "sha256": self._book.suite.sha256, "instances": rows}

    def reset(self, message: Message) -> dict[str, Any]:
        """Begin an episode: `instance`, `seed` of its people (else its own), `actions` allowed, `size` of pictures."""
        id, size = message.get("instance"), message.get("size", list(self._settings.image_size))
        if not isinstance(id, str):
            raise InputError("an instance's id as text", shown(id), '"instance": "SN-001"')
        instance = self._book.find(id)
        if not (isinstance(size, list) and len(size) == 2 and all(map(_is_side, size))):
            raise InputError(f"a size of two whole numbers from {LEAST_PX} to {MOST_PX}", shown(size), "[640, 480]")
        seed = _whole(message, "seed", instance.seed, 0, (1 << 63) - 1)
        actions = _whole(message, "actions", BUDGET, 1, MOST_ACTIONS)
        world = self._stand_in(instance.city_sha256)
        renderer = self._stages.renderer(instance.city_sha256)
        self._seed, self._instance = seed, instance
        self._episode = episode_of(world, renderer, instance, limits=Limits(actions, (size[0], size[1])), seed=seed)
        return {"instance": instance.id, "type": instance.type, "seed": seed, "actions": actions}

    def score(self, message: Message) -> dict[str, Any]:
        """What the episode has come to, as a run's line has it; and its records where `records` is true."""
        episode, instance = self._playing(), self._instance
        assert instance is not None
        records: list[StepRecord] = episode.records
        start = records[0].before if records else episode.start
        line = {
            "id": instance.id,
            "suite": self._book.suite.name,
            "type": instance.type,
            "level": instance.level,
            "seed": self._seed,
            "done": episode.done,
            "status": "success" if episode.verdict.success else "failure",
            "stop_reason": episode.stop_reason,
            **episode_metrics(start, episode.goal, episode.verdict, records, instance.clock_s),
            "conditions": dict(instance.conditions),
        }
        if message.get("records") is True:
            line["records"] = [record.to_json() for record in records]
        return line

    def observe(self, message: Message) -> dict[str, Any]:
        """What the agent perceives."""
        episode = self._playing()
        return _told(episode, episode.observe(), _image_of(message))

    def act(self, message: Message) -> dict[str, Any]:
        """Take an `action` (or the answer), for the reason `said`; what is perceived then."""
        episode, image = self._playing(), _image_of(message)
        said = message.get("said", "")
        if not isinstance(said, str):
            raise InputError("a reason as text", shown(said), '"said": "the bakery is to the left"')
        record = episode.act(message.get("action"), said=said)
        return {"invalid": record.invalid, **_told(episode, episode.observe(), image)}

    def close(self) -> None:
        """Free the world."""
        world, self._world, self._episode = self._world, None, None
        if world is not None:
            world.close()

    def _playing(self) -> Episode:
        if self._episode is None:
            raise InputError("an episode", "none yet", "the orchestrator's reset first")
        return self._episode

    def _stand_in(self, sha256: str) -> World:
        if self._world is None or self._world.city.content_sha256 != sha256:
            self.close()
            self._world = World(self._book.cities[sha256], physics=self._settings.physics)
        return self._world


def _told(episode: Episode, seen: Observation, image: str) -> dict[str, Any]:
    """An observation as plain values; nothing more is in it than the agent of a run gets."""
    told: dict[str, Any] = {
        "instruction": seen.instruction,
        "options": list(seen.options),
        "heading_deg": seen.heading_deg,
        "pitch_deg": seen.pitch_deg,
        "time": seen.time,
        "weather": seen.weather,
        "step": seen.step,
        "steps_left": seen.steps_left,
        "mode": seen.mode,
        "notices": list(seen.notices),
        "status": seen.status,
        "done": episode.done,
    }
    if image != "none" and seen.rgb is not None:
        told["size"] = [seen.rgb.shape[1], seen.rgb.shape[0]]
        told["image"] = encode(seen.rgb, "JPEG", QUALITY) if image == "jpeg" else seen.rgb.tobytes()
    return told


def _image_of(message: Message) -> str:
    image = message.get("image", "jpeg")
    if not isinstance(image, str) or image not in IMAGES:
        raise UnknownNameError.of("an image format", shown(image), IMAGES)
    return image


def _whole(message: Message, key: str, default: int, low: int, high: int) -> int:
    value = message.get(key, default)
    if not is_whole(value) or not low <= value <= high:
        raise InputError(f"a whole number for '{key}' from {low} to {high}", shown(value), f"{default}")
    return int(value)


def _is_side(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and LEAST_PX <= value <= MOST_PX
