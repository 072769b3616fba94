"""Cornices: the mouldings under the eaves."""

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.outline import Run
from citysim.build.buildings.solid import Solid
from citysim.build.buildings.walls import Interval, Look
from citysim.build.mesh import Detail

METRES = 4.0


def ledge(
    batch: Batch,
    run: Run,
    s: Interval,
    z: Interval,
    out: float,
    material: str,
    color: Rgba,
    *,
    covered: bool = False,
    detail: Detail = Detail.FINE,
) -> None:
    """A bar along a run, `out` metres proud, mitred at bends, closed at open ends; `covered` leaves out its top."""
    marks = run.columns(*s)
    inner = [run.at(m) for m in marks]
    outer = [run.mitred(m, out) for m in marks]
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
    open_ends = (s[0] > 1e-3, s[1] < run.length - 1e-3)  # at a corner the next wall's bar goes on
    for is_open, p, q in zip(open_ends, (inner[0], outer[-1]), (outer[0], inner[-1]), strict=True):
        if not is_open:
            continue
        cap = [(*p, low), (*q, low), (*q, high), (*p, high)]
        w = out / METRES
        batch.quad(cap, [(0.0, -low / METRES), (w, -low / METRES), (w, -high / METRES), (0.0, -high / METRES)],
                   material, color, detail)  # fmt: skip


def cornice(batch: Batch, panel: Panel, solid: Solid, look: Look) -> None:
    """The moulding under the eaves: two bars, the upper one further out."""
    out = look.style.cornice
    if (
        not panel.run.exterior
        or out <= 0.0
        or abs(panel.z1 - solid.eaves) > 0.01
        or panel.z1 - panel.z0 < 2.5
        or panel.s1 - panel.s0 < 0.3
    ):
        return
    span = (panel.s0, panel.s1)
    top = solid.eaves - 0.015  # below the coping of a neighbour's parapet that the bar may reach over
    if out < 0.1:
        ledge(batch, panel.run, span, (top - 0.25, top), out, "trim/sheet", look.trim)
        return
    ledge(batch, panel.run, span, (top - 0.22, top), out, look.plain, look.trim)
    ledge(batch, panel.run, span, (top - 0.55, top - 0.22), 0.45 * out, look.plain, look.trim, covered=True)
