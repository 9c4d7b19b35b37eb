"""Types of the agent's responses about a Ceph cluster."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from msgspec import Meta, Struct

from .response_values import Size

MAX_OSDS = 20_000


class ClusterOsd(TypedDict):
    """An OSD as reported by its cluster: its host's name and addresses, its devices by kernel name.

    `is_in`: the OSD is "in", so that it stores data.
    """

    id: Size
    host: Annotated[str, Meta(max_length=255)]
    addresses: Annotated[list[Annotated[str, Meta(max_length=45)]], Meta(max_length=16)]
    devices: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=64)]
    store: Annotated[str, Meta(max_length=32)]
    up: bool
    is_in: bool


DaemonKind = Literal["mon", "mds"]
DaemonName = Annotated[str, Meta(max_length=80, pattern=r"\A[A-Za-z0-9][A-Za-z0-9_.-]*\Z")]
OptionName = Annotated[str, Meta(max_length=80)]


class CephDaemon(TypedDict):
    """A monitor or an MDS as its cluster reports it, with its host's name and addresses."""

    kind: DaemonKind
    name: DaemonName
    host: Annotated[str, Meta(max_length=255)]
    addresses: Annotated[list[Annotated[str, Meta(max_length=45)]], Meta(max_length=16)]


class ClusterResponse(Struct, frozen=True):
    """Response of `cluster`: fsid or error, OSDs, monitors and MDS, names of all options.

    `restart`: options that need a restart; `services`: the kinds of daemons that read each.
    """

    fsid: str | None
    error: str
    osds: Annotated[list[ClusterOsd], Meta(max_length=MAX_OSDS)] = []
    options: Annotated[list[Annotated[str, Meta(max_length=120)]], Meta(max_length=10_000)] = []
    restart: Annotated[list[OptionName], Meta(max_length=2000)] = []
    daemons: Annotated[list[CephDaemon], Meta(max_length=1000)] = []
    services: Annotated[
        dict[OptionName, list[Literal["mon", "osd", "mds"]]], Meta(max_length=2000)
    ] = {}
