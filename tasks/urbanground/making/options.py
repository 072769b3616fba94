"""Options of a question: one right, three wrong, in an order that says nothing."""

from collections.abc import Sequence

import numpy as np

from citysim.tasks.parts import Question


def shuffled(rng: np.random.Generator, text: str, right: str, wrong: Sequence[str], evidence: int) -> Question | None:
    """A question with three of the wrong options; None where there are not three that differ."""
    others = sorted({option for option in wrong if option.casefold() != right.casefold()})
    if len(others) < 3:
        return None
    options = [right, *(others[int(k)] for k in rng.permutation(len(others))[:3])]
    order = [int(k) for k in rng.permutation(4)]
    a, b, c, d = (options[k] for k in order)
    return Question(text, (a, b, c, d), order.index(0), (evidence,))


def asked(question: Question) -> str:
    """The question as an instruction."""
    listed = " ".join(f"{letter}) {option}" for letter, option in zip("ABCD", question.options, strict=True))
    return f"{question.text} {listed}"
