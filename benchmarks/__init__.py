"""Speed against peers, measured in the same run: `citysim bench`. Imported as `citysim.benchmarks`."""
