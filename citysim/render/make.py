"""make_renderer: a renderer by name, importing only the one that was asked for."""

from citysim.city import City
from citysim.errors import DependencyError, UnknownNameError
from citysim.render.base import Renderer

RENDERERS = ("raster", "gl")


def make_renderer(name: str, city: City, *, threads: int = 1) -> Renderer:
    """The renderer `name` ("raster" or "gl") for a city.

    `threads` is how many threads raster may use for one picture. Raises UnknownNameError for another name and
    DependencyError when the OpenGL renderer cannot work here.
    """
    if name == "raster":
        from citysim.render.raster import RasterRenderer

        return RasterRenderer(city, threads=threads)
    if name == "gl":
        try:
            from citysim.render.gl import GlRenderer
        except ImportError as error:
            raise DependencyError(
                "the OpenGL renderer and its libraries",
                f"{error}",
                "--renderer raster, or installing pyrender-maintained",
            ) from None
        return GlRenderer(city)
    raise UnknownNameError.of("a renderer", name, RENDERERS)
