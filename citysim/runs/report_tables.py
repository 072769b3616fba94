"""The tables of a report: figures of all groups, and UrbanGround's own, as plain texts."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citysim.runs.summary import between, figures, percent, shown
from citysim.tasks.urbanground.scores import ANSWERED, failure_class

Line = Mapping[str, Any]
Figures = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be shown: its title, a note below it, the head and rows of equally many texts."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def groups(summary: Mapping[str, Any], lines: Sequence[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """(name, figures) of the types, levels, conditions and quartiles of distance, in this order."""
    found = [(f"type {key}", g) for key, g in summary["by_type"].items()]
    found += [(f"level {key}", g) for key, g in summary["by_level"].items()]
    by_condition: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        by_condition.setdefault(condition_of(line), []).append(line)
    if len(by_condition) > 1:
        found += [(f"at {key}", figures(by_condition[key])) for key in sorted(by_condition)]
    return found + [(f"start distance {key}", g) for key, g in summary["by_distance"].items()]


def condition_of(line: Line) -> str:
    """Hour and weather of an episode, such as "14:00 sunny"."""
    conditions = line.get("conditions") or {}
    return f"{conditions.get('time', '?')} {str(conditions.get('weather', '?')).replace('_', ' ')}"


def urbanground_tables(scores: Mapping[str, Any] | None) -> list[Table]:
    """UrbanGround's tables of `summary["urbanground"]`; those of nothing are left out."""
    if scores is None:
        return []
    makers: tuple[Callable[[Mapping[str, Any]], Table | None], ...] = (
        _families, _figures, _quartiles, _conditions, _checkpoints, _failures,
    )  # fmt: skip
    return [table for make in makers if (table := make(scores)) is not None]


def _families(scores: Mapping[str, Any]) -> Table | None:
    rows = [("accuracy", family, *_rate(g)) for family, g in scores["accuracy"].items()]
    rows += [("success", family, *_rate(g)) for family, g in scores["success"].items()]
    return _table(
        "UrbanGround: every family", ("figure", "family", "episodes", "rate", "95 %"), rows,
        "Accuracy of answers (VR, OU, AEQ), success of the other families; the intervals are Wilson's.",
    )  # fmt: skip


def _figures(scores: Mapping[str, Any]) -> Table | None:
    closures, rain, known = scores["closures"], scores["rain_exposure"], scores.get("intervals", {})
    values = (
        ("navigation overall", scores["navigation_overall"], "success over the eight navigation families"),
        ("PNA", scores["pna"], "seconds of actions that ended on the pedestrian network"),
        ("PCR", scores["pcr"], "episodes of NP with a touch of somebody"),
        ("SPR", closures["spr"], f"safe progress where ways are closed, {closures['n']} episodes"),
        ("closures respected", closures["respected"], "episodes that crossed none after its notice"),
        ("closures disclosed", closures["disclosed"], "episodes in which the notice was given"),
        ("map used", scores["map_use"], "episodes in which the map was open"),
        ("in the rain", rain["share"], f"share of the time, {rain['n']} episodes in rain"),
    )
    rows = [(name, percent(value), between(known.get(name), -2), of) for name, value, of in values]
    for type, part, labels in (("TW", scores["schedules"], SCHEDULES), ("MS", scores["tours"], TOURS)):
        rows += [
            (f"{type}: {word}", shown(part[key], digits), between(known.get(f"{type} {key}"), digits),
             f"{part['n']} episodes")
            for key, word, digits in labels if part["n"]
        ]  # fmt: skip
    head = ("figure", "value", "95 %", "of")
    return _table(
        "UrbanGround: figures", head, [row for row in rows if row[1] != "-"],
        "Intervals of shares of episodes are Wilson's, the others are bootstrapped over episodes.",
    )  # fmt: skip


SCHEDULES = (
    ("stop_ratio", "stops reached", -2),
    ("on_time_ratio", "stops on time", -2),
    ("all_on_time", "all on time", -2),
    ("order_violations", "out of order", 2),
    ("total_lateness_s", "seconds late in all", 0),
    ("max_lateness_s", "seconds late at most", 0),
)
TOURS = (
    ("stop_ratio", "targets visited", -2),
    ("route_efficiency", "route efficiency", -2),
)
"""Names of metrics, their words and decimals (-2: percent)."""


def _quartiles(scores: Mapping[str, Any]) -> Table | None:
    rows = [
        (family, f"{g['from_m']:.0f}-{g['to_m']:.0f} m", *_rate(g))
        for family, quarters in scores["quartiles"].items()
        for g in quarters
    ]
    return _table("UrbanGround: by start distance", ("family", "distance", "episodes", "success", "95 %"), rows)


def _conditions(scores: Mapping[str, Any]) -> Table | None:
    rows = [
        (kind, name.replace("_", " "), *_rate(g))
        for kind, table in scores["conditions"].items()
        for name, g in table.items()
    ]
    return _table("UrbanGround: by hour and weather", ("kind", "condition", "episodes", "rate", "95 %"), rows)


def _checkpoints(scores: Mapping[str, Any]) -> Table | None:
    known = scores.get("intervals", {})

    def told(family: str, word: str, at: Figures) -> tuple[str, ...]:
        return tuple(
            f"{percent(at[key])}{between(known.get(f'{family} {word} {key}'), -2, ' (', ')')}"
            for key in ("closer", "remaining", "sr")
        )

    rows = [
        (family, str(g["n"]), words, *told(family, word, g[word]))
        for family, g in scores["checkpoints"].items()
        for word, words in (("final", "at the end"), ("oracle", "where nearest"))
    ]
    return _table(
        "UrbanGround: checkpoints", ("family", "episodes", "scored", "nearer than at the start", "distance left",
        "success"), rows, "The same actions scored at their end, and at the pose nearest to the goal.",
    )  # fmt: skip


def _failures(scores: Mapping[str, Any]) -> Table | None:
    table = scores["failures"]
    classes = list(next(iter(table.values()), {}))
    rows = [(family, *(str(counts[name] or "") for name in classes)) for family, counts in table.items()]
    return _table(
        "UrbanGround: how episodes failed", ("family", *(name.replace("_", " ") for name in classes)), rows,
        "Each failed episode is counted once, by the first rule that holds.",
    )  # fmt: skip


def failures_table(lines: Sequence[Line]) -> Table | None:
    """How episodes failed, by type: a row a type, a column a class that occurs."""
    failed = [(str(line["type"]), failure_of(line)) for line in lines if line["status"] == "failure"]
    counts = Counter(failed)
    types, classes = sorted({type for type, _ in failed}), sorted({name for _, name in failed})
    rows = [(type, *(str(counts[type, name] or "") for name in classes)) for type in types]
    return _table(
        "How episodes failed", ("type", *(name.replace("_", " ") for name in classes)), rows,
        "Each failed episode is counted once, by the first rule that holds; the list below can be filtered by it.",
    )  # fmt: skip


def failure_of(line: Line) -> str:
    """The class of a failed episode: `failure_class`, or what became of the answer; "" for others."""
    if line["status"] != "failure":
        return ""
    if line["type"] in ANSWERED:
        return "no_answer" if line["stop_reason"] == "budget" else "wrong_answer"
    return failure_class(line)


def _rate(g: Figures) -> tuple[str, str, str]:
    low, high = g["interval"]
    return str(g["n"]), percent(g["rate"]), f"{100 * low:.0f}-{100 * high:.0f} %"


def _table(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], note: str = "") -> Table | None:
    return Table(title, head, tuple(rows), note) if rows else None
