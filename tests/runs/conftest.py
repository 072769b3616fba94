"""One town on disk and its suite, shared by the tests of runs."""

import json
import shutil
from pathlib import Path

import pytest

from citysim.city import City
from citysim.runs.evaluate import evaluate
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite
from tests.towns import write_town

HOSTILE = '</script><script>document.title = "broken"</script><img src=x onerror="document.title=1">'


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> City:
    return write_town(tmp_path_factory.mktemp("cities") / "grid")


@pytest.fixture(scope="session")
def suite(town: City) -> Suite:
    return load_suite("starter", town, 0)


@pytest.fixture(scope="session")
def mixed_run(town: City, suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Greedy on eight instances: some succeed, some fail."""
    out = tmp_path_factory.mktemp("runs") / "greedy"
    evaluate(suite, town, "greedy", out=out, limit=8, image_size=(64, 48))
    return out


@pytest.fixture
def hostile_run(mixed_run: Path, tmp_path: Path) -> Path:
    """The same run with markup in everything that a model or a map may have written."""
    run = Path(shutil.copytree(mixed_run, tmp_path / "run"))
    instances = [json.loads(line) for line in (run / "instances.jsonl").read_text().splitlines()]
    for instance in instances:
        instance["instruction"] = f"Walk to {HOSTILE} & Söner"
        instance["goal"]["name"] = HOSTILE
    (run / "instances.jsonl").write_text("".join(json.dumps(i) + "\n" for i in instances))
    for path in (run / "steps").glob("*.jsonl"):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for record in records:
            record |= {"said": HOSTILE, "invalid": HOSTILE, "notices": [HOSTILE]}
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return run
