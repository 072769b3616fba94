"""Ground, streets, stairs, bridges, tunnels and the walkable network of a plan."""

from citysim.build.streets.build import build_streets

__all__ = ["build_streets"]
