"""The committed suites: complete, bound to the cities that are built today, solvable, and not to be guessed."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from citysim.agents.registry import make_agent
from citysim.catalog import load_city
from citysim.runs.proving import MOST_ACTIONS, read_proofs, replays
from citysim.runs.verifying import verify_suite
from citysim.tasks.suite import Instance
from citysim.tasks.suites import load_suite, proofs_path
from citysim.tasks.urbanground.conditions import CONDITIONS, VARIED
from citysim.tasks.urbanground.families import FAMILIES
from citysim.tasks.urbanground.guessing import CHANCE, duplicates, guess_rates
from citysim.tasks.urbanground.making.intents import INTENTS
from citysim.tasks.urbanground.making.searching import kind_name
from citysim.world import World

HASHES = Path(__file__).resolve().parents[2] / "build" / "procedural" / "hashes.json"
CITIES = ("akiba", "garden", "grid", "harbour", "oldtown")


@pytest.fixture(scope="module")
def instances() -> tuple[Instance, ...]:
    return load_suite("urbanground").instances


def test_counts(instances: tuple[Instance, ...]) -> None:
    assert Counter(i.type for i in instances) == {type: family.count for type, family in FAMILIES.items()}
    assert len(instances) == len({i.id for i in instances}) == 810
    assert Counter(i.level for i in instances) == {"L1": 220, "L2": 240, "L3": 120, "L4": 120, "L5": 110}
    for type, family in FAMILIES.items():
        shares = Counter(i.city for i in instances if i.type == type)
        assert set(shares) == set(CITIES), type
        assert max(shares.values()) - min(shares.values()) <= 1, f"{family.title} is spread evenly"


def test_made_for_the_cities_of_today(instances: tuple[Instance, ...]) -> None:
    rows = sorted((r for r in json.loads(HASHES.read_text())["rows"] if r["seed"] == 0), key=lambda r: r["size"])
    known = {row["preset"]: row["content_sha256"] for row in rows}  # of each preset its largest: the default
    for name in CITIES:
        assert {i.city_sha256 for i in instances if i.city == name} == {known[name]}


def test_lengths(instances: tuple[Instance, ...]) -> None:
    for type, low, high in (("SN", 15.0, 150.0), ("LN", 270.0, 600.0), ("NP", 270.0, 600.0)):
        walks = [i.shortest_path_m for i in instances if i.type == type]
        assert low <= min(walks), "up to the radius of arrival"
        assert max(walks) <= high


def test_every_instance_has_a_short_proof(instances: tuple[Instance, ...]) -> None:
    proofs = read_proofs(proofs_path("urbanground"))
    assert set(proofs) == {i.id for i in instances}
    assert max(len(proof.actions) for proof in proofs.values()) <= MOST_ACTIONS + 1, "an answer costs no turn"


def test_questions_cannot_be_guessed() -> None:
    for type, baselines in guess_rates(load_suite("urbanground")).items():
        for name, (_, low, _) in baselines.items():
            assert low <= CHANCE, f"{name} beats chance at {type}"


def test_nothing_is_asked_twice() -> None:
    assert duplicates(load_suite("urbanground")) == []


def test_closures_and_what_is_derived(instances: tuple[Instance, ...]) -> None:
    by_id = {i.id: i for i in instances}
    for instance in instances:
        if instance.type in ("CN", "DCR"):
            assert [zone.notice_at_s for zone in instance.zones] == [30.0 if instance.type == "DCR" else 0.0]
            told = instance.zones[0].label in instance.instruction
            assert told is (instance.type == "CN"), "a closure that comes as a surprise is not told of before"
        if instance.type in ("DCR", "NP"):
            source = by_id[instance.source]
            assert (source.start, source.goal) == (instance.start, instance.goal)
        assert (instance.passers is not None) is (instance.type == "NP")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_variants_change_nothing_but_conditions(condition: str, instances: tuple[Instance, ...]) -> None:
    by_id = {i.id: i for i in instances}
    varied = load_suite(f"urbanground-{condition}").instances
    assert {i.type for i in varied} == set(VARIED)
    for instance in varied:
        source = by_id[instance.source]
        assert (instance.instruction, instance.question) == (source.instruction, source.question)
        assert (instance.conditions["time"], instance.conditions["weather"]) == CONDITIONS[condition]


def test_needs_never_name_what_serves_them() -> None:
    for kinds, phrases in INTENTS.values():
        assert len(set(phrases)) >= 8
        words = {word for kind in kinds for word in re.findall(r"[a-z]+", f"{kind} {kind_name(kind)}".lower())}
        words -= {"shop", "of", "dry", "office", "s", "de", "change", "photo", "mobile", "store"}
        for phrase in phrases:
            said = set(re.findall(r"[a-z]+", phrase.lower()))
            assert not said & (words | {f"{word}s" for word in words}), phrase


def test_the_small_suite_replays_bit_by_bit() -> None:
    suite, city = load_suite("urbanground-mini"), load_city("mini")
    proofs = read_proofs(proofs_path("urbanground-mini"))
    world = World(city, physics="native")
    first = {i.type: i for i in reversed(suite.instances)}
    assert set(first) == set(FAMILIES)
    told = {i.id: replays(proofs[i.id], i, world) for i in first.values()}
    world.close()
    assert {id: why for id, why in told.items() if why} == {}
    assert make_agent("oracle").spec.privileged


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["urbanground-mini", "urbanground"])
def test_every_proof_replays(name: str) -> None:
    suite = load_suite(name)
    cities = [load_city(city) for city in sorted({i.city for i in suite.instances})]
    verified = verify_suite(suite, cities, name=name, workers=2)
    assert (verified.unsolved, verified.replayed) == ({}, len(suite.instances))
