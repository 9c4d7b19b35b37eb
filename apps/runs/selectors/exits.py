"""Exit of an attempt in the API."""

from __future__ import annotations

from collections.abc import Sequence

from apps.remote.responses import TUNING_RESULT_PARTS, TuningResultPart, reported_settings
from apps.runs.models import Attempt, AttemptJob
from apps.runs.schemas import EARLY_END
from apps.runs.selectors.start_skew import starts_of


def exit_of(attempt: Attempt) -> dict[str, object]:
    """Return the exit of the only job, or the exits of several jobs with starts and settings."""
    jobs = list(attempt.jobs.all())
    if len(jobs) == 1 and not jobs[0].name:
        return {**jobs[0].exit}
    ended = [job for job in jobs if job.has_ended]
    result: dict[str, object] = {
        "codes": [code for job in ended for code in job.exit.get("codes") or ()],
        "signals": [signal for job in ended for signal in job.exit.get("signals") or ()],
        "jobs": [_entry(job) for job in ended],
        "starts": _starts(jobs),
        "tuning": {part: _settings(ended, part) for part in TUNING_RESULT_PARTS},
    }
    result |= {"early_end": EARLY_END.plain(attempt.early_end)} if attempt.early_end else {}
    return result if jobs else {}


def _entry(job: AttemptJob) -> dict[str, object]:
    of_row = {
        name: getattr(job, name) for name in ("name", "role", "stage", "state", "exit", "error")
    }
    rest = {"refusal": job.refusal, "output_ranges": job.output_ranges}
    return {"job": str(job.pk), "host": job.host_id} | of_row | rest


def _starts(jobs: Sequence[AttemptJob]) -> dict[str, object]:
    starts = starts_of(jobs)
    return {**starts.after, "uncertainty": dict(starts.uncertainty)} if starts.after else {}


def _settings(jobs: Sequence[AttemptJob], part: TuningResultPart) -> list[dict[str, object]]:
    reported = [(job.name, reported_settings(job.exit, part)) for job in jobs]
    return [{"host": host, **setting} for host, settings in reported for setting in settings]
