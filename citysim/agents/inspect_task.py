"""A suite as a task of Inspect (inspect-ai): its models, logs and limits, our episodes and judges.

In a file of one's own::

    from inspect_ai import task
    from citysim.agents.inspect_task import suite_task

    @task
    def starter():
        return suite_task("starter", city="mini", limit=10)

then ``inspect eval FILE --model openai/gpt-4o``. Needs the extra [inspect].
"""

from collections.abc import Sequence
from typing import Any

from citysim.agents.chat.parsing import choice_of
from citysim.agents.chat.prompts import again_text, system_text, task_text, turn_text
from citysim.agents.chat.wire import Picture
from citysim.catalog import load_city
from citysim.city import City
from citysim.errors import DependencyError
from citysim.render import make_renderer
from citysim.tasks.episode import Episode, Limits, Observation
from citysim.tasks.facts import episode_metrics
from citysim.tasks.playing import episode_of
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.suites import load_suite
from citysim.world import World

EARLIER_TURNS = 20
"""Turns that a model is reminded of; only the latest has its picture."""
RETRIES = 2


def suite_task(
    suite: Suite | str,
    city: City | str | None = None,
    *,
    ids: str | Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    renderer: str = "raster",
    physics: str | None = None,
    image_size: tuple[int, int] = (320, 240),
    actions: int | None = None,
) -> Any:
    """An `inspect_ai.Task` with one sample an instance; the score is success, the metadata the episode's metrics.

    `suite` and `city` as in `citysim eval`; cities of the instances are loaded by name where `city` is None. Models are
    asked for JSON, so that those without tools can play; malformed output is asked for again twice. Episodes do not
    await anything while they are simulated, so samples of one process take turns. Raises DependencyError without
    inspect-ai, InputError and StorageError as loading suites and cities does.
    """
    try:
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset, Sample
    except ImportError:
        raise DependencyError("the library inspect-ai", "none", "pip install 'citysim[inspect]'") from None
    given = load_city(city) if isinstance(city, str) else city
    loaded = load_suite(suite, given, seed) if isinstance(suite, str) else suite
    chosen = loaded.select(ids, limit)
    places = {} if given is None else {given.content_sha256: given}
    for instance in chosen:
        if instance.city_sha256 not in places:
            found = given if given is not None else load_city(instance.city)
            loaded.check_city(found, [instance])
            places[instance.city_sha256] = found
    limits = Limits(image_size=image_size) if actions is None else Limits(actions, image_size)
    known = {instance.id: instance for instance in chosen}
    samples = [
        Sample(input=i.instruction, target="success", id=i.id, metadata={"type": i.type, "level": i.level})
        for i in chosen
    ]
    return Task(
        dataset=MemoryDataset(samples, name=loaded.name),
        solver=_walker(known, places, renderer, physics, limits),
        scorer=_verdict(),
        name=loaded.name,
        metadata={"suite_sha256": loaded.sha256, "renderer": renderer},
    )


def _walker(
    instances: dict[str, Instance], cities: dict[str, City], renderer: str, physics: str | None, limits: Limits
) -> Any:
    """The solver: one episode a sample."""
    from inspect_ai.solver import Generate, TaskState, solver

    @solver(name="citysim_walker")
    def walker() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            instance = instances[str(state.sample_id)]
            city = cities[instance.city_sha256]
            drawing, world = make_renderer(renderer, city), World(city, physics=physics)
            try:
                episode = episode_of(world, drawing, instance, limits=limits)
                await _play(episode, state)
                state.store.set("citysim", _outcome(episode, instance))
            finally:
                drawing.close()
                world.close()
            state.completed = True
            return state

        return solve

    return walker()


async def _play(episode: Episode, state: Any) -> None:
    """Turn by turn until the episode is done; what was said stands in the sample's messages."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    system = ChatMessageSystem(content=system_text(episode.limits.actions, True))
    state.messages = [system]
    earlier: list[str] = []
    while not episode.done:
        seen = episode.observe()
        task = task_text(seen.instruction, "\n".join(earlier[-EARLIER_TURNS:]), "")
        messages: list[Any] = [system, ChatMessageUser(content=_shown(f"{task}\n\n{turn_text(seen)}", seen))]
        for _ in range(RETRIES + 1):
            answer = await _generated(messages)
            choice = choice_of({"choices": [{"message": {"content": answer}}]}, seen.mode)
            if not choice.wrong:
                break
            messages += [
                ChatMessageAssistant(content=answer), ChatMessageUser(content=again_text(choice.wrong, True)),
            ]  # fmt: skip
        record = episode.act(choice.action, said=choice.said)
        earlier.append(f"{record.index}. {record.action}" + (f" (refused: {record.invalid})" if record.invalid else ""))
        state.messages += [ChatMessageUser(content=turn_text(seen)), ChatMessageAssistant(content=answer)]


async def _generated(messages: list[Any]) -> str:
    from inspect_ai.model import get_model

    output = await get_model().generate(messages)
    return str(output.completion)


def _shown(text: str, seen: Observation) -> Any:
    """Words, and the picture where there is one."""
    from inspect_ai.model import ContentImage, ContentText

    if seen.rgb is None:
        return text
    return [ContentText(text=text), ContentImage(image=Picture.of(seen.rgb).url)]


def _outcome(episode: Episode, instance: Instance) -> dict[str, Any]:
    measured = episode_metrics(episode.start, episode.goal, episode.verdict, episode.records, instance.clock_s)
    return {"success": episode.verdict.success, "stop_reason": episode.stop_reason, **measured}


def _verdict() -> Any:
    """The scorer: 1 for a success of our judge."""
    from inspect_ai.scorer import Score, Target, accuracy, scorer, stderr
    from inspect_ai.solver import TaskState

    @scorer(metrics=[accuracy(), stderr()], name="citysim_verdict")
    def verdict() -> Any:
        async def score(state: TaskState, target: Target) -> Score:
            outcome: dict[str, Any] = state.store.get("citysim", {})
            told = f"{outcome.get('stop_reason')} after {outcome.get('steps')} actions"
            return Score(value=float(bool(outcome.get("success"))), explanation=told, metadata=outcome)

        return score

    return verdict()
