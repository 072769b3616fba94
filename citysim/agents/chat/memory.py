"""Memory: what of an episode goes into the next request: the latest turns whole, earlier ones as lines of text."""

from dataclasses import dataclass, field

from citysim.agents.chat.prompts import task_text
from citysim.agents.chat.wire import Message, Picture, user
from citysim.storage import canonical_json

LINE = 160
"""Characters kept of an earlier turn."""


@dataclass(slots=True)
class Turn:
    """What was seen (`text` and `picture`), and what was answered to it (None while the answer is awaited)."""

    text: str
    picture: Picture | None
    answer: Message | None = None
    call_id: str = ""
    line: str = ""


@dataclass(slots=True)
class Memory:
    """Turns of one episode. A tool call's result is the text of the turn after it, its picture a user's message."""

    system: str
    instruction: str
    max_turns: int
    max_images: int
    note: str = ""
    turns: list[Turn] = field(default_factory=list)

    def see(self, text: str, picture: Picture | None) -> None:
        """A new turn begins."""
        self.turns.append(Turn(text, picture))
        keep = self.max_images
        for turn in self.turns[: max(len(self.turns) - keep, 0)]:
            turn.picture = None

    def answered(self, message: Message, call_id: str, action: object, said: str) -> None:
        """The turn under way was answered."""
        turn = self.turns[-1]
        turn.answer, turn.call_id = message, call_id
        told = " ".join(said.split())[:LINE]
        turn.line = f"{len(self.turns)}. {_short(action)}" + (f" - {told}" if told else "")

    def messages(self) -> list[Message]:
        """The messages of the next request."""
        first = max(len(self.turns) - self.max_turns, 0)
        earlier = "\n".join(turn.line for turn in self.turns[:first])
        made: list[Message] = [{"role": "system", "content": self.system}]
        made.append(user(task_text(self.instruction, earlier, self.note)))
        call_id = ""
        for turn in self.turns[first:]:
            if call_id:
                made.append({"role": "tool", "tool_call_id": call_id, "content": turn.text})
                if turn.picture is not None:
                    made.append(user("What you see now:", turn.picture))
            else:
                made.append(user(turn.text, *([turn.picture] if turn.picture is not None else [])))
            if turn.answer is not None:
                made.append(turn.answer)
            call_id = turn.call_id
        return made


def _short(action: object) -> str:
    try:
        return canonical_json(action)[:LINE]
    except (TypeError, ValueError):
        return str(action)[:LINE]
