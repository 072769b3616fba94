"""HttpSource against a server that misbehaves."""

import gzip
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.errors import CitySimError, StorageError
from citysim.geo.downloads import Download
from citysim.geo.http import HttpSource
from citysim.geo.partial import Part
from tests.geo.web import Reply, Request, serve


def quick(**options: Any) -> HttpSource:
    chosen: dict[str, Any] = {"timeout_s": 0.3, "attempts": 3, "sleep": lambda _: None, **options}
    return HttpSource(**chosen)


@pytest.mark.parametrize("fault", ["stall", "reset", "truncate"])
def test_a_fault_that_passes_is_survived(fault: str) -> None:
    left = [fault, fault]

    def answer(request: Request) -> Reply:
        return Reply(b"tile" * 100, fault=left.pop() if left else "")

    with serve(answer) as site:
        source = quick()
        assert source.read(f"{site.url}/a.b3dm") == b"tile" * 100
        assert len(site.seen) == 3
        source.close()


@pytest.mark.parametrize(
    ("reply", "said", "asked"),
    [
        (Reply(b"x" * 99, fault="stall"), "ReadTimeout", 3),
        (Reply(fault="reset"), "(ReadError|RemoteProtocolError)", 3),
        (Reply(b"x" * 99, fault="truncate"), "RemoteProtocolError", 3),
        (Reply(status=500), "HTTP status 500", 3),
        (Reply(status=503), "HTTP status 503", 3),
        (Reply(status=404), "no such file", 1),
        (Reply(status=418), "HTTP status 418", 1),
    ],
)
def test_a_fault_that_stays_is_reported_with_uri_and_reason(reply: Reply, said: str, asked: int) -> None:
    with serve(lambda request: reply) as site:
        source = quick()
        with pytest.raises(StorageError, match=said) as caught:
            source.read(f"{site.url}/deep/a.b3dm?key=SECRET")
        assert f"{site.url}/deep/a.b3dm" in str(caught.value)
        assert "SECRET" not in str(caught.value)
        assert len(site.seen) == asked
        source.close()


def test_a_server_that_drips_is_given_up_on() -> None:
    with serve(lambda request: Reply(b"x" * 4_000_000)) as site:
        source = quick(deadline_s=0.0, attempts=1)
        with pytest.raises(StorageError, match="not complete after"):
            source.read(f"{site.url}/a")
        source.close()


def test_a_server_that_never_stops_and_a_compressed_bomb_are_cut_off() -> None:
    bomb = gzip.compress(bytes(30_000_000))

    def answer(request: Request) -> Reply:
        return Reply(bomb, headers={"Content-Encoding": "gzip"}) if request.path == "/bomb" else Reply(b"x" * 200_000)

    with serve(answer) as site:
        source = quick(max_body=100_000)
        for path in ("long", "bomb"):
            with pytest.raises(StorageError, match="more than 100000 bytes"):
                source.read(f"{site.url}/{path}")
        source.close()


def test_nobody_listens() -> None:
    with serve(lambda request: Reply()) as site:
        url = site.url
    source = quick()
    with pytest.raises(StorageError, match="ConnectError"):
        source.read(f"{url}/a")
    source.close()


def test_back_off_grows_and_the_servers_wish_counts() -> None:
    naps: list[float] = []
    replies = [Reply(status=429, headers={"Retry-After": "7"}), Reply(status=503), Reply(status=503), Reply(b"x")]
    with serve(lambda request: replies.pop(0)) as site:
        source = quick(attempts=4, sleep=naps.append)
        assert source.read(f"{site.url}/a") == b"x"
        source.close()
    assert naps == [7.0, 1.0, 2.0]


def test_redirects_on_the_same_host_keep_the_key() -> None:
    def answer(request: Request) -> Reply:
        moved = {"/a": "/b/c", "/b/c": "d?v=1"}
        if request.path in moved:
            return Reply(status=302, headers={"Location": moved[request.path]})
        return Reply(f"{request.path} {request.query}".encode())

    with serve(answer) as site:
        source = quick(params={"key": "K"})
        assert source.read(f"{site.url}/a") == b"/b/d {'v': '1', 'key': 'K'}"
        source.close()


