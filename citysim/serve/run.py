"""serve: run the server until it is interrupted."""

import logging
from collections.abc import Sequence
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


def serve(suite: Suite, cities: Sequence[City], settings: Settings, host: str, port: int) -> None:
    """Serve on a host and port; returns after Ctrl-C.

    Raises InputError for a host that others can reach without a token, DependencyError without uvicorn, StorageError
    where the port is taken.
    """
    check_host(host, settings.token)
    server = server_of(make_app(suite, cities, settings), host, port)
    try:
        server.run()
    except SystemExit:
        raise StorageError("a free port", f"{host}:{port} in use or not ours", "--port 8082") from None


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
