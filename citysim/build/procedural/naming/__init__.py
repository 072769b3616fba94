"""Names of streets, buildings and places in the styles of the embedded cities."""

from citysim.build.procedural.naming.names import Names, street_local

__all__ = ["Names", "street_local"]
