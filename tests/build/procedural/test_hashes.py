"""The same bytes everywhere: embedded cities have the content hashes of the committed table."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from citysim.build.make import GENERATOR_VERSION
from citysim.build.procedural import PRESETS
from tests.build.procedural.hashes import ROWS, TABLE, hash_of, table

QUICK = [("mini", 0, 200.0), ("harbour", 0, 200.0)]
REST = [row for row in ROWS if row not in QUICK]
ROOT = Path(__file__).resolve().parents[3]


def test_the_table_is_of_this_generator() -> None:
    import json

    assert json.loads(TABLE.read_text())["generator_version"] == GENERATOR_VERSION
    assert {row[0] for row in table()} == set(PRESETS)


@pytest.mark.parametrize("row", QUICK, ids=str)
def test_small_cities_have_their_hashes(row: tuple[str, int, float], tmp_path: Path) -> None:
    assert hash_of(row, tmp_path) == table()[row]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("row", REST, ids=str)
def test_all_cities_have_their_hashes(row: tuple[str, int, float], tmp_path: Path) -> None:
    assert hash_of(row, tmp_path) == table()[row]


@pytest.mark.parametrize(
    "setting", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "77", "NUMBA_CPU_NAME": "generic"}], ids=str
)
def test_another_process_makes_the_same_city(setting: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.build.procedural.hashes", "mini", "0", "200"],
        cwd=ROOT, env=os.environ | setting, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    assert run.stdout.split()[-1] == table()[("mini", 0, 200.0)]
