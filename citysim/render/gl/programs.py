"""Shader programs whose uniforms carry the light, air and shadows of a view."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera
from citysim.render.raster.layout import LAMPS_A_CELL
from citysim.render.raster.tables import SHOULDER
from citysim.render.raster.wet import FLAT_ENOUGH

SHADERS = Path(__file__).parent / "shaders"
Value = float | int | NDArray[Any]


def air_uniforms(atmosphere: Atmosphere, camera: Camera) -> dict[str, Value]:
    """Uniforms of flat.frag for a moment's light and air; orthographic views have no fog."""
    density, below = atmosphere.haze_at(camera.pose.up)

    def vector(rgb: tuple[float, float, float]) -> NDArray[np.float32]:
        return np.array(rgb, dtype=np.float32)

    return {
        "air_sun_direction": vector(atmosphere.light_direction),
        "air_sun_color": vector(atmosphere.sun_color),
        "air_sky_light": vector(atmosphere.sky_ambient),
        "air_ground_light": vector(atmosphere.ground_ambient),
        "air_bounce": vector(atmosphere.bounce),
        "air_fog_color": vector(atmosphere.fog_color),
        "air_unlit": vector(atmosphere.unlit_gain),
        "air_glow": float(atmosphere.emissive_gain),
        "air_density": 0.0 if camera.ortho_height_m is not None else density,
        "air_haze": np.array([atmosphere.fog_height, below], dtype=np.float32),
        "air_shoulder": SHOULDER,
    }


class Programs:
    """What pyrender asks for programs: compiles ours once a variant, and sets their uniforms when they are bound.

    `uniforms` is replaced, never changed, by who draws; `define` names the variant (such as WANT_IDS) or is "".
    """

    def __init__(self) -> None:
        self.uniforms: Mapping[str, Value] = {}
        self.define = ""
        self._made: dict[tuple[Any, ...], Any] = {}
        self._kind = _program_class(self)

    def get_program(
        self, vertex_shader: str, fragment_shader: str, geometry_shader: str | None = None, defines: Any = None
    ) -> Any:
        """The program of two shader files and defines, as pyrender's own cache gives it."""
        names = {**(defines or {}), **({self.define: 1} if self.define else {}), "LAMPS_A_CELL": LAMPS_A_CELL}
        names["FLAT_ENOUGH"] = FLAT_ENOUGH
        key = (vertex_shader, fragment_shader, *sorted(names.items()))
        if key not in self._made:
            self._made[key] = self._kind(
                str(SHADERS / vertex_shader), str(SHADERS / fragment_shader), geometry_shader, names
            )
        return self._made[key]

    def clear(self) -> None:
        """Delete all programs."""
        for program in self._made.values():
            program.delete()
        self._made.clear()


def _program_class(owner: Programs) -> Any:
    from pyrender.shader_program import ShaderProgram

    class CityProgram(ShaderProgram):
        """A pyrender program that is given the owner's uniforms when they have changed."""

        _given: Mapping[str, Value] | None = None

        def _bind(self) -> None:
            super()._bind()
            if self._given is not owner.uniforms:
                for name, value in owner.uniforms.items():
                    self.set_uniform(name, value)
                self._given = owner.uniforms

    return CityProgram


def install(renderer: Any) -> Programs:
    """Give a pyrender Renderer our shaders."""
    programs = Programs()
    renderer._program_cache = programs
    return programs
