import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.build.chance import Chance
from citysim.build.procedural.tenancy.hours import TEMPLATES, hours_of
from citysim.errors import FormatError
from citysim.geo.hours import OpeningHours


@pytest.mark.parametrize(
    ("text", "day", "clock", "expected"),
    [
        ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", 0, 9 * 60, True),
        ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", 0, 18 * 60, False),
        ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", 5, 10 * 60 - 1, False),
        ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", 6, 12 * 60, False),
        ("Fr-Sa 16:00-02:00", 6, 60, True),  # Saturday night goes on
        ("Fr-Sa 16:00-02:00", 6, 130, False),
        ("Fr-Sa 16:00-02:00", 0, 60, False),
        ("24/7", 3, 200, True),
        ("Mo-Su 11:30-14:30,17:30-22:00", 2, 15 * 60, False),
        ("Mo-Su 11:30-14:30,17:30-22:00", 2, 18 * 60, True),
        ("Mo-Su 08:00-20:00; We off", 2, 12 * 60, False),
        ("Sa-Mo 08:00-20:00", 6, 12 * 60, True),
        ("08:00-20:00", 4, 12 * 60, True),
        ("Mo-Sa 10:00-24:00", 5, 23 * 60 + 59, True),
    ],
)
def test_open_or_not(text: str, day: int, clock: int, expected: bool) -> None:
    assert OpeningHours.parse(text).is_open(day, clock) == expected


@pytest.mark.parametrize(
    "text", ["", "sunrise-sunset", "Mo-Fr", "Xx 09:00-10:00", "Mo 25:00-26:00", "Mo 9-18", "PH off"]
)
def test_what_is_not_read_is_said(text: str) -> None:
    with pytest.raises(FormatError):
        OpeningHours.parse(text)


@given(seed=st.integers(0, 10**9), kind=st.sampled_from(sorted(TEMPLATES)))
def test_hours_of_the_embedded_cities_come_back_as_they_were(seed: int, kind: str) -> None:
    text = hours_of(kind, Chance(seed, "hours"))
    hours = OpeningHours.parse(text)
    assert str(hours) == text
    assert any(hours.is_open(day, minute) for day in range(7) for minute in range(0, 1440, 30))
    if kind != "always":
        assert not all(hours.is_open(day, minute) for day in range(7) for minute in range(0, 1440, 30))
