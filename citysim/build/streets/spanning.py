"""Spanning: what is below and beside decks over water: the water itself, the slab, abutments, piers, parapets."""

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import LATTICE, Detail, snap
from citysim.build.streets.barriers import beside, spaced
from citysim.build.streets.ground import BRIDGE, WATER_DEPTH, GroundMesh
from citysim.build.streets.planar import lines
from citysim.build.streets.site import is_drive
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.spans import Deck, piers
from citysim.build.streets.terrain import Terrain

SLAB = 0.7  # thickness of a deck below the ground's height without kerbs, metres
PARAPET = 1.1
STONE = 0.3  # thickness of a stone parapet, metres
PIER = 1.0  # thickness of a wall that holds a deck, metres
PIER_SPACING = 11.0

Edge = tuple[int, int]


def build_spans(
    draft: CityDraft, mesh: GroundMesh, terrain: Terrain, decks: list[Deck], ids: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add all decks' bodies to the draft. Returns the (T,) object ids `ids` with the decks' own where there were none.

    The deck's upper side is in the mesh already.
    """
    if not decks:
        return ids
    ids = ids.copy()
    spanning = np.array([name.endswith(BRIDGE) for name in mesh.names])[mesh.label]
    water = np.array([name.split("/")[0] == "water" for name in mesh.names])[mesh.label]
    middle = mesh.corners[:, :, :2].mean(axis=1)
    for deck in decks:
        shapely.prepare(deck.over)
        mine = np.flatnonzero(spanning & shapely.contains_xy(deck.over, middle[:, 0], middle[:, 1]))
        if not len(mine):
            continue
        outline = _outline(mesh, mine)
        wet = {e: t for e, t in outline.items() if t >= 0 and water[t]}
        around = float(terrain.height(shapely.get_coordinates(deck.over)).min()) - WATER_DEPTH
        level = min((float(mesh.corners[t, 0, 2]) for t in wet.values()), default=around)
        top = float(mesh.corners[mine, :, 2].max())
        low = deck.over.bounds
        at = deck.over.representative_point()
        z = float(terrain.height([(at.x, at.y)])[0])
        bounds = (low[0], low[1], level, low[2], low[3], top + PARAPET)
        ident = draft.add_object("bridge", (at.x, at.y, z), name=deck.name, bounds=bounds, plan_id=deck.way.id)
        ids[mine[ids[mine] == 0]] = ident
        _below(draft, mesh, terrain, mine, level, ident, next((int(ids[t]) for t in wet.values()), 0))
        _sides(draft, mesh, terrain, mine, outline, set(wet), level, ident)
        _parapets(draft, mesh, mine, set(wet), is_drive(deck.way), ident)
        _piers(draft, terrain, deck, level, ident)
    return ids


def _outline(mesh: GroundMesh, mine: NDArray[np.int64]) -> dict[Edge, int]:
    """Directed edges round some triangles (those on their left), with the triangle beyond or -1."""
    near = np.flatnonzero(np.isin(mesh.vertex, mesh.vertex[mine]).any(axis=1))
    owner: dict[Edge, int] = {}
    for t in near.tolist():
        a, b, c = mesh.vertex[t].tolist()
        owner[(a, b)] = owner[(b, c)] = owner[(c, a)] = t
    own = set(mine.tolist())
    return {e: owner.get((e[1], e[0]), -1) for e, t in owner.items() if t in own and owner.get((e[1], e[0])) not in own}


def _places(mesh: GroundMesh, mine: NDArray[np.int64]) -> dict[int, NDArray[np.float64]]:
    """(3,) the highest corner of some triangles at every place."""
    found: dict[int, NDArray[np.float64]] = {}
    numbers, corners = mesh.vertex[mine].ravel().tolist(), mesh.corners[mine].reshape(-1, 3)
    for number, corner in zip(numbers, corners, strict=True):
        if number not in found or corner[2] > found[number][2]:
            found[number] = corner
    return found


def _below(
    draft: CityDraft,
    mesh: GroundMesh,
    terrain: Terrain,
    mine: NDArray[np.int64],
    level: float,
    ident: int,
    water: int,
) -> None:
    points = mesh.corners[mine].reshape(-1, 3).copy()
    triangles = np.arange(len(points)).reshape(-1, 3)
    style = look(draft, "water")
    points[:, 2] = level
    draft.mesh.add(points, triangles, points[:, :2] / style.metres * (1.0, -1.0), style.material, water)
    style = look(draft, "concrete")
    points[:, 2] = terrain.height(points[:, :2]) - SLAB
    draft.mesh.add(points, triangles[:, ::-1], points[:, :2] / style.metres, style.material, ident)


def _sides(
    draft: CityDraft,
    mesh: GroundMesh,
    terrain: Terrain,
    mine: NDArray[np.int64],
    outline: dict[Edge, int],
    open_air: set[Edge],
    level: float,
    ident: int,
) -> None:
    """The slab's faces over the water, and the banks' faces below it."""
    place = _places(mesh, mine)
    style = look(draft, "stone")
    for a, b in sorted(outline):
        p, q = place[a], place[b]
        under = terrain.height([p[:2], q[:2]]) - SLAB
        if (a, b) in open_air:
            quad = [(*p[:2], under[0]), (*q[:2], under[1]), q, p]
        else:
            quad = [(*q[:2], level), (*p[:2], level), (*p[:2], under[0]), (*q[:2], under[1])]
        u = np.array([0.0, 1.0, 1.0, 0.0]) * float(np.hypot(*(q - p)[:2]))
        u += float(np.abs(np.dot(p[:2], (q - p)[:2]))) / max(float(np.hypot(*(q - p)[:2])), 1e-6)
        points = np.array(quad)
        uvs = np.column_stack([u / style.metres[0], -points[:, 2] / style.metres[1]])
        draft.mesh.add(points, [(0, 1, 2), (0, 2, 3)], uvs, style.material, ident)


def _parapets(
    draft: CityDraft, mesh: GroundMesh, mine: NDArray[np.int64], open_air: set[Edge], heavy: bool, ident: int
) -> None:
    place = _places(mesh, mine)
    at = {tuple(np.round(p[:2] * LATTICE).astype(int).tolist()): p[2] for p in place.values()}
    segments = [shapely.LineString([place[a][:2], place[b][:2]]) for a, b in sorted(open_air)]
    merged = shapely.line_merge(shapely.MultiLineString(segments), directed=True)
    for line in sorted(lines(merged, 0.5), key=lambda x: (*x.coords[0], x.length)):
        points = np.asarray(line.coords)
        z = np.array([at[tuple(np.round(p * LATTICE).astype(int).tolist())] for p in points])
        if heavy:
            inner, _ = beside(points, STONE)
            ribbon(draft, points, inner, z, z + PARAPET, "stone", ident)
        else:
            left, _ = beside(points, 0.08)
            sheet(draft, left, z, z + PARAPET, "rail_panel", ident, Detail.MIDDLE)
            inner, _ = beside(points, 0.12)
            outer, _ = beside(points, 0.04)
            ribbon(
                draft, outer, inner, z + PARAPET - 0.05, z + PARAPET, "metal", ident, detail=Detail.FINE, bottom=True
            )


def _piers(draft: CityDraft, terrain: Terrain, deck: Deck, level: float, ident: int) -> None:
    for line in piers(deck, PIER_SPACING):
        points = snap(spaced(line, 4.0))
        left, right = beside(points, PIER / 2)
        # the tops end inside the slab
        top = terrain.height(points) - SLAB + 0.1
        ribbon(draft, right, left, np.full(len(points), level - 0.5), top, "stone", ident)
