"""The queue as rows of its page, and forecasts as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.functional import Promise

from apps.runs.domain.forecast import StartForecast
from apps.runs.models import Priority, Run, RunState
from apps.runs.presenters.run_rows import RunRow, run_rows

# Runs ahead from which on only an earliest time is given: later starts move too much.
MAX_PREDICTED = 4
SOON = timedelta(minutes=1)


@dataclass(frozen=True)
class ForecastLine:
    """When a queued run starts, as far as it can be forecast."""

    forecast: StartForecast
    now: datetime

    @property
    def is_soon(self) -> bool:
        return self.forecast.start - self.now < SOON and self.forecast.booking is None

    @property
    def is_vague(self) -> bool:
        """Return True if only the earliest time is shown."""
        return self.forecast.ahead >= MAX_PREDICTED

    @property
    def has_range(self) -> bool:
        return self.forecast.latest - self.forecast.start >= SOON


@dataclass(frozen=True)
class QueueRow:
    """An open run in the queue. `position`: from 1, None for a running one."""

    row: RunRow
    position: int | None
    line: ForecastLine | None

    @property
    def priority(self) -> str | Promise:
        return Priority(self.row.run.priority).label

    @property
    def has_aged(self) -> bool:
        """Return True if waiting raised it above its priority."""
        return self.position is not None and getattr(self.row.run, "level", 0) > (
            self.row.run.priority
        )


def forecast_line(run: Run, forecasts: Mapping[int, StartForecast]) -> ForecastLine | None:
    """Return the forecast of a queued run as a line; None if there is none."""
    row = forecasts.get(run.pk) if run.state == RunState.QUEUED else None
    return ForecastLine(row, timezone.now()) if row else None


def request_lines(forecasts: Mapping[int, StartForecast]) -> dict[int, ForecastLine]:
    """Return the forecasts of requested bookings as lines, by the id of the request."""
    now = timezone.now()
    return {-pk: ForecastLine(row, now) for pk, row in forecasts.items() if pk < 0}


def queue_rows(runs: Sequence[Run], forecasts: Mapping[int, StartForecast]) -> list[QueueRow]:
    """Return open runs in the order of `runs_open` as rows of the queue."""
    result, position = [], 0
    for row in run_rows(runs):
        is_queued = row.run.state == RunState.QUEUED
        position += is_queued
        line = forecast_line(row.run, forecasts)
        result.append(QueueRow(row, position if is_queued else None, line))
    return result
