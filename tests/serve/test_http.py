"""UrbanGround's endpoints: fields, words, refusals, pictures, sessions, tokens."""

import base64
import io
import math
import threading
import time
from typing import Any

import httpx
import pytest
from PIL import Image

from citysim.cli import run as command
from citysim.errors import InputError
from citysim.serve.settings import check_host
from citysim.tasks.urbanground.exporting import public_ids
from tests.serve.conftest import Ground
from tests.serve.edges import LOADED, edge_share

Json = dict[str, Any]
NUMBERS = (
    "lat", "lon", "alt", "yaw", "pitch", "rain_intensity", "rain_exposure_seconds", "stats_tracked_seconds",
    "tiles_progress",
)  # fmt: skip
WHOLE = ("pedestrian_count", "pedestrian_collisions", "building_collisions", "rain_hits")
FLAGS = (
    "on_sidewalk", "is_raining", "being_rained_on", "has_overhead_shelter", "pedestrians_active", "tiles_settled",
    "idle",
)  # fmt: skip
WORDS = ("mode", "surface", "time", "weather", "weather_label")
WALK = {"action": "move", "dir": "forward", "seconds": 2}


def act(http: httpx.Client, value: Any, **query: Any) -> Json:
    reply = http.post("/action", json=value, params=query)
    assert reply.status_code == 200, reply.text
    found: Json = reply.json()
    assert isinstance(found["images"], list)
    check_state(found["state"])
    return found


def check_state(state: Json) -> None:
    assert set(state) == {*NUMBERS, *WHOLE, *FLAGS, *WORDS}
    assert all(isinstance(state[key], int | float) and math.isfinite(state[key]) for key in NUMBERS)
    assert all(type(state[key]) is int for key in WHOLE)
    assert all(type(state[key]) is bool for key in FLAGS)
    assert all(isinstance(state[key], str) and state[key] for key in WORDS)
    assert state["mode"] in ("first_person", "map")
    hours, minutes, seconds = state["time"].split(":")
    assert len(hours) == len(minutes) == len(seconds) == 2


def enter(http: httpx.Client, ground: Ground, type: str, **headers: str) -> Json:
    instance = next(i for i in ground.suite.instances if i.type == type)
    reply = http.post("/task/enter", json={"id": public_ids(ground.suite)[instance.id]}, headers=headers)
    assert reply.status_code == 200, reply.text
    found: Json = reply.json()
    return found


def test_reading(http: httpx.Client) -> None:
    for path in ("/", "/health"):
        found = http.get(path).json()
        assert found["ok"] is True
        assert {"service", "status", "endpoints"} <= set(found)
    check_state(http.get("/state").json())
    profile = http.get("/profile").json()
    names = "name gender age occupation hunger fatigue activity balance income_today total_income hourly_wage"
    assert {"ok", *names.split()} == set(profile)
    source = http.get("/tileset_source").json()
    assert source["ok"] is True
    assert source["tilesets"] == ["mini"]


def test_entering_leaves_nothing_of_the_task_before(http: httpx.Client, ground: Ground) -> None:
    first = enter(http, ground, "SN")["state"]
    act(http, {"action": "set_weather", "weather": "thunderstorm"})
    act(http, {"action": "set_time", "hour": 23, "minute": 30})
    act(http, {"action": "enable_pedestrians"})
    act(http, {"action": "look", "yaw": 50, "pitch": -40})
    act(http, WALK)
    moved = act(http, {"action": "open_map"})["state"]
    assert (moved["mode"], moved["weather"], moved["time"][:5]) == ("map", "thunderstorm", "23:30")
    assert moved["pedestrian_count"] > 0
    assert enter(http, ground, "SN")["state"] == first
    assert (first["mode"], first["pitch"], first["weather"]) == ("first_person", 0.0, "sunny")
    assert first["pedestrians_active"] is False
    later = enter(http, ground, "TW")["state"]
    due = next(i for i in ground.suite.instances if i.type == "TW")
    assert later["time"] == due.conditions["time"] + ":00"


def test_the_active_task(http: httpx.Client, ground: Ground) -> None:
    told = enter(http, ground, "CN")["task"]
    assert http.get("/task").json() == {"ok": True, **told}
    assert (told["active"], told["type"], told["restricted_zones"]) == (True, 11, 1)
    assert len(told["end_points"]) == 1
    for type in ("PS", "II", "VR"):
        assert enter(http, ground, type)["task"]["end_points"] == []
    assert http.post("/task/exit").json()["ok"] is True
    assert http.get("/task").json()["active"] is False
    assert http.post("/task/enter", json={"id": "SN-20260101-999999"}).status_code == 404
    assert http.post("/task/enter", json={"id": 5}).status_code == 400


