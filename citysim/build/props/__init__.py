"""Street furniture, trees, parked vehicles, and lamps below roofs."""

from citysim.build.props.identity import describe_objects
from citysim.build.props.overhead import hang_lamps
from citysim.build.props.stand import build_props

__all__ = ["build_props", "describe_objects", "hang_lamps"]
