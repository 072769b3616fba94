"""Hostile requests: none breaks the server, fills its memory, reaches a file, or learns about its insides."""

import contextlib
import gc
import json
import os
import random
import re
import socket
import struct
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import msgpack
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.sync.client import connect

from tests.serve.conftest import Ground

PATHS = (
    "/action", "/task/enter", "/task/exit", "/stats/reset", "/state", "/screenshot", "/task", "/", "/openapi.json",
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/action/../../x", "/ws", "//", "/\\..\\x", "/task%00",
)  # fmt: skip
NAMES = (
    "move", "sprint", "look", "jump", "map_select", "map_pan", "map_zoom", "map_orbit", "teleport", "set_weather",
    "set_time", "set_time_scale", "where_am_i", "navigate", "identify_location", "enter_task", "terminate", "open_map",
)  # fmt: skip
KEYS = (
    "action", "type", "dir", "seconds", "yaw", "pitch", "lat", "lon", "height", "weather", "hour", "minute", "id", "x",
    "y", "factor", "east", "north", "jump", "jump_at", "yaw_rate", "scale",
)  # fmt: skip
MARKER = "zz-marker-zz"
TOUCHES = ("open", "os.listdir", "os.mkdir", "os.remove", "os.rename", "import", "subprocess.Popen")
QUERY = ("interval", "max_frames", "image", "width", "height", "quality", "format", "session", "a")
VALUES = ("", "nan", "-1", "1e9", "x", "0.3", "16", "../..", "%00", "9" * 40, "\ud7ff")
HEADERS = ("X-Session", "Content-Type", "Authorization", "Accept")


def junk(rng: random.Random, depth: int = 0) -> Any:
    """Some value that JSON can spell."""
    kind = rng.randrange(12 if depth < 3 else 9)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind == 1:
        return rng.choice((0, -1, 1, 10**18, -(10**308), 2**63, 10**400))
    if kind == 2:
        return rng.uniform(-1e3, 1e3) * 10.0 ** rng.randrange(-300, 300)
    if kind == 3:
        return rng.choice(("", "forward", "sunny", "\x00", "\ud800", "../../etc/passwd", "a" * 3000, "<script>", "NaN"))
    if kind < 9:
        return rng.choice(NAMES)
    if kind == 9:
        return [junk(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): junk(rng, depth + 1) for _ in range(rng.randrange(4))}


