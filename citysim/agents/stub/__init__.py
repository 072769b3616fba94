"""A stand-in for a model: a small OpenAI-compatible server, so that everything around a model can be tried offline."""

from citysim.agents.stub.brains import called, dying, limited, malformed, scripted, slow, spoken
from citysim.agents.stub.replaying import replaying
from citysim.agents.stub.server import Reply, StubServer

__all__ = [
    "Reply", "StubServer", "called", "dying", "limited", "malformed", "replaying", "scripted", "slow", "spoken",
]  # fmt: skip
