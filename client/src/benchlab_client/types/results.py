"""Answers of the API: measurements, imports, reports."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict

Json = Dict[str, Any]


class Measurement(TypedDict):
    """A measurement as in lists."""

    id: int
    run: int
    case: int
    attempt: str
    workload: str
    label: str
    host: int
    target: Optional[int]
    target_name: str
    tuning_name: str
    repeat: int
    operation: str
    component: str
    member: Optional[int]
    iops: Optional[float]
    bandwidth: Optional[float]
    latency_min: Optional[float]
    latency_mean: Optional[float]
    latency_p50: Optional[float]
    latency_p95: Optional[float]
    latency_p99: Optional[float]
    latency_p999: Optional[float]
    latency_p9999: Optional[float]
    latency_max: Optional[float]
    latency_stddev: Optional[float]
    percentiles: Any
    values: Any
    valid: bool
    invalid_reason: str
    format: str
    parser_version: int
    created_at: str


class MeasurementDetail(Measurement):
    """A measurement with its histogram."""

    histogram: Optional[Json]


class ExpectationResult(TypedDict):
    """Result of an expectation."""

    metric: str
    direction: str
    value: Optional[float]
    unit: str
    tolerance: float
    source: str
    operation: str
    step: str
    workload: str
    target: str
    tuning_name: str
    verdict: str
    limit: float
    repeats: int
    median: Optional[float]
    interval_low: Optional[float]
    interval_high: Optional[float]
    is_exact: bool
    margin: Optional[float]
    waived: bool
    text: str
    reason: str


class Baseline(TypedDict):
    """A named baseline."""

    id: int
    name: str
    note: str
    run: int
    case: Optional[int]
    target: Optional[int]
    disk_model: Optional[str]
    of: str
    owner: str
    team: Optional[int]
    created_at: str


class Import(TypedDict):
    """An import as in lists."""

    id: int
    name: str
    note: str
    host_name: str
    target_name: str
    tuning_name: str
    ignore_job_names: bool
    keep_duplicates: bool
    job_options: str
    dry_run: bool
    state: str
    reason: str
    run: Optional[int]
    owner: str
    team: Optional[int]
    created_at: str


class Counts(TypedDict):
    """Numbers of files of an import."""

    waiting: int
    parsed: int
    failed: int
    skipped: int
    split: int
    selected: int
    duplicates: int
    parts: int


class ImportFile(TypedDict):
    """A file of an import."""

    number: int
    path: str
    archive: str
    size: int
    sha256: str
    state: str
    tool: str
    format: str
    version: str
    completeness: str
    points: List[Json]
    warnings: List[str]
    parse_error: str
    duplicate_of: str
    selected: bool
    host_name: str
    target_name: str
    tuning_name: str
    ignore_job_names: bool
    keep_duplicates: bool
    ignore_commands: bool
    suggested_names: Json
    becomes: Json
    parts: int
    split_from: Optional[int]
    lines: List[List[int]]
    case: Optional[int]


class ImportDetail(Import):
    """An import with its files."""

    counts: Counts
    files: List[ImportFile]


class Report(TypedDict):
    """A report."""

    id: int
    title: str
    text: str
    dashboard_scope: str
    sections: List[Json]
    owner: str
    team: Optional[int]
    frozen_at: Optional[str]
    created_at: str
    updated_at: str


class SearchHit(TypedDict):
    """A row that matches a search."""

    id: Optional[int]
    name: str
    about: str
    page: str


class SearchHits(TypedDict):
    """Hits of one kind."""

    kind: str
    alike: bool
    more: bool
    results: List[SearchHit]


class Search(TypedDict):
    """Answer of a search."""

    hits: List[SearchHits]
