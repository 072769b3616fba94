"""The embedded city `grid`: avenues and numbered streets, setbacks, brick beside glass."""

from citysim.build.procedural.grid.plan import plan_grid

__all__ = ["plan_grid"]
