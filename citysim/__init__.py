"""citysim: a headless, CPU-only, bit-reproducible city simulator for embodied agents.

>>> import citysim
>>> city = citysim.load_city("mini")
>>> frame = citysim.render(city, east=0, north=0, heading_deg=90, size=(64, 48))
>>> frame.rgb.shape
(48, 64, 3)
"""

import sys
import types
from typing import TYPE_CHECKING, Any

from citysim import _gymnasium_hook

if TYPE_CHECKING:
    from citysim.catalog import load_city as load_city
    from citysim.snapshot import render as render

__version__ = "0.1.0"
__all__ = ["__version__", "load_city", "render"]


class _CallableRender(types.ModuleType):
    """`citysim.render` is a subpackage and, as in the public contract, also a function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from citysim.snapshot import render

        return render(*args, **kwargs)


class _Package(types.ModuleType):
    """Loads public names on first use, so that `import citysim` stays quick."""

    def __getattr__(self, name: str) -> Any:
        if name == "load_city":
            from citysim.catalog import load_city

            return load_city
        if name == "render":
            import importlib

            return importlib.import_module("citysim.render")
        raise AttributeError(f"module 'citysim' has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        # The import system binds every subpackage here; this is where citysim.render becomes callable.
        if name == "render" and isinstance(value, types.ModuleType):
            value.__class__ = _CallableRender
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
_gymnasium_hook.install()
