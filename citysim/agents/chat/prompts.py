"""What the model is told."""

from citysim.agents.chat.tools import PARAMETERS, listed
from citysim.tasks.episode import Observation

SYSTEM = """You walk through a city as a pedestrian and see it through your own eyes: one picture a turn. \
Each turn take exactly one action. You have {actions} actions; refused ones count too.
Headings are degrees clockwise from north. Walking goes on for the seconds you give, at most 2. Streets may have \
stairs, bridges and closed parts; signs carry names. Nobody tells you how far the goal is.
For a question, look until you are sure, then terminate; the answer is asked for after that.
"""
TOOLS = "Take the action by calling exactly one of the tools. Give your reason in a sentence or two."
JSON = """Answer with one JSON object and nothing else:
{{"observation": "what you see", "reason": "why", "action": {{"action": "move", "dir": "forward", "seconds": 2}}}}
On the street: move, sprint, look, jump, open_map. While the map is open: map_select, map_pan, map_zoom, map_orbit, \
close_map. Always: terminate. When the answer is asked for: {{"answer": "B"}}.
{actions}"""
REFLECT = (
    "Take no action now. In at most 80 words write a note to yourself: what you have learned about this place and this "
    "task, what did not work, and what to do next. Answer with the note alone."
)


def system_text(actions: int, json_mode: bool) -> str:
    """The system message for a budget of `actions`."""
    how = JSON.format(actions=listed(tuple(PARAMETERS))) if json_mode else TOOLS
    return SYSTEM.format(actions=actions) + how


def task_text(instruction: str, earlier: str, note: str) -> str:
    """The first user message: the task, what was done in turns that are no longer shown, and the note to itself."""
    parts = [f"Your task: {instruction}"]
    if earlier:
        parts.append(f"What you did before:\n{earlier}")
    if note:
        parts.append(f"Your note to yourself: {note}")
    return "\n\n".join(parts)


def turn_text(seen: Observation) -> str:
    """An observation in words; exactly what the observation holds."""
    lines = [
        f"Action {seen.step + 1} of {seen.step + seen.steps_left}. Clock {seen.time}, {seen.weather}. "
        f"You face {seen.heading_deg:.0f} degrees, pitch {seen.pitch_deg:.0f}.",
    ]
    lines += [f"Notice: {notice}" for notice in seen.notices]
    if seen.status:
        lines.append(f"Status: {seen.status}")
    if seen.mode == "map":
        lines.append("The map is open.")
    if seen.mode == "answer":
        listed = " ".join(f"{letter}) {text}" for letter, text in zip("ABCD", seen.options, strict=False))
        lines.append(f"Now answer the question with a letter: {listed}")
    return "\n".join(lines)


def again_text(wrong: str, json_mode: bool) -> str:
    """What is said after malformed output."""
    how = "Answer with one JSON object as described." if json_mode else "Call exactly one of the tools."
    return f"That could not be used: {wrong}. {how}"
