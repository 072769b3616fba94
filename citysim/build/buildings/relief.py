"""Cornices: the mouldings under the eaves."""

from collections import Counter
from collections.abc import Sequence

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.outline import Run
from citysim.build.buildings.pieces import Interval, Look
from citysim.build.buildings.solid import Solid
from citysim.build.mesh import Detail
from citysim.build.plans import Xy

METRES = 4.0
LEAST_WALL = 2.5  # metres of wall below the eaves that carry mouldings: less is a parapet over a neighbour


def ledge(
    batch: Batch,
    run: Run,
    s: Interval,
    z: Interval,
    out: float,
    material: str,
    color: Rgba,
    *,
    joined: tuple[bool, bool],
    covered: bool = False,
    detail: Detail = Detail.FINE,
) -> None:
    """A bar along a run, `out` metres proud, mitred at bends; `covered` leaves out its top.

    `joined` tells for both ends whether another wall's bar goes on there: then it is mitred, else square and capped.
    """
    marks = run.columns(*s)
    inner = [run.at(m) for m in marks]
    ends = {s[0]: joined[0], s[1]: joined[1]}
    outer = [run.mitred(m, out) if ends.get(m, True) else _square(run, m, m == s[0], out) for m in marks]
    low, high = z
    for k in range(len(marks) - 1):
        a, b, c, d = outer[k], outer[k + 1], inner[k + 1], inner[k]
        u0, u1, v0, v1, w = marks[k] / METRES, marks[k + 1] / METRES, -low / METRES, -high / METRES, out / METRES
        front = [(*a, low), (*b, low), (*b, high), (*a, high)]
        batch.quad(front, [(u0, v0), (u1, v0), (u1, v1), (u0, v1)], material, color, detail)
        under = [(*d, low), (*c, low), (*b, low), (*a, low)]
        batch.quad(under, [(u0, v0), (u1, v0), (u1, v0 - w), (u0, v0 - w)], material, color, detail)
        if not covered:
            top = [(*a, high), (*b, high), (*c, high), (*d, high)]
            batch.quad(top, [(u0, v1), (u1, v1), (u1, v1 - w), (u0, v1 - w)], material, color, detail)
    for is_joined, p, q in zip(joined, (inner[0], outer[-1]), (outer[0], inner[-1]), strict=True):
        if is_joined:
            continue
        cap = [(*p, low), (*q, low), (*q, high), (*p, high)]
        w = out / METRES
        batch.quad(cap, [(0.0, -low / METRES), (w, -low / METRES), (w, -high / METRES), (0.0, -high / METRES)],
                   material, color, detail)  # fmt: skip


def _square(run: Run, s: float, first: bool, out: float) -> Xy:
    """The point in front of an end of a bar, at right angles to its own edge."""
    inside = s + 1e-4 if first else s - 1e-4
    (x, y), (nx, ny) = run.at(s), run.normal_at(inside)
    return (x + nx * out, y + ny * out)


def eaves_corners(panels: Sequence[Panel], eaves: float) -> set[Xy]:
    """Corners of an outline at which the mouldings of two walls meet."""
    seen: Counter[Xy] = Counter()
    for panel in panels:
        if abs(panel.z1 - eaves) < 0.01 and panel.z1 - panel.z0 >= LEAST_WALL:
            if panel.s0 < 1e-6:
                seen[panel.run.points[0]] += 1
            if panel.s1 > panel.run.length - 1e-6:
                seen[panel.run.points[-1]] += 1
    return {corner for corner, count in seen.items() if count >= 2}


def cornice(batch: Batch, panel: Panel, solid: Solid, look: Look, corners: set[Xy], share: float) -> None:
    """The moulding under the eaves: two bars, the upper one further out; `corners` as of `eaves_corners`.

    `share` in [0, 1) differs from building to building, and with it heights and depths by a few centimetres, so that
    bars that cross at a shared corner are not in one plane.
    """
    out, drop = look.style.cornice * (1.0 - 0.2 * share), 0.04 * share
    if (
        not panel.run.exterior
        or out <= 0.0
        or abs(panel.z1 - solid.eaves) > 0.01
        or panel.z1 - panel.z0 < LEAST_WALL
        or panel.s1 - panel.s0 < 0.3
    ):
        return
    span, run = (panel.s0, panel.s1), panel.run
    joined = (
        panel.s0 < 1e-6 and run.points[0] in corners,
        panel.s1 > run.length - 1e-6 and run.points[-1] in corners,
    )
    top = solid.eaves - 0.015 - drop  # below the coping of a neighbour's parapet that the bar may reach over
    if out < 0.1:
        ledge(batch, run, span, (top - 0.25, top), out, "trim/sheet", look.trim, joined=joined)
        return
    ledge(batch, run, span, (top - 0.22, top), out, look.plain, look.trim, joined=joined)
    ledge(batch, run, span, (top - 0.55, top - 0.22), 0.45 * out, look.plain, look.trim, joined=joined, covered=True)
