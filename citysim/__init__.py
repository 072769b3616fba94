"""citysim: a headless, CPU-only, bit-reproducible city simulator for embodied agents."""

__version__ = "0.1.0"
