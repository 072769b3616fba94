"""Other renderers on the dense scene: `python -m citysim.benchmarks.render_peers NAME` prints milliseconds a frame.

Each runs in a process of its own, as a crash or a missing driver of one is nothing that the others should notice.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np

from citysim.benchmarks.dense import dense_city, street_poses
from citysim.benchmarks.render_timing import FOV_DEG
from citysim.pose import Pose

PEERS = ("pyrender_flat", "pyrender_lit", "pyrender_shadows", "tinyrenderer")
SIZE = (320, 240)
FRAMES = 8
WAIT_S = 90.0


def peer_ms(name: str) -> float | None:
    """Median milliseconds a frame of a peer at 320x240; None where it does not work here."""
    command = [sys.executable, "-m", "citysim.benchmarks.render_peers", name]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S)
        return float(json.loads(run.stdout.splitlines()[-1])) if run.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        return None


def camera_to_world(pose: Pose) -> Any:
    """OpenGL's camera frame (x right, y up, z back) at a pose."""
    from citysim.render.base import Camera

    right, down, forward = Camera(pose, SIZE).rotation
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = right, -down, -forward, pose.position
    return matrix


def pyrender_frames(name: str) -> list[float]:
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    import pyrender
    import trimesh
    from PIL import Image

    city = dense_city()
    scene = pyrender.Scene(bg_color=(150, 180, 220), ambient_light=(0.4, 0.4, 0.4))
    for tile in range(len(city.tiles)):
        chunk = city.chunk(tile)
        image = Image.fromarray(city.texture(tile)[..., :3])
        visual = trimesh.visual.TextureVisuals(
            uv=chunk.uvs, material=trimesh.visual.material.PBRMaterial(baseColorTexture=image, metallicFactor=0.0)
        )
        mesh = trimesh.Trimesh(chunk.positions + chunk.origin, chunk.triangles, visual=visual, process=False)
        scene.add(pyrender.Mesh.from_trimesh(mesh, smooth=False))
    if name != "pyrender_flat":
        sun = camera_to_world(Pose(0.0, 0.0, 200.0, 0.7, -0.9))
        scene.add(pyrender.DirectionalLight(intensity=4.0), pose=sun)
    flags = {"pyrender_flat": pyrender.RenderFlags.FLAT, "pyrender_shadows": pyrender.RenderFlags.SHADOWS_DIRECTIONAL}
    camera = pyrender.PerspectiveCamera(yfov=math.radians(FOV_DEG), znear=0.1, zfar=4000.0)
    node = scene.add(camera)
    renderer = pyrender.OffscreenRenderer(*SIZE)
    times = []
    for pose in street_poses(FRAMES + 2):
        scene.set_pose(node, camera_to_world(pose))
        start = time.perf_counter()
        renderer.render(scene, flags=flags.get(name, pyrender.RenderFlags.NONE))
        times.append((time.perf_counter() - start) * 1e3)
    renderer.delete()
    return times[2:]


def tinyrenderer_frames() -> list[float]:
    import pybullet

    city = dense_city(64)
    client = pybullet.connect(pybullet.DIRECT)
    for tile in range(len(city.tiles)):
        chunk = city.chunk(tile)
        shape = pybullet.createVisualShape(
            pybullet.GEOM_MESH, vertices=(chunk.positions + chunk.origin).tolist(),
            indices=chunk.triangles.ravel().tolist(), rgbaColor=(0.6, 0.6, 0.6, 1.0), physicsClientId=client,
        )  # fmt: skip
        pybullet.createMultiBody(baseVisualShapeIndex=shape, physicsClientId=client)
    projection = pybullet.computeProjectionMatrixFOV(FOV_DEG, SIZE[0] / SIZE[1], 0.1, 4000.0)
    times = []
    for pose in street_poses(FRAMES + 2):
        view = np.linalg.inv(camera_to_world(pose)).T.ravel().tolist()
        start = time.perf_counter()
        pybullet.getCameraImage(
            *SIZE, view, projection, shadow=0, renderer=pybullet.ER_TINY_RENDERER, physicsClientId=client
        )
        times.append((time.perf_counter() - start) * 1e3)
    return times[2:]


def main() -> None:
    name = sys.argv[1]
    times = tinyrenderer_frames() if name == "tinyrenderer" else pyrender_frames(name)
    print(json.dumps(statistics.median(times)))


if __name__ == "__main__":
    main()
