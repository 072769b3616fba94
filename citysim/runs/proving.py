"""Proofs: an expert's actions that finish an instance, and the digest of what they do, to be replayed bit by bit."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citysim.agents.base import AgentContext, Privileged
from citysim.agents.oracle import OracleAgent
from citysim.errors import CitySimError, FormatError, StorageError
from citysim.storage import canonical_json, sha256_hex, write_atomic
from citysim.tasks.episode import Episode
from citysim.tasks.playing import episode_of
from citysim.tasks.suite import Instance
from citysim.world import World

MOST_ACTIONS = 80
"""The expert keeps a fifth of the budget of 100 in hand."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Actions that solve an instance with native physics; `digest` is the SHA-256 of the records they leave."""

    id: str
    actions: tuple[Mapping[str, Any], ...]
    digest: str

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"id": self.id, "digest": self.digest, "actions": [dict(action) for action in self.actions]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Proof":
        """Read the JSON form back; raises FormatError."""
        try:
            return cls(str(value["id"]), tuple(dict(a) for a in value["actions"]), str(value["digest"]))
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("a proof", f"{type(error).__name__}: {error}", "citysim suite build") from None


def prove(instance: Instance, world: World) -> Proof | None:
    """Let the oracle play without pictures; None where it fails or needs more than 80 actions."""
    try:
        episode = episode_of(world, None, instance)
    except CitySimError:
        return None
    agent, goal = OracleAgent(), episode.goal
    known = Privileged(goal, world.city.network, lambda: world.pose)
    agent.begin(AgentContext(instance.instruction, episode.limits, instance.seed, known))
    actions: list[Mapping[str, Any]] = []
    while not episode.done and episode.facts.actions <= MOST_ACTIONS:
        action = agent.act(episode.observe())
        episode.act(action)
        actions.append(action)
    if not (episode.done and episode.verdict.success and episode.facts.actions <= MOST_ACTIONS):
        return None
    return Proof(instance.id, tuple(actions), _digest(episode))


def replays(proof: Proof, instance: Instance, world: World) -> str:
    """Replay a proof with native physics; "" when it is bit-equal and succeeds, else what went wrong."""
    episode = episode_of(world, None, instance)
    for action in proof.actions:
        if episode.done:
            return f"it ended after {len(episode.records)} of {len(proof.actions)} actions"
        episode.act(action)
    if not episode.verdict.success:
        return "it did not succeed"
    return "" if _digest(episode) == proof.digest else "it succeeded with other records"


def write_proofs(path: Path, proofs: Sequence[Proof]) -> None:
    """Write proofs as gzipped JSON lines; equal proofs give equal bytes."""
    text = "".join(json.dumps(p.to_json(), separators=(",", ":")) + "\n" for p in proofs)
    write_atomic(path, gzip.compress(text.encode(), 9, mtime=0))


def read_proofs(path: Path) -> dict[str, Proof]:
    """Id -> proof; raises StorageError or FormatError."""
    try:
        text = gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise StorageError("a file of proofs", f"'{path}' ({type(error).__name__})", "citysim suite build") from None
    proofs = [Proof.from_json(json.loads(line)) for line in text.splitlines()]
    return {proof.id: proof for proof in proofs}


def _digest(episode: Episode) -> str:
    return sha256_hex(canonical_json([record.to_json() for record in episode.records]))
