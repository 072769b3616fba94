"""Pictures of buildings are begun before they are needed, and no others."""

import pytest

from citysim.build.aside import Aside
from citysim.build.buildings import begin_painting
from citysim.build.draft import CityDraft
from citysim.build.procedural import plan_preset


@pytest.fixture(scope="module")
def begun() -> tuple[set[str], set[str]]:
    """Names of pictures begun early, and of those a plan's buildings name once they are built."""
    from citysim.build.buildings.looks import choose_looks

    plan = plan_preset("mini")
    with Aside(1) as aside:
        early = CityDraft(plan, aside)
        begin_painting(early, plan.buildings)
        names = set(early.textures)
    with Aside(1) as aside:
        later = CityDraft(plan, aside)
        choose_looks(later, plan.buildings)
        return names, set(later.textures)


def test_all_that_is_begun_is_needed(begun: tuple[set[str], set[str]]) -> None:
    early, later = begun
    assert any(name.startswith("facade/") for name in early)
    assert {name for name in later if name.startswith("facade/")} == {n for n in early if n.startswith("facade/")}
    assert early <= later | {"kit/sheet", "look/rail_panel", "look/fence", "plain/concrete"}


def test_nothing_is_begun_where_there_is_no_other_process() -> None:
    plan = plan_preset("mini")
    draft = CityDraft(plan)
    begin_painting(draft, plan.buildings)
    assert not len(draft.textures)
