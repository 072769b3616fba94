"""Stages: every picture is titled, explained and of the plan's shape."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from citysim.build.assemble import assemble
from citysim.build.draft import CityDraft
from citysim.build.procedural import plan_preset
from citysim.build.stages import draw_stages, write_stages
from citysim.build.stagesheet import MOST, PAPER, Sheet
from citysim.errors import StorageError

NAMES = ("terrain", "streets", "blocks", "buildings", "facilities", "furniture", "names", "network")


@pytest.fixture(scope="module")
def draft() -> CityDraft:
    return assemble(plan_preset("mini"))


def test_each_stage_has_a_picture_of_its_own(draft: CityDraft) -> None:
    made = draw_stages(draft)
    assert list(made) == [f"{k}-{name}.png" for k, name in enumerate(NAMES, 1)]
    shown = [np.asarray(Image.open(BytesIO(raw)).convert("RGB")) for raw in made.values()]
    for picture in shown:
        assert min(picture.shape[:2]) > MOST
        assert (picture[8:56] != PAPER).any(), "no title"
        assert (picture[-56:-24] != PAPER).any(), "no key"
    assert len(set(made.values())) == len(NAMES)
    assert draw_stages(draft) == made


def test_names_stay_in_the_picture(draft: CityDraft) -> None:
    sheet = Sheet(draft.plan)
    e0, _, _, n1 = draft.plan.bounds
    sheet.write((e0, n1), "Northwestern Corner", 18, (0, 0, 0))
    dark = np.argwhere(np.asarray(sheet.image).sum(axis=2) < 200)
    assert len(dark) > 300
    assert dark.min() >= 2


def test_pictures_go_into_a_new_folder_or_nowhere(draft: CityDraft, tmp_path: Path) -> None:
    write_stages(draft, tmp_path / "new" / "stages")
    assert len(list((tmp_path / "new" / "stages").iterdir())) == len(NAMES)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        write_stages(draft, tmp_path / "file")
