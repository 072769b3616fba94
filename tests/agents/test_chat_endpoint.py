"""Asking an endpoint: rate limits, deadlines, deaths, cassettes, and a key that nobody sees."""

import datetime as dt
import email.utils
import json
import time
from pathlib import Path

import numpy as np
import pytest

from citysim.agents.chat.cassette import Cassette
from citysim.agents.chat.endpoint import Endpoint, EndpointError, _retry_after
from citysim.agents.chat.usage import Usage
from citysim.agents.chat.wire import Picture, request_key, user
from citysim.agents.options import AgentOptions
from citysim.agents.stub import Reply, StubServer, dying, limited, scripted, slow
from citysim.errors import FormatError, InputError, StorageError, UnknownNameError

WALK = {"action": "move", "dir": "forward", "seconds": 2}
KEY = "sk-secret-0123456789"
BODY = {"model": "stub", "messages": [user("go")]}


def endpoint(server: StubServer, waits: list[float] | None = None, **options: object) -> Endpoint:
    made = AgentOptions(base_url=server.base_url, **options)  # type: ignore[arg-type]
    return Endpoint(made, None, sleep=(waits if waits is not None else []).append)


def test_rate_limits_are_waited_out_as_long_as_they_say() -> None:
    waits: list[float] = []
    usage = Usage()
    with StubServer(limited(scripted([WALK]), 2, "7")) as server:
        asking = endpoint(server, waits)
        answer = asking.ask(BODY, "test", usage)
        asking.close()
    assert answer["choices"][0]["message"]["content"]
    assert waits == [7.0, 7.0]
    assert (usage.calls, usage.waits) == (1, 2)
    assert usage.prompt_tokens > 0 < usage.completion_tokens


def test_faults_without_a_hint_are_waited_out_longer_and_longer_up_to_the_deadline() -> None:
    waits: list[float] = []
    with StubServer(lambda request: Reply(status=503)) as server:
        asking = endpoint(server, waits, deadline_s=20.0)
        with pytest.raises(EndpointError, match="HTTP 503"):
            asking.ask(BODY, "test", Usage())
        asking.close()
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0][: len(waits)]
    assert len(waits) >= 4


def test_a_slow_model_ends_with_its_deadline() -> None:
    begun = time.perf_counter()
    with StubServer(slow(scripted([WALK]), 3.0)) as server:
        asking = endpoint(server, deadline_s=0.4)
        with pytest.raises(EndpointError, match=r"within 0\.4 s|Timeout"):
            asking.ask(BODY, "test", Usage())
        asking.close()
        assert time.perf_counter() - begun < 2.8


def test_a_dead_model_is_tried_again_then_named() -> None:
    with StubServer(dying(scripted([WALK]), 1)) as server:
        asking = endpoint(server)
        asking.ask(BODY, "test", Usage())
        with pytest.raises(EndpointError, match="RemoteProtocolError after 9 tries"):
            asking.ask(BODY, "test", Usage())
        asking.close()


def test_the_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with StubServer(scripted([WALK]), key=KEY) as server:
        asking = endpoint(server, api_key_env="MY_KEY")
        assert asking.ask(BODY, "test", Usage())["choices"]
        asking.close()
    with StubServer(scripted([WALK]), key="another") as server:  # the server echoes what it was given
        asking = endpoint(server, api_key_env="MY_KEY")
        with pytest.raises(EndpointError, match=r"HTTP 401.*\[key\]") as caught:
            asking.ask(BODY, "test", Usage())
        asking.close()
    assert KEY not in str(caught.value)
    assert KEY not in repr(asking.options)
    assert "MY_KEY" not in json.dumps(asking.options.to_json())


def test_no_endpoint_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        Endpoint(AgentOptions(), None)
    with pytest.raises(InputError, match="ABSENT_KEY"):
        Endpoint(AgentOptions(base_url="http://127.0.0.1:1/v1", api_key_env="ABSENT_KEY"), None)
    for url in ("ftp://x/v1", "127.0.0.1:80", "http://u:p@x/v1", "http://x/v1?key=1", "http://[", "http://x:y/"):
        with pytest.raises(InputError):
            AgentOptions(base_url=url)
    with pytest.raises(UnknownNameError):
        AgentOptions(cassette_mode="rewind")
    for wrong in ({"max_images": -1}, {"max_turns": 0}, {"deadline_s": float("nan")}):
        with pytest.raises(InputError):
            AgentOptions(**wrong)


@pytest.mark.parametrize("text", ["<html>", "[]", '{"choices": 3}', "[" * 100_000])
def test_an_address_that_is_no_model_is_named(text: str) -> None:
    with StubServer(lambda request: Reply(text=text)) as server:
        asking = endpoint(server)
        with pytest.raises(EndpointError, match="OpenAI-compatible"):
            asking.ask(BODY, "test", Usage())
        asking.close()


def test_retry_after_in_seconds_and_as_a_date() -> None:
    soon = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=30)
    assert _retry_after("2.5") == 2.5
    assert _retry_after("-3") == 0.0
    assert _retry_after(None) is None
    assert _retry_after("soon") is None
    assert 25.0 < (_retry_after(email.utils.format_datetime(soon, usegmt=True)) or 0.0) <= 30.0


def test_cassettes_replay_without_a_server_and_name_what_they_lack(tmp_path: Path) -> None:
    path = tmp_path / "tapes" / "model.jsonl"
    with StubServer(scripted([WALK])) as server:
        options = AgentOptions(base_url=server.base_url)
        asking = Endpoint(options, Cassette(path, "record"))
        first = asking.ask(BODY, "first", Usage())
        assert asking.ask(BODY, "again", Usage()) == first
        asking.close()
        assert len(server.requests) == 1, "a request that is recorded is not paid for twice"
    usage = Usage()
    replaying = Endpoint(options, Cassette(path, "replay"))
    assert replaying.ask(BODY, "first", usage) == first
    assert (usage.calls, usage.replayed, usage.model_s) == (1, 1, 0.0)
    with pytest.raises(InputError, match=r"second turn.*model\.jsonl"):
        replaying.ask(BODY | {"temperature": 1.0}, "second turn", usage)


def test_damaged_and_missing_cassettes(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with pytest.raises(StorageError, match="--cassette-mode record"):
        Cassette(path, "replay")
    Cassette(path, "record").keep("a", "first", {"choices": [1]})
    path.write_text(path.read_text()[:-9])  # killed while it wrote
    torn = Cassette(path, "record")
    assert torn.find("a", "first") is None
    torn.keep("a", "first", {"choices": [2]})
    assert Cassette(path, "replay").find("a", "first") == {"choices": [2]}
    path.write_text('{"schema": "other"}\n')
    with pytest.raises(FormatError, match="line 1"):
        Cassette(path, "replay")


def test_keys_go_by_words_and_pixels() -> None:
    black, grey = np.zeros((4, 6, 3), np.uint8), np.full((4, 6, 3), 9, np.uint8)

    def key(text: str, rgb: np.ndarray) -> str:
        return request_key({"model": "m", "messages": [user(text, Picture.of(rgb))]})

    assert key("a", black) == key("a", black.copy())
    assert len({key("a", black), key("a", grey), key("b", black), key("a", black.reshape(6, 4, 3))}) == 4
