"""make_play_app: tasks of a suite, or a free walk, in a person's browser."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from citysim.city import City
from citysim.errors import DependencyError, InputError, SimulationFault, StorageError, UnknownNameError
from citysim.physics import default_engine
from citysim.render.image import encode
from citysim.serve.guard import App
from citysim.serve.play_controls import Controls
from citysim.serve.play_door import Door
from citysim.serve.play_episode import PlayedEpisode
from citysim.serve.play_free import MOST_PEOPLE, FreeWalk, weathers
from citysim.serve.play_recording import Recording
from citysim.serve.settings import Settings, check_host
from citysim.serve.stages import Stages
from citysim.tasks.episode import Limits
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.text import shown
from citysim.world import World

EXTRA = "pip install 'citysim[serve]'"
QUALITY = 80
MOST_PLAYERS = 4
PAGES = {
    "/": ("play.html", "text/html"),
    "/play.css": ("play.css", "text/css"),
    "/play.js": ("play.js", "text/javascript"),
}


class TaskStage:
    """The tasks of a suite, one after the other, written down as they end."""

    def __init__(
        self, instances: Sequence[Instance], cities: Mapping[str, City], stages: Stages, settings: Settings,
        recording: Recording,
    ) -> None:  # fmt: skip
        self._instances = {instance.id: instance for instance in instances}
        self._cities, self._stages, self._settings, self._recording = cities, stages, settings, recording
        self._world: World | None = None
        self._played: PlayedEpisode | None = None
        self._begun, self._result = 0.0, dict[str, Any]()

    def enter(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Begin the task of an id, or the first that has not been played for null."""
        id = request["enter"]
        if id is None:
            id = next((i for i in self._instances if i not in self._recording.lines), next(iter(self._instances)))
        if not isinstance(id, str) or id not in self._instances:
            raise UnknownNameError("the id of one of the tasks", shown(id)[:80], "one of the list")
        instance = self._instances[id]
        if self._world is None or self._world.city.content_sha256 != instance.city_sha256:
            self.close()
            self._world = World(self._cities[instance.city_sha256], physics=self._settings.physics)
        limits = Limits(image_size=self._settings.image_size)
        renderer = self._stages.renderer(instance.city_sha256)
        self._played, self._result, self._begun = None, {}, time.monotonic()
        self._played = PlayedEpisode(self._world, renderer, instance, limits)
        return {"kind": "task", "id": id, "tasks": list(self._instances), "done": sorted(self._recording.lines)}

    def tick(self, controls: Controls, seconds: float) -> bool:
        """Play on; what ends is written down."""
        played = self._played
        if played is None or self._result:
            controls.asked()
            return False
        fault = ""
        try:
            changed = played.tick(controls, seconds)
        except SimulationFault as error:
            fault = str(error)
        if fault or played.done:
            renderer = self._stages.renderer(played.instance.city_sha256)
            line = self._recording.keep(played, renderer, time.monotonic() - self._begun, fault)
            self._result = {key: line[key] for key in ("status", "stop_reason", "steps", "path_length_m")}
            return True
        return changed

    def shown(self) -> tuple[dict[str, Any], bytes]:
        """The observation that an agent would get, and the result when the episode has ended."""
        assert self._played is not None
        seen = self._played.episode.observe()
        assert seen.rgb is not None
        told = {
            "instruction": seen.instruction,
            "options": list(seen.options),
            "heading_deg": seen.heading_deg,
            "time": seen.time,
            "weather": seen.weather,
            "steps_left": seen.steps_left,
            "mode": seen.mode,
            "notices": list(seen.notices),
            "status": seen.status,
            "result": self._result or None,
        }
        return told, encode(seen.rgb, "JPEG", QUALITY)

    def close(self) -> None:
        """Free the world; an episode that has not ended is not kept."""
        world, self._world, self._played = self._world, None, None
        if world is not None:
            world.close()


class FreeStage:
    """A free walk."""

    def __init__(self, city: City, stages: Stages, settings: Settings) -> None:
        self._walk = FreeWalk(city, stages, settings)

    def enter(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Where one is."""
        city = self._walk.session.world.city
        credit = f"{city.attribution} ({city.licence})" if city.attribution else ""
        return {"kind": "free", "city": city.title or city.name, "credit": credit, "weathers": weathers(),
                "most_people": MOST_PEOPLE}  # fmt: skip

    def tick(self, controls: Controls, seconds: float) -> bool:
        """Walk on."""
        return self._walk.tick(controls, seconds)

    def shown(self) -> tuple[dict[str, Any], bytes]:
        """What there is to see."""
        return self._walk.told(), encode(self._walk.picture(), "JPEG", QUALITY)

    def close(self) -> None:
        """Free the world."""
        self._walk.close()


def make_play_app(make: Callable[[], Any], stages: Stages, token: str | None) -> App:
    """The page and its socket; `make` gives what one page plays. Raises DependencyError without FastAPI."""
    try:
        from fastapi import FastAPI, WebSocket
        from fastapi.responses import Response
    except ImportError:
        raise DependencyError("the libraries of citysim play", "no FastAPI", EXTRA) from None
    from citysim.serve.play_socket import serve_player

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    players = 0

    def page(name: str, kind: str) -> Callable[[], Response]:
        text = (files("citysim.serve") / "pages" / name).read_text(encoding="utf-8")
        return lambda: Response(text, media_type=kind)

    for path, (name, kind) in PAGES.items():
        app.add_api_route(path, page(name, kind), methods=["GET"], response_class=Response)

    async def socket(connection: WebSocket) -> None:
        nonlocal players
        if players >= MOST_PLAYERS:
            await connection.close(4503, "full")
            return
        players += 1
        try:
            await serve_player(connection, make)
        finally:
            players -= 1

    app.add_api_websocket_route("/play", socket)
    app.router.on_shutdown.append(stages.close)
    return Door(app, token)


def task_maker(
    suite: Suite, cities: Sequence[City], instances: Sequence[Instance], stages: Stages, settings: Settings,
    out: Path, pseudonym: str,
) -> Callable[[], TaskStage]:  # fmt: skip
    """Makes the stage of a page that plays tasks. Raises InputError, StorageError for the folder of another run."""
    if not instances:
        raise InputError("a suite with instances", f"'{suite.name}' without any", "another suite")
    physics = settings.physics if settings.physics is not None else default_engine()
    places = {city.content_sha256: city for city in sorted(cities, key=lambda city: city.name)}
    for instance in instances:
        if instance.city_sha256 not in places:
            suite.check_city(next((c for c in cities if c.name == instance.city), cities[0]), [instance])
    limits = Limits(image_size=settings.image_size)
    recording = Recording(
        out, suite, places, pseudonym, physics=physics, renderer=settings.renderer, limits=limits
    )  # fmt: skip
    return lambda: TaskStage(instances, places, stages, settings, recording)


def play(app: App, host: str, port: int, token: str | None) -> None:
    """Serve until Ctrl-C. Raises InputError for a host that others can reach without a token, StorageError."""
    from citysim.serve.run import server_of

    check_host(host, token)
    logging.getLogger("citysim.serve").setLevel(logging.WARNING)
    try:
        server_of(app, host, port).run()
    except SystemExit:
        raise StorageError("a free port", f"{host}:{port} in use or not ours", "--port 8091") from None
