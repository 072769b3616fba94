"""Lamps below roofs hang from what is above them, over the heads of walkers, and light the way at night."""

import numpy as np
import pytest

from citysim.build.assemble import assemble
from citysim.build.covering import ceilings, covered_edges
from citysim.build.draft import CityDraft
from citysim.build.procedural import plan_preset
from citysim.build.props.overhead import APART, KIND, LOW, THICK
from citysim.render.raster.lamps import lamps_of


@pytest.fixture(scope="module")
def draft() -> CityDraft:
    return assemble(plan_preset("mini"))


def test_covered_ways_have_lamps_that_touch_their_ceilings(draft: CityDraft) -> None:
    hung = [thing for thing in draft.objects if thing.category == KIND]
    assert hung
    assert covered_edges(draft)
    places = np.array([thing.position for thing in hung])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 99.0 * np.eye(len(places))
    assert apart.min() >= APART - 0.01
    tops, _ = ceilings(draft, places - (0.0, 0.0, THICK + LOW))
    for thing, top in zip(hung, tops, strict=True):
        low, high = thing.bounds[2], thing.bounds[5]
        assert 0.05 < high - low < 1.0
        assert low - 0.01 <= top <= high + 0.02
        assert thing.attributes["color_name"] == "white"
        assert thing.attributes["size_m"][2] > 0.0


def test_lamps_below_roofs_give_light(draft: CityDraft) -> None:
    hung = [thing for thing in draft.objects if thing.category == KIND]
    light = lamps_of(hung)
    assert len(light) == len(hung)
    assert all(lamp.place[2] < thing.bounds[2] for lamp, thing in zip(light, hung, strict=True))
    assert all(min(lamp.power) > 0.5 for lamp in light)
