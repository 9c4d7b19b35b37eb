"""Calls about hosts, targets, tuning profiles and bookings."""

from __future__ import annotations

import datetime
from typing import Any, Iterator, Optional, Sequence, Union, cast

from benchlab_client.base import BaseClient
from benchlab_client.types import (
    Booking,
    Directory,
    Disk,
    Group,
    Host,
    Pool,
    RequestedBooking,
    Search,
    Token,
    Tuning,
    Version,
)

Time = Union[str, datetime.datetime]


class LabCalls(BaseClient):
    """Hosts and what they have."""

    def version(self) -> Version:
        """Return the versions of the server."""
        return cast(Version, self.get_json("version/"))

    def token_current(self) -> Token:
        """Return the token of this client, with its rights."""
        return cast(Token, self.get_json("tokens/current/"))

    def search(self, q: str, *, kind: Optional[str] = None) -> Search:
        """Return what matches a word, by kind."""
        return cast(Search, self.get_json("search/", q=q, kind=kind))

    def hosts(
        self,
        *,
        q: Optional[str] = None,
        tag: Optional[str] = None,
        health: Optional[str] = None,
        kind: Optional[str] = None,
        enabled: Optional[bool] = None,
    ) -> Iterator[Host]:
        """Yield hosts. `q`: part of a name or an address."""
        filters = {"q": q, "tag": tag, "health": health, "kind": kind, "enabled": enabled}
        return self.pages("hosts/", filters)

    def host(self, id: int) -> Host:
        """Return a host."""
        return cast(Host, self.get_json(f"hosts/{int(id)}/"))

    def host_check(self, id: int) -> Host:
        """Request a check of a host by a worker."""
        return cast(Host, self.post_json(f"hosts/{int(id)}/check/"))

    def disks(
        self,
        *,
        host: Optional[int] = None,
        tag: Optional[str] = None,
        present: Optional[bool] = None,
        enrolled: Optional[bool] = None,
        identity: Optional[str] = None,
    ) -> Iterator[Disk]:
        """Yield disks."""
        filters = {
            "host": host, "tag": tag, "present": present, "enrolled": enrolled,
            "identity": identity,
        }  # fmt: skip
        return self.pages("disks/", filters)

    def directories(self, *, host: Optional[int] = None) -> Iterator[Directory]:
        """Yield scratch directories."""
        return self.pages("directories/", {"host": host})

    def pools(self, *, host: Optional[int] = None, name: Optional[str] = None) -> Iterator[Pool]:
        """Yield Ceph pools."""
        return self.pages("pools/", {"host": host, "name": name})

    def groups(self, *, host: Optional[int] = None, name: Optional[str] = None) -> Iterator[Group]:
        """Yield target groups."""
        return self.pages("groups/", {"host": host, "name": name})

    def tunings(
        self, *, name: Optional[str] = None, setting: Optional[str] = None
    ) -> Iterator[Tuning]:
        """Yield tuning profiles."""
        return self.pages("tunings/", {"name": name, "setting": setting})

    def bookings(
        self,
        *,
        host: Union[int, str, None] = None,
        kind: Optional[str] = None,
        ended: Optional[bool] = None,
        owner: Optional[int] = None,
    ) -> Iterator[Booking]:
        """Yield bookings and maintenance windows."""
        filters = {"host": host, "kind": kind, "ended": ended, "owner": owner}
        return self.pages("bookings/", filters)

    def booking(self, id: int) -> Booking:
        """Return a booking."""
        return cast(Booking, self.get_json(f"bookings/{int(id)}/"))

    def book(
        self,
        *,
        hosts: Sequence[int] = (),
        pools: Sequence[int] = (),
        starts_at: Time,
        ends_at: Time,
        reason: str,
        kind: str = "booking",
        **more: Any,
    ) -> Booking:
        """Book hosts and pools. `more`: other fields of a booking, for example `weekly`."""
        body = {
            "hosts": list(hosts), "pools": list(pools), "reason": reason, "kind": kind,
            "starts_at": _iso(starts_at), "ends_at": _iso(ends_at), **more,
        }  # fmt: skip
        return cast(Booking, self.post_json("bookings/", body))

    def request_booking(
        self,
        *,
        hosts: Sequence[int] = (),
        pools: Sequence[int] = (),
        hours: int,
        reason: str,
        team: Optional[int] = None,
    ) -> RequestedBooking:
        """Request hosts and pools for some hours, as soon as they are free together."""
        body = {
            "hosts": list(hosts), "pools": list(pools), "hours": hours, "reason": reason,
            "team": team,
        }  # fmt: skip
        return cast(RequestedBooking, self.post_json("booking-requests/", body))

    def booking_requests(self) -> Iterator[RequestedBooking]:
        """Yield the requested bookings that wait in the queue."""
        return self.pages("booking-requests/", {})

    def booking_request_cancel(self, id: int) -> None:
        """Cancel a requested booking that waits."""
        self.transport.send("DELETE", f"booking-requests/{int(id)}/")

    def booking_end(self, id: int) -> Booking:
        """End or cancel a booking."""
        return cast(Booking, self.post_json(f"bookings/{int(id)}/end/"))


def _iso(time: Time) -> str:
    """Return ISO 8601; a time without a zone is one of this machine's zone."""
    if isinstance(time, str):
        return time
    return (time if time.tzinfo else time.astimezone()).isoformat()
