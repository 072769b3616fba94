"""The tools of a session: exactly an agent's actions, its view, and the answer to a question."""

from typing import Annotated, Any, Literal

from citysim.errors import DependencyError
from citysim.mcp.session import Seen, Session

Reason = Annotated[str, "Why you do this, for the record."]
INSTRUCTIONS = """You walk through a city as a pedestrian and see it through your own eyes. Call observe first. \
Every other tool is one action of the budget and answers with what you see after it. move and sprint go on for the \
seconds you give, at most 2. open_map shows a map until close_map. When you are done, or know the answer to a \
question, call terminate; a question's answer is given after that with answer."""


def make_server(session: Session) -> Any:
    """An `mcp` server with the session's tools; raises DependencyError where the SDK is missing.

    One session, one episode: after its end tools answer with an error. There is no tool for goals, positions, routes,
    scores, time or weather.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver import Image
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise DependencyError("the mcp SDK of version 2", f"{error}", "pip install 'citysim[mcp]'") from None
    from citysim import __version__

    server = MCPServer("citysim", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")

    def shown(seen: Seen) -> list[Any]:
        return [seen.text] + ([Image(data=seen.jpeg, format="jpeg")] if seen.jpeg is not None else [])

    def act(name: str, reason: str, **given: Any) -> list[Any]:
        if session.over:
            raise ToolError("the episode is over; a new one needs a new session")
        action = {"answer": given["answer"]} if name == "answer" else {"action": name, **given}
        return shown(session.act(action, reason))

    tool = server.tool(structured_output=False)

    # Asynchronous functions run one at a time in the server's loop: an episode has one walker and one clock.
    @tool
    async def observe() -> list[Any]:
        """Look: the task, clock, heading, actions left, notices, and the picture before you. Costs nothing."""
        return shown(session.observe())

    @tool
    async def move(
        dir: Literal["forward", "backward", "left", "right"], seconds: float = 0.5, yaw_rate: float = 0.0,
        jump: bool = False, reason: Reason = "",
    ) -> list[Any]:  # fmt: skip
        """Walk at 1.5 m/s for 0.05 to 2 seconds; yaw_rate turns you meanwhile, degrees a second to the right."""
        return act("move", reason, dir=dir, seconds=seconds, yaw_rate=yaw_rate, jump=jump)

    @tool
    async def sprint(
        dir: Literal["forward", "backward", "left", "right"], seconds: float = 0.5, yaw_rate: float = 0.0,
        jump: bool = False, reason: Reason = "",
    ) -> list[Any]:  # fmt: skip
        """Run at 4.5 m/s for 0.05 to 2 seconds; yaw_rate turns you meanwhile, degrees a second to the right."""
        return act("sprint", reason, dir=dir, seconds=seconds, yaw_rate=yaw_rate, jump=jump)

    @tool
    async def look(yaw: float = 0.0, pitch: float = 0.0, reason: Reason = "") -> list[Any]:
        """Turn on the spot: yaw within 180 degrees to the right, pitch within 90 degrees up."""
        return act("look", reason, yaw=yaw, pitch=pitch)

    @tool
    async def jump(reason: Reason = "") -> list[Any]:
        """Jump on the spot."""
        return act("jump", reason)

    @tool
    async def open_map(reason: Reason = "") -> list[Any]:
        """Look at the map instead of the street."""
        return act("open_map", reason)

    @tool
    async def map_select(x: float, y: float, reason: Reason = "") -> list[Any]:
        """Ask what stands at a point of the open map, 0 to 1 from its upper left corner."""
        return act("map_select", reason, x=x, y=y)

    @tool
    async def map_pan(east: float = 0.0, north: float = 0.0, reason: Reason = "") -> list[Any]:
        """Move the open map by metres."""
        return act("map_pan", reason, east=east, north=north)

    @tool
    async def map_zoom(factor: float, reason: Reason = "") -> list[Any]:
        """Multiply what the open map covers by 0.25 to 4; below 1 is closer."""
        return act("map_zoom", reason, factor=factor)

    @tool
    async def map_orbit(yaw: float = 0.0, pitch: float = 0.0, reason: Reason = "") -> list[Any]:
        """Turn and tilt the open map by degrees."""
        return act("map_orbit", reason, yaw=yaw, pitch=pitch)

    @tool
    async def close_map(reason: Reason = "") -> list[Any]:
        """Look at the street again."""
        return act("close_map", reason)

    @tool
    async def terminate(reason: Reason = "") -> list[Any]:
        """Declare the task done; a question's answer is asked for after that."""
        return act("terminate", reason)

    @tool
    async def answer(answer: Literal["A", "B", "C", "D"], reason: Reason = "") -> list[Any]:
        """Answer the question, once it is asked for."""
        return act("answer", reason, answer=answer)

    return server
