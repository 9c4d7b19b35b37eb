"""Where the request that is being answered came from; set by middleware, empty in tasks and
commands."""

from __future__ import annotations

from contextvars import ContextVar

_address: ContextVar[str] = ContextVar("address", default="")


def current_address() -> str:
    """The peer's address. Behind a proxy the server (uvicorn --forwarded-allow-ips) puts the
    client's there."""
    return _address.get()


def remember_address(address: str) -> None:
    """For the middleware only."""
    _address.set(address)
