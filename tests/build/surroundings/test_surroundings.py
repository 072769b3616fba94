from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from citysim.build.draft import CityDraft
from citysim.build.streets.rim import GREEN, ROAD, WALK, WATER, rim_sides
from citysim.build.surroundings import build_surroundings
from citysim.build.surroundings.manners import MANNERS
from citysim.build.tiler import cut, soup_of
from tests.build.scene import empty_plan

BOUNDS = (-100.0, -100.0, 100.0, 100.0)


class Coast:
    """Sea in the south, a street from west to east, a park in the north; the ground rises northwards."""

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        y = np.asarray(xy, dtype=np.float64).reshape(-1, 2)[:, 1]
        return np.where(y < -60.0, -1.0, (y + 60.0) * 0.02)

    def region(self, xy: ArrayLike) -> list[str]:
        found = []
        for y in np.asarray(xy, dtype=np.float64).reshape(-1, 2)[:, 1]:
            found.append("water" if y < -60 else "carriageway" if abs(y) < 4 else "park" if y > 60 else "pavement")
        return found


def around(preset: str, seed: int = 3) -> CityDraft:
    draft = CityDraft(replace(empty_plan(), generator={"preset": preset}, seed=seed))
    build_surroundings(draft, Coast())  # type: ignore[arg-type]
    return draft


def corners(draft: CityDraft) -> NDArray[np.float64]:
    return np.concatenate([p.positions[p.triangles] for p in draft.mesh.parts])


def test_runs_cover_every_side_in_order() -> None:
    sides = rim_sides(BOUNDS, Coast())  # type: ignore[arg-type]
    for side in sides:
        assert side.runs[0].start == 0.0
        assert side.runs[-1].end == pytest.approx(side.length)
        assert all(a.end == b.start and a.kind != b.kind for a, b in zip(side.runs[:-1], side.runs[1:], strict=True))
    assert [r.kind for r in sides[0].runs] == [WATER]
    assert [r.kind for r in sides[1].runs] == [WATER, WALK, ROAD, WALK, GREEN]
    assert [r.kind for r in sides[2].runs] == [GREEN]
    assert sides[1].at(10.0, 5.0) == (105.0, -90.0)


@pytest.mark.parametrize("preset", sorted(MANNERS))
def test_nothing_of_it_stands_in_the_city(preset: str) -> None:
    draft = around(preset)
    assert all(part.label == 0 for part in draft.mesh.parts)
    assert not draft.objects
    middle = corners(draft).mean(axis=1)
    assert (np.abs(middle[:, :2]).max(axis=1) > 100.0).all()
    assert draft.mesh.triangle_count < 6000


def test_ground_beyond_is_seen_from_above_and_goes_on_at_the_edge() -> None:
    draft = around("harbour")
    flat = [p for p in draft.mesh.parts if p.material in ("look/asphalt", "look/paving", "look/grass", "look/water")]
    found = np.concatenate([p.positions[p.triangles] for p in flat])
    normal = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
    assert (normal[:, 2] > 0).all()
    at = np.concatenate([p.positions for p in flat])
    rim = at[np.abs(np.abs(at[:, :2]).max(axis=1) - 100.0) < 1e-6]
    rim = rim[np.abs(rim[:, 1] + 60.0) > 1.0]
    gap = Coast().height(np.clip(rim[:, :2], -99.4, 99.4)) - rim[:, 2]
    assert np.abs(gap).max() < 0.05


def test_sea_stays_open() -> None:
    middle = corners(around("harbour"))
    near = (middle[:, :, 1].min(axis=1) < -130.0) & (middle[:, :, 1].max(axis=1) > -600.0)
    near &= np.abs(middle[:, :, 0]).max(axis=1) <= 100.0
    assert middle[near][:, :, 2].max() < 0.0


def test_the_same_seed_gives_the_same_view_and_another_another() -> None:
    one, same, other = (around("grid", seed) for seed in (3, 3, 4))
    assert np.array_equal(corners(one), corners(same))
    assert corners(one).shape != corners(other).shape or not np.array_equal(corners(one), corners(other))


def test_other_cities_have_none() -> None:
    draft = CityDraft(empty_plan())
    build_surroundings(draft, Coast())  # type: ignore[arg-type]
    assert not draft.mesh.parts


def test_it_is_cut_into_eight_tiles_at_most() -> None:
    draft = around("akiba")
    cells = cut(soup_of(draft.mesh.parts), BOUNDS)
    assert {(c.column, c.row) for c in cells} <= {(a, b) for a in (-2, -1, 1) for b in (-2, -1, 1)} - {(-1, -1)}
    assert sum(len(part.triangles) for c in cells for part in c.levels[0].parts) == draft.mesh.triangle_count
