"""Making an UrbanGround suite: drafts are drawn city by city, proved by the expert, and numbered."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from citysim.city import City, open_city
from citysim.errors import InputError
from citysim.physics import default_engine
from citysim.render import make_renderer
from citysim.runs.proving import Proof, prove
from citysim.tasks.seeds import child_rng, child_seed
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.urbanground.families import FAMILIES
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.scout import Scout
from citysim.tasks.urbanground.making.table import DERIVED, MAKERS
from citysim.world import World

NAME, VERSION = "urbanground", "1"
TRIES = 600
"""Drafts drawn for one instance before a city is said to have no more of a family."""

Made = tuple[Instance, Proof]
Told = Callable[[str], None]


def make_urbanground(
    cities: Sequence[City],
    seed: int = 0,
    *,
    scale: float = 1.0,
    name: str = NAME,
    workers: int = 1,
    tell: Told | None = None,
) -> tuple[Suite, list[Proof]]:
    """All families for some cities; each gives its share of every family. `scale` shrinks all counts.

    The same cities and seed give the same suite for any number of `workers` (processes, one city each). A city gives
    fewer of a family than its share, or none, when it has no more to offer (a small one has no long walks); `tell` is
    told. Raises InputError when nothing comes out at all.
    """
    jobs = [(city, seed, shares(len(cities), number, scale)) for number, city in enumerate(cities)]
    made: list[Made] = []
    if workers == 1 or any(city.path is None for city in cities):
        for city, _, counts in jobs:
            made += make_city(city, seed, counts, tell)
    else:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            for city, part in zip(cities, pool.map(_make_at, [(c.path, s, n) for c, s, n in jobs]), strict=True):
                made += part
                if tell is not None:
                    tell(f"{city.name}: {len(part)}")
    if not made:
        raise InputError("cities that carry some instances", ", ".join(c.name for c in cities), "a larger city")
    return assemble(made, name)


def _make_at(job: tuple[Path, int, dict[str, int]]) -> list[Made]:
    return make_city(open_city(job[0]), *job[1:])


def shares(cities: int, number: int, scale: float = 1.0) -> dict[str, int]:
    """How many instances of each family the city of a number gives: even shares, the rest to the first ones."""
    counts = {type: max(1, round(family.count * scale)) for type, family in FAMILIES.items()}
    return {type: count // cities + (number < count % cities) for type, count in counts.items()}


def make_city(city: City, seed: int, counts: Mapping[str, int], tell: Told | None = None) -> list[Made]:
    """So many proved instances of each family in one city; their ids are local to it."""
    scout = Scout(city, make_renderer("raster", city))
    worlds = [World(city, physics="native"), *_bullet(city)]
    made: list[Made] = []
    try:
        for type in MAKERS:
            found = _family(scout, worlds, type, seed, counts)
            made += found
            if tell is not None:
                counted = Counter(instance.type for instance, _ in found)
                tell(f"{city.name}: " + ", ".join(f"{counted[t]} of {counts[t]} {t}" for t in _with_derived(type)))
    finally:
        scout.close()
        for world in worlds:
            world.close()
    return made


def assemble(made: Sequence[Made], name: str) -> tuple[Suite, list[Proof]]:
    """Number instances family by family, cities in turn, so that an id says nothing but the family."""
    renamed: dict[str, str] = {}
    for type in FAMILIES:
        group = [instance for instance, _ in made if instance.type == type]
        by_city: dict[str, list[Instance]] = {}
        for instance in group:
            by_city.setdefault(instance.city, []).append(instance)
        ordered = sorted(group, key=lambda i: (by_city[i.city].index(i), i.city))
        renamed |= {instance.id: f"{type}-{k:03d}" for k, instance in enumerate(ordered, start=1)}
    instances, proofs = [], []
    for instance, proof in made:
        id = renamed[instance.id]
        instances.append(dataclasses.replace(instance, id=id, source=renamed.get(instance.source, "")))
        proofs.append(dataclasses.replace(proof, id=id))
    order = {type: k for k, type in enumerate(FAMILIES)}
    ranked = sorted(instances, key=lambda i: (order[i.type], i.id))
    return Suite(name, VERSION, tuple(ranked)), sorted(proofs, key=lambda p: p.id)


def _family(scout: Scout, worlds: Sequence[World], type: str, seed: int, counts: Mapping[str, int]) -> list[Made]:
    """A family's instances, and with them those of the family that is derived from it, one from one."""
    city, keys, count = scout.city, set[str](), counts[type]
    derived = _with_derived(type)[-1]
    made: list[Made] = []
    for k in range(max(count, counts[derived])):
        for attempt in range(TRIES):
            draft = MAKERS[type](scout, child_rng(seed, NAME, city.name, type, k, attempt))
            if draft is None or draft.key in keys:
                continue
            instance = _instance(draft, city, type, k, child_seed(seed, NAME, city.name, type, k, "episode"))
            wanted = [instance] if k < count else []
            if derived != type and k < counts[derived]:
                wanted.append(DERIVED[derived][1](instance, f"{city.name}/{derived}/{k}"))
            proofs = [_proved(one, worlds) for one in wanted]
            if all(proofs):
                keys.add(draft.key)
                made += [(one, proof) for one, proof in zip(wanted, proofs, strict=True) if proof is not None]
                break
        else:
            break
    return made


def _with_derived(type: str) -> list[str]:
    return [type, *(name for name, (source, _) in DERIVED.items() if source == type)]


def _instance(draft: Draft, city: City, type: str, number: int, seed: int) -> Instance:
    return Instance.of(
        draft.goal, city, id=f"{city.name}/{type}/{number}", type=type, level=FAMILIES[type].level, seed=seed,
        conditions=draft.conditions,
    )  # fmt: skip


def _proved(instance: Instance, worlds: Sequence[World]) -> Proof | None:
    """The proof with native physics, if the expert solves the instance with every engine there is."""
    first = prove(instance, worlds[0])
    if first is None or any(prove(instance, world) is None for world in worlds[1:]):
        return None
    return first


def _bullet(city: City) -> list[World]:
    """A world of PyBullet, where that is installed."""
    return [World(city, physics="bullet")] if default_engine() == "bullet" else []
