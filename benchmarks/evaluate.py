"""What evaluating costs beside the simulation itself, and what a second worker gives.

``python -m citysim.benchmarks.evaluate [CITY]`` prints both ratios. The simulation's time is what an environment spends
in steps and pictures; the overhead is everything else of an episode but the agent's thinking: making goals and worlds
ready, judging again for the line, and writing files.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from citysim.benchmarks.rows import Progress, Row
from citysim.catalog import load_city
from citysim.runs.evaluate import evaluate
from citysim.tasks.suites import load_suite

EPISODES = 8


def rows(progress: Progress, city_name: str = "mini") -> Iterator[Row]:
    """`evaluation_overhead` in percent of the simulation's time, and `two_workers` as a multiple of one worker's rate.

    The agent is "random", which sees its pictures and uses all of its actions; times of one worker are those of its
    second run, when what is compiled and cached is there.
    """
    city = load_city(city_name)
    suite = load_suite("starter", city, 0)

    def run(folder: Path, workers: int) -> float:
        begun = time.perf_counter()
        evaluate(
            suite, city, "random", out=folder, workers=workers, executor="process", limit=EPISODES, progress=False,
            pictures=False,
        )  # fmt: skip
        return time.perf_counter() - begun

    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        progress(f"{EPISODES} episodes, once to warm up ...")
        run(root / "warm", 1)
        progress("one worker ...")
        alone = run(root / "one", 1)
        yield Row("evaluation_overhead", 100.0 * overhead(root / "one" / "timings.jsonl"), "% of the simulation")
        progress("two workers ...")
        yield Row("two_workers", alone / run(root / "two", 2), "times one worker")


def overhead(timings: Path) -> float:
    """Seconds of episodes that are neither simulation nor agent, as a share of the simulation's."""
    lines = [json.loads(text) for text in timings.read_text(encoding="utf-8").splitlines()]
    simulated = sum(line["world_s"] + line["observe_s"] for line in lines)
    others = sum(line["wall_s"] - line["agent_s"] for line in lines) - simulated
    return others / simulated if simulated > 0.0 else 0.0


if __name__ == "__main__":
    for row in rows(lambda text: print(text, file=sys.stderr), *sys.argv[1:2]):
        print(f"{row.name:<22} {row.value:8.2f} {row.unit}")
