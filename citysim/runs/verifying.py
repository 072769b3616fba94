"""verify_suite: every instance is solvable, by replaying its proof or by letting the expert play."""

import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from citysim.city import City, open_city
from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.runs.proving import Proof, prove, read_proofs, replays, write_proofs
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.suites import proofs_path
from citysim.world import World


@dataclass(frozen=True)
class Verified:
    """How many proofs were replayed bit by bit, how many instances the expert played, and what failed (id -> why)."""

    replayed: int = 0
    played: int = 0
    unsolved: dict[str, str] = field(default_factory=dict)


def verify_suite(
    suite: Suite,
    cities: Sequence[City],
    *,
    name: str,
    ids: str | None = None,
    physics: str | None = None,
    workers: int = 1,
    seed: int = 0,
) -> Verified:
    """Verify the chosen instances: by their proofs where `physics` is None and the suite `name` has some.

    Raises what `evaluate` and `read_proofs` raise.
    """
    chosen = suite.select(ids)
    path = proofs_path(name)
    proofs = read_proofs(path) if physics is None and path.is_file() else {}
    with_proof = [(proofs[i.id], i) for i in chosen if i.id in proofs]
    unsolved = _replayed(with_proof, {city.content_sha256: city for city in cities}, workers)
    rest = ",".join(i.id for i in chosen if i.id not in proofs)
    if not rest:
        return Verified(len(with_proof) - len(unsolved), 0, unsolved)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "verify"
        evaluate(
            suite, cities, "oracle", out=run, workers=workers, seed=seed, ids=rest, physics=physics,
            image_size=(32, 24), pictures=False,
        )  # fmt: skip
        lines = RunFolder(run).episodes()
    failed = {line["id"]: f"{line['status']}, {line['stop_reason']}" for line in lines if line["status"] != "success"}
    return Verified(len(with_proof) - len(unsolved), len(lines) - len(failed), unsolved | failed)


def renew_proofs(suite: Suite, cities: Sequence[City], name: str) -> tuple[int, list[str]]:
    """Let the expert prove again what no longer replays, and write the proofs; (how many were renewed, ids unproved).

    Needed when something that walks or crowds changed. Proofs of other instances stay as they are.
    """
    path = proofs_path(name)
    proofs = read_proofs(path) if path.is_file() else {}
    known = [(proofs[i.id], i) for i in suite.instances if i.id in proofs]
    stale = set(_replayed(known, {city.content_sha256: city for city in cities}, 1))
    stale |= {i.id for i in suite.instances if i.id not in proofs}
    lost: list[str] = []
    for city in cities:
        world = World(city, physics="native")
        for instance in suite.instances:
            if instance.id in stale and instance.city_sha256 == city.content_sha256:
                proof = prove(instance, world)
                if proof is None:
                    lost.append(instance.id)
                else:
                    proofs[instance.id] = proof
        world.close()
    write_proofs(path, [proofs[id] for id in sorted(proofs)])
    return len(stale) - len(lost), lost


def _replayed(proofs: Sequence[tuple[Proof, Instance]], cities: dict[str, City], workers: int) -> dict[str, str]:
    """What went wrong with each proof that cannot be replayed."""
    groups = {sha256: [p for p in proofs if p[1].city_sha256 == sha256] for sha256 in cities}
    if workers == 1 or any(city.path is None for city in cities.values()):
        found = [_replay(cities[sha256], group) for sha256, group in groups.items() if group]
    else:
        parts = [
            (str(cities[sha256].path), group[k::workers])
            for sha256, group in groups.items()
            for k in range(workers)
            if group[k::workers]
        ]
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            found = list(pool.map(_replay_of, parts))
    return {id: why for part in found for id, why in part.items()}


def _replay_of(part: tuple[str, Sequence[tuple[Proof, Instance]]]) -> dict[str, str]:
    return _replay(open_city(Path(part[0])), part[1])


def _replay(city: City, proofs: Sequence[tuple[Proof, Instance]]) -> dict[str, str]:
    world = World(city, physics="native")
    try:
        told = {instance.id: replays(proof, instance, world) for proof, instance in proofs}
    finally:
        world.close()
    return {id: why for id, why in told.items() if why}
