"""Legibility: an OCR engine from PyPI reads the shop signs of the embedded cities, by day and under lamps."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.fonts.faces import FACES, coverage
from citysim.fonts.layout import fold, runs
from citysim.render import make_renderer
from citysim.render.base import Renderer
from tests.build.proofs.reading import Stand, look, reads, stands
from tests.build.proofs.solid import ALL_CITIES, Solid

Solids = Callable[[str], Solid]
SAMPLE = {"mini": 8}  # signs looked at; others 60
KEEP = "CITYSIM_PROOF_PICTURES"  # a folder that keeps the pictures of signs that were not read
BY_DAY, BY_NIGHT = 0.9, 0.8
SEED = 5207  # of the sample; signs are never made, nor this reader changed, for the signs it draws
CLEAR = 0.995  # share of a sign to be seen; a lamp post over one letter is 3 %: a passer-by takes a step aside
TRIES = 40
UNSEEN = 0.06  # share of signs that no point 4 to 15 m away may show


@pytest.fixture(scope="session")
def engine() -> Any:
    """RapidOCR with the models in its wheel."""
    try:
        from rapidocr_onnxruntime import RapidOCR
    except ImportError as error:  # its image library needs more of the system than a bare one has
        pytest.skip(f"needs rapidocr-onnxruntime ({error})")
    return RapidOCR(det_limit_side_len=480, det_limit_type="min")


@pytest.fixture(scope="session")
def sampled(solid_of: Solids) -> Callable[[str], tuple[list[list[Stand]], int]]:
    """For a preset: where to stand before a sample of its signs, in an order of chance, and how many signs no such
    point was found for.
    """
    known: dict[str, tuple[list[list[Stand]], int]] = {}

    def sample(name: str) -> tuple[list[list[Stand]], int]:
        if name not in known:
            solid = solid_of(name)
            draws = np.random.default_rng(SEED)
            places = [p for p in solid.city.places if p.sign and solid.objects[p.sign].category == "shop_sign"]
            chosen = draws.permutation(len(places))[: SAMPLE.get(name, 60)]
            found: list[list[Stand]] = []
            unseen = 0
            for number in chosen.tolist():
                options = stands(solid, places[number])
                if options:
                    found.append([options[k] for k in draws.permutation(len(options)).tolist()])
                else:
                    unseen += 1
            known[name] = found, unseen
        return known[name]

    return sample


def _conditions(city: City, hour: float) -> Conditions:
    lat, lon = city.frame.lat, city.frame.lon
    return Conditions(hour * 3600.0, latitude_deg=lat, longitude_deg=lon, utc_offset_h=city.utc_offset_h)


def _clear(renderer: Renderer, options: list[Stand], when: Conditions) -> tuple[Stand, NDArray[np.uint8] | None]:
    """The first of some places from which no leaves nor posts hide the sign, else the one that shows most of it."""
    best: tuple[float, Stand, NDArray[np.uint8] | None] = (0.0, options[0], None)
    for stand in options[:TRIES]:
        seen = look(renderer, stand, when)
        if seen is not None and seen[1] > best[0]:
            best = (seen[1], stand, seen[0])
        if best[0] > CLEAR:
            break
    return best[1], best[2]


def _share(city: City, engine: Any, standing: list[list[Stand]], hour: float) -> tuple[float, list[str]]:
    from PIL import Image

    renderer = make_renderer("raster", city)
    missed = []
    for options in standing:
        stand, picture = _clear(renderer, options, _conditions(city, hour))
        options[:] = [stand]  # what hides a sign by day hides it at night: it is looked for once
        good, text = (False, "") if picture is None else reads(engine, picture, stand.place.name)
        if not good:
            if picture is not None and os.environ.get(KEEP):
                Image.fromarray(picture).save(Path(os.environ[KEEP], f"{city.name}-{hour:.0f}-{stand.label}.png"))
            away = float(np.linalg.norm(stand.eye - stand.target))
            missed.append(f"{stand.place.name!r} at {away:.0f} m as {text[:60]!r}")
    renderer.close()
    return 1.0 - len(missed) / len(standing), missed


@pytest.mark.parametrize("name", ALL_CITIES)
def test_signs_can_be_read_by_day(name: str, solid_of: Solids, sampled: Any, engine: Any) -> None:
    standing, unseen = sampled(name)
    share, missed = _share(solid_of(name).city, engine, standing, 13.0)
    assert unseen <= UNSEEN * (unseen + len(standing)) + 1, f"{unseen} signs of {len(standing)} cannot be seen"
    assert share >= BY_DAY, f"{share:.0%} read; missed {missed}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_signs_can_be_read_at_night(name: str, solid_of: Solids, sampled: Any, engine: Any) -> None:
    standing, _ = sampled(name)
    share, missed = _share(solid_of(name).city, engine, standing, 21.5)
    assert share >= BY_NIGHT, f"{share:.0%} read; missed {missed}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_every_letter_of_every_sign_is_in_its_face(name: str, solid_of: Solids) -> None:
    city = solid_of(name).city
    texts = {str(o.attributes["text"]) for o in city.objects if o.attributes.get("text")}
    texts |= {p.opening_hours for p in city.places} | {o.name for o in city.objects if "sign" in o.category}
    assert len(texts) > 30
    for text in sorted(texts):
        for face in FACES:
            drawn = runs(text, face)
            assert all(ord(c) in coverage(used) for used, part in drawn for c in part), (text, drawn)
        letters = [c for c in text if not c.isspace()]
        assert sum(len(part.replace(" ", "")) for _, part in runs(text, "sans")) >= len(letters), text


def test_what_no_face_has_is_folded_or_left_out() -> None:
    assert runs("\U0001f600龘", "sans") == []
    assert fold("Żółć") == "Zolc"
