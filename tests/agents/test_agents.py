"""Agents: seeded, forgetful, honest about what they are told; the oracle solves a town."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from citysim.agents.base import Agent, AgentContext, AgentSpec, Privileged, privileges
from citysim.agents.registry import agent_names, make_agent
from citysim.errors import InputError, UnknownNameError
from citysim.tasks.actions import parse_action
from citysim.tasks.answers import parse_answer
from citysim.tasks.episode import Episode, Limits, Observation
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.suites import judge_of, load_suite
from citysim.world import World
from tests.towns import grid_town


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("starter", grid_town(), 0)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World(grid_town())
    yield made
    made.close()


def play(world: World, instance: Instance, agent: Agent, seed: int = 7) -> Episode:
    episode = Episode(world, None, judge_of(instance.type), instance.to_goal())
    known = Privileged(episode.goal, world.city.network, lambda: world.pose) if agent.spec.privileged else None
    agent.begin(AgentContext(instance.instruction, episode.limits, seed, known))
    while not episode.done:
        episode.act(agent.act(episode.observe()))
    return episode


def test_the_oracle_solves_a_town_well_within_its_budget(world: World, suite: Suite) -> None:
    agent = make_agent("oracle")
    for instance in suite.instances[:8]:
        episode = play(world, instance, agent)
        assert episode.verdict.success, instance.id
        assert len(episode.records) <= 80
        assert episode.facts.path_length_m < 1.15 * instance.shortest_path_m
        assert all(record.on_network for record in episode.records)


def test_the_order_of_episodes_does_not_matter(world: World, suite: Suite) -> None:
    for name in ("random", "oracle", "greedy", "reader"):
        agent, first, second = make_agent(name), suite.instances[0], suite.instances[1]
        straight = play(world, second, agent)
        play(world, first, agent)
        again = play(world, second, agent)
        assert [r.to_json() for r in straight.records] == [r.to_json() for r in again.records], name


OBSERVATION = Observation(None, "Walk.", 0.0, 0.0, "14:00:00", "sunny", 0, 100)


def actions(name: str, seed: int, count: int = 40) -> list[Any]:
    agent = make_agent(name)
    agent.begin(AgentContext("Walk.", Limits(), seed))
    return [agent.act(OBSERVATION) for _ in range(count)]


def test_random_is_seeded_legal_and_never_gives_up() -> None:
    assert actions("random", 1) == actions("random", 1) != actions("random", 2)
    parsed = [parse_action(action) for action in actions("random", 3, 400)]
    assert all(notices == () for _, notices in parsed)
    counts = {name: sum(a.name == name for a, _ in parsed) for name in ("move", "sprint", "look", "jump", "terminate")}
    assert counts["terminate"] == 0
    assert all(60 < counts[name] < 140 for name in ("move", "sprint", "look", "jump"))
    turns = [a.yaw_rate_deg_s for a, _ in parsed if a.name == "move"]
    assert min(turns) < -120
    assert max(turns) > 120


def test_forward_walks_forward() -> None:
    assert set(map(str, actions("forward", 1))) == {"{'action': 'move', 'dir': 'forward', 'seconds': 2.0}"}


def test_specs_tell_who_is_privileged() -> None:
    told = {name: make_agent(name).spec for name in agent_names()}
    assert {name for name, spec in told.items() if spec.privileged} == {"greedy", "oracle"}
    assert all(spec.name == name and spec.deterministic for name, spec in told.items())
    with pytest.raises(ValueError, match="privileged knowledge"):
        privileges(AgentContext("Walk.", Limits(), 1))


class Still:
    """An agent of its own: looks about."""

    spec = AgentSpec("still")

    def begin(self, context: AgentContext) -> None:
        self.calls = 0

    def act(self, observation: Observation) -> Any:
        return {"look": {"yaw": 90}}


def hollow() -> object:
    return object()


def test_agents_by_module_and_factory() -> None:
    assert make_agent("tests.agents.test_agents:Still").spec.name == "still"
    for spec, told in (
        ("no.such.module:make", "no.such|No module"),
        ("tests.agents.test_agents:absent", "absent"),
        ("tests.agents.test_agents:hollow", "no spec"),
    ):
        with pytest.raises(InputError, match=told):
            make_agent(spec)
    for spec in ("orakle", "module:", ":factory", ""):
        with pytest.raises(UnknownNameError, match=r"forward, greedy, oracle, random"):
            make_agent(spec)


def test_random_answers_with_a_letter() -> None:
    asked = replace(OBSERVATION, mode="answer", options=("a", "b", "c", "d"))
    letters = []
    for seed in range(80):
        agent = make_agent("random")
        agent.begin(AgentContext("Which?", Limits(), seed))
        letters.append(parse_answer(agent.act(asked)))
    assert set(letters) == set("ABCD")
    assert all(8 <= letters.count(letter) <= 35 for letter in "ABCD")


def test_a_person_is_sent_to_the_page() -> None:
    for name in ("human", "human:ada"):
        with pytest.raises(InputError, match="citysim play"):
            make_agent(name)
