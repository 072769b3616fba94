"""compare: several runs of one suite side by side, and a refusal to mix what cannot be mixed."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from citysim.errors import InputError
from citysim.runs.folder import RunFolder
from citysim.runs.paired import holm, pair
from citysim.runs.stability import stability
from citysim.runs.summary import figures, figures_row, number, percent

PAIR_COLUMNS = (
    "first",
    "second",
    "difference",
    "95 %",
    "only first",
    "only second",
    "McNemar p",
    "Holm p",
    "SPL diff.",
)
KINDS = ("model", "human", "privileged")
"""Fair agents, people, and agents that are told what neither knows; tables keep them apart in this order."""


@dataclass(frozen=True)
class Comparison:
    """Runs side by side over the same episodes.

    `runs` has one entry a run (its name, kind, and figures with their intervals), `ids` the episodes they were compared
    on, `pairs` one entry a pair of runs, `stability` the rates at other radii of arrival.
    """

    suite: str
    ids: tuple[str, ...]
    runs: tuple[dict[str, Any], ...]
    pairs: tuple[dict[str, Any], ...] = ()
    stability: tuple[dict[str, Any], ...] = ()

    def rows(self) -> list[tuple[str, ...]]:
        """One row a run for citysim.runs.summary.COLUMNS: models, then people, then privileged agents."""
        ordered = sorted(self.runs, key=lambda run: KINDS.index(run["kind"]))
        return [figures_row(run["name"], run["figures"]) for run in ordered]

    def pair_rows(self) -> list[tuple[str, ...]]:
        """One row a pair for PAIR_COLUMNS."""
        return [
            (
                p["first"], p["second"], f"{100 * p['difference']:+.1f} pp",
                f"{100 * p['interval'][0]:+.1f} to {100 * p['interval'][1]:+.1f}", str(p["only_first"]),
                str(p["only_second"]), f"{p['p']:.3g}", f"{p['p_holm']:.3g}",
                "-" if p["spl_difference"] is None else f"{p['spl_difference']:+.3f}",
            )
            for p in self.pairs
        ]  # fmt: skip

    def stability_rows(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows: success at each multiple of the radius, and how far the ranking stays the same."""
        header = ("radius", *(run["name"] for run in self.runs), "Kendall tau")
        return header, [
            (f"{s['factor']:g}x", *map(percent, s["success_rates"]), number(s["tau"], 2)) for s in self.stability
        ]

    def to_json(self) -> dict[str, Any]:
        """The form `citysim compare --json` prints."""
        return {
            "suite": self.suite, "ids": list(self.ids), "runs": list(self.runs), "pairs": list(self.pairs),
            "stability": list(self.stability),
        }  # fmt: skip


def compare(runs: Sequence[Path], *, any_physics: bool = False) -> Comparison:
    """Figures of several finished runs over the episodes that all of them scored.

    Runs of parts of a suite, in some of its cities, are compared on what they share. Raises InputError for fewer than
    two runs, for runs of different suites, budgets or (unless `any_physics`) physics and for a city that is another in
    one of them, naming both, and for runs without a common scored episode.
    """
    if len(runs) < 2:
        raise InputError("two runs or more to compare", str(len(runs)), "citysim compare RUN RUN")
    folders = [RunFolder(path) for path in runs]
    manifests = [folder.manifest() for folder in folders]
    checks: list[tuple[str, Callable[[dict[str, Any]], tuple[Any, str]]]] = [
        ("suite", lambda m: (m["suite"]["sha256"], m["suite"]["name"])),
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
    for path, manifest in zip(runs[1:], manifests[1:], strict=True):
        _check_cities((runs[0], path), (_cities(manifests[0]), _cities(manifest)))
    tables = [{line["id"]: line for line in folder.episodes()} for folder in folders]
    common = set.intersection(*({id for id, line in t.items() if line["status"] != "unscored"} for t in tables))
    if not common:
        raise InputError("episodes that all runs scored", "none in common", "running the same --ids")
    ids = tuple(sorted(common))
    names = _names(manifests)
    rows = tuple(
        {
            "run": path.name,
            "name": name,
            "kind": _kind(manifest),
            "agent": manifest["agent"],
            "seed": manifest["seed"],
            "left_out": len(table) - len(ids),
            "figures": figures([table[id] for id in ids]),
        }
        for path, name, manifest, table in zip(runs, names, manifests, tables, strict=True)
    )
    pairs = _pairs(names, tables, ids)
    return Comparison(manifests[0]["suite"]["name"], ids, rows, pairs, tuple(stability(folders, tables, ids)))


def _cities(manifest: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Name -> hashes of content and looks, of every city of a run and of all together."""
    places = manifest.get("cities")
    known = [p for p in places if isinstance(p, dict)] if isinstance(places, list) else []
    known.append(manifest["city"])
    return {str(p.get("name")): (str(p.get("content_sha256")), str(p.get("appearance_sha256") or "")) for p in known}


def _check_cities(runs: tuple[Path, Path], cities: tuple[dict[str, tuple[str, str]], ...]) -> None:
    """Raise InputError where a city of both runs differs."""
    first, second = cities
    for name in sorted(first.keys() & second.keys()):
        for word, a, b in zip(("city", "city's looks"), first[name], second[name], strict=True):
            if a != b:
                raise InputError(
                    f"runs of the same {word}",
                    f"{name} ({a[:12]}) in '{runs[0]}' and {name} ({b[:12]}) in '{runs[1]}'",
                    "comparing like with like",
                )


def _kind(manifest: dict[str, Any]) -> str:
    if manifest["agent"]["name"].startswith("human:"):
        return "human"
    return "privileged" if manifest["agent"]["privileged"] else "model"


def _names(manifests: Sequence[dict[str, Any]]) -> list[str]:
    """Agents' names, starred where privileged; runs of the same agent are told apart by seed, or else by number."""
    plain = [m["agent"]["name"] for m in manifests]
    seeded = [
        f"{name} (seed {m['seed']})" if plain.count(name) > 1 else name
        for name, m in zip(plain, manifests, strict=True)
    ]
    told = [
        f"{name} #{seeded[: k + 1].count(name)}" if seeded.count(name) > 1 else name for k, name in enumerate(seeded)
    ]
    return [f"{name} *" if m["agent"]["privileged"] else name for name, m in zip(told, manifests, strict=True)]


def _pairs(
    names: Sequence[str], tables: Sequence[dict[str, dict[str, Any]]], ids: Sequence[str]
) -> tuple[dict[str, Any], ...]:
    """Every pair of runs over the same episodes; p-values also adjusted for their number."""
    wins = [[table[id]["status"] == "success" for id in ids] for table in tables]
    spls = [[table[id]["metrics"].get("spl") for id in ids] for table in tables]
    made = []
    for a, b in combinations(range(len(tables)), 2):
        whole = None not in spls[a] and None not in spls[b]
        made.append(pair((names[a], names[b]), (wins[a], wins[b]), (spls[a], spls[b]) if whole else None))
    adjusted = holm([p.p for p in made])
    return tuple(asdict(p) | {"p_holm": q} for p, q in zip(made, adjusted, strict=True))


def _named(pair: tuple[Any, str]) -> str:
    identity, name = pair
    return name if str(identity) == name or not isinstance(identity, str) else f"{name} ({identity[:12]})"
