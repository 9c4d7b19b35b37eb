"""Django's ASGI handler with a bound: a request is worked on in one thread from the first
middleware to the last (Django alone would change threads some twenty times, and start two for each
request), and there are only so many of them.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from contextvars import ContextVar
from functools import cache
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template import loader
from django.utils.translation import gettext as _

from apps.common.errors import error_body
from apps.common.web.middleware import PROBES, with_headers
from benchlab.web.seats import Full, Lanes, Seat, Seats

RETRY_SECONDS = 2  # Retry-After of a server that is full


class Held:
    """The holdings of one request: its seat, and what is to be undone at its end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.held = AsyncExitStack()
        self.seat: Seat | None = None


_held: ContextVar[Held] = ContextVar("place")


class Handler(ASGIHandler):
    """`seats` for what is answered at once, `lanes` for what is sent piece by piece."""

    def __init__(self, seats: Seats, lanes: Lanes) -> None:
        super().__init__()
        self.seats, self.lanes = seats, lanes

    def load_middleware(self, is_async: bool = False) -> None:
        """As under WSGI: one chain of plain functions."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is spoken here, not {scope['type']}")
        place = Held(scope["path"])
        token = _held.set(place)
        try:
            async with place.held:
                await self.handle(scope, receive, send)
        except Full:
            await super().send_response(full(place.path), send)
        finally:
            _held.reset(token)

    async def read_body(self, receive: Any) -> Any:
        """The body, and then a seat: who sends slowly holds none. Probes are answered also while
        none is free.
        """
        body, place = await super().read_body(receive), _held.get()
        if place.path in PROBES:
            executor = self.lanes.next()
        else:
            place.seat = await self._seat(body)
            place.held.callback(place.seat.leave)
            executor = place.seat.executor
        await place.held.enter_async_context(ThreadSensitiveContext(executor=executor))
        return body

    async def _seat(self, body: Any) -> Seat:
        try:
            return await self.seats.take()
        except BaseException:
            body.close()
            raise

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """The whole chain in the seat's thread."""
        response: HttpResponseBase = await sync_to_async(self._answer)(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined] # as Django's own does
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    async def send_response(self, response: HttpResponseBase, send: Any) -> None:
        """An answer in pieces may last for hours: it gives its seat back first."""
        if not response.streaming:
            await super().send_response(response, send)
            return
        if seat := _held.get().seat:
            seat.leave()
        async with ThreadSensitiveContext(executor=self.lanes.next()):
            await sync_to_async(close_old_connections)()
            await super().send_response(response, send)


def full(path: str) -> HttpResponseBase:
    """503 at once: as JSON for scripts, as a page for people. Costs no thread and no query."""
    if path.startswith("/api/"):
        response: HttpResponse = JsonResponse(error_body(503, full_sentence()), status=503)
    else:
        response = HttpResponse(_full_page(), status=503)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return with_headers(response)


@cache
def _full_page() -> str:
    title = _("benchlab is busy")
    return loader.render_to_string(
        "errors/503.html", {"title": title, "message": full_sentence(), "again": True}
    )


def full_sentence() -> str:
    """For whoever could not be taken in."""
    return _(
        "More people and scripts ask than can be answered at the moment. Running tests go on. "
        "Try again in a few seconds."
    )