def spelled(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def hostile_request(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    """Method, path and the rest of a request that is wrong somehow."""
    kind = rng.randrange(7)
    query = {rng.choice(QUERY): rng.choice(VALUES) for _ in range(rng.randrange(3))}
    if kind == 0:
        body = bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
    elif kind == 1:
        body = rng.choice((b"[" * 20000, b'{"a":' * 5000, b"{" + b" " * 60000 + b"}", b"\x00" * 1000, b"NaN", b"1e999"))
    elif kind < 4:
        body = spelled(junk(rng))
    else:
        named = {rng.choice(("action", "type")): rng.choice(NAMES)}
        body = spelled(named | {key: junk(rng) for key in rng.sample(KEYS, 4)})
    path = rng.choice(PATHS) if kind < 4 else "/action"
    method = rng.choice(("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")) if kind < 3 else "POST"
    headers = {rng.choice(HEADERS): rng.choice(("", "x" * 300, "../.."))}
    if query.get("width") or query.get("height"):
        query["width"] = query["height"] = "16"
    return method, path, {"content": body, "params": query, "headers": headers}


def check(reply: httpx.Response) -> None:
    assert reply.status_code < 500, (reply.request.url, reply.text)
    if "json" in reply.headers.get("content-type", "") and "openapi" not in str(reply.request.url):
        text = reply.text
        assert not re.search(r"Traceback|File \"|site-packages|/work|/home|/usr|/tmp|\.py\b", text), text


def malformed(address: str, count: int, seed: int) -> None:
    rng = random.Random(seed)
    with httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http:
        for _ in range(count):
            method, path, rest = hostile_request(rng)
            check(http.request(method, path, **rest))


def raw(address: str, data: bytes, read: bool) -> None:
    """Bytes that are perhaps no request at all, and a connection that is torn down at once."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20.0) as connection:
        connection.sendall(data)
        if read:
            connection.settimeout(5.0)
            with contextlib.suppress(TimeoutError, ConnectionError):
                connection.recv(100)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def disconnects(address: str, count: int) -> None:
    act = b'{"action":"sprint","dir":"forward","seconds":2}'
    whole = b"POST /action?interval=0.05 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(act) + act
    for number in range(count):
        kind = number % 6
        if kind == 0:
            raw(address, whole, False)
        elif kind == 1:
            raw(address, whole[:-10], False)
        elif kind == 2:
            raw(address, b"GET /screenshot?width=64&height=64 HTTP/1.1\r\nHost: x\r\n\r\n", False)
        elif kind == 3:
            raw(address, b"\x16\x03\x01\x00" * 50, True)
        elif kind == 4:
            raw(address, b"POST /action HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", True)
        else:
            url = address.replace("http", "ws", 1) + "/ws?role=agent&session=cut"
            with connect(url, proxy=None) as agent:
                agent.send(msgpack.packb({"id": 1, "op": "observe"}))
                agent.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                agent.socket.close()


def resident_mb() -> float:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def still_serving(address: str) -> None:
    with httpx.Client(base_url=address, timeout=60.0, trust_env=False) as http:
        assert http.get("/health").json()["ok"] is True
        assert http.post("/task/exit").json()["ok"] is True  # closes a map that was opened
        assert http.post("/action", json={"action": "look", "yaw": 1}).json()["ok"] is True
        assert http.get("/screenshot").status_code == 200


@pytest.fixture(scope="module")
def small(ground: Ground) -> Iterator[str]:
    with ground.serving(image_size=(64, 48), idle_s=20.0) as address:
        yield address


def test_malformed_requests(small: str) -> None:
    malformed(small, 300, 1)
    still_serving(small)


def test_sudden_disconnects(small: str) -> None:
    disconnects(small, 30)
    still_serving(small)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_malformed_requests_and_five_hundred_disconnects(small: str) -> None:
    malformed(small, 6000, 2)  # until then the walker sees new places of the city
    disconnects(small, 60)
    before = resident_mb()
    malformed(small, 10_000, 3)
    disconnects(small, 500)
    still_serving(small)
    assert resident_mb() - before < 20.0


class _Watch:
    """Files that are opened while it is on, seen by an audit hook (which can never be taken away again)."""

    on = False
    seen: list[str] = []  # noqa: RUF012

    @classmethod
    def hook(cls, event: str, args: tuple[Any, ...]) -> None:
        if cls.on and event in TOUCHES:
            cls.seen.append(f"{event} {args[0]!r}")


sys.addaudithook(_Watch.hook)


def test_nothing_of_a_request_reaches_the_file_system(small: str) -> None:
    name = f"../{MARKER}"
    with httpx.Client(base_url=small, timeout=60.0, trust_env=False) as http:
        still_serving(small)
        _Watch.seen.clear()
        _Watch.on = True
        try:
            for path in (f"/{MARKER}", f"/task/{MARKER}", f"/%2e%2e/{MARKER}"):
                check(http.get(path))
            check(http.get("/state", headers={"X-Session": name}))
            check(http.get("/state", params={"session": MARKER}))
            check(http.get("/screenshot", params={"format": name}))
            for value in (name, MARKER, f"{MARKER}.jsonl", f"/{MARKER}", f"file:///{MARKER}"):
                check(http.post("/task/enter", json={"id": value}))
                for action in NAMES:
                    check(http.post("/action", json={"action": action, **dict.fromkeys(KEYS[2:], value)}))
                check(http.post("/action", json={"action": value}))
        finally:
            _Watch.on = False
    assert not [seen for seen in _Watch.seen if MARKER in seen]


def test_the_api_keeps_its_description(small: str) -> None:
    """Schemathesis: valid and invalid requests for every operation of the OpenAPI document."""
    schema = schemathesis.openapi.from_url(f"{small}/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @given(case=operation.as_strategy())
        @settings(
            max_examples=12, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def conforms(case: Any) -> None:
            case.query = {key: value for key, value in (case.query or {}).items() if key != "session"}
            if case.path == "/screenshot":  # small pictures: the size is tested elsewhere
                case.query |= {"width": 16, "height": 16}
            assert case.call_and_validate(timeout=60).status_code < 500

        conforms()
        tried += 1
    assert tried == 11


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(token=st.text(max_size=60))
def test_only_the_token_opens(token: str) -> None:
    from citysim.serve.guard import Guard
    from citysim.serve.settings import Settings

    async def nothing(*_: Any) -> None:
        raise AssertionError

    guard = Guard(nothing, Settings(token="secret"))
    header = f"Bearer {token}".encode("utf-8", "surrogatepass")
    assert (guard._role({"headers": [(b"authorization", header)]}) is not None) == (token.strip() == "secret")
