"""The thirteen families of UrbanGround, a line each."""

from dataclasses import dataclass

from citysim.tasks.urbanground.answering import Answering
from citysim.tasks.urbanground.arrival import Arrival
from citysim.tasks.urbanground.searching import Searching
from citysim.tasks.urbanground.visiting import Schedule, Tour

Judge = Answering | Arrival | Searching | Schedule | Tour


@dataclass(frozen=True, slots=True)
class Family:
    """A type of instance: level of the ladder, how many the suite has, its judge, and its public client's words.

    `prefix` and `number` are the id prefix and the numeric type of UrbanGround's task files.
    """

    type: str
    level: str
    count: int
    title: str
    judge: Judge
    prefix: str
    number: int


FAMILIES: dict[str, Family] = {
    family.type: family
    for family in (
        Family("VR", "L1", 80, "visual recognition", Answering(), "LQ", 7),
        Family("OU", "L1", 60, "orientation understanding", Answering(), "OQ", 8),
        Family("AEQ", "L1", 80, "active exploration question", Answering(), "SQ", 9),
        Family("SN", "L2", 80, "short goal navigation", Arrival(), "SN", 0),
        Family("LN", "L2", 80, "long goal navigation", Arrival(), "LN", 2),
        Family("IN", "L2", 50, "instructional navigation", Arrival(), "IN", 10),
        Family("CN", "L2", 30, "constrained navigation", Arrival(), "CN", 11),
        Family("PS", "L3", 60, "place-type search", Searching(), "PS", 3),
        Family("II", "L3", 60, "intent inference", Arrival(), "II", 12),
        Family("TW", "L4", 60, "time-window scheduling", Schedule(), "SF", 5),
        Family("MS", "L4", 60, "multi-stop routing", Tour(), "MP", 13),
        Family("DCR", "L5", 30, "dynamic closure replanning", Arrival(), "DCR", 12),
        Family("NP", "L5", 80, "navigation among pedestrians", Arrival(), "PL", 2),
    )
}
