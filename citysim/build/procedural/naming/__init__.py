"""Names of streets, buildings and places in the styles of the embedded cities."""

from citysim.build.procedural.naming.names import Names

__all__ = ["Names"]
