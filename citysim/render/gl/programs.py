"""Shader programs with the light and air of one moment written into them."""

from pathlib import Path
from typing import Any

from citysim.render.atmosphere import Atmosphere
from citysim.render.raster.tables import SHOULDER

SHADERS = Path(__file__).parent / "shaders"


def air_defines(atmosphere: Atmosphere, orthographic: bool) -> dict[str, str]:
    """Names of flat.frag and the GLSL constants that stand for them; orthographic views have no fog."""

    def vector(rgb: tuple[float, float, float]) -> str:
        return f"vec3({rgb[0]:.9f}, {rgb[1]:.9f}, {rgb[2]:.9f})"

    return {
        "AIR_SUN_DIRECTION": vector(atmosphere.light_direction),
        "AIR_SUN_COLOR": vector(atmosphere.sun_color),
        "AIR_SKY_LIGHT": vector(atmosphere.sky_ambient),
        "AIR_GROUND_LIGHT": vector(atmosphere.ground_ambient),
        "AIR_BOUNCE": vector(atmosphere.bounce),
        "AIR_FOG_COLOR": vector(atmosphere.fog_color),
        "AIR_UNLIT": vector(atmosphere.unlit_gain),
        "AIR_GLOW": f"{atmosphere.emissive_gain:.9f}",
        "AIR_DENSITY": f"{0.0 if orthographic else atmosphere.fog_density:.9f}",
        "AIR_SHOULDER": f"{SHOULDER:.9f}",
    }


def install(renderer: Any) -> Any:
    """Give a pyrender Renderer our shaders; returns the cache, whose `extra` defines the caller sets before a pass."""
    from pyrender.shader_program import ShaderProgramCache

    class Programs(ShaderProgramCache):
        """pyrender's cache with our folder and our defines; kept small, since every moment has its own programs."""

        extra: dict[str, str]

        def get_program(self, *args: Any, defines: dict[str, Any] | None = None, **kwargs: Any) -> Any:
            if len(self._program_cache) > 64:
                self.clear()
            return super().get_program(*args, defines={**(defines or {}), **self.extra}, **kwargs)

    programs = Programs(shader_dir=str(SHADERS))
    programs.extra = {}
    renderer._program_cache = programs
    return programs
