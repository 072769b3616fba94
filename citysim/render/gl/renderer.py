"""GlRenderer: the OpenGL renderer behind the Renderer protocol."""

import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.render.atmosphere import Atmosphere, moment_of
from citysim.render.base import Camera, Frame, View
from citysim.render.gl.context import offscreen, pyrender_module
from citysim.render.gl.lamplight import LampTextures
from citysim.render.gl.movers import Movers
from citysim.render.gl.programs import Value, air_uniforms, install
from citysim.render.gl.scene import CityScene
from citysim.render.gl.skies import as_target, grounds, sky_picture, whole
from citysim.render.gl.sunmaps import SunMaps
from citysim.render.panorama import panorama
from citysim.render.raster.buffers import Buffers
from citysim.render.raster.chooser import TileChooser
from citysim.render.raster.layout import Scratch, Target
from citysim.render.raster.outdoors import Lighting, Outdoors
from citysim.render.raster.renderer import LEAST_SUN
from citysim.render.raster.roofs import Roofs
from citysim.render.raster.tables import make_tables, pack_camera, pack_light, place_light

NEAR_M = 0.15  # a 24-bit depth buffer from here resolves 2 cm at 200 m; walls stay 0.3 m from an eye


class GlRenderer:
    """Draws one city with pyrender: the cameras, light, air, shadows and levels of detail of the raster renderer.

    Colours differ from raster by at most 12 of 255 on 90 % of the pixels and 5 on half of them
    (tests/render/test_gl.py): edges are antialiased here. Raises DependencyError where no EGL context can be had. Not
    for use by two threads at once.
    """

    name = "gl"

    def __init__(self, city: City, *, shadows: bool = True) -> None:
        pyrender = pyrender_module()
        self._surface = offscreen(16, 16)
        self._freed = weakref.finalize(self, self._surface.delete)  # at exit too, while PyOpenGL still works
        self._flat = pyrender.RenderFlags.FLAT
        self._pyrender = pyrender
        self._programs = install(self._surface._renderer)
        self._chooser = TileChooser(city)
        self._scene = CityScene(city, pyrender)
        self._movers = Movers(self._scene.scene, pyrender, len(city.materials))
        self._grounds = grounds(len(city.materials) + 1)
        self._whole_samples = _sample_once(self._surface._renderer)
        self._lamps = LampTextures()
        self._outdoors = Outdoors(city, self._nearness)
        self._buffers = Buffers()
        self._sun_maps = SunMaps(self._nearness, city.bounds) if shadows else None

    def render(self, view: View) -> Frame:
        """Draw one view."""
        camera = view.camera
        if camera.panorama:
            return panorama(self.render, view)
        atmosphere = Atmosphere.of(moment_of(view.conditions))
        tables, light = make_tables(atmosphere), pack_light(atmosphere)
        place_light(light, atmosphere, camera.pose.up, view.conditions.clock_s)
        uniforms = air_uniforms(atmosphere, camera)
        uniforms |= self._lamps.of(self._outdoors.extras(atmosphere))
        uniforms |= {"eye": camera.pose.position.astype(np.float32), "shadowed": 0}
        if self._sun_maps is not None and max(atmosphere.sun_color) >= LEAST_SUN and self._chooser.choose(camera):
            uniforms |= self._sun_maps.of(camera, atmosphere.light_direction, view.bodies)
        roofs = self._outdoors.roofs(camera, atmosphere)
        self._scene.switch(view.states)
        with self._movers.shown(view.bodies, view.camera):
            lighting = Lighting(pack_camera(camera, 1.0), light, tables, self._grounds)
            return self._draw(view, lighting, atmosphere, uniforms, roofs)

    def _draw(
        self, view: View, lighting: Lighting, atmosphere: Atmosphere, uniforms: dict[str, Value], roofs: Roofs | None
    ) -> Frame:
        """The passes of one view, for which all maps are there."""
        camera = view.camera
        self._programs.uniforms, self._programs.define = uniforms, ""
        rgba, _ = self._pass(camera, self._pyrender.RenderFlags.RGBA)
        rgb = _over_sky(rgba, sky_picture(camera, lighting.light, lighting.tables))
        depth, labels = self._ids(camera) if view.depth or view.labels else (None, None)
        normals = self._normals(camera) if view.normals else None
        if camera.ortho_height_m is None:
            flat = rgb.reshape(-1)
            made: tuple[Target, Scratch] | None = None
            for layers in self._outdoors.passes(lighting, atmosphere, view.conditions.clock_s, roofs, flat):
                if made is None:
                    if depth is None:
                        depth, labels = self._ids(camera)
                    ground = self._exact(camera, "WANT_GROUND")[0] if roofs is not None else np.zeros_like(labels)
                    made = as_target(depth, ground, self._buffers)
                for layer in layers:
                    layer(whole(camera), *made, flat)
        return Frame(rgb, depth if view.depth else None, labels if view.labels else None, normals)

    def close(self) -> None:
        """Free the context."""
        self._freed()
        self._surface = None

    def _pass(self, camera: Camera, flags: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """One pass over the scene with the programs as they are set: colours and pyrender's depth."""
        self._scene.show(self._chooser.choose(camera))
        scene = self._scene.scene
        node = scene.add(self._lens(camera), pose=_camera_pose(camera))
        scene.main_camera_node = node
        scene.bg_color = np.array([0.0, 0.0, 0.0, 0.0])
        self._surface.viewport_width, self._surface.viewport_height = camera.size
        try:
            colors, depth = self._surface.render(scene, self._flat | flags)
        finally:
            scene.remove_node(node)
        return colors, depth

    def _exact(self, camera: Camera, define: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The 24-bit numbers that a variant of the shader writes, one sample a pixel, and the depth."""
        self._programs.define = define
        with self._whole_samples():
            colors, depth = self._pass(camera)
        parts = colors.astype(np.int32)
        return parts[..., 0] | (parts[..., 1] << 8) | (parts[..., 2] << 16), self._axial(depth, camera)

    def _ids(self, camera: Camera) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        labels, depth = self._exact(camera, "WANT_IDS")
        return depth, labels

    def _normals(self, camera: Camera) -> NDArray[np.float32]:
        """(H, W, 3) float32, one axis a pass: eight bits a channel are too few for all at once."""
        found = np.stack([self._axis(camera, axis) for axis in range(3)], axis=-1)
        sizes = np.linalg.norm(found, axis=-1, keepdims=True)
        return np.asarray(found / np.maximum(sizes, 1e-9), dtype=np.float32)

    def _axis(self, camera: Camera, axis: int) -> NDArray[np.float64]:
        """(H, W) float64, one component of the normals, 0 for sky."""
        self._programs.uniforms = {"normal_axis": axis}
        steps, _ = self._exact(camera, "WANT_NORMALS")
        return np.where(steps > 0, (steps - 1) / 16777214.0 * 2.0 - 1.0, 0.0)

    def _nearness(self, camera: Camera, depth: float) -> NDArray[np.float32]:
        """(H * W,) float32 metres before `depth`, 0 where there is nothing: what shadow maps are made of."""
        return np.maximum(depth - self._ids(camera)[0], 0.0).astype(np.float32).reshape(-1)

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
