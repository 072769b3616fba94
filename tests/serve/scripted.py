"""A scripted model that plays an expert's actions, and an agent of ours that plays the same ones again."""

import re
from typing import Any

from citysim.agents.base import AgentContext, AgentSpec
from citysim.tasks.episode import Observation
from citysim.tasks.suite import Instance

Json = dict[str, Any]
PLAYED: dict[str, list[Any]] = {}
"""Instruction -> actions (and the answer) of the agent `Replayer`."""


class Scripted:
    """Plays a list of actions; it parses schedules by their words and judges searches by the doors it is told of."""

    def __init__(self, instance: Instance, actions: list[Any]) -> None:
        self.instance, self.left = instance, [dict(action) for action in actions]
        self.taken: list[Any] = []
        self.notes: list[str] = []

    def turn(self, mode: str, image: bytes, notes: str) -> Json:
        self.notes.append(notes)
        action: Json = self.left.pop(0) if self.left and "answer" not in self.left[0] else {"action": "terminate"}
        self.taken.append(action)
        return action

    def answer(self, image: bytes) -> str:
        letter = str(self.left.pop(0)["answer"]) if self.left else "A"
        self.taken.append({"answer": letter})
        return letter

    def found(self, request: str, surface: str, image: bytes) -> bool:
        return f"({self.instance.category.replace('_', ' ')})" in surface

    def schedule(self, description: str, stops: int) -> Json:
        now = re.search(r"It is (\d\d:\d\d)", description)
        times = re.findall(r"by (\d\d:\d\d)", description)
        assert len(times) == stops
        return {
            "current_time": now.group(1) if now else None,
            "total_deadline": None,
            "appointments": [{"place": "", "activity": "", "time": time} for time in times],
        }


class Replayer:
    """Our agent that takes the actions of PLAYED."""

    spec = AgentSpec("replayer", sees=False)

    def begin(self, context: AgentContext) -> None:
        self.left = list(PLAYED[context.instruction])

    def act(self, observation: Observation) -> Any:
        return self.left.pop(0)


def replayer() -> Replayer:
    return Replayer()
