"""The reader: answers questions about names by reading the signs in its first picture; no privileged data."""

from typing import Any

from citysim.agents.base import AgentContext, AgentSpec
from citysim.agents.baselines import RandomAgent
from citysim.agents.matching import best_option
from citysim.agents.reading import TextReader
from citysim.tasks.episode import Observation
from citysim.tasks.parts import LETTERS
from citysim.tasks.seeds import child_rng

LEAST = 0.5
"""Likeness from which an option counts as read; names that have nothing in common stay below."""
MARGIN = 0.001


class ReaderAgent:
    """What OCR alone is worth: reads the first picture and answers with the option that is written there.

    A question for something else than a name, or whose options are not there, is answered by a seeded guess; where
    something has to be reached it walks at random. The engine is made when the first question comes.
    """

    spec = AgentSpec("reader")

    def __init__(self) -> None:
        self._text: TextReader | None = None
        self._walk = RandomAgent()

    def begin(self, context: AgentContext) -> None:
        """Seed the guesses and forget what was read."""
        self._rng = child_rng(context.seed, "reader")
        self._walk.begin(context)
        self._letter = ""
        self.said = ""

    def act(self, observation: Observation) -> Any:
        """Read, declare itself done, answer."""
        if not observation.options:
            return self._walk.act(observation)
        if not self._letter:
            self._letter = self._read(observation)
        return {"answer": self._letter} if observation.mode == "answer" else {"action": "terminate"}

    def _read(self, observation: Observation) -> str:
        if observation.rgb is not None and "name" in observation.instruction.casefold().split():
            self._text = self._text or TextReader()
            lines = self._text.lines(observation.rgb)
            found = best_option(observation.options, lines, LEAST, MARGIN)
            self.said = f"read: {' | '.join(lines)}" if lines else "read nothing"
            if found is not None:
                return LETTERS[found]
        return LETTERS[int(self._rng.integers(len(observation.options)))]
