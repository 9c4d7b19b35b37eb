"""Forecasts of the starts of queued runs, and how far earlier forecasts were off."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Max, QuerySet, Sum
from django.utils import timezone

from apps.bookings.models import Booking, BookingRequest
from apps.bookings.schemas import Closure
from apps.bookings.selectors.bookings import closures_between
from apps.bookings.selectors.requests import request_users
from apps.common.cache import cached
from apps.plans.domain.durations import DurationSpread, duration_spread
from apps.plans.selectors.durations import duration_spreads
from apps.runs.domain.closures import RunNeed
from apps.runs.domain.forecast import QueueItem, StartForecast, forecast
from apps.runs.models import Attempt, CaseState, Claim, Run, RunApproval, RunState
from apps.runs.selectors.closure_reasons import HORIZON
from apps.runs.selectors.host_holds import waits_for_held_host
from apps.runs.selectors.needs import run_needs
from apps.runs.selectors.participation import hosts_of_runs
from apps.runs.selectors.queue import runs_queued
from apps.runs.selectors.queue_requests import QueuedRequest, request_need, requests_queued
from apps.runs.selectors.queue_resources import resources_of_runs

# So long a forecast is reused while the queue stays the same.
REUSE_SECONDS = 30
# Runs whose forecasts are compared with their starts.
MAX_ERRORS = 50


@dataclass(frozen=True)
class ForecastError:
    """How far forecasts were off, in minutes: median and 90th percentile of `count` runs."""

    count: int
    median: float
    p90: float


def queue_forecast() -> dict[int, StartForecast]:
    """Return the forecast of each queued run; reused for a while if the queue is unchanged.

    A requested booking has its negated id as key.
    """
    rows = cached("queue", _version(), list[StartForecast], lambda: list(forecast_now().values()))
    return {row.run: row for row in rows}


def _version() -> tuple[object, ...]:
    """Return what changes with the queue and with bookings."""
    runs = Run.objects.filter(state__in=[RunState.QUEUED, RunState.RUNNING]).order_by()
    states = runs.values("state").annotate(
        Count("pk"), Sum("pk"), Sum("fence"), Sum("results_version"), Sum("priority")
    )
    bookings = Booking.objects.aggregate(Count("pk"), Max("updated_at"))
    requests = BookingRequest.objects.aggregate(Count("pk"), Max("pk"))
    slot = int(timezone.now().timestamp() // REUSE_SECONDS)
    counts = sorted(tuple(row.values()) for row in states)
    return (counts, tuple(bookings.values()), tuple(requests.values()), slot)


def forecast_now() -> dict[int, StartForecast]:
    """Return the forecast of each queued run."""
    now = timezone.now()
    closures = closures_ahead(now)
    return forecast(queue_items(now, closures), closures, now)


def closures_ahead(now: datetime) -> list[Closure]:
    """Return the closures that forecasts regard."""
    return closures_between(now, now + HORIZON)


def queue_items(
    now: datetime, closures: Sequence[Closure], *, also_running: bool = False
) -> list[QueueItem]:
    """Return the open runs: running ones, then queued ones and requests in the queue's order.

    Without queued ones nothing is read, unless `also_running`.
    """
    running = list(Run.objects.filter(state=RunState.RUNNING).order_by("pk"))
    queued = list(runs_queued(now))
    ids = [run.pk for run in (*running, *queued)]
    requests = requests_queued(now, closures)
    if not queued and not requests and not (also_running and running):
        return []
    resources, needs = resources_of_runs(ids), run_needs(ids)
    under_way = _running_left(running, now)
    runs = {
        run.pk: QueueItem(run.pk, run.owner_id, resources[run.pk], needs[run.pk]) for run in queued
    }
    return [
        *(
            QueueItem(
                run.pk,
                run.owner_id,
                resources[run.pk] | _claimed(run),
                _plus(needs[run.pk], *under_way.get(run.pk, (0.0, 0.0))),
                is_running=True,
            )
            for run in running
        ),
        *_foreseeable(_in_order(queued, runs, requests)),
    ]


def _in_order(
    queued: Iterable[Run], runs: Mapping[int, QueueItem], requests: Iterable[QueuedRequest]
) -> list[QueueItem]:
    """Return queued runs and requests in the order of the queue."""
    ranked = [
        (-run.level, run.share, run.queued_at, runs[run.pk])  # type: ignore[attr-defined] # runs_queued
        for run in queued
    ]
    ranked += [(*one.rank, _item_of_request(one)) for one in requests]
    return [row[3] for row in sorted(ranked, key=lambda row: row[:3])]


def _item_of_request(request: QueuedRequest) -> QueueItem:
    row = request.waiting.request
    return QueueItem(
        -row.pk,
        0,
        request.waiting.resources,
        request_need(request.waiting),
        open_to=request_users(row),
    )


def _foreseeable(items: Iterable[QueueItem]) -> Iterator[QueueItem]:
    """Yield the queued runs without those whose start depends on a person or on a lost host.

    The time of an approval and of the release of a host on hold is unknown, as is that at which a
    host confirms the end of an abandoned attempt. Runs behind such an attempt are left out as well;
    a run that waits for an approval or a release gives way.
    """
    waiting = RunApproval.objects.filter(state=RunApproval.State.WAITING)
    unforeseeable = set(waiting.values_list("run", flat=True))
    held_runs = Run.objects.filter(waits_for_held_host(), state=RunState.QUEUED)
    unforeseeable |= set(held_runs.values_list("pk", flat=True))
    held = Claim.objects.filter(released_at__isnull=True).exclude(run__state=RunState.RUNNING)
    blocked = set(held.values_list("resource", flat=True))
    for item in items:
        if item.run in unforeseeable:
            continue
        if blocked & item.resources:
            blocked |= item.resources
        else:
            yield item


def _claimed(run: Run) -> frozenset[str]:
    claims = run.claims.filter(released_at__isnull=True)
    return frozenset(claims.values_list("resource", flat=True))


def _plus(need: RunNeed, median: float, p90: float) -> RunNeed:
    return replace(need, median=need.median + median, p90=need.p90 + p90)


def _running_left(runs: Collection[Run], now: datetime) -> dict[int, tuple[float, float]]:
    """Return the seconds that the running cases of each run still need: median and p90."""
    rows = Attempt.objects.filter(
        case__run__in=[run.pk for run in runs],
        case__state=CaseState.RUNNING,
        ended_at__isnull=True,
    ).select_related("case")
    hosts = hosts_of_runs([run.pk for run in runs])
    spreads = duration_spreads({host for ids in hosts.values() for host in ids})
    result: dict[int, tuple[float, float]] = {}
    for attempt in rows.defer("argv"):
        case = attempt.case
        passed = (now - attempt.created_at).total_seconds()
        spread = max(
            (spreads[host] for host in hosts[case.run_target_id]),
            key=lambda one: one.p90,
            default=DurationSpread(),
        )
        median, p90 = result.get(case.run_id, (0.0, 0.0))
        expected = case.expected_seconds
        result[case.run_id] = (
            max(median, expected * spread.median - passed),
            max(p90, expected * spread.p90 - passed),
        )
    return result


def unforecast() -> QuerySet[Run]:
    """Return queued runs that never started and have no first forecast."""
    return Run.objects.filter(
        state=RunState.QUEUED, started_at__isnull=True, forecast_start_at__isnull=True
    )


def forecast_error() -> ForecastError | None:
    """Return how far the first forecasts of the newest started runs were off; None without any."""
    rows = Run.objects.filter(forecast_start_at__isnull=False, started_at__isnull=False)
    newest = rows.order_by("-started_at").values_list("started_at", "forecast_start_at")
    minutes = [
        abs(start - first) / timedelta(minutes=1)
        for start, first in newest[:MAX_ERRORS]
        if start and first
    ]
    if not minutes:
        return None
    spread = duration_spread(minutes, min_count=1)
    return ForecastError(len(minutes), spread.median, spread.p90)
