"""Scoring from records: an episode's line, and a whole run scored again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.lock import locked
from citysim.runs.summary import RunSummary, summarise
from citysim.storage import write_atomic
from citysim.tasks.facts import episode_metrics, facts_of
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance
from citysim.tasks.suites import judge_of


def episode_line(
    instance: Instance, records: Sequence[StepRecord], suite: str, agent: str, seed: int, fault: str = ""
) -> dict[str, Any]:
    """One line of `episodes.jsonl`, computed from the records alone.

    `seed` is the run's. With a `fault` (text of the failure) the episode is `unscored`: counted apart, not as a zero.
    """
    goal = instance.to_goal()
    start = records[0].before if records else instance.start
    verdict = judge_of(instance.type).judge(facts_of(start, records, goal, instance.clock_s), goal)
    measured = episode_metrics(start, goal, verdict, records, instance.clock_s)
    status = "unscored" if fault else "success" if verdict.success else "failure"
    line = {
        "id": instance.id,
        "suite": suite,
        "type": instance.type,
        "level": instance.level,
        "agent": agent,
        "seed": seed,
        "status": status,
        "stop_reason": "fault" if fault else verdict.reason or "budget",
        **measured,
        "conditions": dict(instance.conditions),
    }
    return line | {"fault": fault} if fault else line


def score(run: Path) -> RunSummary:
    """Score a finished run again from its step records and write `episodes.jsonl` and `summary.json` anew.

    Lines of unscored episodes stay as they are. Raises InputError for what is no finished run, FormatError for
    records that cannot be read, StorageError while another process works on the run.
    """
    folder = RunFolder(run)
    folder.manifest()  # an error of its own where this is no run folder
    with locked(run):
        manifest, lines_before, instances = folder.finished_run()
        lines = []
        for old in lines_before:
            if old["status"] == "unscored":
                lines.append(old)
                continue
            records = folder.steps(old["id"])
            lines.append(episode_line(instances[old["id"]], records, old["suite"], old["agent"], old["seed"]))
        write_atomic(folder.episodes_path, jsonl(lines))
        return write_summary(folder, manifest, lines)


def write_summary(folder: RunFolder, manifest: dict[str, Any], lines: Sequence[dict[str, Any]]) -> RunSummary:
    """Summarise lines, write `summary.json` and return it."""
    summary = RunSummary(folder.path, summarise(lines, manifest))
    write_atomic(folder.summary_path, summary.text())
    return summary
