import time

import pytest

from citysim.city import CityObject
from citysim.city.objects import objects_text, parse_objects
from citysim.errors import FormatError

ROWS = [
    CityObject(1, "ground"),
    CityObject(2, "building", "Ääni «1»", (1.25, -2.5, 0.0), 90.0, (0.0, 0.0, 0.0, 4.0, 5.0, 6.0), {"floors": 3}, 1),
]


def test_round_trip() -> None:
    text = objects_text(ROWS)
    assert text.count("\n") == 2
    assert parse_objects(text.encode(), "x") == tuple(ROWS)
    assert parse_objects(b"", "x") == ()
    assert parse_objects(text.replace("\n", "\n\n").encode(), "x") == tuple(ROWS)


@pytest.mark.parametrize(
    "data", [b"{", b"[]\n", b'{"id":1}\n', b"5\n", b'{"id":1,"category":"a","position":3,"bounds":[]}\n', b"\xff\n"]
)
def test_broken_lines_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"'o\.jsonl'"):
        parse_objects(data, "o.jsonl")


def test_tens_of_thousands_are_read_quickly() -> None:
    many = [CityObject(i, "tree", f"t{i}", (1.5 * i, 2.5, 3.5), attributes={"height": 7}) for i in range(1, 20001)]
    data = objects_text(many).encode()
    started = time.process_time()
    assert len(parse_objects(data, "x")) == 20000
    assert time.process_time() - started < 1.0  # 0.15 s on a quiet machine
