"""The layout that the user fixed and the packaging depends on."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def in_checkout() -> bool:
    return (ROOT / "pyproject.toml").is_file() and (ROOT / "citysim").is_dir()


pytestmark = pytest.mark.skipif(not in_checkout(), reason="needs a source checkout")


@pytest.mark.parametrize("name", ["benchmarks", "envs", "tasks"])
def test_links_resolve_to_the_top_level_folders(name: str) -> None:
    link = ROOT / "citysim" / name
    assert link.is_symlink()
    assert link.resolve() == ROOT / name
    assert (link / "__init__.py").is_file()


def test_every_fixed_folder_is_there() -> None:
    for name in ("citysim", "citysim/render", "citysim/physics", "citysim/geo", "envs", "tasks", "benchmarks", "tests"):
        assert (ROOT / name).is_dir(), name


def test_the_wheel_holds_citysim_alone(tmp_path: Path) -> None:
    code = (
        "import os, sys; os.chdir(sys.argv[1]);"
        "from hatchling.builders.wheel import WheelBuilder;"
        "print(next(iter(WheelBuilder(sys.argv[1]).build(directory=sys.argv[2], versions=['standard']))))"
    )
    subprocess.run([sys.executable, "-c", code, str(ROOT), str(tmp_path)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"citysim"}
    for needed in ("envs/registration.py", "tasks/__init__.py", "benchmarks/rows.py", "py.typed"):
        assert f"citysim/{needed}" in names


def test_imports_point_down() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_stay_small() -> None:
    files = [f for top in ("citysim", "envs", "tasks") for f in (ROOT / top).rglob("*.py") if not f.is_symlink()]
    too_long = {str(f.relative_to(ROOT)): n for f in files if (n := len(f.read_text().splitlines())) > 400}
    assert not too_long


def test_importing_citysim_loads_nothing_heavy() -> None:
    code = (
        "import sys, citysim; from citysim.cli.app import app;"
        "heavy = {'numba', 'gymnasium', 'pybullet', 'trimesh', 'pyrender', 'pyproj', 'networkx', 'PIL', 'scipy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_module_can_be_the_first_import() -> None:
    # Each in a fork of a bare interpreter: circular imports show only when another module comes first.
    files = [f for f in (ROOT / "citysim").rglob("*.py") if f.name != "__main__.py"]
    names = sorted(".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for f in files)
    code = (
        "import importlib, os, sys\n"
        "import gymnasium, networkx, numba, PIL.Image, pydantic, scipy.spatial, shapely, trimesh, typer\n"
        "for name in sys.argv[1:]:\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        try:\n"
        "            importlib.import_module(name)\n"
        "        except ImportError as error:\n"
        "            print(name, error, flush=True)\n"
        "        os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "", done.stdout
    assert len(names) > 250
