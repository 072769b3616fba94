import pytest

from citysim.build.draft import CityDraft
from citysim.build.streets import build_streets
from citysim.build.streets.surface import GroundSurface
from tests.build.streets.small import small_plan


@pytest.fixture(scope="session")
def built() -> tuple[CityDraft, GroundSurface]:
    draft = CityDraft(small_plan())
    return draft, build_streets(draft)