def test_a_refused_action_is_a_2xx_with_the_state(http: httpx.Client, ground: Ground) -> None:
    before = enter(http, ground, "SN")["state"]
    for value in (
        {"action": "fly"},
        {"action": "map_pan", "east": 3},
        {"action": "move"},
        {"action": "move", "dir": "forward", "seconds": "long"},
        {"action": "set_weather", "weather": "hail"},
        {"action": "set_time", "hour": 25},
        {"action": "teleport", "lat": 0, "lon": 0},
        {"action": "teleport", "lat": None},
        {},
        {"action": ["move"]},
    ):
        found = act(http, value)
        assert found["ok"] is False, value
        assert found["error"].startswith("expected")
        assert found["state"] == before
    for body in (b"", b"[]", b'"move"', b"{", b"\xff", b'{"a":NaN}', b"[" * 9000):
        assert http.post("/action", content=body).status_code == 400


def test_weather_words_and_clock(http: httpx.Client, ground: Ground) -> None:
    enter(http, ground, "SN")
    for word in ("sunny", "partly_cloudy", "cloudy", "overcast", "rainy", "thunderstorm"):
        state = act(http, {"action": "set_weather", "weather": word})["state"]
        assert state["weather"] == word
        assert state["rain_intensity"] == {"rainy": 0.55, "thunderstorm": 0.95}.get(word, 0.0)
    act(http, WALK)
    assert act(http, {"action": "set_time", "hour": 9, "minute": 5})["state"]["time"] == "09:05:00"
    assert act(http, WALK)["state"]["time"] == "09:05:02"


def test_pictures_during_an_action(http: httpx.Client, ground: Ground) -> None:
    enter(http, ground, "LN")
    assert act(http, WALK)["images"] == []
    found = act(http, WALK, interval=0.3, max_frames=60, image=1)
    assert len(found["images"]) == 6
    assert found["interval"] == 0.3
    assert len(set(found["images"])) == 6
    for url in (*found["images"], found["image"]):
        head, _, data = url.partition(",")
        assert head == "data:image/jpeg;base64"
        assert Image.open(io.BytesIO(base64.b64decode(data))).size == (320, 240)
    assert len(act(http, WALK, interval=0.3, max_frames=2)["images"]) == 2
    assert len(act(http, {"action": "look", "yaw": 5}, interval=0.3, max_frames=60)["images"]) == 1
    assert len(act(http, {"action": "open_map"}, interval=0.3)["images"]) == 1
    assert act(http, WALK, interval="nan")["images"] == []
    assert act(http, {"action": "fly"}, interval=0.3)["images"] == []


def test_pictures_change_nothing(http: httpx.Client, ground: Ground) -> None:
    jump = {"action": "sprint", "dir": "forward", "seconds": 1.7, "yaw_rate": 40, "jump": True, "jump_at": 0.9}
    enter(http, ground, "NP")
    plain = [act(http, jump)["state"] for _ in range(3)]
    enter(http, ground, "NP")
    assert [act(http, jump, interval=0.1)["state"] for _ in range(3)] == plain


@pytest.mark.parametrize(
    ("query", "size", "kind"),
    [
        ({}, (320, 240), "JPEG"),
        ({"width": 1, "height": 99}, (16, 99), "JPEG"),
        ({"width": 4100, "height": 16}, (4096, 16), "JPEG"),
        ({"format": "png", "include_ui": 1}, (320, 240), "PNG"),
        ({"quality": 1}, (320, 240), "JPEG"),
    ],
)
def test_screenshots(http: httpx.Client, query: Json, size: tuple[int, int], kind: str) -> None:
    reply = http.get("/screenshot", params=query)
    picture = Image.open(io.BytesIO(reply.content))
    assert (picture.size, picture.format) == (size, kind)
    assert reply.headers["content-type"] == f"image/{kind.lower()}"


def test_every_start_counts_as_loaded(ground: Ground) -> None:
    """Each task's start, at the server's own size, has enough edges for the client's readiness check."""
    with ground.serving() as address, httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http:
        for id in public_ids(ground.suite).values():
            http.post("/task/enter", json={"id": id})
            assert edge_share(http.get("/screenshot").content) >= LOADED, id


def test_counters_begin_anew(http: httpx.Client, ground: Ground) -> None:
    enter(http, ground, "SN")
    act(http, {"action": "set_weather", "weather": "rainy"})
    state = act(http, WALK)["state"]
    assert state["stats_tracked_seconds"] == 2.0
    assert http.post("/stats/reset").json()["ok"] is True
    state = http.get("/state").json()
    assert state["stats_tracked_seconds"] == state["rain_exposure_seconds"] == state["rain_hits"] == 0


def test_teleport_and_where_am_i(http: httpx.Client, ground: Ground) -> None:
    enter(http, ground, "SN")
    act(http, {"action": "open_map"})
    place = ground.city.places[3]
    lon, lat, height = (float(v) for v in ground.city.frame.to_geodetic(place.entrance))
    found = act(http, {"action": "teleport", "lat": lat, "lon": lon, "height": height})
    assert (found["ok"], found["state"]["mode"], found["state"]["pitch"]) == (True, "first_person", 0.0)
    assert found["state"]["lat"] == pytest.approx(lat, abs=1e-8)
    told = act(http, {"action": "where_am_i"})["action"]
    assert f"{place.name} ({place.category.replace('_', ' ')})" in told
    route = act(http, {"action": "navigate", "lat": lat, "lon": lon})
    assert route["length_meters"] < 5.0


