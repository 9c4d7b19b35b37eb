"""Failures of a job, from its exit: the reason, and whose fault it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.execution.domain.messages import (
    CANCELLED,
    bad_answer_text,
    lost_because,
    refusal_text,
)
from apps.remote.errors import MAX_DETAIL_LENGTH
from apps.results.selectors.jobs import DoneJob, Ended, Files
from apps.runs.models import AttemptState, FailureCause, JobState
from apps.tools.messages import join_messages, message


@dataclass(frozen=True)
class Failure:
    """The resulting state, the reason, and whose fault it is.

    `says_little`: the tool failed without a message on stderr.
    """

    state: AttemptState
    reason: str
    failure_cause: str
    says_little: bool = False


def failure_of(job: DoneJob, files: Files, *, ended_by_us: bool = False) -> Failure | None:
    """Return why a job has no result, or None; with several hosts the reason names the host.

    `ended_by_us`: benchlab ended the attempt, so a cancelled job is no failure of its host. A
    server is always ended.
    """
    result = _without_exit(job) or _ended_early(job, ended_by_us) or _commands_failed(job, files)
    if (
        result is None or not job.name or job.state == JobState.INVALID_RESPONSE
    ):  # its reason contains the host
        return result
    return replace(result, reason=message("%(host)s: %(why)s", host=job.name, why=result.reason))


def last_lines(job: DoneJob, files: Files) -> str:
    """Return the last lines of its stderr, 500 characters at most."""
    lines = job.text(files, "stderr").decode("utf-8", "replace").strip().splitlines()
    last = [line.strip() for line in lines if line.strip()][-3:]
    return " / ".join(last)[:500]


def with_stderr(reason: str, words: str) -> str:
    """Return the reason with the last lines of stderr, if any."""
    return join_messages(reason, message("its output: %(words)s", words=words)) if words else reason


def _without_exit(job: DoneJob) -> Failure | None:
    if job.state == JobState.REFUSED:
        return Failure(AttemptState.FAILED, refusal_text(job.refusal), FailureCause.HOST)
    if job.state == JobState.LOST:
        return Failure(AttemptState.LOST, lost_because(job.error), FailureCause.HOST)
    if job.state == JobState.INVALID_RESPONSE:
        return Failure(
            AttemptState.FAILED, bad_answer_text(job.host_name, job.error), FailureCause.HOST
        )
    error = job.exit.get("error")
    if error:
        return Failure(
            AttemptState.FAILED,
            message("the agent failed: %(why)s", why=error),
            FailureCause.BENCHLAB,
        )
    return None


def _ended_early(job: DoneJob, ended_by_us: bool) -> Failure | None:
    if job.exit.get("cancelled") and not (ended_by_us or job.listens):
        return Failure(AttemptState.CANCELLED, CANCELLED, "")
    if owner := job.exit.get("owner_limit"):
        why = str(owner).removeprefix("Owner: ")[:MAX_DETAIL_LENGTH]
        words = message("ended by the host's owner: %(why)s", why=why)
        return Failure(AttemptState.FAILED, words, FailureCause.HOST)
    if job.exit.get("timed_out"):
        words = message("ended by benchlab: it ran far longer than it should")
        return Failure(AttemptState.FAILED, words, FailureCause.TOOL)
    if job.exit.get("over_limit"):
        words = message("ended by benchlab: it wrote more output than allowed")
        return Failure(AttemptState.FAILED, words, FailureCause.TOOL)
    if job.exit.get("pool_full"):
        words = message("ended by benchlab: its pool is full, so that writing to it waits for ever")
        return Failure(AttemptState.FAILED, words, FailureCause.HOST)
    return None


def _commands_failed(job: DoneJob, files: Files) -> Failure | None:
    if job.exit.get("cancelled"):
        return None
    commands = job.commands(files)
    failed = [command for command in commands if command.failed and not command.always]
    if commands and not failed:
        return None
    words = last_lines(job, files)
    return Failure(
        AttemptState.FAILED, with_stderr(_exit_text(failed), words), FailureCause.TOOL, not words
    )


def _exit_text(failed: Sequence[Ended]) -> str:
    if not failed:
        return message("the tool ended with exit code None")
    if failed[0].signal is not None:
        return message("the tool was killed by signal %(signal)s", signal=failed[0].signal)
    return message("the tool ended with exit code %(code)s", code=str(failed[0].code))
