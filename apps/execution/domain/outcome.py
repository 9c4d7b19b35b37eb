"""Rules for the outcome of an ended attempt: its state, whose fault it is, and if it is valid.

A result is published only if the tool exited with 0 on every host, its output is complete, the
settings kept their values, the disks are still the same and the clocks did not jump. Any other
result is stored and shown, and left out of comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.execution.domain.background_coverage import Coverage
from apps.execution.domain.failures import Failure, failure_of, last_lines, with_stderr
from apps.execution.domain.messages import CANCELLED
from apps.remote.job_spec import targets_of
from apps.results.selectors.jobs import DoneJob, Files
from apps.runs.models import AttemptState, FailureCause, JobState
from apps.runs.schemas import BackgroundReport, EarlyEnd
from apps.tools.messages import join_messages, message
from apps.tools.parse_result import Parsed, all_warnings

CLOCK_STEP_SECONDS = 1.0
# Allowed time between the first and the last start of hosts that start together.
START_SKEW_SECONDS = 0.05
MAX_FAILURES = 3


@dataclass(frozen=True)
class AttemptOutcome:
    """The end of an attempt.

    `invalid`: the reason why its figures are not compared, empty if they are. `is_untuned`: no
    setting of its tuning was in effect. `may_repeat`: the background load failed, which another
    attempt may not do.
    """

    state: AttemptState
    reason: str = ""
    failure_cause: str = ""
    invalid: str = ""
    warnings: tuple[str, ...] = ()
    parsed: Parsed | None = None
    parser_version: int = 0
    is_untuned: bool = False
    background: BackgroundReport | None = None
    may_repeat: bool = False


def attempt_failure(
    stopped: EarlyEnd, jobs: Sequence[DoneJob], files: Files, unread: str, *, all_finished: bool
) -> Failure | None:
    """Return why an attempt has no result, or None if it has one.

    The failures of its hosts come first, then the reason why benchlab stopped the attempt, then
    `unread`, the reason why its output could not be read. `all_finished`: a cancellation came too
    late to end any job.
    """
    if stopped.state == AttemptState.CANCELLED and not all_finished:
        return Failure(AttemptState.CANCELLED, CANCELLED, "")
    matches = [f for job in jobs if (f := failure_of(job, files, ended_by_us=bool(stopped)))]
    if stopped.reason and not matches and stopped.state != AttemptState.CANCELLED:
        server = next((j for j in jobs if j.listens and j.host == stopped.host), None)
        words = last_lines(server, files) if server else ""
        why = with_stderr(stopped.reason, words)
        return Failure(AttemptState(stopped.state), why, stopped.failure_cause)
    if matches:
        worst = _combine(matches)
        # The parser's message says more than an exit code alone.
        more = (unread,) if unread and worst.says_little else ()
        return Failure(worst.state, join_messages(worst.reason, *more), worst.failure_cause)
    return Failure(AttemptState.FAILED, unread, FailureCause.TOOL) if unread else None


def corruption(parsed: Parsed | None) -> Failure | None:
    """Return the failure if the tool read other data than it wrote, whatever its exit code."""
    if parsed is None or not parsed.data_corruption:
        return None
    return Failure(AttemptState.FAILED, parsed.data_corruption, FailureCause.HARDWARE)


def truncation(parsed: Parsed | None) -> Failure | None:
    """Return the failure if the output is incomplete.

    fio exits with 0 if the file system accepts no more of its output.
    """
    if parsed is None or parsed.completeness != "partial":
        return None
    words = "; ".join(all_warnings(parsed)[:3])
    reason = message(
        "the output is incomplete: %(words)s Was the file system of the agent's folder full?",
        words=words,
    )
    return Failure(AttemptState.FAILED, reason, FailureCause.HOST)


def uncovered(coverage: Coverage | None) -> Failure | None:
    """Return the failure of a test that its background load does not cover."""
    if coverage is None or not coverage.fault:
        return None
    reason = message("the background load does not cover the test: %(why)s", why=coverage.fault)
    return Failure(AttemptState.FAILED, reason, coverage.failure_cause)


def is_of_load(stopped: EarlyEnd, failure: Failure | None, gap: Failure | None) -> bool:
    """Return True if only the background load failed, in a way that another attempt may not.

    `gap`: the failure of `uncovered`. A load that had no more to do ends early each time, and the
    state of a lost host is unknown.
    """
    if failure is None or failure.state != AttemptState.FAILED:
        return False
    if failure.failure_cause in (FailureCause.PLAN, FailureCause.BENCHLAB):
        return False
    return stopped.of_load if stopped else failure is gap


def all_finished(jobs: Sequence[DoneJob], job_count: int) -> bool:
    """Return True if every job ended by itself, so that no cancellation ended one."""
    ends = [job.state == JobState.DONE and not job.exit.get("cancelled") for job in jobs]
    return len(jobs) == job_count and all(ends)


def _combine(matches: Sequence[Failure]) -> Failure:
    """Combine the failures of several hosts: the worst state, and the first few reasons.

    A lost host comes first, then a host with a message on stderr.
    """
    worst = min(matches, key=lambda each: (each.state != AttemptState.LOST, each.says_little))
    others = [failure for failure in matches if failure is not worst]
    sentences = [failure.reason for failure in (worst, *others)]
    more = len(sentences) - MAX_FAILURES
    reasons = sentences[:MAX_FAILURES] + (
        [message("and %(count)d more hosts", count=more)] if more > 0 else []
    )
    reason = join_messages(*dict.fromkeys(reasons))
    return Failure(worst.state, reason, worst.failure_cause, any(f.says_little for f in matches))


def start_skew_warnings(delays: Mapping[str, float]) -> list[str]:
    """Return a warning if a host started late; `delays` in seconds by the host's name."""
    worst = max(delays, key=lambda host: delays[host], default=None)
    if worst is None or delays[worst] <= START_SKEW_SECONDS:
        return []
    after = f"{delays[worst] * 1000:.0f}"
    return [message("%(host)s started %(after)s ms after the first host", host=worst, after=after)]


