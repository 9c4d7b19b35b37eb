"""Store the files of an attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NotRequired, TypedDict

from apps.blobs.services.spool import CompressedFile
from apps.execution.domain.lease import RunLease
from apps.execution.services.attempts import fenced_attempt
from apps.inventory.models import HostFacts
from apps.runs.models import (
    Attempt,
    AttemptJob,
    AttemptState,
)
from apps.runs.services.artifacts import artifacts_replace
from apps.runs.services.transitions import attempt_transition

# Columns of a job that its end sets.
ENDS = ("state", "error", "refusal", "exit", "output_ranges")


class EndFields(TypedDict):
    """Columns of an attempt that follow from the ends of its jobs."""

    argv: Sequence[Sequence[str]]
    started_at: datetime | None
    ended_at: datetime | None
    facts: NotRequired[HostFacts]


def artifacts_store(
    lease: RunLease, attempt: Attempt, files: Mapping[str, CompressedFile], fields: EndFields
) -> Attempt:
    """Store the attempt's unchanged files, and the ends of its jobs."""
    with fenced_attempt(lease, attempt):
        artifacts_replace(attempt, files)
        AttemptJob.objects.bulk_update(attempt.jobs.all(), ENDS)
        attempt_transition(attempt, AttemptState.PARSING)
        for name, value in fields.items():
            setattr(attempt, name, value)
        attempt.save(update_fields=fields)
        return attempt


def utc_time(seconds: float | None) -> datetime | None:
    """Return a host's clock reading, in seconds since 1970, as a UTC time."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
