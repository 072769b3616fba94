"""A small suite of all families in one city, and a server of it, shared by the tests of the server."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from citysim.catalog import load_city
from citysim.city import City
from citysim.runs.proving import Proof, read_proofs
from citysim.runs.suitemaking import make_urbanground
from citysim.serve.app import make_app
from citysim.serve.run import server_of
from citysim.serve.settings import Settings
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite, proofs_path, suite_names
from citysim.tasks.urbanground.exporting import export_urbanground

COMMITTED = "urbanground-mini"


@dataclass(frozen=True)
class Ground:
    """One instance of each family in one city, an expert's actions for it, and its exported files."""

    suite: Suite
    city: City
    proofs: dict[str, Proof]
    folder: Path

    def serving(self, **settings: Any) -> Any:
        chosen: dict[str, Any] = {"admin": True, "physics": "native"} | settings
        return serving(self.suite, [self.city], Settings(**chosen))


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    city = load_city("mini")
    if COMMITTED in suite_names():
        whole = load_suite(COMMITTED)
        proofs = list(read_proofs(proofs_path(COMMITTED)).values())
    else:
        whole, proofs = make_urbanground([city], 0, scale=0.01, name="tiny")
    first = {instance.type: instance for instance in reversed(whole.instances)}
    kept = {first["CN"].id, first["LN"].id} | {i.id for i in first.values()}
    suite = Suite(whole.name, whole.version, tuple(i for i in whole.instances if i.id in kept))
    folder = tmp_path_factory.mktemp("export") / "urbanground"
    export_urbanground(suite, folder)
    return Ground(suite, city, {proof.id: proof for proof in proofs}, folder)


@contextmanager
def serving(suite: Suite, cities: list[City], settings: Settings) -> Iterator[str]:
    """A real server on a free port of this machine, while the block lasts; gives its address."""
    server = server_of(make_app(suite, cities, settings), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30.0)


@pytest.fixture(scope="session")
def url(ground: Ground) -> Iterator[str]:
    with ground.serving(image_size=(320, 240)) as address:
        yield address


@pytest.fixture
def http(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60.0, trust_env=False) as client:
        yield client
