"""ChatAgent: a model behind an OpenAI-compatible endpoint that reasons, acts and remembers in text."""

from pathlib import Path
from typing import Any

from citysim.agents.base import AgentContext, AgentSpec
from citysim.agents.chat.cassette import Cassette
from citysim.agents.chat.endpoint import Endpoint
from citysim.agents.chat.memory import Memory
from citysim.agents.chat.parsing import Choice, choice_of
from citysim.agents.chat.prompts import REFLECT, again_text, system_text, turn_text
from citysim.agents.chat.tools import tools_in
from citysim.agents.chat.usage import Usage
from citysim.agents.chat.wire import Message, Picture, user
from citysim.agents.options import AgentOptions
from citysim.tasks.episode import Observation
from citysim.tasks.text import encodable


class ChatAgent:
    """One request a turn: the task, the latest turns, the picture; the answer's one action is taken.

    Malformed output is told to the model and asked for again, `retries` times; what is malformed after that is handed
    to the episode, which refuses and counts it. `said` are the model's words, `usage` what the episode cost so far.
    """

    def __init__(self, model: str, options: AgentOptions) -> None:
        """Raises InputError where key, cassette or model are missing."""
        self.spec = AgentSpec(f"chat:{model}", deterministic=options.replays)
        self.model, self.options = model, options
        cassette = Cassette(Path(options.cassette), options.cassette_mode) if options.cassette else None
        self._endpoint = Endpoint(options, cassette)
        self._usage = Usage()
        self.said = ""

    @property
    def usage(self) -> dict[str, float]:
        """Calls, tokens, seconds and dollars of this episode so far."""
        return self._usage.to_json()

    def begin(self, context: AgentContext) -> None:
        """Forget the last episode."""
        options = self.options
        system = system_text(context.limits.actions, options.json_mode)
        self._memory = Memory(system, context.instruction, options.max_turns, options.max_images)
        self._usage = Usage()
        self._id = ""
        self.said = ""

    def act(self, observation: Observation) -> Any:
        """Ask for the next action, or for the answer."""
        rgb, options = observation.rgb, self.options
        wanted = rgb is not None and options.max_images > 0
        self._memory.see(turn_text(observation), Picture.of(rgb) if wanted and rgb is not None else None)
        if options.reflect_every and observation.step and observation.step % options.reflect_every == 0:
            self._reflect(observation)
        choice = self._chosen(observation)
        self.said = choice.said
        self._memory.answered(choice.message, choice.call_id, choice.action, choice.said)
        return choice.action

    def close(self) -> None:
        """Give the connection back."""
        self._endpoint.close()

    def _chosen(self, observation: Observation) -> Choice:
        messages = self._memory.messages()
        for tried in range(self.options.retries + 1):
            answer = self._ask(messages, observation, tools=True)
            choice = choice_of(answer, observation.mode)
            if not choice.wrong:
                break
            self._usage.malformed += 1
            if tried < self.options.retries:
                told = again_text(choice.wrong, self.options.json_mode)
                back: Message = {"role": "tool", "tool_call_id": choice.call_id, "content": told}
                messages = [*messages, choice.message, back if choice.call_id else user(told)]
        return choice

    def _reflect(self, observation: Observation) -> None:
        answer = self._ask([*self._memory.messages(), user(REFLECT)], observation, tools=False)
        content = choice_of(answer, "answer").message.get("content")
        if content:
            self._memory.note = encodable(" ".join(str(content).split())[:600])

    def _ask(self, messages: list[Message], observation: Observation, *, tools: bool) -> dict[str, Any]:
        options = self.options
        body: Message = {"model": self.model, "messages": messages}
        if options.max_tokens:
            body["max_tokens"] = options.max_tokens
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if tools and options.json_mode:
            body["response_format"] = {"type": "json_object"}
        elif tools:
            body["tools"] = tools_in(observation.mode)
        about = f"{self.model}, action {observation.step + 1} of {observation.instruction[:80]!r}"
        return self._endpoint.ask(body, about, self._usage)
