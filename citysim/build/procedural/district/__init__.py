"""Districts: a street graph with its pavements and crossings, the blocks between, lots, buildings and open land.

The presets are put together from these parts; each is a pure function of a Chance and its inputs.
"""
