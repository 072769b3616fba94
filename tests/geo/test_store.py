import base64
import gzip
from pathlib import Path

import httpx
import pytest

from citysim.errors import FormatError, StorageError
from citysim.geo.http import HttpSource
from citysim.geo.store import FolderSource, MemorySource, fetch


def test_folder_reads_and_names_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"x")
    source = FolderSource(tmp_path)
    assert source.read("a.bin") == b"x"
    with pytest.raises(StorageError, match=rf"'b\.bin' in '{tmp_path}'"):
        source.read("b.bin")
    with pytest.raises(StorageError, match="readable"):
        source.read(".")


def test_folder_does_not_follow_links_out(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(FormatError, match="inside"):
        FolderSource(tmp_path / "tiles").read("link")


def test_gzip_and_data_uris_are_unwrapped() -> None:
    source = MemorySource({"z": gzip.compress(b"tile"), "broken": gzip.compress(b"tile" * 99)[:-12]})
    assert fetch(source, "z") == b"tile"
    assert fetch(source, "data:;base64," + base64.b64encode(b"hi").decode()) == b"hi"
    assert fetch(source, "data:,a%20b") == b"a b"
    for uri in ("broken", "data:nothing", "data:;base64,A"):
        with pytest.raises(FormatError):
            fetch(source, uri)


def web(answers: list[httpx.Response | Exception], seen: list[str]) -> httpx.MockTransport:
    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return httpx.MockTransport(handle)


def test_http_retries_and_sends_the_key_once() -> None:
    seen: list[str] = []
    naps: list[float] = []
    answers: list[httpx.Response | Exception] = [
        httpx.Response(503),
        httpx.ConnectError("down"),
        httpx.Response(200, content=b"tile"),
    ]
    source = HttpSource(params={"key": "K"}, transport=web(answers, seen), sleep=naps.append)
    assert source.read("https://h/a.glb?session=S") == b"tile"
    assert seen == ["https://h/a.glb?session=S&key=K"] * 3
    assert naps == [0.5, 1.0]
    source.close()


@pytest.mark.parametrize("status", [404, 403, 500])
def test_http_failures_name_the_uri_without_the_key(status: int) -> None:
    answers: list[httpx.Response | Exception] = [httpx.Response(status) for _ in range(4)]
    source = HttpSource(transport=web(answers, []), sleep=lambda _: None)
    with pytest.raises(StorageError, match=r"https://h/a\.glb") as caught:
        source.read("https://h/a.glb?key=SECRET")
    assert "SECRET" not in str(caught.value)
    source.close()
