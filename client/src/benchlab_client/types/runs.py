"""Answers of the API: plans, runs, cases, the queue."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict, Union

Json = Dict[str, Any]


class Step(TypedDict):
    """A step of a plan; `role`: "measured", or "background" for a load beside measured steps."""

    name: str
    tool: str
    params: Json
    expectations: List[Json]
    role: str
    target: str
    settle_seconds: float


class Plan(TypedDict):
    """A test plan."""

    id: int
    name: str
    description: str
    steps: List[Step]
    targets: List[str]
    tunings: List[int]
    baseline: Optional[Union[int, str]]
    owner: str
    team: Optional[int]
    archived_at: Optional[str]
    created_at: str
    updated_at: str
    repeats: int
    order: str
    on_tuning_unavailable: str
    stopping_rule: Optional[Json]
    load_search_parameter: str
    load_search_max_hours: Optional[float]
    preconditioning: Json
    steady_state: Json


class Problem(TypedDict):
    """A reason against a launch, or a warning."""

    field: str
    message: str


class Preview(TypedDict):
    """Estimate of a launch."""

    case_count: int
    seconds: float
    bytes_written: Optional[int]
    max_case_count: Optional[int]
    max_seconds: Optional[float]
    problems: List[Problem]
    warnings: List[Problem]
    advice: List[Json]
    cases: List[Json]
    background_loads: List[Json]


class Progress(TypedDict):
    """Counts of cases; seconds."""

    total: int
    done: int
    succeeded: int
    failed: int
    lost: int
    unconfirmed: int
    cancelled: int
    skipped: int
    elapsed: float
    remaining: Optional[float]
    late: float


class StartForecast(TypedDict):
    """Expected start of a queued run."""

    start: str
    latest: str
    after_run: Optional[int]
    after_request: Optional[int]
    booking: Optional[int]
    ahead: int


class Run(TypedDict):
    """A run as in lists."""

    id: int
    name: str
    plan: Optional[int]
    origin: str
    note: str
    tags: List[str]
    state: str
    reason: str
    owner: str
    team: Optional[str]
    priority: str
    case_count: int
    expected_seconds: float
    queued_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    cancel_requested_at: Optional[str]
    archived_at: Optional[str]


class RunDetail(Run):
    """A run with its progress."""

    hosts: List[str]
    baseline: str
    spec: Any
    seed: Optional[int]
    progress: Progress
    advice_not_taken: List[Json]
    abandoned_attempts: List[Json]
    extensions: List[Json]
    forecast: Optional[StartForecast]


class Case(TypedDict):
    """A case as in lists."""

    id: int
    run: int
    sequence: int
    block: int
    repeat: int
    workload: str
    label: str
    step_name: str
    tool: str
    params: Any
    host: int
    target: Optional[int]
    target_name: str
    target_kind: str
    level: str
    array: Any
    hosts: List[int]
    members: List[Json]
    tuning: Optional[int]
    tuning_name: str
    tuning_settings: Any
    expected_seconds: float
    purpose: str
    state: str
    reason: str
    failure_cause: str


class Attempt(TypedDict):
    """An attempt at a case; `background`: what the load beside it did."""

    id: str
    number: int
    state: str
    reason: str
    failure_cause: str
    valid: Optional[bool]
    invalid_reason: str
    warnings: Any
    background: Optional[Any]
    tool_version: str


class CaseDetail(Case):
    """A case with its attempts."""

    attempts: List[Attempt]


class QueueEntry(TypedDict):
    """An open run."""

    position: Optional[int]
    run: int
    name: str
    state: str
    owner: str
    priority: str
    level: int
    share: float
    reason: str
    hosts: str
    forecast: Optional[StartForecast]


class QueuedRequest(TypedDict):
    """A requested booking in the queue."""

    request: int
    holder: str
    entries: str
    hours: int
    reason: str
    blocker: str
    forecast: Optional[StartForecast]


class Queue(TypedDict):
    """Open runs in their order, and requested bookings."""

    runs: List[QueueEntry]
    requests: List[QueuedRequest]
    more: bool
