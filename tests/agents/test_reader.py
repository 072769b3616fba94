"""The reader: names with letter errors are found again, and signs in pictures are read."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from citysim.agents.base import AgentContext
from citysim.agents.matching import best_option, likeness, plain
from citysim.agents.reader import ReaderAgent
from citysim.errors import DependencyError
from citysim.tasks.episode import Limits, Observation

OPTIONS = ("Seven Falcon Tailor", "Hidden Crown Seafood", "Radiant River Homes", "Blue Turtle Noodles")


def test_letters_alone_are_compared() -> None:
    assert plain("Café  N°5, São!") == "cafe n s sao"
    assert plain("1 P0ST") == plain("i post")


@pytest.mark.parametrize(
    ("read", "found"),
    [
        (["Blue Turtle Moodles"], 3),
        (["HIDDEN CROV", "Great Lake"], 1),
        (["RADIANT", "RIVER", "HOMES"], 2),
        (["SevenFa1conTailor", "Golden River Homes"], 0),
        (["長龍地產", "29"], None),
        ([], None),
    ],
)
def test_the_option_that_is_written_there_is_found(read: list[str], found: int | None) -> None:
    assert best_option(OPTIONS, read, 0.5, 0.001) == found


def test_a_name_on_one_sign_counts_more_than_its_words_on_several() -> None:
    read = ["Falcon Gifts", "Old Tailor", "Seven Banners", "Iron Crane Cycles"]
    assert likeness("Iron Crane Cycles", read) > likeness("Seven Falcon Tailor", read)


def test_signs_are_read_and_everything_else_is_a_seeded_guess() -> None:
    picture = Image.new("RGB", (640, 480), "#8090a0")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((180, 200, 460, 250), fill="#103010")
    draw.text((200, 208), "Radiant River Homes", fill="white", font=ImageFont.load_default(26))
    rgb = np.asarray(picture)
    agent = ReaderAgent()

    def played(instruction: str, seed: int) -> tuple[object, object]:
        seen = Observation(rgb, instruction, 0.0, 0.0, "14:00:00", "sunny", 0, 100, options=OPTIONS)
        agent.begin(AgentContext(instruction, Limits(), seed))
        first = agent.act(seen)
        late = Observation(None, instruction, 0.0, 0.0, "14:00:00", "sunny", 1, 99, "answer", options=OPTIONS)
        return first, agent.act(late)

    try:
        answers = {str(played("What is the name of the shop in the picture?", seed)) for seed in range(2)}
    except DependencyError as error:
        pytest.skip(str(error))
    assert answers == {str(({"action": "terminate"}, {"answer": "C"}))}
    assert "Radiant" in agent.said
    guesses = [played("What colour is the car?", seed)[1] for seed in range(30)]
    assert len({str(guess) for guess in guesses}) == 4
    assert guesses == [played("What colour is the car?", seed)[1] for seed in range(30)]
