"""Things left on seats and tables: wholly on them, clear of one another."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from citysim.build.chance import Chance
from citysim.build.props.handheld import HANDHELD
from citysim.build.props.leftovers import _silhouette
from citysim.build.props.surfaces import SURFACES


@given(st.sampled_from(sorted(SURFACES)), st.sampled_from(sorted(HANDHELD)), st.floats(0.0, 360.0))
def test_things_lie_wholly_on_their_surface(kind: str, name: str, turn: float) -> None:
    surface = SURFACES[kind]
    outline = shapely.affinity.rotate(_silhouette(HANDHELD[name](Chance(0, "thing"))), turn, origin=(0.0, 0.0))
    taken: list[shapely.Geometry] = []
    for spot in surface.spots:
        place = surface.place(outline, spot, taken)
        if place is None:
            assert kind != "picnic_table" or name == "umbrella"  # which has room for every other thing
            continue
        lies = shapely.affinity.translate(outline, *place)
        whole = [shapely.box(*box) for box in surface.rest] or [shapely.Point(0.0, 0.0).buffer(surface.round_m)]
        assert any(part.covers(lies) for part in whole)
        assert all(lies.distance(other) > 0.0 for other in taken)
        assert all(lies.distance(shapely.Point(x, y)) >= 0.99 * r for x, y, r in surface.posts)
        taken.append(lies)


@pytest.mark.parametrize("kind", sorted(SURFACES))
def test_a_cup_finds_room_near_every_spot(kind: str) -> None:
    surface = SURFACES[kind]
    outline = _silhouette(HANDHELD["cup"](Chance(0, "cup")))
    for spot in surface.spots:
        place = surface.place(outline, spot, [])
        assert place is not None
        assert np.hypot(place[0] - spot[0], place[1] - spot[1]) < 0.1
