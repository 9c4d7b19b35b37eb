"""The judgement of an ended attempt: succeeded, failed and whose fault; valid or not, and why.

A result is published only if the tool ended with 0 on every host, its output is complete, the
settings kept their values, the disks are still the same and the clocks did not jump. Everything
else is kept, shown, and left out of comparisons.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import DatabaseError, InterfaceError

from apps.execution.domain.byte_accounting import byte_accounting_warnings
from apps.execution.domain.cluster_health import explained, health_warnings
from apps.execution.domain.duration import duration_warnings
from apps.execution.domain.effective_tuning import (
    EffectiveTuning,
    as_found_text,
    effective_tuning,
    in_part_text,
)
from apps.execution.domain.failures import Failure, failure_of, last_words, with_words
from apps.execution.domain.generator_saturation import saturation_warnings
from apps.execution.domain.messages import CANCELLED
from apps.remote.job_spec import targets_of
from apps.results.selectors.jobs import DoneJob, Files, job_rows, jobs_of
from apps.results.services.parse import attempt_parse
from apps.runs.models import Attempt, AttemptState, Case, Fault, JobState
from apps.runs.selectors.start_skew import starts_of
from apps.tools.base import OutputError, Parsed, ToolError
from apps.tools.messages import error_message, join_messages, message
from apps.tools.parse_cli import all_warnings
from apps.tools.registry import tool

log = logging.getLogger(__name__)

CLOCK_STEP = 1.0
# Seconds between the first and the last start of hosts that were to start together.
APART = 0.05
MOST_FAILURES = 3


@dataclass(frozen=True)
class AttemptOutcome:
    """The end of an attempt. `invalid` says why its figures must not be compared; empty when they
    may. `as_found`: nothing of the tuning it was planned under was in force.
    """

    state: AttemptState
    reason: str = ""
    fault: str = ""
    invalid: str = ""
    warnings: tuple[str, ...] = ()
    parsed: Parsed | None = None
    parser_version: int = 0
    as_found: bool = False


def evaluate(attempt: Attempt, files: Files, unread: str = "") -> AttemptOutcome:
    """Read an attempt's files and say what it was. `unread` says why they cannot be read, where
    that is known.
    """
    parsed, to_blame = None, Fault.BENCHLAB if unread else Fault.TOOL
    try:
        parsed = None if unread else attempt_parse(attempt, files)
    except (ToolError, OutputError) as error:
        unread = error_message(error)
    except (DatabaseError, InterfaceError, MemoryError):
        raise
    except Exception as error:
        # Whatever it is, the same output would raise it again: the attempt ends with it.
        log.exception("attempt %s: its output could not be read", attempt.pk)
        unread = message(
            "it could not be read (%(why)s)", why=f"{type(error).__name__}: {error}"[:300]
        )
    jobs = jobs_of(attempt)
    failure = _failure(attempt, jobs, files, unread) or _cut_off(parsed)
    if failure and failure.reason == unread:
        failure = replace(failure, fault=to_blame)
    failure = explained(failure, jobs, files) if failure else None
    failure = _corrupt(parsed) or failure
    force = effective_tuning(attempt.case, jobs)
    remarks = () if failure else _as_found(attempt.case, force)
    return AttemptOutcome(
        state=failure.state if failure else AttemptState.SUCCEEDED,
        reason=failure.reason if failure else "",
        fault=failure.fault if failure else "",
        invalid=failure.reason if failure else _doubts(jobs) or _doubt_of(attempt.case, force),
        warnings=(*_warnings(attempt, jobs, files, parsed), *remarks),
        as_found=force.as_found,
        parsed=parsed,
        parser_version=tool(attempt.case.tool).parser_version,
    )


def _failure(
    attempt: Attempt, jobs: Sequence[DoneJob], files: Files, unread: str
) -> Failure | None:
    """Why this attempt has no result, if it has none: what happened on each host that is to blame,
    else why benchlab ended it, else what could not be read.
    """
    stopped = attempt.stopped
    if stopped.state == AttemptState.CANCELLED and not _played_out(attempt, jobs):
        return Failure(AttemptState.CANCELLED, CANCELLED, "")
    found = [f for job in jobs if (f := failure_of(job, files, ended_by_us=bool(stopped)))]
    if stopped.reason and not found and stopped.state != AttemptState.CANCELLED:
        said = next((j for j in jobs if j.listens and j.host == stopped.host), None)
        words = last_words(said, files) if said else ""
        why = with_words(stopped.reason, words)
        return Failure(AttemptState(stopped.state), why, stopped.fault)
    if found:
        worst = _together(found)
        # What the room made of the tool's output says more than an exit code alone.
        more = (unread,) if unread and worst.says_little else ()
        return Failure(worst.state, join_messages(worst.reason, *more), worst.fault)
    return Failure(AttemptState.FAILED, unread, Fault.TOOL) if unread else None


def _corrupt(parsed: Parsed | None) -> Failure | None:
    """Data that came back otherwise than it was written: that is the result, whatever the tool's
    exit code says."""
    if parsed is None or not parsed.corrupt:
        return None
    return Failure(AttemptState.FAILED, parsed.corrupt, Fault.HARDWARE)


def _cut_off(parsed: Parsed | None) -> Failure | None:
    """Why output that could be read in part is no result although the tool ended with 0: fio does
    so when the file system takes no more of its output.
    """
    if parsed is None or parsed.completeness != "partial":
        return None
    words = "; ".join(all_warnings(parsed)[:3])
    reason = message(
        "the output is incomplete: %(words)s Was the file system of the agent's folder full?",
        words=words,
    )
    return Failure(AttemptState.FAILED, reason, Fault.HOST)


def _played_out(attempt: Attempt, jobs: Sequence[DoneJob]) -> bool:
    """Whether every job came to its own end, so that a cancel came too late to end anything."""
    ends = [job.state == JobState.DONE and not job.exit.get("cancelled") for job in jobs]
    return len(jobs) == len(job_rows(attempt)) and all(ends)


def _together(found: Sequence[Failure]) -> Failure:
    """The worst state of several hosts' failures, and the first few sentences: a host that is
    lost comes first, then who says why it failed.
    """
    worst = min(found, key=lambda each: (each.state != AttemptState.LOST, each.says_little))
    others = [failure for failure in found if failure is not worst]
    sentences = [failure.reason for failure in (worst, *others)]
    more = len(sentences) - MOST_FAILURES
    shown = sentences[:MOST_FAILURES] + (
        [message("and %(count)d more hosts", count=more)] if more > 0 else []
    )
    reason = join_messages(*dict.fromkeys(shown))
    return Failure(worst.state, reason, worst.fault, any(f.says_little for f in found))


def _warnings(
    attempt: Attempt, jobs: Sequence[DoneJob], files: Files, parsed: Parsed | None
) -> tuple[str, ...]:
    """The tool's own warnings, and what did not go quite as it should around the measurement."""
    said = all_warnings(parsed) if parsed else []
    said += _apart(attempt)
    said += health_warnings(jobs, files)
    said += byte_accounting_warnings(attempt, files, parsed) if parsed else []
    said += duration_warnings(parsed, attempt.case.params) if parsed else []
    said += saturation_warnings(attempt, jobs, files) if parsed else []
    for job in jobs:
        said += [_named(job, text) for text in (*_kept(job), *_untidy(job, files))]
    return tuple(said)


