import numpy as np
import pytest

from citysim.build.draft import CityDraft
from citysim.build.text.atlas import GUTTER, PAGE, TextAtlas
from citysim.build.text.lettering import Lettering, measure
from citysim.build.text.packing import shelves, smallest_page
from citysim.build.text.sign import SignFace, luminance
from citysim.errors import InputError
from citysim.fonts.faces import FACES
from tests.build.scene import empty_plan


def ink_share(picture: np.ndarray, ground: str) -> np.ndarray:
    """(H, W) whether a texel differs clearly from the ground colour."""
    base = np.array([int(ground[i : i + 2], 16) for i in (1, 3, 5)])
    return np.abs(picture.astype(int) - base).sum(axis=2) > 60


@pytest.mark.parametrize("face", sorted(FACES))
@pytest.mark.parametrize("text", ["ÄÖÅ jgpq", "Café Élan", "Phở Việt", "Æther ﬁ", "WWW fj"])
def test_text_is_never_clipped(face: str, text: str) -> None:
    sign = SignFace((text, text), face)
    mask = ink_share(sign.pixels, sign.ground)
    assert mask.any()
    assert not mask[:2].any()
    assert not mask[-2:].any()
    assert not mask[:, :2].any()
    assert not mask[:, -2:].any()


def test_letters_read_from_left_to_right() -> None:
    mask = ink_share(SignFace(("L",), "sans", cap=40).pixels, SignFace(("L",)).ground)
    columns = np.flatnonzero(mask.any(axis=0))
    left, right = mask[:, columns[0] : columns[0] + 4].sum(), mask[:, columns[-1] - 4 : columns[-1]].sum()
    assert left > 2 * right  # the stem of an L is on its left
    rows = np.flatnonzero(mask.any(axis=1))
    assert mask[rows[-1] - 2].sum() > 2 * mask[rows[0] + 2].sum()  # its foot is at the bottom


def test_capitals_have_the_asked_height() -> None:
    mask = ink_share(SignFace(("HE",), "sans", cap=32).pixels, SignFace(("H",)).ground)
    assert abs(int(mask.any(axis=1).sum()) - 32) <= 1


def test_packing_never_overlaps() -> None:
    sizes = [(8 + 7 * i % 60, 8 + 5 * i % 24) for i in range(60)]
    places = shelves(sizes, 256, 256)
    assert places is not None
    taken = np.zeros((256, 256), dtype=int)
    for (w, h), (x, y) in zip(sizes, places, strict=True):
        taken[y : y + h, x : x + w] += 1
    assert taken.max() == 1
    assert taken.sum() == sum(w * h for w, h in sizes)
    assert shelves([(300, 10)], 256, 256) is None
    assert shelves([(200, 200), (200, 200)], 256, 256) is None


def test_smallest_page_is_a_power_of_two_that_fits() -> None:
    found = smallest_page([(60, 30)] * 8, 1024)
    assert found is not None
    (width, height), places = found
    assert width & (width - 1) == 0
    assert height & (height - 1) == 0
    assert width * height <= 4 * 8 * 60 * 30
    assert all(x + 60 <= width and y + 30 <= height for x, y in places)


def test_atlas_prints_each_face_where_it_says() -> None:
    draft = CityDraft(empty_plan())
    atlas = TextAtlas(draft, "signs")
    faces = [SignFace((f"NAME {i}", "TWO" * (1 + i % 3)), cap=20) for i in range(90)]
    tickets = [atlas.want(face, (31.0 * i % 400, 17.0 * i % 300)) for i, face in enumerate(faces)]
    again = atlas.want(faces[0], (0.0, 0.0))
    atlas.pack()
    for ticket, face in zip(tickets, faces, strict=True):
        printed = atlas.printed(ticket)
        page = draft.textures[printed.material].pixels
        height, width = page.shape[:2]
        assert max(height, width) <= PAGE
        left, top, right, bottom = (
            round(v * n - d) for v, n, d in zip(printed.uv, (width, height) * 2, (0.5, 0.5, -0.5, -0.5), strict=True)
        )
        assert np.array_equal(page[top:bottom, left:right], face.pixels)
        assert np.array_equal(page[top - GUTTER, left:right], face.pixels[0])  # repeated edge
        assert printed.width == pytest.approx(face.size[0] / face.cap)
    assert atlas.printed(again).width == atlas.printed(tickets[0]).width


def test_atlas_refuses_a_sign_larger_than_a_page() -> None:
    atlas = TextAtlas(CityDraft(empty_plan()), "signs")
    atlas.want(SignFace(("W" * 60,), cap=64), (0.0, 0.0))
    with pytest.raises(InputError, match="at most 1024"):
        atlas.pack()


def test_lettering_covers_the_sign_without_gap_or_overlap() -> None:
    draft = CityDraft(empty_plan())
    letters = Lettering(draft, "letters")
    signs = [SignFace(("Ravintola", "Äijä & Öljy"), "slab"), SignFace(("ABBA",), "slab"), SignFace(("Ж ą",), "poster")]
    for sign in signs:
        letters.want(sign)
    letters.pack()
    for sign in signs:
        made = letters.set(sign)
        assert (made.width, made.height) == pytest.approx(measure(sign))
        area = sum((p.box[2] - p.box[0]) * (p.box[3] - p.box[1]) for p in made.patches)
        assert area == pytest.approx(made.width * made.height)
        assert min(min(p.box) for p in made.patches) > -1e-9
    same = [p.uv for p in letters.set(signs[1]).patches]
    assert same[1] == same[4]  # both A of ABBA are one picture
    assert same[2] == same[3]
    assert letters.set(signs[1], 20.0).width == 20.0


def test_lettering_draws_letters_whole_and_upright() -> None:
    draft = CityDraft(empty_plan())
    letters = Lettering(draft, "letters")
    sign = SignFace(("gÅj",), "sans")
    letters.want(sign)
    letters.pack()
    made = letters.set(sign)
    page = draft.textures[made.material].pixels
    height, width = page.shape[:2]
    for patch in made.patches[1:4]:
        left, top, right, bottom = (round(v * n) for v, n in zip(patch.uv, (width, height) * 2, strict=True))
        mask = ink_share(page[top:bottom, left:right], sign.ground)
        assert mask.any()
        assert not mask[0].any()
        assert not mask[-1].any()
        assert abs((patch.box[2] - patch.box[0]) * sign.cap - (right - left)) < 1e-6


def test_luminance_of_black_and_white() -> None:
    assert luminance("#000000") == 0.0
    assert luminance("#ffffff") == pytest.approx(1.0)
