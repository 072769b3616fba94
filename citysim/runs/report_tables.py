"""The tables of a report: figures of all groups, and UrbanGround's own, as plain texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citysim.runs.summary import figures, number, percent

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


def urbanground_tables(scores: Mapping[str, Any]) -> list[Table]:
    """UrbanGround's tables of `summary["urbanground"]`; those of nothing are left out."""
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
    closures, rain = scores["closures"], scores["rain_exposure"]
    rows = [
        ("navigation overall", percent(scores["navigation_overall"]), "success over the eight navigation families"),
        ("PNA", percent(scores["pna"]), "seconds of actions that ended on the pedestrian network"),
        ("PCR", percent(scores["pcr"]), "episodes of NP with a touch of somebody"),
        ("SPR", percent(closures["spr"]), f"safe progress where ways are closed, {closures['n']} episodes"),
        ("closures respected", percent(closures["respected"]), "episodes that crossed none after its notice"),
        ("closures disclosed", percent(closures["disclosed"]), "episodes in which the notice was given"),
        ("map used", percent(scores["map_use"]), "episodes in which the map was open"),
        ("in the rain", percent(rain["share"]), f"share of the time, {rain['n']} episodes in rain"),
    ]
    for name, part, labels in (
        ("schedules (TW)", scores["schedules"], SCHEDULES),
        ("tours (MS)", scores["tours"], TOURS),
    ):
        if part["n"]:
            rows += [(f"{name}: {word}", show(part[key]), f"{part['n']} episodes") for key, word, show in labels]
    return _table("UrbanGround: figures", ("figure", "value", "of"), [row for row in rows if row[1] != "-"])


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} s"


def _count(value: float | None) -> str:
    return number(value, 2)


SCHEDULES: tuple[tuple[str, str, Callable[[float | None], str]], ...] = (
    ("stop_ratio", "stops reached", percent),
    ("on_time_ratio", "stops on time", percent),
    ("all_on_time", "all on time", percent),
    ("order_violations", "out of order", _count),
    ("total_lateness_s", "late in all", _seconds),
    ("max_lateness_s", "late at most", _seconds),
)
TOURS: tuple[tuple[str, str, Callable[[float | None], str]], ...] = (
    ("stop_ratio", "targets visited", percent),
    ("route_efficiency", "route efficiency", percent),
)


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
    rows = [
        (family, str(g["n"]), word, percent(at["closer"]), percent(at["remaining"]), percent(at["sr"]))
        for family, g in scores["checkpoints"].items()
        for word, at in (("at the end", g["final"]), ("where nearest", g["oracle"]))
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


def _rate(g: Figures) -> tuple[str, str, str]:
    low, high = g["interval"]
    return str(g["n"]), percent(g["rate"]), f"{100 * low:.0f}-{100 * high:.0f} %"


def _table(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], note: str = "") -> Table | None:
    return Table(title, head, tuple(rows), note) if rows else None
