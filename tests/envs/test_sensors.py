"""Sensors against a street whose walls are known."""

import math
from typing import Any

import numpy as np
import pytest

from citysim.envs.city_env import CityEnv
from citysim.envs.semantics import CLASSES, NUMBERS, class_of
from citysim.errors import InputError
from citysim.living.spec import CrowdSpec
from citysim.pose import Pose
from tests.envs.street import goal, street

NORTH = math.pi / 2


def seen(sensors: Any, start: Pose, **more: Any) -> Any:
    env = CityEnv(street(), sensors=sensors, image_size=(32, 24), physics="native", **more)
    observation, _ = env.reset(seed=0, options={"goal": goal(60.0, start=start)})
    assert observation in env.observation_space
    env.close()
    return observation


def test_rays_measure_walls_all_around() -> None:
    rays = seen("rays", Pose(9, 0, 0, yaw=NORTH), rays=4, ray_range_m=10.0)  # walls at 6 m north and south
    assert rays == pytest.approx([6.0, 10.0, 6.0, 10.0], abs=1e-3)
    turned = seen("rays", Pose(9, 2, 0, yaw=0.0), rays=4, ray_range_m=10.0)
    assert turned == pytest.approx([10.0, 4.0, 10.0, 8.0], abs=1e-3)


def test_rays_have_a_ring_at_every_height() -> None:
    low, high = seen("rays", Pose(9, 0, 0, yaw=NORTH), rays=4, ray_heights_m=(0.4, 0.7)).reshape(2, 4)
    assert low == pytest.approx(high)
    over = seen("rays", Pose(9, 0, 0, yaw=NORTH), rays=4, ray_range_m=3.0, ray_heights_m=[3.0])
    assert over.shape == (4,)
    for wrong in ((), (0.0,), (0.7, float("nan")), 0.7, (True,), "0.7"):
        with pytest.raises(InputError, match="ray_heights_m"):
            CityEnv(street(), sensors="rays", ray_heights_m=wrong, physics="native")


def test_the_trail_says_where_the_body_was() -> None:
    env = CityEnv(street(), sensors="trail", physics="native", control_hz=10)
    first, _ = env.reset(seed=0, options={"goal": goal(60.0, start=Pose(0, 0, 0, yaw=0.0))})
    assert (first == 0.0).all()
    for _ in range(30):
        trail = env.step(1)[0]  # three seconds ahead at 1.5 m/s
    assert trail.reshape(-1, 2)[:, 0] == pytest.approx([-3.0, -4.5, -4.5, -4.5, -4.5], abs=0.02)
    assert trail.reshape(-1, 2)[:, 1] == pytest.approx([0.0] * 5, abs=0.02)
    for _ in range(10):
        trail = env.step(2)[0]  # a quarter turn to the left: what was behind is now to the left
    assert trail[8:] == pytest.approx([0.0, 4.5], abs=0.02)
    env.close()


def test_rays_and_maps_meet_people() -> None:
    env = CityEnv(street(), sensors=("rays", "map"), rays=180, ray_range_m=8.0, physics="native")
    env.reset(seed=0, options={"goal": goal(), "crowd": CrowdSpec(60, seed=1, radius_m=10.0)})
    world = env.world
    observation = env.step(0)[0]
    capsules = world.capsules
    away = np.hypot(capsules[:, 0] - world.pose.east, capsules[:, 1] - world.pose.north) - capsules[:, 3]
    assert observation["rays"].min() == pytest.approx(min(away.min(), 8.0), abs=0.05)
    assert (observation["map"] == 3).any()
    env.close()


def test_the_map_has_free_ground_between_walls() -> None:
    cells = seen("map", Pose(9, 0, 0, yaw=NORTH))
    assert (cells[6:26, 15] == 1).all(), "ahead and behind up to the walls"
    assert 2 in cells[2:6, 15]
    assert (cells[0, 12:20] == 0).all(), "behind the wall nothing is known"
    assert cells.dtype == np.uint8


def test_depth_labels_and_classes_agree() -> None:
    pictures = seen(("rgb", "depth", "labels", "semantic"), Pose(0, 0, 0, yaw=0.0))
    sky = pictures["semantic"][:, :, 0] == NUMBERS["sky"]
    assert sky.any()
    assert (pictures["depth"][:, :, 0][sky] == 100.0).all()
    assert (pictures["labels"][sky] == 0).all()
    assert pictures["depth"][-1].min() < 3.0


def test_classes_are_a_table_without_doubles() -> None:
    listed = [category for categories in CLASSES.values() for category in categories]
    assert len(listed) == len(set(listed))
    assert list(CLASSES)[:3] == ["ground", "sky", "building"]
    assert class_of("tree") == NUMBERS["vegetation"]
    assert class_of("something new") == NUMBERS["other"]


def test_the_category_is_one_hot() -> None:
    env = CityEnv(street(), sensors="category", task="explore", physics="native")
    observation, info = env.reset(seed=0)
    assert observation.sum() == 1.0
    assert env.goal.category in ("cafe", "bank")
    assert info["instruction"].startswith(f"Find a {env.goal.category}")
    env.close()


def test_finding_any_place_of_the_category_is_success() -> None:
    env = CityEnv(street(), sensors="goal", task="explore", physics="native")
    for seed in range(5):
        env.reset(seed=seed)
        stop = env.goal.targets[-1].position
        env.world.reset(Pose(stop[0], stop[1] - 2.0, 0.0))
        *_, ended, cut, info = env.step(0)
        assert (ended, cut, info["reason"]) == (True, False, "found")
    env.close()
