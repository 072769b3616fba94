"""What is built within the corridors: walls where the city's triangles reach into the ground that people walk on.

Corridors are as wide as the narrowest place beside them leaves room, but never narrower than two bodies, and round at
their ends: the corner of a house, the end of a parapet or a post may stand in that. The triangles are cut at the height
of a breast, and what of the cut lies within a corridor is a wall from both sides.
"""

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.city import City
from citysim.crowd.clearance import MOST_NEAR, windows
from citysim.geometry.gather import load_triangle, triangles_in_box
from citysim.geometry.jit import kernel

BREAST_M = 1.0
CUTS = 3  # heights at which a piece that rises is cut
LEVEL_M = 0.05  # of rise needs one cut only
BAND_M = 0.4  # above and below a piece, where its walls hold
BRIEF_M = 0.02  # shorter cuts come from rounding


def built_walls(city: City, lines: NDArray[np.float64], areas: Any) -> NDArray[np.float64]:
    """(S, 7) walls, as `build_walls` takes them, of what stands in corridors.

    lines  (K, 2, 3) the straight pieces of the network's lines; areas (K,) polygons walked on around them
    """
    found, owners, bounds = [np.empty((0, 4))], [np.empty(0, np.int64)], np.asarray(shapely.bounds(areas))
    reach = float(np.nanmax(bounds[:, 2:] - bounds[:, :2], initial=0.0))
    for scene, rows in windows(city, lines.mean(axis=1), reach):
        count = _cut(scene.tables, lines, bounds, rows, np.empty((0, 4)), np.empty(0, np.int64))
        cuts, owner = np.empty((count, 4)), np.empty(count, np.int64)
        _cut(scene.tables, lines, bounds, rows, cuts, owner)
        inside = shapely.intersects(shapely.linestrings(cuts.reshape(-1, 2, 2)), areas[owner])
        found.append(cuts[inside])
        owners.append(owner[inside])
    cuts, owner = np.concatenate(found), np.concatenate(owners)
    left = shapely.intersection(shapely.linestrings(cuts.reshape(-1, 2, 2)), areas[owner])
    parts, index = shapely.get_parts(left, return_index=True)
    kept = shapely.length(parts) > BRIEF_M
    parts, owner = parts[kept], owner[index[kept]]
    walls = np.zeros((len(parts), 7))
    walls[:, 0:2] = shapely.get_coordinates(shapely.get_point(parts, 0))
    walls[:, 2:4] = shapely.get_coordinates(shapely.get_point(parts, -1))
    walls[:, 4], walls[:, 5] = lines[owner, :, 2].min(axis=1) - BAND_M, lines[owner, :, 2].max(axis=1) + BAND_M
    return np.unique(np.round(walls, 3), axis=0)


@kernel
def _cut(tables: Any, lines: Any, bounds: Any, rows: Any, cuts: Any, owners: Any) -> int:
    """Cut triangles in the boxes of some pieces (`rows`) at breast height; gives how many cuts there are.

    As many as there is room for are written: ends (S, 4) and numbers of the pieces (S,).
    """
    found, corners, normal, count = np.empty(MOST_NEAR, np.int32), np.empty(9), np.empty(3), 0
    for r in range(rows.shape[0]):
        k = rows[r]
        low, high = min(lines[k, 0, 2], lines[k, 1, 2]) + BREAST_M, max(lines[k, 0, 2], lines[k, 1, 2]) + BREAST_M
        box = np.array((bounds[k, 0], bounds[k, 1], low, bounds[k, 2], bounds[k, 3], high))
        heights = 1 if high - low < LEVEL_M else CUTS
        for t in range(min(triangles_in_box(tables, box, found), MOST_NEAR)):
            load_triangle(tables, found[t], corners, normal)
            for h in range(heights):
                height = 0.5 * (low + high) if heights == 1 else low + (high - low) * h / (CUTS - 1)
                ends, x0, y0, x1, y1 = 0, 0.0, 0.0, 0.0, 0.0
                for c in range(3):
                    a, b = 3 * c, 3 * ((c + 1) % 3)
                    below, above = corners[a + 2] - height, corners[b + 2] - height
                    if (below < 0.0) == (above < 0.0):
                        continue
                    share = below / (below - above)
                    x = corners[a] + share * (corners[b] - corners[a])
                    y = corners[a + 1] + share * (corners[b + 1] - corners[a + 1])
                    if ends == 0:
                        x0, y0 = x, y
                    else:
                        x1, y1 = x, y
                    ends += 1
                apart = max(x0, x1) < box[0] or min(x0, x1) > box[3] or max(y0, y1) < box[1] or min(y0, y1) > box[4]
                if ends == 2 and not apart:
                    if count < owners.shape[0]:
                        cuts[count, 0], cuts[count, 1], cuts[count, 2], cuts[count, 3] = x0, y0, x1, y1
                        owners[count] = k
                    count += 1
    return count
