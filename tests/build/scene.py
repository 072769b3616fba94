"""A small made-up street for tests of the builders: two houses, a flat pavement, one walking line."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import box

from citysim.build.draft import CityDraft
from citysim.build.facade import Facade
from citysim.build.plans import BuildingPlan, CityPlan, EntrancePlan, PlacePlan, PropPlan, WayPlan
from citysim.geo.frames import LocalFrame
from citysim.geo.network import NetworkEdge


class Slope:
    """Ground that rises eastwards; carriageway between y = -12 and y = -5, pavement elsewhere."""

    def __init__(self, rise: float = 0.0) -> None:
        self.rise = rise

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(xy, dtype=np.float64).reshape(-1, 2)[:, 0] * self.rise

    def region(self, xy: ArrayLike) -> list[str]:
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        return ["carriageway" if -12.0 < y < -5.0 else "pavement" for y in points[:, 1]]


def empty_plan(
    places: Sequence[PlacePlan] = (),
    props: Sequence[PropPlan] = (),
    buildings: Sequence[BuildingPlan] = (),
    locale: str = "en",
) -> CityPlan:
    """A plan with one east-west street along y = -8 and a cross street along x = 32, both named."""
    nodes = {1: (-60.0, -8.0), 2: (32.0, -8.0), 3: (90.0, -8.0), 4: (32.0, -60.0), 5: (32.0, 60.0)}
    ways = (
        WayPlan("way/1", "residential", (1, 2, 3), 7.0, "Satamakatu", tags={"name:sv": "Hamngatan"}),
        WayPlan("way/2", "residential", (4, 2, 5), 7.0, "Äijälänkuja"),
    )
    return CityPlan(
        name="test",
        title="Test",
        source="made",
        licence="none",
        attribution="none",
        frame=LocalFrame(24.9, 60.2, 0.0),
        bounds=(-100.0, -100.0, 100.0, 100.0),
        seed=3,
        generator={},
        nodes=nodes,
        ways=ways,
        places=tuple(places),
        props=tuple(props),
        buildings=tuple(buildings),
        locale=locale,
    )


def house() -> BuildingPlan:
    """A house of 28 x 12 m north of the street, its main door in the middle of the south wall."""
    door = EntrancePlan("door/1", (14.0, 0.0), "main", number="5")
    return BuildingPlan("house/1", box(0.0, 0.0, 28.0, 12.0), 14.0, levels=4, entrances=(door,))


def street_scene(
    places: Sequence[PlacePlan], props: Sequence[PropPlan] = (), rise: float = 0.0, locale: str = "fi"
) -> tuple[CityDraft, Slope, list[Facade]]:
    """Draft, ground and the facades of one house, as the builders before would leave them."""
    plan = empty_plan(places, props, (house(),), locale)
    draft = CityDraft(plan)
    ground = Slope(rise)
    building = draft.add_object("building", (14.0, 6.0, 0.0), plan_id="house/1")
    x = np.array([-40.0, 0.0, 40.0])
    draft.edges.append(NetworkEdge(1, np.column_stack([x, np.full(3, -2.5), ground.height(np.column_stack([x, x]))])))
    facades = [
        Facade("house/1", building, (0.0, 0.0), (28.0, 0.0), 0.0, 12.0, 4.0, (0.0, -1.0), [(13.1, 14.9)]),
        Facade("house/1", building, (28.0, 0.0), (28.0, 12.0), 0.0, 12.0, 4.0, (1.0, 0.0)),
        Facade("house/1", building, (0.0, 12.0), (0.0, 0.0), 0.0, 12.0, 4.0, (-1.0, 0.0)),
    ]
    return draft, ground, facades