def test_sessions_are_worlds_apart(http: httpx.Client, ground: Ground) -> None:
    enter(http, ground, "SN")
    enter(http, ground, "TW", **{"X-Session": "b"})
    here, there = http.get("/state").json(), http.get("/state?session=b").json()
    assert here["time"] != there["time"]
    http.post("/action", json=WALK, headers={"X-Session": "b"})
    assert http.get("/state").json() == here
    assert http.get("/state", headers={"X-Session": "../../etc"}).status_code == 422
    assert http.get("/state", headers={"X-Session": "x" * 65}).status_code == 422


def test_too_many_sessions_and_idle_ones(ground: Ground) -> None:
    settings = {"most_sessions": 2, "idle_s": 0.4, "image_size": (64, 48)}
    with ground.serving(**settings) as address, httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http:
        assert http.get("/state").status_code == http.get("/state?session=a").status_code == 200
        assert http.get("/state?session=b").status_code == 429
        time.sleep(1.2)
        assert http.get("/state?session=b").status_code == 200
        assert http.get("/task").status_code == 200


def test_actions_of_one_session_take_turns(http: httpx.Client, ground: Ground) -> None:
    enter(http, ground, "LN")
    threads = [threading.Thread(target=lambda: act(http, WALK)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert http.get("/state").json()["stats_tracked_seconds"] == 12.0


def test_tokens(ground: Ground) -> None:
    settings = {"token": "boss", "agent_token": "agent", "image_size": (64, 48)}
    with ground.serving(**settings) as address, httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http:
        for header in ({}, {"Authorization": "Bearer other"}, {"Authorization": "Basic boss"}):
            reply = http.get("/state", headers=header)
            assert (reply.status_code, reply.json()["ok"]) == (401, False)
        agent, boss = {"Authorization": "Bearer agent"}, {"Authorization": "Bearer boss"}
        assert http.get("/state", headers=agent).status_code == 200
        assert http.post("/task/exit", headers=agent).status_code == 403
        assert http.post("/task/exit", headers=boss).status_code == 200
        wind = {"action": "set_weather", "weather": "rainy"}
        assert http.post("/action", json=wind, headers=agent).json()["ok"] is False
        assert http.post("/action", json=wind, headers=boss).json()["ok"] is True
        assert http.post("/action", json={"action": "look", "yaw": 5}, headers=agent).json()["ok"] is True


def test_without_admin_nobody_changes_the_city(ground: Ground) -> None:
    with (
        ground.serving(admin=False, image_size=(64, 48)) as address,
        httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http,
    ):
        for name in ("teleport", "set_weather", "set_time", "where_am_i", "navigate", "enable_pedestrians"):
            found = act(http, {"action": name, "weather": "rainy", "lat": 45.0, "lon": -30.0})
            assert found["ok"] is False
            assert "--admin" in found["error"]


def test_cors_and_limits(http: httpx.Client, ground: Ground) -> None:
    reply = http.options("/action", headers={"Origin": "http://x.test", "Access-Control-Request-Method": "POST"})
    assert reply.status_code == 204
    assert reply.headers["access-control-allow-origin"] == "*"
    assert http.get("/state").headers["access-control-allow-origin"] == "*"
    assert http.post("/action", content=b" " * 70_000).status_code == 413
    with ground.serving(requests_s=5.0) as address, httpx.Client(base_url=address, trust_env=False) as quick:
        assert 429 in {quick.get("/health").status_code for _ in range(30)}


def test_real_time(ground: Ground) -> None:
    settings = {"real_time": True, "image_size": (64, 48)}
    with ground.serving(**settings) as address, httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http:
        enter(http, ground, "SN")
        time.sleep(0.5)
        waited = http.get("/state").json()["stats_tracked_seconds"]
        assert 0.4 <= waited < 20.0
        begun = time.monotonic()
        act(http, {"action": "look", "yaw": 10})
        assert time.monotonic() - begun >= 0.5


def test_refusing_to_be_open_to_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["serve", "--host", "0.0.0.0", "--city", "mini", "--quiet"]) == 2
    assert "--token" in capsys.readouterr().err
    assert command(["serve", "--token", "\n", "--quiet"]) == 2
    assert command(["serve", "--suite", "no-such-suite", "--quiet"]) == 2
    for host in ("0.0.0.0", "::", "192.168.1.4", "example.org"):
        with pytest.raises(InputError):
            check_host(host, None)
        check_host(host, "secret")
    for host in ("127.0.0.1", "localhost", "::1"):
        check_host(host, None)


def test_a_port_in_use(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    port = url.rpartition(":")[2]
    assert command(["serve", "--city", "mini", "--port", port, "--quiet"]) == 2
    assert "a free port of" in capsys.readouterr().err
