"""GlRenderer: the OpenGL renderer behind the Renderer protocol."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera, Frame, View
from citysim.render.gl.context import offscreen, pyrender_module
from citysim.render.gl.programs import air_defines, install
from citysim.render.gl.scene import CityScene
from citysim.render.raster.chooser import TileChooser
from citysim.render.sky import sky_picture

NEAR_M = 0.15  # a 24-bit depth buffer from here resolves 2 cm at 200 m; walls stay 0.3 m from an eye


class GlRenderer:
    """Draws one city with pyrender: the cameras, light, air and levels of detail of the raster renderer.

    Colours differ from raster by at most 12 of 255 on 90 % of the pixels and 5 on half of them
    (tests/render/test_gl.py) where the sun shines: edges are antialiased here, the filters of textures are the
    driver's, and no shadows are cast. Raises DependencyError where no EGL context can be had. Not for use by two
    threads at once.
    """

    name = "gl"

    def __init__(self, city: City) -> None:
        pyrender = pyrender_module()
        self._surface = offscreen(16, 16)
        self._flat = pyrender.RenderFlags.FLAT
        self._pyrender = pyrender
        self._programs = install(self._surface._renderer)
        self._chooser = TileChooser(city)
        self._scene = CityScene(city, pyrender)
        self._whole_samples = _sample_once(self._surface._renderer)

    def render(self, view: View) -> Frame:
        """Draw one view."""
        camera = view.camera
        self._scene.show(self._chooser.choose(camera))
        scene = self._scene.scene
        node = scene.add(self._lens(camera), pose=_camera_pose(camera))
        scene.main_camera_node = node
        self._surface.viewport_width, self._surface.viewport_height = camera.size
        try:
            atmosphere = Atmosphere.of(view.conditions)
            scene.bg_color = np.array([0.0, 0.0, 0.0, 0.0])
            self._programs.extra = air_defines(atmosphere, camera.ortho_height_m is not None)
            rgba, depth = self._surface.render(scene, self._flat | self._pyrender.RenderFlags.RGBA)
            rgb = _over_sky(rgba, sky_picture(camera, atmosphere))
            labels: NDArray[np.int32] | None = None
            if view.depth or view.labels:
                self._programs.extra = {**self._programs.extra, "WANT_IDS": "1"}
                with self._whole_samples():
                    ids, depth = self._surface.render(scene, self._flat)
                parts = ids.astype(np.int32)
                labels = parts[..., 0] | (parts[..., 1] << 8) | (parts[..., 2] << 16)
        finally:
            scene.remove_node(node)
        return Frame(
            rgb,
            self._axial(depth, camera) if view.depth else None,
            labels if view.labels else None,
        )

    def close(self) -> None:
        """Free the context."""
        surface, self._surface = self._surface, None
        if surface is not None:
            surface.delete()

    @staticmethod
    def _axial(depth: NDArray[np.float32], camera: Camera) -> NDArray[np.float32]:
        """Metres along the view axis, inf for sky, of a buffer that pyrender took for a perspective one."""
        near, far = max(camera.near_m, NEAR_M), camera.far_m
        metres = np.where(depth > 0, depth, np.inf).astype(np.float64)
        if camera.ortho_height_m is not None:
            ratio = (far + near - 2.0 * near * far / np.where(depth > 0, metres, 1.0)) / (far - near)
            metres = np.where(depth > 0, near + (ratio + 1.0) / 2.0 * (far - near), np.inf)
        return metres.astype(np.float32)

    def _lens(self, camera: Camera) -> Any:
        width, height = camera.size
        near = max(camera.near_m, NEAR_M)
        if camera.ortho_height_m is None:
            return self._pyrender.PerspectiveCamera(
                yfov=np.radians(camera.fov_deg), aspectRatio=width / height, znear=near, zfar=camera.far_m
            )
        half = camera.ortho_height_m / 2
        return self._pyrender.OrthographicCamera(
            xmag=half * width / height, ymag=half, znear=near, zfar=camera.far_m
        )  # fmt: skip


def _camera_pose(camera: Camera) -> NDArray[np.float64]:
    """(4, 4) camera to local: OpenGL cameras look along -z with y up."""
    right, down, forward = camera.rotation
    pose = np.eye(4)
    pose[:3, :3] = np.stack([right, -down, -forward], axis=1)
    pose[:3, 3] = camera.pose.position
    return pose


def _over_sky(rgba: NDArray[np.uint8], sky: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay the drawn picture, whose edges are blended with transparent black, over the sky."""
    alpha = rgba[..., 3:].astype(np.float32) / 255.0
    return np.round(rgba[..., :3] + (1.0 - alpha) * sky).astype(np.uint8)


def _sample_once(renderer: Any) -> Any:
    """A context manager under which a pass takes one sample a pixel, so that ids and depths are never blended."""
    from contextlib import contextmanager

    from OpenGL import GL

    plain = renderer._get_camera_matrices

    def single(scene: Any) -> Any:
        GL.glDisable(GL.GL_MULTISAMPLE)  # pyrender turns it on just before it asks for the matrices
        return plain(scene)

    @contextmanager
    def whole() -> Any:
        renderer._get_camera_matrices = single
        try:
            yield
        finally:
            renderer._get_camera_matrices = plain

    return whole
