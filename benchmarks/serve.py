"""What serving costs on top of the environment's own step: `citysim bench serve`.

A WebSocket client on this machine steps an episode with 640x480 JPEGs; the same actions are taken by the same kind of
episode in this process, picture included. The difference of the medians is what encoding, packing, the socket and the
threads cost; both are taken in turns, so that a busy machine slows both.
"""

import argparse
import json
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any

from citysim.benchmarks.rows import Progress, Row
from citysim.catalog import load_city
from citysim.errors import DependencyError
from citysim.render import make_renderer
from citysim.serve.app import make_app
from citysim.serve.run import server_of
from citysim.serve.settings import Settings
from citysim.tasks.episode import Episode, Limits
from citysim.tasks.suites import judge_of, load_suite
from citysim.world import World

ACTIONS: list[dict[str, Any]] = [
    {"action": "move", "dir": "forward", "seconds": 0.5},
    {"action": "look", "yaw": 30},
    {"action": "move", "dir": "left", "seconds": 0.5},
    {"action": "look", "yaw": -50},
]
MOST = 9000


def rows(progress: Progress) -> Iterator[Row]:
    """Median milliseconds on top of the step, and the same in processor time; raises DependencyError."""
    progress("steps over a WebSocket with a 640x480 JPEG ...")
    found = measure()
    yield Row("websocket_step_on_top", found["on_top_ms"], "ms")
    yield Row("websocket_step_on_top_cpu", found["on_top_cpu_ms"], "ms")
    yield Row("websocket_step", found["remote_ms"], "ms", "own_step", found["own_ms"])


def measure(city_name: str = "mini", steps: int = 300, size: tuple[int, int] = (640, 480)) -> dict[str, Any]:
    """Median milliseconds of a remote step, of the same step here, and of their difference.

    `on_top_cpu_ms` is the difference in processor time of client and server together: it does not count the waiting for
    a processor that others use. Raises DependencyError without the extra [serve].
    """
    try:
        import msgpack
        from websockets.sync.client import connect
    except ImportError:
        raise DependencyError("the libraries of citysim serve", "none", "pip install 'citysim[serve]'") from None

    city = load_city(city_name)
    suite = load_suite("starter", city, 0)
    instance = suite.instances[0]
    world, renderer = World(city, physics="native"), make_renderer("raster", city)
    local = Episode(
        world, renderer, judge_of(instance.type), instance.to_goal(), seed=instance.seed,
        conditions=instance.conditions_in(city), limits=Limits(MOST, size),
    )  # fmt: skip
    server = server_of(make_app(suite, [city], Settings(physics="native", image_size=size)), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    address = f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/ws?session=bench&role="
    far, near, work, sent = list[float](), list[float](), list[float](), 0
    with (
        connect(f"{address}orchestrator", proxy=None, compression=None) as boss,
        connect(f"{address}agent", proxy=None, compression=None) as agent,
    ):

        def ask(socket: Any, **request: Any) -> dict[str, Any]:
            socket.send(msgpack.packb(request))
            reply: dict[str, Any] = msgpack.unpackb(socket.recv())
            return reply

        ask(boss, id=0, op="reset", instance=instance.id, actions=MOST, size=list(size))
        for number in range(steps + 20):
            action = ACTIONS[number % len(ACTIONS)]
            begun, busy = time.perf_counter(), time.process_time()
            local.act(action)
            local.observe()
            between, mine = time.perf_counter(), time.process_time()
            reply = ask(agent, id=number, op="act", action=action)
            ended, all_of_it = time.perf_counter(), time.process_time()
            if number >= 20 and not reply["done"] and not local.done:
                near.append(1e3 * (between - begun))
                far.append(1e3 * (ended - between))
                work.append(1e3 * ((all_of_it - mine) - (mine - busy)))
                sent += len(reply["image"])
            if local.done or reply["done"]:
                raise RuntimeError("the episode ended before the measurement did")
    server.should_exit = True
    thread.join()
    renderer.close()
    world.close()
    return {
        "city": city_name,
        "steps": len(far),
        "size": "{}x{}".format(*size),
        "remote_ms": round(statistics.median(far), 3),
        "own_ms": round(statistics.median(near), 3),
        "on_top_ms": round(statistics.median([a - b for a, b in zip(far, near, strict=True)]), 3),
        "on_top_cpu_ms": round(statistics.median(work), 3),
        "jpeg_bytes": round(sent / max(len(far), 1)),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--city", default="mini")
    parser.add_argument("--steps", type=int, default=300)
    given = parser.parse_args()
    print(json.dumps(measure(given.city, given.steps), indent=2))


if __name__ == "__main__":
    main()
