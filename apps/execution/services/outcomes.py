"""Evaluate an ended attempt from its stored files."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from django.db import DatabaseError, InterfaceError

from apps.execution.domain.background_coverage import Coverage, background_coverage
from apps.execution.domain.byte_accounting import disagreements, tool_bytes_written, tool_seconds
from apps.execution.domain.cluster_health import explained, health_warnings
from apps.execution.domain.disturbance_validity import disturbance_fault, disturbance_warnings
from apps.execution.domain.duration_warnings import duration_warnings
from apps.execution.domain.effective_tuning import (
    EffectiveTuning,
    effective_tuning,
    partial_text,
    untuned_text,
)
from apps.execution.domain.failures import Failure
from apps.execution.domain.generator_saturation import saturation_warnings
from apps.execution.domain.outcome import (
    AttemptOutcome,
    all_finished,
    attempt_failure,
    corruption,
    invalid_reason,
    is_of_load,
    job_warnings,
    start_skew_warnings,
    truncation,
    uncovered,
)
from apps.execution.jobs.participants import participants_of
from apps.execution.jobs.spec import procedure_of
from apps.execution.jobs.target_settings import inapplicable_reason
from apps.results.selectors.jobs import DoneJob, Files, job_rows, jobs_of
from apps.results.services.backgrounds import background_report
from apps.results.services.costs import kernel_bytes
from apps.results.services.devices import device_samples
from apps.results.services.disk_wear import counts_of, foreign_write_warnings
from apps.results.services.disturbances import log_of as disturbance_log
from apps.results.services.parse import attempt_parse
from apps.runs.models import Attempt, AttemptState, Case, FailureCause
from apps.runs.selectors.start_skew import starts_of
from apps.tools.errors import OutputError, ParamsError, ToolError
from apps.tools.messages import error_message, message
from apps.tools.parse_result import Parsed, all_warnings
from apps.tools.registry import bypasses_block_layer, tool

log = logging.getLogger(__name__)


def evaluate(attempt: Attempt, files: Files, unread: str = "") -> AttemptOutcome:
    """Return the outcome of an ended attempt.

    `unread`: the reason why its files cannot be parsed, if that is known.
    """
    unread_fault = FailureCause.BENCHLAB if unread else FailureCause.TOOL
    parsed, unread = (None, unread) if unread else _parse(attempt, files)
    every, coverage = jobs_of(attempt), _coverage(attempt, files)
    jobs = [job for job in every if not job.is_background]
    gap = uncovered(coverage)
    failure = _failure(attempt, jobs, files, unread) or truncation(parsed) or gap
    may_repeat = is_of_load(attempt.early_end, failure, gap)
    if failure and failure.reason == unread:
        failure = replace(failure, failure_cause=unread_fault)
    failure = explained(failure, jobs, files) if failure else None
    failure = corruption(parsed) or failure
    effective = _effective_tuning(attempt.case, jobs)
    tuning = attempt.case.tuning_to_apply.name
    untuned = effective.is_untuned and not failure
    partial = partial_text(tuning, effective) if effective.is_partial else ""
    warnings = _warnings(attempt, jobs, files, parsed)
    return AttemptOutcome(
        state=failure.state if failure else AttemptState.SUCCEEDED,
        reason=failure.reason if failure else "",
        failure_cause=failure.failure_cause if failure else "",
        invalid=failure.reason
        if failure
        else invalid_reason(every) or partial or _disturbance_fault(attempt, files),
        warnings=(*warnings, *([untuned_text(tuning, effective)] if untuned else [])),
        is_untuned=effective.is_untuned,
        parsed=parsed,
        parser_version=tool(attempt.case.tool).parser_version,
        background=background_report(
            attempt, files, ahead_seconds=coverage.ahead_seconds, fault=coverage.fault
        )
        if coverage
        else None,
        may_repeat=may_repeat and not corruption(parsed),
    )


def _coverage(attempt: Attempt, files: Files) -> Coverage | None:
    """Return whether the background load covers the test; None for a case without one."""
    load = attempt.case.background
    if load is None or attempt.imported is not None:
        return None
    return background_coverage(job_rows(attempt), files, load.settle_seconds)


def _disturbance_fault(attempt: Attempt, files: Files) -> str:
    wanted = attempt.case.run.spec.disturbance
    planned = wanted and attempt.imported is None
    return disturbance_fault(disturbance_log(files), wanted.kind) if planned else ""


def _parse(attempt: Attempt, files: Files) -> tuple[Parsed | None, str]:
    """Return the parsed output, or the reason why it cannot be parsed."""
    try:
        return attempt_parse(attempt, files), ""
    except (ToolError, OutputError) as error:
        return None, error_message(error)
    except (DatabaseError, InterfaceError, MemoryError):
        raise
    except Exception as error:
        # The same output raises the same error again, so the attempt ends with it.
        log.exception("attempt %s: its output could not be read", attempt.pk)
        why = f"{type(error).__name__}: {error}"[:300]
        return None, message("it could not be read (%(why)s)", why=why)


def _failure(
    attempt: Attempt, jobs: Sequence[DoneJob], files: Files, unread: str
) -> Failure | None:
    finished = all_finished(jobs, sum(not row.is_background for row in job_rows(attempt)))
    return attempt_failure(attempt.early_end, jobs, files, unread, all_finished=finished)


def _effective_tuning(case: Case, jobs: Sequence[DoneJob]) -> EffectiveTuning:
    """Return the settings in effect; what the target makes inapplicable is the first reason."""
    effective = effective_tuning(case.tuning_to_apply.settings, jobs)
    if effective.applied == effective.requested:
        return effective
    return replace(effective, why=inapplicable_reason(case) or effective.why)


def _warnings(
    attempt: Attempt, jobs: Sequence[DoneJob], files: Files, parsed: Parsed | None
) -> list[str]:
    """Return the tool's own warnings, and those about the hosts, the devices and the jobs."""
    warnings = [
        *(all_warnings(parsed) if parsed else []),
        *start_skew_warnings(starts_of(job_rows(attempt)).after),
        *health_warnings(jobs, files),
    ]
    if attempt.case.run.spec.disturbance:
        warnings += disturbance_warnings(disturbance_log(files))
    if parsed and not bypasses_block_layer(attempt.case.tool, attempt.case.params):
        warnings += _byte_warnings(attempt, jobs, files, parsed)
        warnings += _foreign_write_warnings(attempt, jobs, files, parsed)
    if parsed:
        warnings += duration_warnings(parsed, attempt.case.params)
        threads = {job.host: _threads(attempt, job) for job in jobs if job.measures}
        warnings += saturation_warnings(jobs, files, threads)
    for job in jobs:
        warnings += job_warnings(job, files)
    return warnings


