"""Paving: what ground of each use looks like, and its way into the draft's mesh."""

from collections import defaultdict

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail
from citysim.build.streets.distant import LEDGE, distant_ground
from citysim.build.streets.ground import TERRACE, GroundMesh
from citysim.build.streets.site import HEADROOM, OPEN_KINDS

BEHIND = 0.03  # metres to either side of a face where walls are looked for

LOOKS = {
    "carriageway": "asphalt",
    "crossing": "asphalt",
    "lane": "asphalt_light",
    "kerb": "curb_top",
    "pavement": "paving",
    "passage": "paving_large",
    "court": "paving_large",
    "square": "paving_large",
    "platform": "concrete",
    "path": "gravel",
    "parking": "asphalt_light",
    "pitch": "sand",
    "playground": "sand",
    "sand": "sand",
    "grass": "grass",
    "park": "grass",
    "garden": "grass",
    "scrub": "grass",
    "cemetery": "grass",
    "rail": "gravel",
    "construction": "soil",
    "paved": "paving",
    "water": "water",
}
PAVING = {  # of pavements, by preset
    "harbour": "paving_blocks",
    "oldtown": "paving_granite",
    "grid": "paving_scored",
    "garden": "paving_clinker",
}
SURFACES = {
    "asphalt": "asphalt_light",
    "concrete": "concrete",
    "sett": "setts",
    "cobblestone": "setts",
    "unhewn_cobblestone": "setts",
    "gravel": "gravel",
    "fine_gravel": "gravel",
    "compacted": "gravel",
    "sand": "sand",
    "ground": "soil",
    "grass": "grass",
    "paving_stones": "paving",
    "tactile": "tactile",
}


def look_of(label: str) -> str:
    """The look of a partition label such as "square/sett"."""
    kind, surface = [*label.split("/"), ""][:2]
    if surface in SURFACES and kind not in ("grass", "park", "garden"):
        return SURFACES[surface]
    return LOOKS.get(kind, "paving")


def lay(draft: CityDraft, mesh: GroundMesh, labels: NDArray[np.int64]) -> None:
    """Add the ground to the draft, near and far; `labels` (T,) are the object ids of its triangles."""
    groups: dict[tuple[str, int], list[NDArray[np.int64]]] = defaultdict(list)
    usual = PAVING.get(str(draft.plan.generator.get("preset", "")), "paving")
    styles = [usual if look_of(name) == "paving" else look_of(name) for name in mesh.names]
    for number, name in enumerate(styles):
        chosen = np.flatnonzero(mesh.label == number)
        for ident in np.unique(labels[chosen]).tolist():
            groups[(name, ident)].append(chosen[labels[chosen] == ident])
    for (name, ident), batches in sorted(groups.items()):
        _add(draft, name, ident, mesh.corners[np.concatenate(batches)], Detail.MIDDLE)
    broad = [LOOKS["carriageway"] if name == LOOKS["kerb"] else name for name in styles]
    for name, ident, corners in distant_ground(mesh, broad, labels):
        _add(draft, name, ident, corners, Detail.FAR)
    _lay_faces(draft, mesh, labels)


def _add(draft: CityDraft, name: str, ident: int, corners: NDArray[np.float64], detail: Detail) -> None:
    points, triangles = welded(corners)
    style = look(draft, name)
    uvs = points[:, :2] / np.array(style.metres) * (1.0, -1.0)
    draft.mesh.add(points, triangles, uvs, style.material, ident, detail)


def welded(corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """(T, 3, 3) triangles as shared points (V, 3) and indexes (T, 3)."""
    points, where = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return points, where.reshape(-1, 3).astype(np.int32)


def _behind_walls(draft: CityDraft, faces: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which vertical faces (N, 4, 3) have a building on the upper ground right behind them, whose wall is there."""
    walls = [b.polygon for b in draft.plan.buildings if b.min_height < HEADROOM and b.kind not in OPEN_KINDS]
    hidden = np.zeros(len(faces), dtype=bool)
    if not walls or not len(faces):
        return hidden
    along = faces[:, 1, :2] - faces[:, 0, :2]
    lower = np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    middle = faces[:, :2, :2].mean(axis=1)
    tree = shapely.STRtree(walls)
    behind = np.zeros((2, len(faces)), dtype=bool)
    for side, sense in enumerate((-1.0, 1.0)):
        found, _ = tree.query(shapely.points(middle + sense * BEHIND * lower), predicate="intersects")
        behind[side, found] = True
    return behind[0] & ~behind[1]


def _lay_faces(draft: CityDraft, mesh: GroundMesh, labels: NDArray[np.int64]) -> None:
    owners = labels[mesh.face_owner]
    rise = mesh.faces[:, [3, 2], 2] - mesh.faces[:, :2, 2]
    drop, ledge = rise.mean(axis=1) > 0.4, rise.max(axis=1) > LEDGE
    held = np.array([TERRACE in name for name in mesh.names])[mesh.face_label]
    if draft.plan.terrain is not None:
        held |= np.array([name != "water" for name in mesh.names])[mesh.face_label]
    low = ~drop
    drop[drop] = ~_behind_walls(draft, mesh.faces[drop])
    near, all_ = Detail.MIDDLE, Detail.ALL
    for name, chosen, detail in (
        ("kerb", low & ~ledge, near), ("kerb", low & ledge, all_),
        ("concrete", drop & ~held, all_), ("stone", drop & held, all_),
    ):  # fmt: skip
        style = look(draft, name)
        for owner in np.unique(owners[chosen]).tolist():
            quads = mesh.faces[chosen & (owners == owner)]
            along = np.hypot(quads[:, 1, 0] - quads[:, 0, 0], quads[:, 1, 1] - quads[:, 0, 1])
            zero = np.zeros_like(along)
            u = np.stack([zero, along, along, zero], axis=1) / style.metres[0]
            uvs = np.dstack([u, -quads[:, :, 2] / style.metres[1]])
            base = np.arange(len(quads), dtype=np.int32)[:, None] * 4
            triangles = np.concatenate([base + np.array([0, 1, 2]), base + np.array([0, 2, 3])])
            draft.mesh.add(quads.reshape(-1, 3), triangles, uvs.reshape(-1, 2), style.material, owner, detail)
