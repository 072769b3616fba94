"""Is the crowd true? Published figures of people on foot beside ours: `python -m citysim.benchmarks.crowd_truth DOCS`.

Writes crowd-*.png into DOCS/pictures and prints the tables of docs/crowd.md. The scenes, widths and seeds served for no
tuning.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from citysim.benchmarks.crowd_scenes import Door, Ring, overlap
from citysim.benchmarks.plots import Series, plot
from citysim.crowd.weidmann import FREE_SPEED, speed_share

DENSITIES = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
DOORS = (0.8, 1.0, 1.2, 1.5, 1.8, 2.1, 2.4)
STEPS_S = (0.05, 0.1)


class Flow(NamedTuple):
    """What a stream did: mean speed in m/s, order of its lanes, deepest overlap in metres."""

    speed: float
    order: float
    overlap: float


def sfpe_speed(density: float) -> float:
    """Speed in m/s at a density after H. Nelson, F. Mowrer, SFPE Handbook, 3rd ed. (2002): 1.40 (1 - 0.266 D)."""
    return 1.40 * (1.0 - 0.266 * max(density, 0.54))


def one_way(density: float, dt: float, seed: int = 11) -> Flow:
    """A stream in a corridor of 30 m by 5 m whose ends are joined."""
    return _stream(Ring(round(density * 150), 30.0, 5.0, seed), dt, 10.0, 25.0)


def two_way(density: float, width: float, dt: float, seed: int = 31) -> Flow:
    """Two equal streams against each other in a corridor 24 m long."""
    return _stream(Ring(round(density * 24 * width), 24.0, width, seed, opposite=0.5), dt, 35.0, 50.0)


def door(width: float, dt: float, seed: int = 21) -> tuple[float, float, bool]:
    """Flow of 150 persons through a door in persons/(m s), their deepest overlap, and whether all got out in 200 s."""
    scene, deepest = Door(150, width, seed), 0.0
    while scene.time < 200.0 and np.isinf(scene.times).any():
        scene.step(dt)
        deepest = max(deepest, overlap(scene.movement))
    return scene.flow(), deepest, bool(np.isfinite(scene.times).all())


def _stream(ring: Ring, dt: float, settle: float, until: float) -> Flow:
    speeds, deepest = [], 0.0
    for step in range(round(until / dt)):
        ring.step(dt)
        if step * dt >= settle:
            speeds.append(ring.speed())
            deepest = max(deepest, overlap(ring.movement)) if step % 5 == 0 else deepest
    return Flow(float(np.mean(speeds)), ring.lane_order(), deepest)


def _table(head: str, rows: Iterator[tuple[float, ...]]) -> list[tuple[float, ...]]:
    made = list(rows)
    print("\n| " + head + " |\n" + "|---" * (head.count("|") + 1) + "|")
    for row in made:
        print("| " + " | ".join(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row) + " |")
    return made


def main(docs: Path) -> None:
    """Measure everything, write the plots, print the tables."""
    pictures = docs / "pictures"
    ours = {dt: [one_way(d, dt) for d in DENSITIES] for dt in STEPS_S}
    fine = [0.05 * k for k in range(1, 101)]
    weidmann = [FREE_SPEED * speed_share(d) for d in fine]
    above = [v + 0.26 for v in weidmann]
    plot(
        pictures / "crowd-speed.png", "Speed in a stream of people", ("persons/m2", "m/s"), (5.0, 1.6),
        [
            Series("Weidmann 1993 +- 0.26 m/s", fine, [max(v - 0.26, 0.0) for v in weidmann], "band", above),
            Series("Weidmann 1993", fine, weidmann),
            Series("Nelson & Mowrer 2002 (SFPE)", fine[:74], [sfpe_speed(d) for d in fine[:74]]),
            Series("citysim, steps of 0.05 s", DENSITIES, [f.speed for f in ours[0.05]], "dots"),
            Series("citysim, steps of 0.1 s", DENSITIES, [f.speed for f in ours[0.1]], "dots"),
        ],
    )  # fmt: skip
    _table(
        "persons/m2 | Weidmann m/s | SFPE m/s | 0.05 s | overlap m | 0.1 s | overlap m",
        (
            (d, FREE_SPEED * speed_share(d), max(sfpe_speed(d), 0.0), a.speed, a.overlap, b.speed, b.overlap)
            for d, a, b in zip(DENSITIES, ours[0.05], ours[0.1], strict=True)
        ),
    )
    doors = _table(
        "door m | 0.05 s: persons/(m s) | overlap m | 0.1 s: persons/(m s) | overlap m | all out",
        ((w, *door(w, 0.05)[:2], *door(w, 0.1)) for w in DOORS),
    )
    plot(
        pictures / "crowd-doors.png", "Flow through a door", ("width of the door, m", "persons/(m s)"), (2.6, 3.0),
        [
            Series("wanted: 1.2 to 2.0", (0.8, 2.4), (1.2, 1.2), "band", (2.0, 2.0)),
            Series("steps of 0.05 s", DOORS, [row[1] for row in doors], "dots"),
            Series("steps of 0.1 s", DOORS, [row[3] for row in doors], "dots"),
        ],
    )  # fmt: skip
    crowded = (0.5, 1.0, 1.5, 1.75, 2.0, 2.5)
    lanes = {w: [two_way(d, w, 0.05) for d in crowded] for w in (2.5, 6.0)}
    for name, limit, pick in (("lanes", 1.2, 1), ("counter", 1.4, 0)):
        plot(
            pictures / f"crowd-{name}.png",
            "Order of lanes in counter-flow" if name == "lanes" else "Speed in counter-flow",
            ("persons/m2", "order: 1 one direction a lane, 0 mixed" if name == "lanes" else "m/s"), (3.0, limit),
            [Series(f"corridor of {w:g} m", crowded, [f[pick] for f in lanes[w]], "dots") for w in lanes],
        )  # fmt: skip
    _table(
        "persons/m2 | 2.5 m: m/s | order | overlap m | 6 m: m/s | order | overlap m",
        ((d, *a, *b) for d, a, b in zip(crowded, lanes[2.5], lanes[6.0], strict=True)),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs"))
