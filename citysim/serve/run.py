"""serve: run the server until it is interrupted."""

import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from citysim.city import City
from citysim.errors import DependencyError, StorageError
from citysim.serve.app import EXTRA, make_app
from citysim.serve.guard import App
from citysim.serve.settings import Settings, check_host
from citysim.tasks.suite import Suite

if TYPE_CHECKING:
    import uvicorn

KEEP_ALIVE_S = 3600
"""Models think for minutes between two requests on one connection."""
MOST_BYTES = 64 * 1024


def serve(
    suite: Suite, cities: Sequence[City], settings: Settings, host: str, port: int, tell: Callable[[str], None]
) -> None:
    """Serve on a host and port (0: a free one) and `tell` the address; returns after Ctrl-C.

    Raises InputError for a host that others can reach without a token, DependencyError without uvicorn, StorageError
    where the port is taken.
    """
    check_host(host, settings.token)
    server = server_of(make_app(suite, cities, settings), host, port)
    with listening(host, port) as opened:
        shown = f"[{host}]" if ":" in host else host
        tell(f"http://{shown}:{opened.getsockname()[1]}")
        with suppress(KeyboardInterrupt):
            server.run(sockets=[opened])


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; raises StorageError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
        made.listen(256)
    except OSError as error:
        made.close()
        found = f"{host}:{port} ({error.strerror or type(error).__name__})"
        raise StorageError("a host and a free port of this machine", found, "--port 8082") from None
    return made


def server_of(app: App, host: str, port: int) -> "uvicorn.Server":
    """A server that is quiet and patient with thinking models; WebSocket messages are small and uncompressed."""
    try:
        import uvicorn
    except ImportError:
        raise DependencyError("the libraries of citysim serve", "no uvicorn", EXTRA) from None
    logging.getLogger("citysim.serve").setLevel(logging.WARNING)
    config = uvicorn.Config(
        app, host=host, port=port, log_level="error", access_log=False, server_header=False, date_header=False,
        timeout_keep_alive=KEEP_ALIVE_S, ws_max_size=MOST_BYTES, ws_per_message_deflate=False, backlog=256,
        limit_concurrency=512,
    )  # fmt: skip
    return uvicorn.Server(config)