@pytest.mark.parametrize("location", ["http://localhost:{port}/x", "//example.com/x", "file:///etc/passwd", ""])
def test_redirects_to_another_host_are_refused(location: str) -> None:
    with serve(lambda request: Reply(b"secret")) as other:
        target = location.format(port=other.url.rpartition(":")[2])
        with serve(lambda request: Reply(status=301, headers={"Location": target})) as site:
            source = quick(params={"key": "K"})
            with pytest.raises(StorageError, match="another host") as caught:
                source.read(f"{site.url}/a.b3dm")
            assert "/a.b3dm" in str(caught.value)
            source.close()
        assert other.seen == []


def test_redirect_loops_end() -> None:
    with serve(lambda request: Reply(status=302, headers={"Location": "/again"})) as site:
        source = quick()
        with pytest.raises(StorageError, match="redirects"):
            source.read(f"{site.url}/a")
        assert len(site.seen) == 5
        source.close()


def test_the_key_goes_to_the_roots_host_only() -> None:
    with serve(lambda request: Reply(b"x")) as home, serve(lambda request: Reply(b"y")) as other:
        source = quick(params={"key": "K"})
        for url in (home.url, other.url, home.url):
            source.read(f"{url}/a.b3dm")
        source.close()
        assert [r.query for r in home.seen] == [{"key": "K"}] * 2
        assert [r.query for r in other.seen] == [{}]


