"""Balconies: a slab with a closed front under some windows of the upper storeys."""

from collections.abc import Sequence

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.pieces import Look, fit
from citysim.build.buildings.segments import Segment, segments_of
from citysim.build.buildings.storeys import Row
from citysim.build.chance import Chance
from citysim.build.mesh import Detail

DEPTH, RAIL, SLAB = 1.25, 1.1, 0.18  # metres
LOWEST = 3.4  # metres above the building's ground: walkers and signs pass below
FRONT = "trim/sheet"
FRONTS: tuple[Rgba, ...] = ((225, 228, 228, 255), (120, 132, 140, 255), (235, 230, 215, 255), (150, 120, 95, 255))


def emit_balconies(batch: Batch, panel: Panel, rows: Sequence[Row], base: float, look: Look, chance: Chance) -> None:
    """Stacks of balconies on the straight parts of a panel, the same bays in all storeys."""
    share = look.style.balconies
    if share <= 0.0 or panel.above or chance.unit("has") > 0.7:
        return
    front = chance.choice(FRONTS, "front")
    upper = [r for r in rows if r.strip is not None and r.storey >= 1 and r.z0 - base > LOWEST]
    upper = [r for r in upper if r.z0 >= panel.z0 - 0.01 and r.z1 <= panel.z1 + 0.01]
    if not upper or upper[0].strip is None:
        return
    bays = fit(panel.s0, panel.s1, upper[0].strip.bay)
    segments = segments_of(panel)
    every = max(2, round(1.0 / share))
    phase = chance.integer(0, every, "phase")
    for i in range(1 if bays.start - panel.s0 < 0.5 else 0, bays.count - (1 if panel.s1 - bays.stop < 0.5 else 0)):
        if (i + phase) % every:
            continue
        s0, s1 = bays.start + (i + 0.08) * bays.width, bays.start + (i + 0.92) * bays.width
        segment = next((s for s in segments if s.s0 <= s0 and s1 <= s.s1), None)
        if segment is not None:
            for row in upper:
                _balcony(batch, segment, (s0 - segment.s0, s1 - segment.s0), row.z0, look, front)


def _balcony(batch: Batch, segment: Segment, span: tuple[float, float], floor: float, look: Look, front: Rgba) -> None:
    u0, u1 = span
    low, mid, high = floor - SLAB, floor, floor + RAIL - 0.05

    def face(corners: Sequence[tuple[float, float, float]], material: str, color: Rgba) -> None:
        """Corners as (u, out, z)."""
        points = [(*segment.at(u, out), z) for u, out, z in corners]
        level = len({z for _, _, z in corners}) == 1
        uvs = [(u / 4.0, -out / 4.0) if level else ((u + out) / 4.0, -z / 4.0) for u, out, z in corners]
        batch.quad(points, uvs, material, color, Detail.FINE)

    d, t = DEPTH, 0.04
    face([(u0, 0.0, low), (u1, 0.0, low), (u1, d, low), (u0, d, low)], look.plain, look.trim)
    face([(u0, d, mid), (u1, d, mid), (u1, 0.0, mid), (u0, 0.0, mid)], look.plain, look.trim)
    face([(u0, d, low), (u1, d, low), (u1, d, high), (u0, d, high)], FRONT, front)
    face([(u0, 0.0, low), (u0, d, low), (u0, d, high), (u0, 0.0, high)], FRONT, front)
    face([(u1, d, low), (u1, 0.0, low), (u1, 0.0, high), (u1, d, high)], FRONT, front)
    # The inner side of the front, so that it is not seen through from above.
    face([(u1, d - t, mid), (u0, d - t, mid), (u0, d - t, high), (u1, d - t, high)], FRONT, front)