def _apart(attempt: Attempt) -> list[str]:
    late = starts_of(job_rows(attempt)).after
    worst = max(late, key=lambda host: late[host], default=None)
    if worst is None or late[worst] <= APART:
        return []
    after = f"{late[worst] * 1000:.0f}"
    return [message("%(host)s started %(after)s ms after the first host", host=worst, after=after)]


def _kept(job: DoneJob) -> list[str]:
    """Sentences about settings that could not simply be given back."""
    tuning = job.exit.get("tuning") or {}
    said: list[str] = []
    if tuning.get("conflicts"):
        names = _settings(tuning["conflicts"])
        said.append(
            message(
                "another program changed %(names)s meanwhile; benchlab did not restore it",
                names=names,
            )
        )
    if tuning.get("failed"):
        names = _settings(tuning["failed"])
        said.append(message("%(names)s could not be given its old value back", names=names))
    return said


def _untidy(job: DoneJob, files: Files) -> list[str]:
    """Tidying up that failed: the figures are right all the same, but something was left behind."""
    failed = [c for c in job.commands(files) if c.always and c.failed]
    return [message("tidying up (%(role)s) did not work", role=one.role) for one in failed]


def _doubts(jobs: Sequence[DoneJob]) -> str:
    """Why figures that look right must not be compared."""
    for job in jobs:
        if doubt := _doubt(job):
            return _named(job, doubt)
    return ""


def _doubt(job: DoneJob) -> str:
    changed = (job.exit.get("tuning") or {}).get("changed")
    if changed:
        return message(
            "a setting did not keep its value during the run: %(names)s", names=_settings(changed)
        )
    if abs(job.exit.get("clock_step") or 0.0) > CLOCK_STEP:
        step = f"{job.exit['clock_step']:.1f}"
        return message("the host's clock jumped by %(step)s s during the run", step=step)
    after = job.exit.get("identity_after")
    seen = after if isinstance(after, list) else [after]
    for target, identity in zip(targets_of(job.spec), seen, strict=False):
        if target["kind"] == "disk" and identity not in (None, target["identity"]):
            return message("the disk was another one after the run than before it")
    return ""


def _doubt_of(case: Case, force: EffectiveTuning) -> str:
    return in_part_text(case, force) if force.in_part else ""


def _as_found(case: Case, force: EffectiveTuning) -> Iterator[str]:
    if force.as_found:
        yield as_found_text(case, force)


def _named(job: DoneJob, text: str) -> str:
    return message("%(host)s: %(why)s", host=job.name, why=text) if job.name else text


def _settings(changed: list[Any]) -> str:
    return ", ".join(str(c.get("name", c)) if isinstance(c, dict) else str(c) for c in changed)
