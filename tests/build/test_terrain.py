import numpy as np
from shapely.geometry import LineString, Polygon, box

from citysim.build.terrain import Patch, Terrain


def steps() -> Terrain:
    """Level ground, a slope that begins at its height, and a shelf two metres above its end."""
    return Terrain.of(
        [
            Patch.level(box(0.0, 0.0, 10.0, 10.0), 1.0),
            Patch(box(10.0, 0.0, 20.0, 10.0), lambda x, y: 1.0 + (x - 10.0) * 0.2),
            Patch.level(box(20.0, 0.0, 30.0, 10.0), 5.0),
        ]
    )


def test_heights_are_those_of_the_patches() -> None:
    terrain = steps()
    assert terrain.height(5.0, 5.0) == 1.0
    assert terrain.height(15.0, 2.0) == 2.0
    assert terrain.height(25.0, 9.0) == 5.0
    found = terrain.heights([(5.0, 5.0), (12.5, 7.0), (-40.0, 5.0), (90.0, 5.0)])
    np.testing.assert_allclose(found, [1.0, 1.5, 1.0, 5.0])


def test_the_ground_bends_and_steps_only_where_patches_meet() -> None:
    terrain = steps()
    inner = [c for c in terrain.creases if not _on_rim(c)]
    assert sorted({c.coords[0][0] for c in inner}) == [10.0, 20.0]
    planes = terrain.plane([(1.0, 1.0), (9.0, 9.0), (12.0, 1.0), (18.0, 9.0), (25.0, 5.0)])
    assert planes[0] == planes[1]
    assert planes[2] == planes[3]
    assert len(set(planes.tolist())) == 3


def _on_rim(line: LineString) -> bool:
    (x0, y0), (x1, y1) = line.coords
    return (x0 == x1 and x0 in (0.0, 30.0)) or (y0 == y1 and y0 in (0.0, 10.0))


def test_cliffs_have_the_higher_ground_on_their_left() -> None:
    (cliff,) = steps().cliffs(0.3)
    np.testing.assert_allclose(cliff.points[:, 0], 20.0)
    assert cliff.points[0, 1] > cliff.points[-1, 1]  # southwards, east is on the left
    np.testing.assert_allclose(cliff.low, 3.0)
    np.testing.assert_allclose(cliff.high, 5.0)


def test_only_the_part_of_an_edge_that_steps_enough_is_a_cliff() -> None:
    slope = Patch(box(0.0, 0.0, 10.0, 10.0), lambda x, y: y * 0.2)
    terrain = Terrain.of([slope, Patch.level(box(10.0, 0.0, 20.0, 10.0), 1.0)])
    found = terrain.cliffs(0.3)
    assert len(found) == 2
    lengths = sorted(float(np.abs(np.diff(c.points[:, 1])).sum()) for c in found)
    np.testing.assert_allclose(lengths, [3.5, 3.5], atol=0.51)


def test_thin_facets_do_not_join_unlike_planes() -> None:
    bent = Polygon([(0.0, 0.0), (10.0, 0.0), (10.001, 5.0), (10.0, 10.0), (0.0, 10.0)])
    heights = {(10.0, 10.0): 2.0, (0.0, 10.0): 2.0}
    terrain = Terrain.of([Patch(bent, lambda x, y: heights.get((x, y), 0.0)), Patch.level(box(10.001, 0, 20, 10), 0.0)])
    low, high = terrain.heights([(1.0, 0.5), (1.0, 9.5)])
    assert high > low
    away = terrain.on(terrain.facet([(5.0, 5.0)]), [(5.0, 5.0)])
    np.testing.assert_allclose(away, terrain.heights([(5.0, 5.0)]))
