"""Answers of the API: hosts, targets, tuning profiles, bookings."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict

Json = Dict[str, Any]


class Version(TypedDict):
    """Versions of the server."""

    version: str
    api: str
    min_client: str
    python: str
    postgresql: str


class Token(TypedDict):
    """An API token without its secret."""

    id: str
    name: str
    scope: str
    read_only: bool
    may_wipe: bool
    created: str
    expiry: str
    last_used_at: Optional[str]


class Host(TypedDict):
    """A host."""

    id: int
    name: str
    kind: str
    address: str
    port: int
    user: str
    privilege_mode: str
    key_source: str
    credential: Optional[int]
    jump: Optional[int]
    network_test_address: str
    tags: List[str]
    enabled: bool
    health: str
    health_kind: str
    health_text: str
    cluster: Optional[Json]
    reported_fsid: str
    fsid_error: str
    checked_at: Optional[str]
    check_requested_at: Optional[str]
    round_trip_seconds: Optional[float]
    clock_offset: Optional[float]
    unrestored_settings: List[Json]
    facts: Optional[Json]
    host_key_fingerprint: str
    presented_key_fingerprint: str
    public_key: str
    created_at: str
    updated_at: str


class Disk(TypedDict):
    """A disk of a host."""

    id: int
    host: int
    identity: str
    device_type: str
    device_path: str
    size: int
    model: Optional[str]
    serial: str
    rotational: bool
    last_seen_at: Optional[str]
    enrolled: bool
    enrolled_by: Optional[str]
    enrolled_at: Optional[str]
    obstacles: List[str]
    facts: Any
    content: str
    content_changed: str
    preconditioning: Any
    is_distinct_device: bool
    backing: Any
    array: Any
    specification: Optional[Json]
    tags: List[str]


class Directory(TypedDict):
    """A scratch directory."""

    id: int
    host: int
    path: str
    owner: str
    team: Optional[int]
    created_at: str
    updated_at: str


class Pool(TypedDict):
    """A Ceph pool."""

    id: int
    name: str
    host: int
    cluster: Optional[int]
    clients: List[int]
    is_ephemeral: bool
    pg_num: int
    pool_type: str
    replicas: Optional[int]
    k: int
    m: int
    failure_domain: str
    monitor_osd_hosts: bool
    osd_hosts: List[Json]
    owner: str
    team: Optional[int]
    created_at: str
    updated_at: str


class Group(TypedDict):
    """Several disks or directories as one target."""

    id: int
    name: str
    member_kind: str
    members: List[str]
    level: str
    owner: str
    team: Optional[int]
    created_at: str
    updated_at: str


class Tuning(TypedDict):
    """A tuning profile."""

    id: int
    name: str
    description: str
    settings: List[Json]
    text: str
    settle_seconds: float
    owner: str
    team: Optional[int]
    archived_at: Optional[str]
    created_at: str
    updated_at: str


class Booking(TypedDict):
    """A booking or maintenance window."""

    id: int
    kind: str
    hosts: List[int]
    pools: List[int]
    reason: str
    starts_at: str
    ends_at: str
    weekly: bool
    time_zone: str
    repeat_until: Optional[str]
    extends: bool
    extended_from: Optional[str]
    was_requested: bool
    state: str
    ended_at: Optional[str]
    owner: str
    team: Optional[int]
    created_at: str


class RequestedBooking(TypedDict):
    """A booking that begins as soon as its hosts and pools are free together."""

    id: int
    hosts: List[int]
    pools: List[int]
    hours: int
    reason: str
    blocker: str
    waiting_since: str
    owner: str
    team: Optional[int]
    created_at: str
