"""MCP: the SDK's own client plays episodes; it finds an agent's tools, pictures of a fair size, and no secrets."""

import asyncio
import base64
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from citysim.cli import run as command
from citysim.errors import InputError
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite
from tests.towns import write_town

mcp = pytest.importorskip("mcp")

from citysim.mcp.server import make_server  # noqa: E402
from citysim.mcp.session import Session  # noqa: E402

TOOLS = {
    "observe", "move", "sprint", "look", "jump", "open_map", "map_select", "map_pan", "map_zoom", "map_orbit",
    "close_map", "terminate", "answer",
}  # fmt: skip


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Suite, Any]:
    town = write_town(tmp_path_factory.mktemp("mcp") / "grid")
    assert town.path is not None
    return town.path, load_suite("starter", town, 0), town


def words(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def pictures(result: Any) -> list[Image.Image]:
    found = [part for part in result.content if part.type == "image"]
    assert all(part.mime_type == "image/jpeg" for part in found)
    return [Image.open(io.BytesIO(base64.b64decode(part.data))) for part in found]


def test_a_client_plays_an_episode_with_an_agents_tools(suite: tuple[Path, Suite, Any]) -> None:
    _, starter, town = suite
    instance = starter.instances[0]
    session = Session(instance, town, size=(96, 72))

    async def play() -> None:
        async with mcp.Client(make_server(session)) as client:
            listed = (await client.list_tools()).tools
            assert {tool.name for tool in listed} == TOOLS
            schema = next(tool for tool in listed if tool.name == "move").input_schema
            assert schema["properties"]["dir"]["enum"] == ["forward", "backward", "left", "right"]
            seen = await client.call_tool("observe", {})
            assert instance.instruction in words(seen)
            assert pictures(seen)[0].size == (96, 72)
            assert "Action 1 of 100" in words(seen)
            moved = await client.call_tool("move", {"dir": "forward", "seconds": 2, "reason": "to see more"})
            assert "Action 2 of 100" in words(moved)
            assert session.episode.records[0].said == "to see more"
            assert session.episode.records[0].path_m > 0.5
            refused = await client.call_tool("map_zoom", {"factor": 2})
            assert "refused" in words(refused), "it costs a step as it does any agent"
            assert len(session.episode.records) == 2
            wrong = await client.call_tool("move", {"dir": "upwards"})
            assert wrong.is_error
            assert len(session.episode.records) == 2
            opened = await client.call_tool("open_map", {})
            assert "map is open" in words(opened)
            assert "here stands" in words(await client.call_tool("map_select", {"x": 0.5, "y": 0.5}))
            await client.call_tool("close_map", {})
            over = await client.call_tool("terminate", {})
            assert words(over) == "The episode is over."
            assert pictures(over) == []
            late = await client.call_tool("jump", {})
            assert late.is_error
            assert "over" in words(late)

    try:
        asyncio.run(play())
    finally:
        session.close()


def test_nothing_privileged_is_told(suite: tuple[Path, Suite, Any]) -> None:
    _, starter, town = suite
    instance = starter.instances[1]
    session = Session(instance, town, size=(64, 48))
    try:
        told = session.observe().text + session.act({"action": "look", "yaw": 30}).text
    finally:
        session.close()
    east, north, _ = instance.goal
    lon, lat, _ = instance.goal_lonlat
    for secret in (east, north, lon, lat, instance.start.east, instance.start.north):
        assert f"{secret:.2f}" not in told


def test_pictures_have_a_largest_size(suite: tuple[Path, Suite, Any]) -> None:
    _, starter, town = suite
    with pytest.raises(InputError, match="768"):
        Session(starter.instances[0], town, size=(1024, 768))


def test_the_command_speaks_over_stdio(suite: tuple[Path, Suite, Any]) -> None:
    folder, starter, _ = suite
    arguments = ["-m", "citysim", "mcp", "--city", str(folder), "--id", starter.instances[0].id, "--size", "64x48"]

    async def play() -> str:
        async with mcp.Client(mcp.StdioServerParameters(command=sys.executable, args=arguments)) as client:
            await client.call_tool("look", {"yaw": 90})
            return words(await client.call_tool("observe", {}))

    assert "Action 2 of 100" in asyncio.run(play())


def test_wrong_ids_are_named(suite: tuple[Path, Suite, Any], capsys: pytest.CaptureFixture[str]) -> None:
    folder, _, _ = suite
    for id, told in (("nothing", "nothing"), ("starter-*", "one instance")):
        assert command(["mcp", "--city", str(folder), "--id", id]) == 2
        assert told in capsys.readouterr().err
