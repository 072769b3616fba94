"""compare: several runs of one suite side by side, and a refusal to mix what cannot be mixed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citysim.errors import InputError
from citysim.runs.folder import RunFolder
from citysim.runs.summary import figures, figures_row


@dataclass(frozen=True)
class Comparison:
    """Runs side by side: `runs` one entry a run (its name and figures), `ids` the episodes they were compared on."""

    suite: str
    ids: tuple[str, ...]
    runs: tuple[dict[str, Any], ...]

    def rows(self) -> list[tuple[str, ...]]:
        """One row a run for citysim.runs.summary.COLUMNS."""
        return [figures_row(run["name"], run["figures"]) for run in self.runs]

    def to_json(self) -> dict[str, Any]:
        """The form `citysim compare --json` prints."""
        return {"suite": self.suite, "ids": list(self.ids), "runs": list(self.runs)}


def compare(runs: Sequence[Path], *, any_physics: bool = False) -> Comparison:
    """Figures of several finished runs over the episodes that all of them scored.

    Raises InputError for fewer than two runs, for runs of different suites, cities or (unless `any_physics`) physics,
    naming both, and for runs without a common scored episode.
    """
    if len(runs) < 2:
        raise InputError("two runs or more to compare", str(len(runs)), "citysim compare RUN RUN")
    folders = [RunFolder(path) for path in runs]
    manifests = [folder.manifest() for folder in folders]
    checks: list[tuple[str, Callable[[dict[str, Any]], tuple[Any, str]]]] = [
        ("suite", lambda m: (m["suite"]["sha256"], m["suite"]["name"])),
        ("city", lambda m: (m["city"]["content_sha256"], m["city"]["name"])),
        ("action budget", lambda m: (m["limits"]["actions"], f"{m['limits']['actions']} actions")),
    ]
    if not any_physics:
        checks.append(("physics", lambda m: (m["physics"], m["physics"])))
    for word, key in checks:
        first = key(manifests[0])
        for path, manifest in zip(runs[1:], manifests[1:], strict=True):
            other = key(manifest)
            if other[0] != first[0]:
                raise InputError(
                    f"runs of the same {word}",
                    f"{_named(first)} in '{runs[0]}' and {_named(other)} in '{path}'",
                    "comparing like with like",
                )
    tables = [{line["id"]: line for line in folder.episodes()} for folder in folders]
    common = set.intersection(*({id for id, line in t.items() if line["status"] != "unscored"} for t in tables))
    if not common:
        raise InputError("episodes that all runs scored", "none in common", "running the same --ids")
    ids = tuple(sorted(common))
    rows = [
        {
            "run": str(path),
            "name": f"{manifest['agent']['name']}{' *' if manifest['agent']['privileged'] else ''}",
            "agent": manifest["agent"],
            "seed": manifest["seed"],
            "left_out": len(table) - len(ids),
            "figures": figures([table[id] for id in ids]),
        }
        for path, manifest, table in zip(runs, manifests, tables, strict=True)
    ]
    return Comparison(manifests[0]["suite"]["name"], ids, tuple(rows))


def _named(pair: tuple[Any, str]) -> str:
    identity, name = pair
    return name if str(identity) == name or not isinstance(identity, str) else f"{name} ({identity[:12]})"
