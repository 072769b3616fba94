"""Options of `citysim eval` for agents that talk to a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from citysim.cli.options import parse_numbers

if TYPE_CHECKING:
    from citysim.agents.options import AgentOptions

BaseUrl = Annotated[str, typer.Option("--base-url", help="chat: the endpoint up to /v1; OpenAI's where none is given.")]
ApiKeyEnv = Annotated[str, typer.Option("--api-key-env", help="chat: the environment variable that holds the key.")]
Cassette = Annotated[Path | None, typer.Option("--cassette", help="chat: a file of recorded answers.")]
CassetteMode = Annotated[str, typer.Option("--cassette-mode", help="chat: record or replay.")]
MaxImages = Annotated[int, typer.Option("--max-images", min=0, help="chat: how many of the latest pictures it sees.")]
MaxTurns = Annotated[int, typer.Option("--max-turns", min=1, help="chat: how many turns it sees whole.")]
JsonMode = Annotated[bool, typer.Option("--json-mode", help="chat: ask for JSON in the place of tool calls.")]
ReflectEvery = Annotated[
    int, typer.Option("--reflect-every", min=0, help="chat: a note to itself after so many actions; 0 for none.")
]
Retries = Annotated[int, typer.Option("--retries", min=0, help="chat: how often malformed output is asked for again.")]
Deadline = Annotated[float, typer.Option("--deadline", help="chat: seconds for one answer, rate limits included.")]
Temperature = Annotated[float | None, typer.Option("--temperature", help="chat: passed on where given.")]
Price = Annotated[
    str | None, typer.Option("--price", help="chat: IN,OUT dollars for a million tokens, to count costs.")
]


def options_of(
    base_url: str, api_key_env: str, cassette: Path | None, cassette_mode: str, max_images: int, max_turns: int,
    json_mode: bool, reflect_every: int, retries: int, deadline: float, temperature: float | None, price: str | None,
) -> "AgentOptions":  # fmt: skip
    """The options as agents take them; raises InputError for those that cannot be."""
    from citysim.agents.options import AgentOptions

    price_in, price_out = parse_numbers(price, 2, "prices as IN,OUT", "--price 0.15,0.60") if price else (0.0, 0.0)
    return AgentOptions(
        base_url, api_key_env, str(cassette) if cassette is not None else "", cassette_mode, max_images, max_turns,
        json_mode, reflect_every, retries, deadline, temperature, price_in=price_in, price_out=price_out,
    )  # fmt: skip
