"""An oracle-backed brain: it answers as a recorded run acted, so that a stub plays whole suites rightly."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from citysim.agents.stub.brains import as_asked, spoken
from citysim.agents.stub.server import Brain, Reply
from citysim.errors import InputError

_ACTION = re.compile(r"Action (\d+) of \d+\. Clock ([0-9:]+), .* You face (\d+) degrees")
_TASK = re.compile(r"Your task: (.*?)(?:\n\nWhat you did before:|\n\nYour note to yourself:|\Z)", re.DOTALL)


def replaying(run: Path) -> Brain:
    """Answers with the actions of a run folder (an oracle's), found by the task's words and the number of the action.

    Where several instances have the same words, it goes by the heading that the request tells. Stateless: any number of
    agents may ask at once. Raises InputError where the folder has no steps.
    """
    try:
        instances = [json.loads(line) for line in (run / "instances.jsonl").read_text("utf-8").splitlines()]
    except (OSError, ValueError):
        raise InputError("a run folder", f"'{run}'", "the --out of citysim eval --agent oracle") from None
    plays: defaultdict[str, list[list[dict[str, Any]]]] = defaultdict(list)
    for instance in instances:
        path = run / "steps" / f"{instance['id']}.jsonl"
        if path.is_file():
            plays[instance["instruction"]].append([json.loads(line) for line in path.read_text("utf-8").splitlines()])

    def brain(request: dict[str, Any]) -> Reply:
        text = "\n".join(_texts(request))
        task, seen = _TASK.search(next(iter(_texts(request, "user")), "")), list(_ACTION.finditer(text))
        if task is None or not seen:
            return spoken("no task in the request")
        index, heading = int(seen[-1][1]) - 1, float(seen[-1][3])
        fitting = [steps for steps in plays[task[1]] if index < len(steps)]
        if not fitting:
            return as_asked(request, {"action": "terminate"}, "nothing was recorded")
        steps = min(fitting, key=lambda steps: _apart(steps[index]["before"]["heading_deg"], heading))
        return as_asked(request, _action(steps[index]["action"]), f"recorded as action {index + 1}")

    return brain


def _action(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {"answer": value}


def _apart(a: float, b: float) -> float:
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _texts(request: dict[str, Any], role: str = "") -> list[str]:
    found: list[str] = []
    for message in request["messages"]:
        if role and message.get("role") != role:
            continue
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"text": content}]
        found += [str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text")]
    return found
