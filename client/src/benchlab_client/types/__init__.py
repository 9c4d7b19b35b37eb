"""Answers of the API as typed dictionaries: the names of docs/reference/openapi.yaml.

Times are ISO 8601 strings in UTC. Units: bytes per second, operations per second, nanoseconds.
"""

from benchlab_client.types.lab import Booking, Directory, Disk, Group, Host, Pool, Tuning, Version
from benchlab_client.types.results import (
    Baseline,
    Counts,
    ExpectationResult,
    Import,
    ImportDetail,
    ImportFile,
    Measurement,
    MeasurementDetail,
    Report,
    Search,
    SearchHit,
    SearchHits,
)
from benchlab_client.types.runs import (
    Case,
    CaseDetail,
    Plan,
    Preview,
    Problem,
    Progress,
    Queue,
    QueueEntry,
    Run,
    RunDetail,
    StartForecast,
)

__all__ = [
    "Baseline",
    "Booking",
    "Case",
    "CaseDetail",
    "Counts",
    "Directory",
    "Disk",
    "ExpectationResult",
    "Group",
    "Host",
    "Import",
    "ImportDetail",
    "ImportFile",
    "Measurement",
    "MeasurementDetail",
    "Plan",
    "Pool",
    "Preview",
    "Problem",
    "Progress",
    "Queue",
    "QueueEntry",
    "Report",
    "Run",
    "RunDetail",
    "Search",
    "SearchHit",
    "SearchHits",
    "StartForecast",
    "Tuning",
    "Version",
]
