"""Agents: the protocol, the baselines, the oracle; made by name with `citysim.agents.registry.make_agent`."""
