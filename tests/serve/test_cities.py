"""One server of tasks in several cities."""

from pathlib import Path

import httpx

from citysim.serve.settings import Settings
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite
from citysim.tasks.urbanground.exporting import public_ids
from tests.serve.conftest import Ground, serving
from tests.towns import write_town

WALK = {"action": "sprint", "dir": "forward", "seconds": 2}


def test_entering_a_task_changes_the_city(ground: Ground, tmp_path: Path) -> None:
    town = write_town(tmp_path / "grid")
    here, there = ground.suite.instances[0], load_suite("starter", town, 0).instances[0]
    suite = Suite("both", "1", (here, there))
    ids = public_ids(suite)
    settings = Settings(admin=True, physics="native", image_size=(64, 48))
    with (
        serving(suite, [ground.city, town], settings) as address,
        httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http,
    ):
        assert http.get("/tileset_source").json()["tilesets"] == sorted([ground.city.name, town.name])
        seen = []
        for instance in (here, there, here, there):
            state = http.post("/task/enter", json={"id": ids[instance.id]}).json()["state"]
            assert (state["lon"], state["lat"]) == instance.start_lonlat[:2]
            after = http.post("/action", json=WALK).json()["state"]
            seen.append((state, after, http.get("/screenshot").content))
        assert seen[:2] == seen[2:]
        assert seen[0] != seen[1]
        http.post("/task/enter", json={"id": ids[there.id]}, headers={"X-Session": "b"})
        http.post("/task/enter", json={"id": ids[here.id]})
        assert http.get("/state?session=b").json() == seen[1][0]
        assert http.get("/state").json() == seen[0][0]
