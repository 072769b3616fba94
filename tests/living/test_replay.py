"""Recordings: plain JSON, replayed to the last bit; what differs is named."""

import copy
import json

import pytest

from citysim.conditions import Conditions
from citysim.errors import FormatError, SimulationFault
from citysim.replay import Recorder, replay
from citysim.world import Command, World
from tests.living.streets import BUSY, START, commands, grid_town
from tests.living.test_closures import ACROSS
from tests.living.test_company import available


def recorded(physics: str) -> dict[str, object]:
    recorder = Recorder(World(grid_town(), physics=physics))
    recorder.reset(START, Conditions(clock_s=80000.0, weather="rainy"), crowd=BUSY, closures=[ACROSS])
    for command in commands(5, 12):
        recorder.advance(command, 25)
    recorder.look(0.3, -0.1)
    recorder.advance(Command(forward=4.5, jump_after_s=0.2), 90)
    recorder.world.close()
    loaded: dict[str, object] = json.loads(json.dumps(recorder.recording))
    return loaded


@pytest.mark.parametrize("physics", available())
def test_a_recorded_episode_replays_to_the_last_bit(physics: str) -> None:
    recording = recorded(physics)
    world = World(grid_town(), physics=physics, threads=2)
    replay(recording, world)
    replay(recording, world)
    world.close()


def test_records_say_what_happened() -> None:
    steps = recorded("native")["steps"]
    assert isinstance(steps, list)
    records = [line["record"] for line in steps]
    assert sum(len(record["notices"]) for record in records) == 1
    assert all(len(record["people"]) > 20 for record in records)
    assert all(len(row) == 5 for row in records[0]["people"])
    assert records[0]["weather"] == "rainy"


def test_another_outcome_is_named() -> None:
    recording = recorded("native")
    world = World(grid_town(), physics="native")
    other = copy.deepcopy(recording)
    other["steps"][4]["record"]["state_sha256"] = "0"  # type: ignore[index]
    with pytest.raises(SimulationFault, match="step 5 as recorded, found another state_sha256"):
        replay(other, world)
    other = copy.deepcopy(recording)
    other["crowd"]["seed"] += 1  # type: ignore[index]
    with pytest.raises(SimulationFault, match="step 0 as recorded"):
        replay(other, world)
    nobody = {"population": -1, "seed": 0}
    for change in ({"format": "x"}, {"crowd": nobody}, {"pose": 3}, {"steps": None}, {"conditions": {"date": "today"}}):
        broken = {**recording, **change}
        with pytest.raises(FormatError):
            replay(broken, world)
    with pytest.raises(FormatError, match="physics"):
        replay({**recording, "physics": "newton"}, world)
    world.close()