def _byte_warnings(
    attempt: Attempt, jobs: Sequence[DoneJob], files: Files, parsed: Parsed
) -> list[str]:
    case = attempt.case
    if case.background_target and {*case.run_target.host_ids} & {*case.background_target.host_ids}:
        return []  # the devices count what the load moves, too
    log = {f"{host} {device}": rows for host, device, rows in device_samples(attempt, files)}
    direct = bool(attempt.case.params.get("direct"))
    return disagreements(parsed, log, seconds=tool_seconds(jobs), direct=direct)


def _foreign_write_warnings(
    attempt: Attempt, jobs: Sequence[DoneJob], files: Files, parsed: Parsed
) -> list[str]:
    """Return warnings about disks that counted more than this host and the tool wrote."""
    disks = counts_of(jobs)
    wrote = kernel_bytes(attempt, files) if disks else {}
    if len(disks) == 1:
        # Requests that pass by the block layer are in the tool's count only.
        tool_wrote = tool_bytes_written(parsed)
        wrote = {disk: max(count, tool_wrote) for disk, count in wrote.items()}
    return foreign_write_warnings(disks, wrote)


def _threads(attempt: Attempt, job: DoneJob) -> int:
    """Return the number of threads of the test on a host; 0 if the tool does not report it."""
    own = [one for one in participants_of(attempt.case) if one.host == job.host]
    if not tool(attempt.case.tool).pins or not own or attempt.imported is not None:
        return 0
    try:
        return procedure_of(attempt.case, own[0]).threads
    except ParamsError:
        return 0
