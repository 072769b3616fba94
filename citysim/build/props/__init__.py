"""Street furniture, trees and parked vehicles."""

from citysim.build.props.stand import build_props

__all__ = ["build_props"]
