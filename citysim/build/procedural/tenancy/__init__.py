"""Who uses the frontages of the embedded cities."""

from citysim.build.procedural.tenancy.letting import Shopfront, let, open_place

__all__ = ["Shopfront", "let", "open_place"]
