"""The last document of a call -> its measurements, each with its own state and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from apps.tools.fio.parser.direction import SYNC
from apps.tools.fio.parser.errors import error_text, went_on_after
from apps.tools.fio.parser.targets import WHOLE, Key, group_of
from apps.tools.fio.parser.totals import measurement
from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement, Series
from apps.tools.series.stalls import BOUNDS, LARGEST_OF
from apps.tools.text import count, number
from apps.tools.values import Decoded, Parameters
from apps.tools.words import gettext_noop

from .clients import all_clients, by_client, client_names, only_client
from .completeness import ending
from .intervals import as_histograms, as_series
from .job_group import Stated, job_values, stated_of
from .repair import ALL_CLIENTS, jobs_of
from .runs import DocumentRun
from .under_test import target_of

CUT = "The output is cut off."


def measurements_of(run: DocumentRun, params: Parameters) -> list[Measurement]:
    """Return the results of a call, those of its clients behind each. `params`: the canonical
    parameters of a test of benchlab's own.
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
    """Return a sentence for each error that jobs report."""
    codes = {code for job in jobs if (code := number(job.get("error")))}
    words = gettext_noop("fio reports error %(code)d: %(why)s.")
    return [message(words, code=int(each), why=error_text(int(each))) for each in sorted(codes)]


def _with_states(
    run: DocumentRun, found: Sequence[Measurement], jobs: Sequence[Decoded], params: Parameters
) -> list[Measurement]:
    """The results with their completeness. A job's error counts for its group alone."""
    if not found:
        return []
    end, remarks = ending(found, jobs, len(run.clocks), params, ended=bool(run.signals))
    result = []
    for each in found:
        own = [job for job in jobs if run.targets or group_of(job) == each.group]
        said = [*failures_of(own), *run.signals, *([CUT] if run.cut else [])]
        state: Completeness = "partial" if said else end
        errors = went_on_after([_tolerated(job) for job in own])
        result.append(replace(each, completeness=state, warnings=(*said, *errors, *remarks)))
    return result


def _tolerated(job: Decoded) -> tuple[int, int]:
    """Number and first code of a job's errors after which it went on."""
    failed = bool(number(job.get("error")))
    return (0, 0) if failed else (count(job.get("total_err")), count(job.get("first_error")))


def _measurement(
    run: DocumentRun, key: Key, jobs: Sequence[Decoded], series: list[Series]
) -> Measurement:
    group, operation = key
    parts, members = run.parts[key], run.members[key]
    document = run.last or {}
    together = [job for job in jobs if group in (WHOLE, group_of(job))]
    stated = Stated() if not members else stated_of(members, together, document, run.targets)
    # The disks stand in the document once: they are the whole's.
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
            part=name,
            group=group,
            alone=_is_alone(run, key),
        ),
        client=only_client(members),
        call=run.call,
        target=target_of(members, jobs, document),
        unread_options=(*stated.unread, *(("client",) if _is_sum(members) else ())),
    )


def _of_clients(run: DocumentRun, key: Key, whole: Measurement) -> list[Measurement]:
    """The measurement's share of each of several clients."""
    group, operation = key
    members = run.members[key]
    names = client_names(members)
    found = []
    for client, parts in by_client(run.parts[key]).items():
        own = [job for job, name in zip(members, names, strict=True) if name == client]
        share = measurement(
            operation,
            parts,
            whole.params,
            job_values(own, {}),
            [],
            part=client,
            group=group,
            alone=_is_alone(run, key),
        )
        found.append(
            replace(
                share,
                client=client,
                call=whole.call,
                target=whole.target,
                unread_options=whole.unread_options,
            )
        )
    return found


def _is_sum(members: Sequence[Decoded]) -> bool:
    """Whether they are the sum of clients that are not in the document themselves."""
    return all(job.get("jobname") == ALL_CLIENTS for job in members)


def _is_alone(run: DocumentRun, key: Key) -> bool:
    """Whether the jobs of a result had no other direction."""
    own = {id(job) for job in run.members[key]}
    return not any(
        other != key
        and other[0] == key[0]
        and other[1] != SYNC
        and not own.isdisjoint(map(id, jobs))
        for other, jobs in run.members.items()
    )


def _grid(clocks: list[float | None]) -> tuple[float, float | None]:
    """The status interval and when the tool started, in seconds; 0 without status documents."""
    known = [clock for clock in clocks if clock is not None]
    if len(known) != len(clocks) or len(known) < 3:
        return 0.0, None
    step = median(b - a for a, b in pairwise(known[:-1]))
    # fio takes whole seconds; a document comes some tens of milliseconds early or late.
    if round(step) and abs(step - round(step)) < 0.2 * step:
        step = float(round(step))
    return max(step, 0.0), known[0] - step
