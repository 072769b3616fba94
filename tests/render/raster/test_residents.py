"""A renderer short of memory draws the same pictures."""

import numpy as np

from citysim.city import City, Material
from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster.arena import GeometryArena, GrowingArray
from citysim.render.raster.renderer import RasterRenderer
from citysim.render.raster.residents import KEPT, Residents
from citysim.render.raster.textures import TextureArena
from tests.render.scenes import box


def town(count: int = 8) -> City:
    """Boxes on a grid, one tile and one texture each (every third shares its neighbour's)."""
    rng = np.random.default_rng(1)
    chunks = []
    for row in range(count):
        for column in range(count):
            number = row * count + column
            e, n = 30.0 * column, 30.0 * row
            shared = number - 1 if number % 3 == 2 else number
            chunks.append(box((e, n, 0), (e + 12, n + 12, 10 + number % 7), material=shared, label=number + 1))
    textures = [rng.integers(0, 256, (32, 64, 4), dtype=np.uint8) for _ in range(count * count)]
    return City.in_memory(chunks, [Material(texture=i) for i in range(count * count)], textures)


def views() -> list[View]:
    rng = np.random.default_rng(2)
    places = [
        Pose(float(e), float(n), 2.0, float(yaw)) for e, n, yaw in rng.uniform((-20, -20, 0), (240, 240, 6), (16, 3))
    ]
    hours = (9.0, 15.0)
    return [
        View(Camera(pose, (160, 120)), Conditions(clock_s=3600.0 * hours[i % 2]), depth=True, labels=True)
        for i, pose in enumerate(places)
    ]


def test_pictures_do_not_depend_on_the_memory() -> None:
    city = town()
    rich, poor = RasterRenderer(city), RasterRenderer(city, memory_mb=0.12)
    for view in views() * 2:
        a, b = rich.render(view), poor.render(view)
        assert (a.rgb == b.rgb).all()
        assert a.depth is not None
        assert b.depth is not None
        assert (a.depth == b.depth).all()
        assert (np.asarray(a.labels) == np.asarray(b.labels)).all()


def test_memory_stays_within_the_budget_and_one_view() -> None:
    city = town()
    textures = TextureArena(city)
    arena = GeometryArena(textures.flags)
    residents = Residents(arena, textures, 200_000)
    loads: list[int] = []

    def load(tile: int):  # type: ignore[no-untyped-def]
        loads.append(tile)
        return city.chunk(tile)

    one_view = 4 * (arena.nbytes + 64 * 32 * 4 * 2 + 20_000)
    for start in range(0, 61):
        residents.next_view()
        for tile in range(start, start + 4):
            residents.use(tile, load)
        assert all(arena.loaded(tile) for tile in range(start, start + 4))
        assert arena.nbytes + textures.nbytes <= 200_000 + one_view
    assert len(loads) == 64  # neighbours were still there
    residents.next_view()
    residents.use(0, load)
    assert loads[-1] == 0  # the first had gone
    assert KEPT < 1.0


def test_packing_keeps_rows_in_order() -> None:
    array = GrowingArray((2,), np.int32)
    array.append(np.arange(6000, dtype=np.int32).reshape(-1, 2))
    array.keep([(10, 5), (2000, 900)])
    assert array.size == 905
    assert array.store[:905, 0].tolist() == [*range(20, 30, 2), *range(4000, 5800, 2)]
    assert array.append(np.zeros((1, 2), np.int32)) == 905
    assert array.nbytes == 906 * 8
