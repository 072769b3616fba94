"""DCR and NP, as UrbanGround derives them: CN with a closure that comes as a surprise, and LN among people."""

from dataclasses import replace

from citysim.tasks.parts import Passers
from citysim.tasks.suite import Instance

NOTICE_S = 30.0
"""Simulated seconds after the start at which a closure is told of."""
CROWD = Passers(48, 40.0)


def dynamic(source: Instance, id: str) -> Instance:
    """The same walk with its closures told of, and in force, only after 30 s."""
    zones = tuple(
        replace(zone, notice_at_s=NOTICE_S, notice=f"Notice: {zone.label} has just been closed. Find another way.")
        for zone in source.zones
    )
    told = source.instruction.split(" Do not cross ")[0]
    return replace(source, id=id, type="DCR", level="L5", zones=zones, instruction=told, source=source.id)


def among_people(source: Instance, id: str) -> Instance:
    """The same walk with 48 people within 40 m of the walker all the way."""
    told = f"{source.instruction} The street is busy: do not bump into anybody."
    return replace(source, id=id, type="NP", level="L5", instruction=told, passers=CROWD, source=source.id)
