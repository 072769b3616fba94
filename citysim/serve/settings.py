"""Settings: how a server serves."""

import ipaddress
from dataclasses import dataclass

from citysim.errors import InputError

LEAST_PX, MOST_PX = 16, 4096
"""Sides of a picture that may be asked for."""
LONGEST_TOKEN = 512


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server allows, to whom, and how much of it.

    token         whoever has it may do everything; None lets everybody in
    agent_token   whoever has it may only act and look: no administration, and no orchestrating
    admin         whether actions that move the walker or change the city are allowed at all
    real_time     whether the city's clock runs by itself, and actions take as long as they say
    image_size    (width, height) of pictures that nobody gives a size
    physics, renderer   as for `World` and `make_renderer`
    idle_s        a session (but the first one) is closed when nothing was heard of it for so long
    most_sessions, most_body_bytes, requests_s (a client, on average), heartbeat_s (of WebSockets)
    """

    token: str | None = None
    agent_token: str | None = None
    admin: bool = False
    real_time: bool = False
    image_size: tuple[int, int] = (640, 480)
    physics: str | None = None
    renderer: str = "raster"
    idle_s: float = 1800.0
    most_sessions: int = 8
    most_body_bytes: int = 64 * 1024
    requests_s: float = 1000.0
    heartbeat_s: float = 15.0

    def __post_init__(self) -> None:
        for token in (self.token, self.agent_token):
            if token is not None and not (1 <= len(token) <= LONGEST_TOKEN and token.isascii() and token.isprintable()):
                raise InputError(f"a token of 1 to {LONGEST_TOKEN} printable ASCII characters", "another", "--token T")
        if self.agent_token is not None and (self.token is None or self.token == self.agent_token):
            raise InputError("a --token of its own beside an agent's", "none or the same", "--token OTHER")
        if not all(LEAST_PX <= side <= MOST_PX for side in self.image_size):
            found = "{}x{}".format(*self.image_size)
            raise InputError(f"a picture with sides of {LEAST_PX} to {MOST_PX}", found, "--size 640x480")
        if self.idle_s <= 0.0 or self.most_sessions < 1 or self.requests_s <= 0.0 or self.heartbeat_s <= 0.0:
            raise InputError("limits above zero", "others", "the defaults")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_host(host: str, token: str | None) -> None:
    """Refuse to be reached from other machines by anybody; raises InputError."""
    if token is None and not is_loopback(host):
        raise InputError("a --token for a host that others can reach", f"--host {host} without", "--token SECRET")
