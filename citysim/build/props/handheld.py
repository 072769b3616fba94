"""Things people carry and leave: cups, bags, boxes, books. Each stands on its host as an object of its own."""

from collections.abc import Callable

from citysim.build.chance import Chance
from citysim.build.props.model import Model


def cup(chance: Chance) -> Model:
    """A paper cup."""
    model = Model()
    color = chance.choice(("#f0ece0", "#2f5f4a", "#b3342b", "#e0b13c"), "color")
    model.tube((0.0, 0.0, 0.0), (0.0, 0.0, 0.11), (0.03, 0.042), color, sides=6, caps="")
    model.tube((0.0, 0.0, 0.11), (0.0, 0.0, 0.12), (0.045, 0.04), "#26282a", sides=6)
    return model


def bottle(chance: Chance) -> Model:
    """A bottle."""
    model = Model()
    color = chance.choice(("#2f6b3f", "#3f7fb0", "#6a3a1f", "#cfd8da"), "color")
    model.tube((0.0, 0.0, 0.0), (0.0, 0.0, 0.16), (0.036, 0.036), color, sides=6, caps="")
    model.tube((0.0, 0.0, 0.16), (0.0, 0.0, 0.24), (0.036, 0.014), color, sides=6)
    return model


def box(chance: Chance) -> Model:
    """A parcel or a lunch box."""
    model = Model()
    color = chance.choice(("#b08a5a", "#c9a878", "#d9d4c4", "#a8322a", "#2f4f7a"), "color")
    model.box((0.0, 0.0, 0.0), (0.26, 0.18, 0.12), color)
    model.box((0.0, 0.0, 0.12), (0.04, 0.18, 0.008), "#e6e0d0")
    return model


def bag(chance: Chance) -> Model:
    """A carrier bag with handles."""
    model = Model()
    color = chance.choice(("#e6e0d0", "#b3342b", "#2f4f7a", "#c9842a", "#2a2c30"), "color")
    model.box((0.0, 0.0, 0.0), (0.3, 0.13, 0.32), color, taper=(0.95, 0.6))
    for y in (-0.03, 0.03):
        model.quad([(-0.06, y, 0.32), (0.06, y, 0.32), (0.05, y, 0.42), (-0.05, y, 0.42)], color=color, both=True)
    return model


def book(chance: Chance) -> Model:
    """A closed book."""
    model = Model()
    color = chance.choice(("#7a2f2f", "#2f4f7a", "#3f6b4a", "#c9a02a", "#4a3a5a"), "color")
    model.box((0.0, 0.0, 0.0), (0.15, 0.21, 0.03), color)
    model.quad([(0.078, -0.1, 0.004), (0.078, 0.1, 0.004), (0.078, 0.1, 0.026), (0.078, -0.1, 0.026)], color="#efe9da")
    return model


def phone(chance: Chance) -> Model:
    """A telephone lying on its back."""
    model = Model()
    model.box((0.0, 0.0, 0.0), (0.075, 0.15, 0.01), "#1b1d20")
    model.quad([(-0.032, -0.066, 0.016), (0.032, -0.066, 0.016), (0.032, 0.066, 0.016), (-0.032, 0.066, 0.016)],
               color="#5f86a8")  # fmt: skip
    return model


def newspaper(chance: Chance) -> Model:
    """A folded newspaper."""
    model = Model()
    model.box((0.0, 0.0, 0.0), (0.3, 0.2, 0.015), "#dedbd0")
    model.box((-0.05, 0.03, 0.015), (0.16, 0.08, 0.006), "#55585c")
    return model


def umbrella(chance: Chance) -> Model:
    """A rolled umbrella lying down."""
    model = Model()
    color = chance.choice(("#1b1d20", "#8f2f2a", "#2f4f7a", "#e0b13c"), "color")
    model.tube((-0.3, 0.0, 0.004), (0.22, 0.0, 0.016), (0.012, 0.03), color, sides=6, caps="ab")
    model.tube((0.22, 0.0, 0.016), (0.4, 0.0, 0.016), (0.01, 0.012), "#7a5a38", sides=4, caps="b")
    return model


HANDHELD: dict[str, Callable[[Chance], Model]] = {
    "cup": cup, "bottle": bottle, "box": box, "bag": bag, "book": book, "phone": phone, "newspaper": newspaper,
    "umbrella": umbrella,
}  # fmt: skip