def job_warnings(job: DoneJob, files: Files) -> list[str]:
    """Return warnings about the settings and the cleanup of a job."""
    return [_named(job, text) for text in (*_unrestored(job), *_failed_cleanup(job, files))]


def _unrestored(job: DoneJob) -> list[str]:
    """Return warnings about settings that were not restored."""
    tuning = job.exit.get("tuning") or {}
    warnings: list[str] = []
    if tuning.get("conflicts"):
        names = _settings(tuning["conflicts"])
        warnings.append(
            message(
                "another program changed %(names)s meanwhile; benchlab did not restore it",
                names=names,
            )
        )
    if tuning.get("failed"):
        names = _settings(tuning["failed"])
        warnings.append(message("%(names)s could not be given its old value back", names=names))
    return warnings


def _failed_cleanup(job: DoneJob, files: Files) -> list[str]:
    """Return warnings about cleanup that failed; the figures are valid all the same."""
    failed = [c for c in job.commands(files) if c.always and c.failed]
    return [message("tidying up (%(role)s) did not work", role=one.role) for one in failed]


def invalid_reason(jobs: Sequence[DoneJob]) -> str:
    """Return why figures that look right are not compared, or ""."""
    for job in jobs:
        if reason := _invalid_reason(job):
            return _named(job, reason)
    return ""


def _invalid_reason(job: DoneJob) -> str:
    changed = (job.exit.get("tuning") or {}).get("changed")
    if changed:
        return message(
            "a setting did not keep its value during the run: %(names)s", names=_settings(changed)
        )
    if abs(job.exit.get("clock_step") or 0.0) > CLOCK_STEP_SECONDS:
        step = f"{job.exit['clock_step']:.1f}"
        return message("the host's clock jumped by %(step)s s during the run", step=step)
    after = job.exit.get("identity_after")
    seen = after if isinstance(after, list) else [after]
    for target, identity in zip(targets_of(job.spec), seen, strict=False):
        if target["kind"] == "disk" and identity not in (None, target["identity"]):
            return message("the disk was another one after the run than before it")
    return ""


def _named(job: DoneJob, text: str) -> str:
    return message("%(host)s: %(why)s", host=job.name, why=text) if job.name else text


def _settings(changed: list[Any]) -> str:
    return ", ".join(str(c.get("name", c)) if isinstance(c, dict) else str(c) for c in changed)
