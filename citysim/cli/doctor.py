"""`citysim doctor`: what works on this machine."""

import importlib.metadata
import math
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from citysim.cli.console import emit, megabytes
from citysim.cli.options import Json, Quiet

_LIBRARIES = (
    "numpy", "numba", "trimesh", "pyrender-maintained", "pybullet", "py3dtiles", "pyproj", "networkx", "gymnasium",
    "pillow", "shapely", "scipy", "osmium", "pyrosm", "dracopy", "meshopt", "opengl_basisu",
)  # fmt: skip


def doctor(
    prune_cache: Annotated[
        bool, typer.Option("--prune", help="First remove from the cache what no city of the last hour uses.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show versions, the renderers and physics that work here, caches and the compile cache.

    Decoded cities take at most CITYSIM_CACHE_GB (20; 'none' for no limit): those used longest ago go first.
    Example: citysim doctor --prune --json
    """
    from citysim import __version__
    from citysim.city.pruning import budget_bytes
    from citysim.storage import cache_dir

    budget = budget_bytes()
    freed = _prune(cache_dir()) if prune_cache else 0

    found: dict[str, Any] = {
        "citysim": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "renderers": {"raster": _raster(), "gl": _gl()},
        "physics": {"bullet": _bullet(), "native": "works (numba, no library needed)"},
        "cache": {"folder": str(cache_dir()), **_sizes(cache_dir())},
        "cache_budget_bytes": budget if math.isfinite(budget) else None,
        "freed_bytes": freed,
        "compile_cache": _compile_cache(),
    }
    lines = [f"citysim {found['citysim']}, Python {found['python']}, {found['cpus']} CPUs, {found['platform']}", ""]
    lines += [f"  {name:<20} {version or 'not installed'}" for name, version in found["libraries"].items()]
    lines += ["", *(f"renderer {name:<8} {state}" for name, state in found["renderers"].items())]
    lines += [f"physics  {name:<8} {state}" for name, state in found["physics"].items()]
    sizes = ", ".join(f"{k} {megabytes(v)}" for k, v in found["cache"].items() if k != "folder") or "empty"
    lines += [f"cache    {found['cache']['folder']} ({sizes})", f"compiled {found['compile_cache']['state']}"]
    if prune_cache:
        lines.append(f"pruned   {megabytes(freed)} freed")
    emit(found, lines, as_json=as_json, quiet=quiet)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _raster() -> str:
    return "works (numba, no driver needed)" if _version("numba") else "needs numba: pip install numba"


def _bullet() -> str:
    return "works" if _version("pybullet") else "needs PyBullet: pip install 'citysim[bullet]'"


def _gl() -> str:
    """The GL_RENDERER of an offscreen context, asked in a process of its own: a broken driver may end it."""
    code = "from citysim.render.gl import probe; print(probe())"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "does not answer within 60 s; the raster renderer needs no driver"
    if done.returncode == 0 and done.stdout.strip():
        return f"works ({done.stdout.strip().splitlines()[-1]})"
    reason = (done.stderr.strip().splitlines() or ["the driver ended the process"])[-1]
    return f"not here: {reason.split('DependencyError: ')[-1]}"


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes under each sub-folder of the cache."""
    if not folder.is_dir():
        return {}
    return {
        child.name: sum(f.stat().st_size for f in child.rglob("*") if f.is_file())
        for child in sorted(folder.iterdir())
        if child.is_dir()
    }


def _prune(folder: Path) -> int:
    """Remove decoded cities, and what older versions of citysim left; gives the bytes freed."""
    from citysim.city.cache import DECODER
    from citysim.city.pruning import prune, remove, size_of
    from citysim.crowd.streets import MEASURER
    from citysim.geometry.bvhcache import BUILDER

    kept = {f"bvh-{BUILDER}", f"crowd-{MEASURER}"}
    old = [f for name in ("bvh-*", "crowd-*") for f in sorted(folder.glob(name)) if f.name not in kept]
    old += [f for f in sorted(folder.glob("chunks/*-*")) if f.name[-2:] != f"-{DECODER}" and len(f.name) > 32]
    freed = 0
    for path in old:
        size = size_of(path)
        freed += size if remove(path) else 0
    return freed + prune(0.0)


def _compile_cache() -> dict[str, Any]:
    """Whether numba's compiled functions of this installation are on disk."""
    import citysim

    roots = [Path(str(citysim.__file__)).resolve().parent]
    if os.environ.get("NUMBA_CACHE_DIR"):
        roots.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    files = [f for root in roots if root.is_dir() for f in root.rglob("*.nbc")]
    state = f"{len(files)} functions on disk" if files else "nothing yet: the first frame compiles for some seconds"
    return {"functions": len(files), "bytes": sum(f.stat().st_size for f in files), "state": state}
