"""Controls: what a person at the keyboard holds down and has asked for; everything from outside is checked here."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from citysim.city.checks import is_number
from citysim.errors import InputError
from citysim.tasks.actions import DIRECTIONS
from citysim.tasks.text import shown

TURN_DEG_S = 75.0
MOST_WAITING = 64


@dataclass(frozen=True, slots=True)
class Held:
    """Keys held: a direction or "", whether sprinting, and -1, 0 or 1 for turning left or right."""

    direction: str = ""
    sprint: bool = False
    turn: int = 0


@dataclass(slots=True)
class Controls:
    """The state of keyboard and mouse, and requests in their order."""

    held: Held = Held()
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0
    requests: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MOST_WAITING))

    def take(self, message: Any) -> None:
        """Take a message in: {"held": …}, {"look": [yaw, pitch]}, or a request; raises InputError."""
        if not isinstance(message, dict):
            raise InputError("a message as a JSON object", shown(message), '{"held": {}}')
        if "held" in message:
            self.held = _held(message["held"])
        elif "look" in message:
            yaw, pitch = pair(message["look"], 720.0)
            self.yaw_deg += yaw
            self.pitch_deg += pitch
        else:
            self.requests.append(message)

    def looked(self) -> tuple[float, float]:
        """Degrees (right, up) that the mouse asked for since the last call."""
        yaw, pitch, self.yaw_deg, self.pitch_deg = self.yaw_deg, self.pitch_deg, 0.0, 0.0
        return yaw, pitch

    def asked(self) -> list[dict[str, Any]]:
        """Requests since the last call."""
        found = []
        while self.requests:
            found.append(self.requests.popleft())
        return found


def pair(value: Any, most: float) -> tuple[float, float]:
    """Two numbers of a message within limits; raises InputError."""
    if not (isinstance(value, list) and len(value) == 2 and all(is_number(v) and abs(v) <= most for v in value)):
        raise InputError(f"two numbers within {most:g}", shown(value)[:80], "[10, 0]")
    return float(value[0]), float(value[1])


def _held(value: Any) -> Held:
    if not isinstance(value, dict):
        raise InputError("keys held as an object", shown(value)[:80], '{"direction": "forward"}')
    direction, turn = value.get("direction", ""), value.get("turn", 0)
    if not isinstance(direction, str) or (direction and direction not in DIRECTIONS):
        raise InputError(f"a direction among {', '.join(DIRECTIONS)}", shown(direction)[:80], '"forward"')
    if not is_number(turn) or turn not in (-1, 0, 1):
        raise InputError("-1, 0 or 1 for turning", shown(turn)[:80], "0")
    return Held(direction, value.get("sprint") is True, int(turn))
