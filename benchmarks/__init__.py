"""citysim.benchmarks."""
