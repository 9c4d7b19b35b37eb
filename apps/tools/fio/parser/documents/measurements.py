"""Measurements from the last document of a call, each with its own state and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from apps.tools.fio.parser.clients import all_clients, by_client, client_names, only_client
from apps.tools.fio.parser.direction import SYNC
from apps.tools.fio.parser.errors import error_text, tolerated_errors
from apps.tools.fio.parser.targets import WHOLE, Key, group_of
from apps.tools.fio.parser.totals import measurement
from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement, Series
from apps.tools.series.stalls import BOUNDS, LARGEST_OF
from apps.tools.text import count, number
from apps.tools.translation import gettext_noop
from apps.tools.values import Decoded, Parameters

from .completeness import ending
from .intervals import as_histograms, as_series
from .job_group import Stated, job_values, stated_of
from .repair import ALL_CLIENTS, jobs_of
from .runs import DocumentRun
from .under_test import target_of

CUT = "The output is cut off."


def measurements_of(run: DocumentRun, params: Parameters) -> list[Measurement]:
    """Return the results of a call, each followed by those of its clients.

    `params`: canonical parameters of a test run by benchlab.
    """
    jobs = jobs_of(run.last or {})
    step, origin = _grid(run.clocks)
    result = []
    for key in run.parts:
        track = run.tracks.get(key)
        series = as_series(track.intervals, origin, step) if track and step else []
        whole = _measurement(run, key, jobs, series)
        if track and step:
            whole = replace(whole, over_time=as_histograms(track.intervals, origin, step))
        result += [whole, *_of_clients(run, key, whole)]
    return _with_states(run, result, jobs, params)


def failures_of(jobs: Sequence[Decoded]) -> list[str]:
    """Return a message for each error that jobs report."""
    codes = {code for job in jobs if (code := number(job.get("error")))}
    text = gettext_noop("fio reports error %(code)d: %(why)s.")
    return [message(text, code=int(each), why=error_text(int(each))) for each in sorted(codes)]


def _with_states(
    run: DocumentRun,
    measurements: Sequence[Measurement],
    jobs: Sequence[Decoded],
    params: Parameters,
) -> list[Measurement]:
    """Return the results with their completeness; a job's error affects only its group."""
    if not measurements:
        return []
    end, remarks = ending(measurements, jobs, len(run.clocks), params, ended=bool(run.signals))
    result = []
    for each in measurements:
        group_jobs = [job for job in jobs if run.targets or group_of(job) == each.group]
        problems = [*failures_of(group_jobs), *run.signals, *([CUT] if run.cut else [])]
        state: Completeness = "partial" if problems else end
        errors = tolerated_errors([_tolerated(job) for job in group_jobs])
        result.append(replace(each, completeness=state, warnings=(*problems, *errors, *remarks)))
    return result


def _tolerated(job: Decoded) -> tuple[int, int]:
    """Return number and first code of the errors after which a job continued."""
    failed = bool(number(job.get("error")))
    return (0, 0) if failed else (count(job.get("total_err")), count(job.get("first_error")))


def _measurement(
    run: DocumentRun, key: Key, jobs: Sequence[Decoded], series: list[Series]
) -> Measurement:
    group, operation = key
    parts, members = run.parts[key], run.members[key]
    document = run.last or {}
    concurrent = [job for job in jobs if group in (WHOLE, group_of(job))]
    stated = Stated() if not members else stated_of(members, concurrent, document, run.targets)
    # Disk statistics occur once per document: they belong to the total.
    name = run.targets.get(group, "")
    values = job_values(members, {} if name else document)
    if any(each.metric == "latency_max" for each in series):
        values[LARGEST_OF] = BOUNDS
    return replace(
        measurement(
            operation,
            parts,
            all_clients(stated.params, len(by_client(parts))),
            values,
            series,
            component=name,
            group=group,
            only_direction=_is_only_direction(run, key),
        ),
        client=only_client(members),
        call=run.call,
        target=target_of(members, jobs, document),
        unread_options=(*stated.unread, *(("client",) if _is_sum(members) else ())),
    )


def _of_clients(run: DocumentRun, key: Key, whole: Measurement) -> list[Measurement]:
    """Return the measurement's components, one for each of several clients."""
    group, operation = key
    members = run.members[key]
    names = client_names(members)
    result = []
    for client, parts in by_client(run.parts[key]).items():
        client_jobs = [job for job, name in zip(members, names, strict=True) if name == client]
        share = measurement(
            operation,
            parts,
            whole.params,
            job_values(client_jobs, {}),
            [],
            component=client,
            group=group,
            only_direction=_is_only_direction(run, key),
        )
        result.append(
            replace(
                share,
                client=client,
                call=whole.call,
                target=whole.target,
                unread_options=whole.unread_options,
            )
        )
    return result


def _is_sum(members: Sequence[Decoded]) -> bool:
    """Return True if the jobs are the sum of clients that the document does not list."""
    return all(job.get("jobname") == ALL_CLIENTS for job in members)


def _is_only_direction(run: DocumentRun, key: Key) -> bool:
    """Return True if the jobs of a result had no other direction."""
    job_ids = {id(job) for job in run.members[key]}
    return not any(
        other != key
        and other[0] == key[0]
        and other[1] != SYNC
        and not job_ids.isdisjoint(map(id, jobs))
        for other, jobs in run.members.items()
    )


def _grid(clocks: list[float | None]) -> tuple[float, float | None]:
    """Return the status interval (0 without status documents) and the start, in seconds."""
    present = [clock for clock in clocks if clock is not None]
    if len(present) != len(clocks) or len(present) < 3:
        return 0.0, None
    step = median(b - a for a, b in pairwise(present[:-1]))
    # fio accepts whole seconds; a document is some tens of milliseconds early or late.
    if round(step) and abs(step - round(step)) < 0.2 * step:
        step = float(round(step))
    return max(step, 0.0), present[0] - step
