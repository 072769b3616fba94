"""manifest.json: what was run, with which versions, limits and hashes."""

import datetime as dt
import importlib.metadata
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citysim.agents.base import AgentSpec
from citysim.city import City
from citysim.errors import InputError
from citysim.runs.folder import SCHEMA
from citysim.runs.job import Job
from citysim.storage import canonical_json, sha256_hex
from citysim.tasks.suite import Suite

LIBRARIES = ("numpy", "numba", "scipy", "shapely", "networkx", "pillow", "pybullet", "pyrender-maintained", "gymnasium")


def new_manifest(
    job: Job, suite: Suite, cities: Sequence[City], agent: AgentSpec, workers: int, executor: str
) -> dict[str, Any]:
    """The manifest of a run that begins now; `city` stands for all of `cities` where there are several."""
    places = [_place(city) for city in cities]
    return {
        "schema": SCHEMA,
        "status": "running",
        "citysim": importlib.metadata.version("citysim"),
        "git_commit": git_commit(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "suite": {
            "name": suite.name,
            "version": suite.version,
            "sha256": suite.sha256,
            "instances": len(suite.instances),
        },
        "city": places[0] if len(places) == 1 else _together(places),
        "cities": places,
        "agent": {
            "spec": job.agent,
            "name": agent.name,
            "privileged": list(agent.privileged),
            "deterministic": agent.deterministic,
            "sees": agent.sees,
            **({"options": job.options.to_json()} if job.agent.startswith("chat:") else {}),
        },
        "seed": job.seed,
        "renderer": job.renderer,
        "physics": job.physics,
        "limits": {
            "actions": job.limits.actions,
            "image_size": list(job.limits.image_size),
            "fov_deg": job.limits.fov_deg,
        },
        "frames": job.frames,
        "workers": workers,
        "executor": executor,
        "started": _now(),
        "ended": None,
    }


def finish_manifest(manifest: dict[str, Any], status: str) -> dict[str, Any]:
    """The same with its end; status is "finished" or "interrupted"."""
    return manifest | {"status": status, "ended": _now()}


def check_same_run(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Raise InputError naming the first difference that would mix two experiments in one folder."""
    pairs = (
        ("suite", ("suite", "name")),
        ("suite content", ("suite", "sha256")),
        ("city content", ("city", "content_sha256")),
        ("agent", ("agent", "spec")),
        ("agent's options", ("agent", "options")),
        ("seed", ("seed",)),
        ("renderer", ("renderer",)),
        ("physics", ("physics",)),
        ("limits", ("limits",)),
        ("citysim version", ("citysim",)),
    )
    for word, keys in pairs:
        before: Any = old
        now: Any = new
        for key in keys:
            before, now = before.get(key), now.get(key)
        if before != now and isinstance(before, dict) and isinstance(now, dict):  # which of them
            name = next(key for key in sorted({*before, *now}) if before.get(key) != now.get(key))
            word, before, now = f"{word}: {name.replace('_', ' ')}", before.get(name), now.get(name)
        if before != now:
            raise InputError(f"the same {word} as the run to be resumed ({before})", f"{now}", "another --out")


def git_commit() -> str | None:
    """Commit of the checkout this package runs from, with "+" when files differ from it; None when there is none."""
    here = Path(__file__).resolve().parents[2]
    if not (here / ".git").exists():
        return None
    try:
        commit, state = (
            subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, timeout=20, check=True).stdout
            for words in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return commit.strip() + ("+" if state.strip() else "")


def _place(city: City) -> dict[str, Any]:
    return {
        "name": city.name,
        "title": city.title,
        "content_sha256": city.content_sha256,
        "appearance_sha256": city.appearance_sha256,
        "source": city.source,
        "licence": city.licence,
        "attribution": city.attribution,
        "folder": None if city.path is None else city.path.name,
    }


def _together(places: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One entry for several cities: names side by side, hashes of all hashes."""

    def joined(key: str) -> str:
        return ", ".join(dict.fromkeys(place[key] for place in places if place[key]))

    texts = {key: joined(key) for key in ("name", "title", "source", "licence", "attribution")}
    hashes = ("content_sha256", "appearance_sha256")
    return texts | {key: sha256_hex(canonical_json([p[key] for p in places])) for key in hashes} | {"folder": None}


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
