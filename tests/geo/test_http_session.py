"""403 after a session has ended: the root is asked for a new one, and the request repeated, once."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from citysim.errors import StorageError
from citysim.geo.http import MAX_FRUITLESS, HttpSource
from citysim.geo.session import Session
from tests.geo.web import Reply, Request, serve


class Service:
    """A root that hands out the session of the hour; everything else wants that session and the key."""

    def __init__(self) -> None:
        self.session = "one"

    def __call__(self, request: Request) -> Reply:
        if request.query.get("key") != "K":
            return Reply(status=401)
        if request.path == "/v1/root.json":
            content = {"uri": f"/v1/sub/tileset.json?session={self.session}"}
            return Reply(json.dumps({"root": {"children": [{"content": content}]}}).encode())
        return Reply(b"tile") if request.query.get("session") == self.session else Reply(status=403)


def test_an_expired_session_is_renewed_once_for_all_descendants() -> None:
    service = Service()
    with serve(service) as site:
        source = HttpSource(params={"key": "K"}, sleep=lambda _: None)
        source.read(f"{site.url}/v1/root.json")
        assert source.read(f"{site.url}/v1/a.glb?session=one") == b"tile"
        service.session = "two"
        assert source.read(f"{site.url}/v1/b.glb?session=one") == b"tile"
        assert source.read(f"{site.url}/v1/c.glb?session=one&v=3") == b"tile"
        assert [r.path for r in site.seen].count("/v1/root.json") == 2
        assert site.seen[-1].query == {"session": "two", "v": "3", "key": "K"}
        service.session = "three"
        assert source.read(f"{site.url}/v1/d.glb?session=one") == b"tile"
        assert [r.path for r in site.seen].count("/v1/root.json") == 3
        source.close()


def test_many_threads_ask_the_root_once() -> None:
    service = Service()
    with serve(service) as site:
        source = HttpSource(params={"key": "K"}, sleep=lambda _: None)
        source.read(f"{site.url}/v1/root.json")
        service.session = "two"
        with ThreadPoolExecutor(8) as pool:
            bodies = list(pool.map(source.read, [f"{site.url}/v1/{n}.glb?session=one" for n in range(24)]))
        assert bodies == [b"tile"] * 24
        assert [r.path for r in site.seen].count("/v1/root.json") == 2
        source.close()


def test_a_refusal_that_stays_ends_after_one_more_try() -> None:
    with serve(lambda request: Reply(b"{}") if request.path == "/root.json" else Reply(status=403)) as site:
        source = HttpSource(sleep=lambda _: None)
        source.read(f"{site.url}/root.json")
        with pytest.raises(StorageError, match="HTTP status 403"):
            source.read(f"{site.url}/a.glb?session=one")
        assert [r.path for r in site.seen] == ["/root.json", "/a.glb", "/root.json", "/a.glb"]
        with pytest.raises(StorageError, match="HTTP status 403"):
            source.read(f"{site.url}/b.glb?session=one")
        assert len(site.seen) == 5
        for n in range(50):
            with pytest.raises(StorageError):
                source.read(f"{site.url}/c.glb?n={n}")
        assert [r.path for r in site.seen].count("/root.json") <= 2 + MAX_FRUITLESS
        source.close()


def test_a_root_that_is_refused_itself() -> None:
    with serve(lambda request: Reply(status=403)) as site:
        source = HttpSource(sleep=lambda _: None)
        with pytest.raises(StorageError, match="403"):
            source.read(f"{site.url}/root.json")
        source.close()


def test_only_parameters_that_changed_are_replaced() -> None:
    session = Session()
    document = json.dumps({"content": {"uri": "x.json?session=B&v=9"}, "else": [{"url": "y.json"}]}).encode()
    session.learn("https://h/a?session=A&v=9&sig=a%2Bb", "https://h/root.json", document)
    assert session.current("https://h/c?sig=a%2Bb&session=A") == "https://h/c?sig=a%2Bb&session=B"
    assert session.current("https://h/c?v=9") == "https://h/c?v=9"
    session.learn("https://h/a?session=B", "https://h/root.json", b"{broken")
    elsewhere = json.dumps({"uri": "https://evil/x?session=E"}).encode()
    session.learn("https://h/a?session=B", "https://h/root.json", elsewhere)
    assert session.current("https://h/c?session=A") == "https://h/c?session=B"
