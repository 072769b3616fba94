"""What can be guessed of a suite's questions without looking: baselines that must stay at chance."""

from collections import Counter
from collections.abc import Callable, Sequence

from citysim.tasks.metrics import wilson_interval
from citysim.tasks.parts import Question
from citysim.tasks.seeds import child_rng
from citysim.tasks.suite import Suite

CHANCE = 0.25
BLIND_DRAWS = 64
"""Of blind chance for each question: one draw of 60 leaves the interval of chance in one suite of forty."""

Guess = Callable[[int, Sequence[Question]], int]


def first_option(at: int, questions: Sequence[Question]) -> int:
    """Always A."""
    return 0


def longest_option(at: int, questions: Sequence[Question]) -> int:
    """The longest text."""
    options = questions[at].options
    return max(range(4), key=lambda k: (len(options[k]), -k))


def shortest_option(at: int, questions: Sequence[Question]) -> int:
    """The shortest text."""
    options = questions[at].options
    return min(range(4), key=lambda k: (len(options[k]), k))


def frequent_letter(at: int, questions: Sequence[Question]) -> int:
    """The letter that is right most often among the other questions."""
    counts = Counter(q.answer for k, q in enumerate(questions) if k != at)
    return max(range(4), key=lambda k: (counts[k], -k))


def usual_answer(at: int, questions: Sequence[Question]) -> int:
    """Text alone: the option whose words were right most often, and wrong least, in the other questions."""
    right: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for k, question in enumerate(questions):
        if k == at:
            continue
        for number, option in enumerate(question.options):
            for word in option.casefold().split():
                shown[word] += 1
                right[word] += number == question.answer

    def belief(option: str) -> float:
        words = option.casefold().split()
        return sum((right[w] + 0.5) / (shown[w] + 2.0) for w in words) / len(words)

    options = questions[at].options
    return max(range(4), key=lambda k: (belief(options[k]), -k))


def echoed_words(at: int, questions: Sequence[Question]) -> int:
    """Text alone: the option that shares most words with its question."""
    question = questions[at]
    asked = set(question.text.casefold().replace("?", " ").split())
    return max(range(4), key=lambda k: (len(asked & set(question.options[k].casefold().split())), -k))


def any_option(at: int, questions: Sequence[Question]) -> int:
    """Blind chance, from a seed; numbers beyond the last question ask the same ones again."""
    question = questions[at % len(questions)]
    return int(child_rng(at, "blind", question.text, *question.options).integers(4))


BASELINES: dict[str, Guess] = {
    "always A": first_option,
    "longest option": longest_option,
    "shortest option": shortest_option,
    "most frequent letter": frequent_letter,
    "text only: usual words": usual_answer,
    "text only: shared words": echoed_words,
    "blind random": any_option,
}


def guess_rates(suite: Suite) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Family -> baseline -> (rate, low, high) with Wilson's 95 % interval, for families with questions."""
    found: dict[str, dict[str, tuple[float, float, float]]] = {}
    for type in dict.fromkeys(i.type for i in suite.instances if i.question is not None):
        questions = [i.question for i in suite.instances if i.type == type and i.question is not None]
        found[type] = {}
        for name, guess in BASELINES.items():
            draws, count = BLIND_DRAWS if guess is any_option else 1, len(questions)
            wins = sum(guess(k, questions) == questions[k % count].answer for k in range(draws * count)) / draws
            found[type][name] = (wins / count, *wilson_interval(round(wins), count))
    return found


def duplicates(suite: Suite) -> list[tuple[str, str]]:
    """Pairs of instances that ask the same from nearly the same place: equal texts, starts within 5 m."""
    pairs = []
    known: dict[tuple[str, str, str], list[int]] = {}
    for number, instance in enumerate(suite.instances):
        key = (instance.type, instance.city, instance.instruction)
        for other in known.setdefault(key, []):
            twin = suite.instances[other]
            away = max(abs(instance.start.east - twin.start.east), abs(instance.start.north - twin.start.north))
            if away < 5.0:
                pairs.append((twin.id, instance.id))
        known[key].append(number)
    return pairs
