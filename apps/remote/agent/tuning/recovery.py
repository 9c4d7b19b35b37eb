"""Restore the settings of jobs that have ended.

Runs for the verb `restore_settings`, at the start of every session, before a tuning is applied, and
in a process that retries until the journal is closed.
"""

import contextlib
import time
from typing import List, Optional

from ..errors import AgentError
from ..processes.job_folder import Job, all_jobs
from ..processes.start import daemonize
from ..schema import (
    JournalRecord,
    JournalSetting,
    ReportedSetting,
    Request,
    Response,
    RestoreResult,
)
from ..validators import string_list
from .journal import is_open, live_settings, read_value_or_none
from .kinds import report_setting
from .restore import empty_result, restore_settings

POLL_SECONDS = 1.0
MAX_RETRY_SECONDS = 300.0  # between retries, which start at POLL_SECONDS and double


def restore_journals(base: str, request: Request) -> Response:
    """Run the verb `restore_settings` for these attempts, or all.

    Skips jobs whose lock is held (`busy`). `open`: journals that stay open, with the reason.
    """
    wanted = string_list(request.get("attempts") or [], "attempts")
    jobs = [Job(base, attempt) for attempt in wanted] or all_jobs(base)
    total = empty_result()
    busy: List[str] = []
    journals: List[Response] = []
    for job in jobs:
        if not is_open(job.json("tuning-journal.json")):
            continue
        if not job.is_free():
            busy.append(job.attempt)
            continue
        outcome = restore_settings(job)
        merge_result(outcome, job.attempt, total)
        journals += open_journals(job, outcome)
    return dict(total, busy=busy, open=journals)


def merge_result(outcome: RestoreResult, attempt: str, total: RestoreResult) -> None:
    """Add the result of one attempt to the total, with its id."""
    for part, settings in outcome.items():
        for setting in settings:
            setting["attempt"] = attempt
        total[part] += settings


def restore_ended_jobs(base: str, except_for: Optional[Job] = None) -> None:
    """Restore the settings of every ended job but one, as far as possible now."""
    spared = except_for.attempt if except_for else ""
    for job in all_jobs(base):
        with contextlib.suppress(OSError, AgentError):
            if job.attempt == spared:
                continue
            if is_open(job.json("tuning-journal.json")) and job.is_free():
                restore_settings(job)


def open_journals(job: Job, outcome: RestoreResult) -> List[Response]:
    """Return the journal if it stays open: since when, why, and the unrestored settings.

    `since` is in seconds since 1970.
    """
    record = job.json("tuning-journal.json")
    reasons = [failure_reason(setting) for setting in outcome["failed"] + outcome["unwritten"]]
    if record is None or not is_open(record) or not reasons:
        return []
    since = (record.get("opened") or {}).get("realtime")
    changed = [report_open_setting(setting) for setting in live_settings(record)]
    left = [setting for setting in changed if setting["actual"] != setting["original"]]
    words = " ".join(dict.fromkeys(reasons))
    return [{"attempt": job.attempt, "since": since, "reason": words, "settings": left}]


def failure_reason(setting: ReportedSetting) -> str:
    """Return why one setting or journal failed, as a sentence."""
    if "name" not in setting:
        return str(setting["reason"])
    words = setting["name"], setting["original"], setting["reason"] or "it did not stay"
    return "{} cannot be set to {} ({}).".format(*words)


def report_open_setting(setting: JournalSetting) -> ReportedSetting:
    """Return an unrestored setting: original, requested and actual value."""
    report = report_setting(setting, original=setting["original"], value=setting["value"])
    report["actual"] = read_value_or_none(setting)
    return report


def start_restorer(job: Job, record: JournalRecord) -> None:
    """Start a process that outlives supervisor and session and does not hold the lock."""
    daemonize(lambda: restore_after_lease(job, record), [], job.path("agent.log"))


def restore_after_lease(job: Job, initial: JournalRecord) -> None:
    """Restore when the job's lock is free and its last contact is older than the lease.

    Retries until the journal is closed. `initial`: the journal as written at the start.
    """
    pause = POLL_SECONDS
    while True:
        with contextlib.suppress(OSError):
            job.wait_free()
        record = job.json("tuning-journal.json")
        lost = record is None and job.exists()  # it exists, but cannot be read
        if not lost and not is_open(record):
            return
        rest = float(initial["lease"]) - job.contact_age()
        if rest > 0:
            time.sleep(min(POLL_SECONDS, rest))
            continue
        outcome = try_restore(job, as_pending(initial) if lost else None)
        if lost and outcome and not outcome["failed"]:
            return
        if is_open(job.json("tuning-journal.json")) or lost:
            time.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_SECONDS)


def try_restore(job: Job, initial: Optional[JournalRecord]) -> Optional[RestoreResult]:
    """Return the result of restoring; None if it raised."""
    with contextlib.suppress(OSError, AgentError):
        return restore_settings(job, initial)
    return None


def as_pending(record: JournalRecord) -> JournalRecord:
    """Return a copy of the initial journal with unknown progress: all settings pending."""
    result = record.copy()
    result["settings"] = [setting.copy() for setting in record["settings"]]
    for setting in result["settings"]:
        setting["step"] = "pending"
    return result
