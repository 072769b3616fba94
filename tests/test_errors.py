import pickle

import pytest

from citysim.errors import CitySimError, InputError, StorageError, UnknownNameError


def test_a_message_has_three_parts() -> None:
    error = InputError("a city", "a cat", "another animal")
    assert str(error) == "expected a city, found a cat; try another animal"
    assert isinstance(error, ValueError)
    assert isinstance(error, CitySimError)


def test_errors_cross_process_borders() -> None:
    copy = pickle.loads(pickle.dumps(StorageError("space", "none", "deleting")))
    assert (copy.expected, copy.found, copy.advice) == ("space", "none", "deleting")
    assert isinstance(copy, OSError)


@pytest.mark.parametrize(("name", "advice"), [("minni", "'mini'"), ("zzz", "one of these")])
def test_an_unknown_name_lists_the_known_ones(name: str, advice: str) -> None:
    error = UnknownNameError.of("a preset", name, ["mini", "harbour"])
    assert "harbour, mini" in str(error)
    assert error.advice == advice
