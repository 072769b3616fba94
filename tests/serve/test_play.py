"""Playing: a person's live movements become an agent's actions, exactly; and the door of the page."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from citysim.catalog import load_city
from citysim.city import City
from citysim.errors import InputError
from citysim.render import make_renderer
from citysim.runs.compare import compare
from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.runs.score import score
from citysim.serve.play import FreeStage, make_play_app, task_maker
from citysim.serve.play_controls import Controls
from citysim.serve.play_episode import PlayedEpisode
from citysim.serve.settings import Settings
from citysim.serve.stages import Stages
from citysim.tasks.episode import Episode, Limits
from citysim.tasks.suite import Suite
from citysim.tasks.suites import judge_of, load_suite
from citysim.world import World

SMALL = Limits(image_size=(64, 48))


@pytest.fixture(scope="module")
def city() -> City:
    return load_city("mini")


@pytest.fixture(scope="module")
def suite(city: City) -> Suite:
    return load_suite("starter", city, 0)


def test_what_was_tried_out_live_is_an_agents_action(city: City, suite: Suite) -> None:
    world, renderer = World(city, physics="native"), make_renderer("raster", city)
    controls = Controls()
    played = PlayedEpisode(world, renderer, suite.instances[0], SMALL)
    controls.take({"held": {"direction": "forward", "turn": 1}})
    for _ in range(7):
        assert played.tick(controls, 0.1)
    assert played.records == [], "nothing is done while the key is held"
    live = world.pose
    controls.take({"held": {}})
    assert played.tick(controls, 0.05)
    (record,) = played.records
    assert record.action == {"action": "move", "dir": "forward", "seconds": 0.7, "yaw_rate": 75.0}
    assert world.pose.position == pytest.approx(live.position, abs=0.01)
    controls.take({"look": [20, 5]})
    controls.take({"look": [10, 0]})
    assert played.tick(controls, 0.05)
    assert not played.tick(controls, 0.1)
    assert played.tick(controls, 0.5)
    assert played.records[1].action == {"action": "look", "yaw": 30.0, "pitch": 5.0}
    controls.take({"act": {"action": "open_map"}})
    controls.take({"map_drag": [0.25, 0.0]})
    controls.take({"act": {"action": "move", "dir": "forward"}})  # not while the map is open, as for an agent
    assert played.tick(controls, 0.05)
    assert [r.action["action"] for r in played.records[2:]] == ["open_map", "map_pan", "move"]
    assert played.records[3].action["east"] < -50.0, "the map is dragged to the east: what is west comes into sight"
    assert "expected an action of the open map" in played.records[4].invalid

    instance = suite.instances[0]
    other = World(city, physics="native")
    agents = Episode(
        other, None, judge_of(instance.type), instance.to_goal(), seed=instance.seed,
        conditions=instance.conditions_in(city), limits=SMALL,
    )  # fmt: skip
    for record in played.records:
        agents.act(record.action)
    assert [r.after for r in agents.records] == [r.after for r in played.records]
    for walked in (world, other):
        walked.close()
    renderer.close()


def test_long_walks_are_actions_of_two_seconds(city: City, suite: Suite) -> None:
    world, renderer = World(city, physics="native"), make_renderer("raster", city)
    controls = Controls()
    played = PlayedEpisode(world, renderer, suite.instances[0], SMALL)
    controls.take({"held": {"direction": "forward", "sprint": True}})
    for _ in range(30):
        played.tick(controls, 0.15)
    played.finish()
    assert [r.action["seconds"] for r in played.records] == pytest.approx([2.0, 2.0, 0.3])
    world.close()
    renderer.close()


@pytest.mark.parametrize(
    "message", [7, {"held": 3}, {"held": {"direction": "up"}}, {"held": {"turn": 7}}, {"look": [1]},
                {"look": ["a", 1]}, {"look": [1e9, 0]}],
)  # fmt: skip
def test_messages_that_are_none(message: Any) -> None:
    controls = Controls()
    with pytest.raises(InputError):
        controls.take(message)
    assert controls == Controls()


def test_a_person_is_compared_like_an_agent(city: City, suite: Suite, tmp_path: Path) -> None:
    chosen = suite.instances[:2]
    settings = Settings(image_size=(64, 48), physics="native")
    stages = Stages([city], "raster")
    make = task_maker(suite, [city], chosen, stages, settings, tmp_path / "anna", "anna")
    stage = make()
    for instance in chosen:
        assert stage.enter({"enter": None})["id"] == instance.id
        controls = Controls()
        controls.take({"act": {"action": "move", "dir": "forward"}})
        controls.take({"act": {"action": "terminate"}})
        assert stage.tick(controls, 0.05)
        told, picture = stage.shown()
        assert told["result"]["stop_reason"] == "terminated"
        assert picture[:2] == b"\xff\xd8"
    stage.close()
    folder = RunFolder(tmp_path / "anna")
    before = folder.episodes_path.read_bytes()
    score(folder.path)
    assert folder.episodes_path.read_bytes() == before
    evaluate(
        suite, city, "forward", out=tmp_path / "forward", limit=2, physics="native", image_size=(64, 48), pictures=False
    )
    rows = compare([folder.path, tmp_path / "forward"]).rows()
    assert sorted(row[:2] for row in rows) == [("forward", "2"), ("human:anna", "2")]
    again = task_maker(suite, [city], chosen, stages, settings, folder.path, "anna")()
    assert again.enter({"enter": None})["done"] == [i.id for i in chosen]
    again.close()
    stages.close()
    with pytest.raises(InputError, match="same agent"):
        task_maker(suite, [city], chosen, stages, settings, folder.path, "ben")
    with pytest.raises(InputError, match="pseudonym"):
        task_maker(suite, [city], chosen, stages, settings, tmp_path / "x", "../x")


def test_a_free_walk_has_sliders(city: City) -> None:
    stages = Stages([city], "raster")
    stage = FreeStage(city, stages, Settings(image_size=(64, 48), physics="native"))
    assert stage.enter({})["kind"] == "free"
    controls = Controls()
    for request in ({"time": 20.5}, {"weather": "rainy"}, {"people": 12}):
        controls.take(request)
    stage.tick(controls, 0.1)
    told, _ = stage.shown()
    assert (told["time"], told["weather"]) == ("20:30:00", "rainy")
    assert told["people"] > 0
    for wrong in ({"time": 24}, {"weather": "snow"}, {"people": 1e9}, {"people": "all"}, {"act": {"action": "fly"}}):
        controls.take(wrong)
        with pytest.raises(InputError):
            stage.tick(controls, 0.1)
    stage.close()
    stages.close()


def status(app: Any, path: str = "/", host: str = "127.0.0.1:8090", **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.get(path, headers={"host": host} | headers)

    return asyncio.run(ask())


def test_the_door(city: City) -> None:
    stages = Stages([city], "raster")
    free, locked = (make_play_app(lambda: None, stages, token) for token in (None, "s3cret"))
    found = status(free)
    assert found.status_code == 200
    assert "script-src 'self'" in found.headers["content-security-policy"]
    assert status(free, host="evil.example").status_code == 401, "a name that leads here is not ours"
    assert status(free, "/../pyproject.toml").status_code == 404
    assert status(locked).status_code == 401
    assert status(locked, "/?token=wrong").status_code == 401
    entered = status(locked, "/?token=s3cret", host="play.example")
    assert entered.status_code == 200
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert status(locked, "/play.js", cookie=cookie.split(";")[0]).status_code == 200

    async def dial(origin: str) -> Any:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"127.0.0.1:8090"), (b"origin", origin.encode())]
        scope = {"type": "websocket", "path": "/play", "headers": headers, "query_string": b"", "subprotocols": []}
        await free(scope, receive, send)
        return sent[0]

    assert asyncio.run(dial("http://evil.example"))["code"] == 4401
