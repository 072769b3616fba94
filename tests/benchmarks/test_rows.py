"""Rows of benchmarks, and the command that shows them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citysim.benchmarks import rows as framework
from citysim.benchmarks.rows import Progress, Row, bench, machine, names
from citysim.cli import run
from citysim.errors import SimulationFault, UnknownNameError


@pytest.mark.parametrize(
    ("value", "unit", "other", "ratio"),
    [(2.0, "ms", 6.0, 3.0), (600.0, "frames/s", 200.0, 3.0), (50.0, "MB", 25.0, 0.5), (4.0, "x", 2.0, 2.0)],
)
def test_ratio_is_times_better_whatever_the_unit(value: float, unit: str, other: float, ratio: float) -> None:
    assert Row("a", value, unit, "peer", other).ratio == pytest.approx(ratio)


def test_no_ratio_without_a_peer() -> None:
    assert Row("a", 1.0, "s", "jupedsim").ratio is None
    assert Row("a", 0.0, "s", "jupedsim", 1.0).ratio is None


def test_json_has_the_keys_of_the_contract() -> None:
    shown = Row("a", 1 / 3, "s", "p", 2 / 3).as_json()
    assert shown == {"name": "a", "value": 0.3333, "unit": "s", "peer": "p", "peer_value": 0.6667, "ratio": 2.0}


def test_the_machine_is_described_without_its_name() -> None:
    import platform

    facts = machine()
    assert set(facts) == {"cpu", "cores", "system", "python", "numpy", "numba", "load_average"}
    assert platform.node() not in json.dumps(facts)


def test_every_name_is_a_bench() -> None:
    assert names()
    for name in names():
        assert callable(bench(name).rows)
    with pytest.raises(UnknownNameError, match=names()[0]):
        bench("landscape")


class Pretended:
    """A bench of known rows."""

    def rows(self, progress: Progress) -> Iterator[Row]:
        progress("jupedsim is not installed")
        yield Row("walk", 2.0, "ms", "jupedsim", 8.0)
        yield Row("run", 3.0, "ms", "nobody")
        if self.broken:
            raise SimulationFault("a rest", "a fault", "again")

    broken = False


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Pretended:
    made = Pretended()
    monkeypatch.setattr("citysim.cli.bench.bench", lambda name: made)
    monkeypatch.setattr("citysim.cli.bench.names", lambda: ["only"])
    return made


def test_the_command_prints_a_table(pretended: Pretended, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench"]) == 0
    out, err = capsys.readouterr()
    assert "jupedsim is not installed" in err
    walk, again = out.splitlines()[-2:]
    assert walk.split() == ["walk", "2", "ms", "jupedsim", "8", "4"]
    assert "nobody (not here)" in again


def test_the_command_prints_json(pretended: Pretended, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "only", "--json", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    shown = json.loads(out)
    assert list(shown) == ["machine", "rows"]
    assert [row["ratio"] for row in shown["rows"]] == [4, None]


def test_rows_before_a_fault_are_kept(pretended: Pretended, capsys: pytest.CaptureFixture[str]) -> None:
    pretended.broken = True
    assert run(["bench", "--json"]) == 1
    out, err = capsys.readouterr()
    assert len(json.loads(out)["rows"]) == 2
    assert "a fault" in err


def test_an_unknown_name_lists_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "nosuch"]) == 2
    assert ", ".join(sorted(names())) in capsys.readouterr().err


def test_names_that_are_not_here_are_not_advertised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "env.py").touch()
    monkeypatch.setattr(framework, "__file__", str(tmp_path / "rows.py"))
    assert framework.names() == ["env"]


def test_the_command_works_from_any_folder(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "citysim", "bench", "nosuch"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 2
