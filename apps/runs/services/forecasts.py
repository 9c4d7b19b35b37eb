"""Store the first forecast of each run, to show later how far forecasts were off."""

from __future__ import annotations

from apps.runs.selectors.forecasts import forecast_now, unforecast


def forecasts_record() -> int:
    """Store the first forecasts of runs that have none; return their number."""
    wanted = list(unforecast().values_list("pk", flat=True))
    if not wanted:
        return 0
    rows = forecast_now()
    known = [rows[pk] for pk in wanted if pk in rows]
    for row in known:
        unforecast().filter(pk=row.run).update(forecast_start_at=row.start)
    return len(known)
