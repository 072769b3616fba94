"""What evaluating costs beside the simulation itself, and what a second worker gives.

``citysim bench evaluate``, or ``python -m citysim.benchmarks.evaluate [CITY]``.

The environment's time is what an environment of one's own would spend as well: resets, steps and pictures. Overhead is
everything else of an episode but the agent's thinking: judging again for the line, and writing files. The agent is
"random": it uses all of its actions and asks for no pictures, so that the environment's time, and with it what overhead
is measured by, is as small as it gets.

Two workers are compared with one on the same 60 episodes, twice: whole runs from the call to the written summary, with
starting processes, importing and opening the city; and while they run, from the first episode that every worker has
finished to the last one.
"""

import dataclasses
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from citysim.benchmarks.rows import Progress, Row
from citysim.catalog import load_city
from citysim.city import City
from citysim.runs.evaluate import evaluate
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite

SEEDS = (0, 1, 2)


def rows(progress: Progress, city_name: str = "mini") -> Iterator[Row]:
    """Overhead in percent of the environment's time, and episodes a second of two workers beside one."""
    city = load_city(city_name)
    suite = many(city)
    count = len(suite.instances)

    def run(folder: Path, workers: int, limit: int) -> float:
        begun = time.perf_counter()
        evaluate(
            suite, city, "random", out=folder, workers=workers, executor="process", limit=limit, progress=False,
            pictures=False,
        )  # fmt: skip
        return time.perf_counter() - begun

    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        progress("four episodes to warm up ...")
        run(root / "warm", 2, 4)
        progress(f"{count} episodes, one worker ...")
        alone = run(root / "one", 1, count)
        timings = [json.loads(text) for text in (root / "one" / "timings.jsonl").read_text("utf-8").splitlines()]
        yield Row("evaluation_overhead", overhead(timings), "%")
        yield Row("evaluation_overhead_with_resets", overhead(timings, resets=True), "%")
        progress(f"{count} episodes, two workers ...")
        together = run(root / "two", 2, count)
        yield Row("two_workers_whole_run", count / together, "episodes/s", "one_worker", count / alone)
        rates = [running(root / name, workers) for name, workers in (("two", 2), ("one", 1))]
        yield Row("two_workers_running", rates[0], "episodes/s", "one_worker", rates[1])


def many(city: City) -> Suite:
    """The starter suites of several seeds as one."""
    drawn = [(seed, instance) for seed in SEEDS for instance in load_suite("starter", city, seed).instances]
    instances = tuple(dataclasses.replace(instance, id=f"{instance.id}-{seed}") for seed, instance in drawn)
    return Suite("starter-many", "1", instances)


def overhead(timings: Sequence[dict[str, float]], resets: bool = False) -> float:
    """Percent of the environment's time that episodes spend beside it and the agent; resets count where asked for."""
    environment = sum(line["world_s"] + line["observe_s"] + (0.0 if resets else line["reset_s"]) for line in timings)
    others = sum(line["wall_s"] - line["agent_s"] for line in timings) - environment
    return 100.0 * others / environment if environment > 0.0 else 0.0


def running(run: Path, workers: int) -> float:
    """Episodes a second between the first one that every worker has finished and the last, by their files' times."""
    ended = sorted(path.stat().st_mtime for path in (run / "steps").glob("*.jsonl"))
    return (len(ended) - workers) / max(ended[-1] - ended[workers - 1], 1e-9)


def main() -> None:
    """Print the rows."""
    for row in rows(lambda text: print(text, file=sys.stderr), *sys.argv[1:2]):
        beside = f"  {row.peer} {row.peer_value:.3f}, {row.ratio:.2f} times" if row.peer_value and row.ratio else ""
        print(f"{row.name:<32} {row.value:8.3f} {row.unit}{beside}")


if __name__ == "__main__":
    main()
