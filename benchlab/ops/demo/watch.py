"""Follow the demonstration's run in the terminal."""

from __future__ import annotations

import time

from apps.common.domain.units import seconds
from apps.runs.models import Case, CaseState, Run
from apps.runs.selectors.runs import attempts_open, run_progress
from apps.runs.selectors.unresponsive_hosts import contact_lost_since
from benchlab.ops.demo.lab import DemoFailed, Say

LOOK_EVERY = 0.5


def follow(run: Run, say: Say) -> Run:
    """Print the progress until the run ends. Raises: DemoFailed unless it succeeds."""
    seen: set[int] = set()
    waiting = ""
    while not run.is_final:
        if run.reason != waiting:
            waiting = run.reason
            say(f"The run {waiting}" if waiting else "The run has its host and disk.")
        _say_finished(run, seen, say)
        _say_silence(run, say)
        time.sleep(LOOK_EVERY)
        run.refresh_from_db()
    _say_finished(run, seen, say)
    if run.state != "succeeded":
        raise DemoFailed(f"The run {run.get_state_display()}: {run.reason}")
    return run


def _say_finished(run: Run, seen: set[int], say: Say) -> None:
    ended = run.cases.exclude(state__in=[CaseState.PENDING, CaseState.RUNNING]).exclude(pk__in=seen)
    for case in ended.select_related("workload").order_by("sequence"):
        seen.add(case.pk)
        say(f"[{len(seen):3}/{run.case_count}] {_line(case)}{_left(run)}")


def _line(case: Case) -> str:
    what = f"{case.workload.label}, {case.tuning_name}, repeat {case.repeat}"
    return f"{what}: {case.get_state_display()}{f' ({case.reason})' if case.reason else ''}"


def _left(run: Run) -> str:
    remaining = run_progress(run).remaining
    return f", {seconds(round(remaining))} left" if remaining else ""


def _say_silence(run: Run, say: Say) -> None:
    for attempt in attempts_open(run):
        since = contact_lost_since(attempt)
        if since is not None:
            say(f"Nothing heard of {attempt.case} since {since:%H:%M:%S} UTC; asking again.")
