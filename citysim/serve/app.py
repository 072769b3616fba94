"""make_app: the whole server as one ASGI application."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence

from citysim.city import City
from citysim.errors import DependencyError, InputError
from citysim.serve.guard import App, Guard
from citysim.serve.session import Session
from citysim.serve.sessions import Sessions
from citysim.serve.settings import Settings
from citysim.serve.stages import Stages
from citysim.serve.taskbook import TaskBook
from citysim.tasks.suite import Suite

EXTRA = "pip install 'citysim[serve]'"
log = logging.getLogger("citysim.serve")


def make_app(suite: Suite, cities: Sequence[City], settings: Settings | None = None) -> App:
    """The ASGI application that serves a suite in its cities: UrbanGround's HTTP, and `/ws` (`citysim.serve.remote`).

    Raises InputError for a suite without instances or a city that is missing or another, DependencyError without
    FastAPI.
    """
    try:
        from fastapi import FastAPI
    except ImportError:
        raise DependencyError("the libraries of citysim serve", "no FastAPI", EXTRA) from None
    from citysim.serve.http import add_routes
    from citysim.serve.remote import add_socket
    from citysim.serve.remote_episode import RemoteEpisode

    if not suite.instances:
        raise InputError("a suite with instances", f"'{suite.name}' without any", "another suite")
    chosen = settings if settings is not None else Settings()
    book, stages = TaskBook(suite, cities), Stages(cities, chosen.renderer)
    sessions: Sessions[Session] = Sessions(
        lambda name: Session(name, book, stages, chosen), chosen.most_sessions, chosen.idle_s
    )
    episodes: Sessions[RemoteEpisode] = Sessions(
        lambda name: RemoteEpisode(name, book, stages, chosen), chosen.most_sessions, chosen.idle_s
    )

    async def reap() -> None:
        while True:
            await asyncio.sleep(min(10.0, chosen.idle_s / 2.0))
            for kept in (sessions, episodes):
                await asyncio.to_thread(kept.reap)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        reaper = asyncio.create_task(reap())
        try:
            yield
        finally:
            reaper.cancel()
            sessions.close()
            episodes.close()
            stages.close()

    app = FastAPI(
        title="citysim", version="1", lifespan=lifespan, docs_url=None, redoc_url=None, redirect_slashes=False,
        description="UrbanGround's HTTP interface to a city that runs without a display.",
    )  # fmt: skip
    add_routes(app, book, sessions, chosen)
    add_socket(app, episodes, chosen)
    return Guard(app, chosen)
