"""The WebSocket: remote episodes step by step, roles apart, hostile messages."""

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgpack
import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from citysim.runs.score import episode_line
from citysim.tasks.record import StepRecord
from tests.serve.conftest import Ground

Json = dict[str, Any]


@contextmanager
def socket(url: str, role: str, session: str = "default", token: str = "") -> Iterator[ClientConnection]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    address = f"{url.replace('http', 'ws', 1)}/ws?role={role}&session={session}"
    with connect(address, additional_headers=headers, proxy=None) as connection:
        yield connection


def ask(connection: ClientConnection, **request: Any) -> Json:
    connection.send(msgpack.packb({"id": 1, **request}))
    while True:
        reply: Json = msgpack.unpackb(connection.recv(timeout=60.0))
        if reply.get("event") != "heartbeat":
            return reply


def test_an_episode_from_afar(ground: Ground, url: str) -> None:
    """Reset, play and score over two connections; the score is that of a run with the same records."""
    instance = next(i for i in ground.suite.instances if i.type == "VR")
    with socket(url, "orchestrator", "one") as orchestrator, socket(url, "agent", "one") as agent:
        listed = ask(orchestrator, op="instances")["instances"]
        assert {"id": instance.id, "type": "VR", "city": "mini"} in listed
        assert "none yet" in ask(agent, op="observe")["error"]
        begun = ask(orchestrator, op="reset", instance=instance.id, size=[96, 64])
        assert (begun["ok"], begun["instance"]) == (True, instance.id)
        seen = ask(agent, op="observe", id=77)
        assert (seen["id"], seen["ok"], seen["step"], seen["mode"]) == (77, True, 0, "first_person")
        assert seen["instruction"] == instance.instruction
        assert Image.open(io.BytesIO(seen["image"])).size == (96, 64)
        for number, action in enumerate(ground.proofs[instance.id].actions):
            assert not seen["done"]
            seen = ask(agent, op="act", id=number, action=dict(action), image="none", said="as told")
            assert seen["id"] == number
            assert "image" not in seen
        assert seen["done"]
        line = ask(orchestrator, op="score", records=True)
    records = [StepRecord.from_json(record) for record in line["records"]]
    ours = episode_line(instance, records, ground.suite.name, "x", instance.seed)
    assert {key: line[key] for key in ("status", "steps", "metrics", "sim_seconds", "conditions")} == {
        key: ours[key] for key in ("status", "steps", "metrics", "sim_seconds", "conditions")
    }
    assert line["status"] == "success"
    assert records[0].said == "as told"


def test_raw_pictures_and_bad_requests(ground: Ground, url: str) -> None:
    instance = ground.suite.instances[0]
    with socket(url, "orchestrator", "raw") as orchestrator, socket(url, "agent", "raw") as agent:
        for bad in (
            {"instance": 5}, {"instance": "no"}, {"instance": instance.id, "size": [1, 2]}, {"instance": instance.id} |
            {"seed": -1}, {"instance": instance.id, "actions": True}, {"instance": instance.id, "size": "640x480"},
        ):  # fmt: skip
            assert ask(orchestrator, op="reset", **bad)["ok"] is False
        ask(orchestrator, op="reset", instance=instance.id, size=[64, 48], actions=2)
        seen = ask(agent, op="observe", image="rgb")
        assert (len(seen["image"]), seen["size"]) == (64 * 48 * 3, [64, 48])
        assert ask(agent, op="observe", image="gif")["ok"] is False
        assert ask(agent, op="act", action={"action": "fly"}, image="none")["invalid"].startswith("expected")
        assert ask(agent, op="act", action={"action": "jump"}, said=7)["ok"] is False
        assert ask(agent, op="ping")["event"] == "pong"
        assert ask(agent, op="jump")["ok"] is False


def test_each_role_keeps_to_its_own(ground: Ground, url: str) -> None:
    with socket(url, "agent", "apart") as agent, socket(url, "orchestrator", "apart") as orchestrator:
        for op in ("reset", "score", "instances"):
            assert "op of the agent" in ask(agent, op=op, instance=ground.suite.instances[0].id)["error"]
        for op in ("observe", "act"):
            assert "op of the orchestrator" in ask(orchestrator, op=op)["error"]
    with socket(url, "king") as refused, pytest.raises(ConnectionClosed):
        refused.recv(timeout=10.0)


def test_tokens_of_two_roles(ground: Ground) -> None:
    with ground.serving(token="boss", agent_token="agent") as address:
        with pytest.raises(InvalidStatus), socket(address, "agent"):
            pass
        with pytest.raises(InvalidStatus), socket(address, "agent", token="other"):
            pass
        with socket(address, "orchestrator", token="agent") as refused, pytest.raises(ConnectionClosed):
            refused.recv(timeout=10.0)
        with socket(address, "orchestrator", token="boss") as boss, socket(address, "agent", token="agent") as agent:
            assert ask(boss, op="reset", instance=ground.suite.instances[0].id, size=[64, 48])["ok"] is True
            assert ask(agent, op="observe", image="none")["ok"] is True


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xc1", b"\x93\x01\x02\x03", b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff", b"\x91" * 3000,
        msgpack.packb({"op": msgpack.ExtType(5, b"x")}), msgpack.packb({1: 2}), msgpack.packb({"id": [1], "op": "x"}),
        msgpack.packb({"op": {"a": 1}}), msgpack.packb({"op": "observe" * 5000}), "text", "{}",
    ],
)  # fmt: skip
def test_hostile_messages_are_answered(url: str, data: bytes | str) -> None:
    with socket(url, "agent", "hostile") as agent:
        agent.send(data)
        reply = msgpack.unpackb(agent.recv(timeout=20.0))
        assert reply["ok"] is False
        assert "Traceback" not in reply["error"]
        assert "/" not in reply["error"].replace("id/op", "")
        assert ask(agent, op="ping")["ok"] is True


def test_too_large_a_message_ends_the_connection(url: str) -> None:
    with socket(url, "agent") as agent:
        agent.send(b"x" * 70_000)
        with pytest.raises(ConnectionClosed):
            agent.recv(timeout=20.0)


def test_heartbeats_and_idle_connections(ground: Ground) -> None:
    with ground.serving(heartbeat_s=0.1, idle_s=0.6) as address, socket(address, "agent") as agent:
        begun = time.monotonic()
        assert msgpack.unpackb(agent.recv(timeout=10.0))["event"] == "heartbeat"
        with pytest.raises(ConnectionClosed):
            list(iter(lambda: agent.recv(timeout=10.0), None))
        assert time.monotonic() - begun < 10.0
        assert agent.close_code == 4408