def test_validators_are_sent_and_304_keeps_the_copy(tmp_path: Path) -> None:
    version = ["one"]

    def answer(request: Request) -> Reply:
        etag = f'"{version[0]}"'
        if request.headers.get("if-none-match") == etag:
            return Reply(status=304)
        stamp = "Mon, 01 Jan 2024 00:00:00 GMT"
        return Reply(version[0].encode(), headers={"ETag": etag, "Last-Modified": stamp})

    with serve(answer) as site:
        uri = f"{site.url}/a.b3dm?key=K"

        def once() -> bytes:
            download = Download(tmp_path, quick())
            body = download.read(uri)
            assert download.read(uri) == body  # asked once a round
            download.finish()
            download.close()
            return body

        assert once() == b"one"
        assert once() == b"one"
        assert site.seen[-1].headers["if-modified-since"].endswith("2024 00:00:00 GMT")
        version[0] = "two"
        assert once() == b"two"
        assert len(site.seen) == 3
    assert Download(tmp_path, None).read(uri) == b"two"
    with pytest.raises(StorageError, match="other"):
        Download(tmp_path, None).read("https://h/other")
    assert not any(b"key=K" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_an_interrupted_round_goes_on_and_damage_is_repaired(tmp_path: Path) -> None:
    with serve(lambda request: Reply(request.path.encode())) as site:
        first = Download(tmp_path, quick())
        first.warm([f"{site.url}/{n}" for n in range(20)])
        first.close()  # killed here: no finish
        assert len(site.seen) == 20
        damaged = next(p for p in tmp_path.rglob("*") if p.is_file() and p.suffix == "" and p.read_bytes() == b"/7")
        damaged.write_bytes(b"/")
        again = Download(tmp_path, quick())
        assert [again.read(f"{site.url}/{n}") for n in range(21)] == [f"/{n}".encode() for n in range(21)]
        assert [r.path for r in site.seen[20:]] == ["/7", "/20"]
        again.close()


def test_failures_while_warming_are_told_when_read(tmp_path: Path) -> None:
    with serve(lambda request: Reply(status=404)) as site:
        download = Download(tmp_path, quick())
        download.warm([f"{site.url}/a"])
        with pytest.raises(CitySimError, match="/a"):
            download.read(f"{site.url}/a")
        assert len(site.seen) == 1
        download.close()


def test_faults_cost_bounded_time() -> None:
    with serve(lambda request: Reply(b"x" * 10, fault="stall")) as site:
        source = quick(timeout_s=0.1, attempts=2)
        start = time.monotonic()
        with pytest.raises(StorageError):
            source.read(f"{site.url}/a")
        assert time.monotonic() - start < 3.0
        source.close()


class Cutting:
    """Serves one body that breaks off after `most` bytes of every answer; knows ranges unless told otherwise."""

    def __init__(self, body: bytes, most: int, *, ranges: bool = True, etag: str = '"v1"') -> None:
        self.body, self.most, self.ranges, self.etag = body, most, ranges, etag

    def __call__(self, request: Request) -> Reply:
        first, asked = 0, request.headers.get("range", "")
        whole = asked == "" or not self.ranges or request.headers.get("if-range") != self.etag
        if not whole:
            first = int(asked.removeprefix("bytes=").removesuffix("-"))
        rest = self.body[first:]
        headers = {"ETag": self.etag}
        if not whole:
            headers["Content-Range"] = f"bytes {first}-{len(self.body) - 1}/{len(self.body)}"
        cut = len(rest) > self.most
        # half of what is announced comes
        return Reply(
            rest[: self.most] + bytes(self.most) if cut else rest,
            200 if whole else 206,
            headers,
            "truncate" if cut else "",
        )


BODY = bytes(range(256)) * 40


def test_a_body_that_breaks_off_is_gone_on_with() -> None:
    with serve(Cutting(BODY, 3000)) as site, closing(quick(attempts=5)) as source:
        assert source.read(f"{site.url}/a") == BODY
    asked = [r.headers.get("range") for r in site.seen]
    assert asked == [None, "bytes=3000-", "bytes=6000-", "bytes=9000-"]
    assert all(r.headers["accept-encoding"] == "identity" for r in site.seen[1:])


def test_a_server_without_ranges_or_a_new_version_starts_again() -> None:
    unable = Cutting(BODY, 6000, ranges=False)
    with serve(unable) as site, closing(quick(attempts=5)) as source, pytest.raises(StorageError):
        source.read(f"{site.url}/a")
    changing = Cutting(BODY, 6000)

    def answer(request: Request) -> Reply:
        reply = changing(request)
        changing.etag, changing.body = '"v2"', BODY[::-1]
        changing.most = 1 << 20
        return reply

    with serve(answer) as site, closing(quick(attempts=5)) as source:
        assert source.read(f"{site.url}/a") == BODY[::-1]


@pytest.mark.parametrize("answer", [Reply(BODY[:100], 206), Reply(b"", 416)])
def test_partial_answers_that_nobody_asked_for_are_refused(answer: Reply) -> None:
    with serve(lambda request: answer) as site, closing(quick(attempts=5)) as source, pytest.raises(StorageError):
        source.read(f"{site.url}/a")


@pytest.mark.parametrize("ranges", ["bytes 5000-10239/10240", "bytes 3000-10239/99999", "nonsense", ""])
def test_a_wrong_rest_is_not_joined(ranges: str) -> None:
    """A server that answers a range with another one: what came is dropped and all of it is asked for again."""

    def answer(request: Request) -> Reply:
        if "range" in request.headers:
            return Reply(BODY[3000:], 206, {"Content-Range": ranges, "ETag": '"v1"'})
        if len(site.seen) == 1:
            return Reply(BODY[:6000], 200, {"ETag": '"v1"'}, "truncate")
        return Reply(BODY, 200, {"ETag": '"v1"'})

    with serve(answer) as site, closing(quick(attempts=5)) as source:
        assert source.read(f"{site.url}/a") == BODY


def test_a_large_body_goes_on_in_the_next_process(tmp_path: Path) -> None:
    body = np.random.default_rng(0).bytes(5_000_000)
    with serve(Cutting(body, 2_000_000)) as site:
        for attempts in (1, 1, 1):
            download = Download(tmp_path, HttpSource(root=site.url, attempts=attempts, sleep=lambda s: None))
            try:
                found = download.read(f"{site.url}/a")
            except StorageError:
                assert [p.suffix for p in tmp_path.rglob("*.part")] == [".part"]
            finally:
                download.close()
    assert found == body
    assert [r.headers.get("range") for r in site.seen] == [None, "bytes=2000000-", "bytes=4000000-"]
    assert not list(tmp_path.rglob("*.part"))


def test_a_damaged_part_counts_as_none(tmp_path: Path) -> None:
    for text in (b"", b"{", b"[1]\nabc", b"\xff\nabc"):
        path = tmp_path / "x.part"
        path.write_bytes(text)
        part = Part(path)
        assert part.validator == "" or part.data == b"abc"
        part.begin('"v"')
        assert not path.exists()
