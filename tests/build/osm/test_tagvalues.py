import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.build.osm.tagvalues import colour, first_value, heading, integer, is_yes, levels_of, metres, number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3.0),
        ("3,5", 3.5),
        ("3.5 m", 3.5),
        ("3.5m", 3.5),
        ("~4", 4.0),
        ("350 cm", 3.5),
        ("10'", 3.048),
        ("10 ft", 3.048),
        ("5'6\"", 1.6764),
        ("2;3", 2.0),
        ("64", None),
        ("-2", None),
        ("wide", None),
        ("", None),
        (None, None),
        ("3.5.1", None),
        ("1e3", None),
    ],
)
def test_lengths(text: str | None, expected: float | None) -> None:
    found = metres(text, high=40.0)
    assert found == (None if expected is None else pytest.approx(expected))


@given(st.floats(0.1, 39.9), st.sampled_from(["{:.2f}", "{:.2f} m", "{:.2f}m", " {:.2f}"]), st.booleans())
def test_any_decimal_width_is_read_back(width: float, form: str, comma: bool) -> None:
    text = form.format(width)
    found = metres(text.replace(".", ",") if comma else text, high=40.0)
    assert found is not None
    assert math.isclose(found, round(width, 2), abs_tol=1e-9)


@given(st.text(max_size=30))
def test_no_text_breaks_a_reader(text: str) -> None:
    found = metres(text, low=0.5, high=40.0)
    assert found is None or 0.5 <= found <= 40.0
    turned = heading(text)
    assert turned is None or 0.0 <= turned < 360.0
    assert colour(text) == "" or (len(colour(text)) == 7 and colour(text)[0] == "#")
    assert -1000 <= integer(text) <= 1000
    levels_of(text)
    number(text)


@pytest.mark.parametrize(
    ("text", "level"),
    [("0", 0), ("-1", -1), ("0;1", 0), ("-1;0", 0), ("2;3", 2), ("1-3", 1), ("x", 0), (None, 0), ("3.0", 3)],
)
def test_levels(text: str | None, level: int) -> None:
    assert levels_of(text) == level


@pytest.mark.parametrize(
    ("text", "degrees"), [("N", 0.0), ("sw", 225.0), ("236", 236.0), ("370", 10.0), ("forward", None)]
)
def test_headings(text: str, degrees: float | None) -> None:
    assert heading(text) == degrees


@pytest.mark.parametrize(
    ("text", "hexed"),
    [("#FFF", "#ffffff"), ("brown", "#a52a2a"), ("#EDDE10", "#edde10"), ("silver", "#c0c0c0"), ("blurple", "")],
)
def test_colours(text: str, hexed: str) -> None:
    assert colour(text) == hexed


def test_semicolons_and_yes() -> None:
    assert first_value("deli; kitchen") == "deli"
    assert is_yes("designated")
    assert not is_yes("no")
    assert not is_yes(None)
