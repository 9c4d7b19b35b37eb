"""Unresponsive hosts of runs, and the attempts that were abandoned on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from apps.inventory.models import Host
from apps.runs.models import AbandonedAttempt, Attempt, AttemptState, Run, RunState
from apps.runs.selectors.runs import attempts_open, attempts_read_since

# States in which a job may run on a host.
MAY_RUN = (AttemptState.PREFLIGHT, AttemptState.RUNNING, AttemptState.COLLECTING)

# An admin may end an attempt that is parsed for longer.
LONG_PARSING = timedelta(minutes=1)
# An attempt without contact for longer is shown as unknown.
CONTACT_TIMEOUT = timedelta(seconds=15)


def contact_lost_since(attempt: Attempt) -> datetime | None:
    """Return the start of the lost contact with an attempt's hosts; None while they respond.

    More than CONTACT_TIMEOUT without contact counts too, as a dead worker records nothing.
    """
    if attempt.is_final:
        return None
    if attempt.contact_lost_since is not None:
        return attempt.contact_lost_since
    if attempt.contact_at and timezone.now() - attempt.contact_at > CONTACT_TIMEOUT:
        return attempt.contact_at
    return None


def abandoned_of_run(run: Run) -> QuerySet[AbandonedAttempt]:
    """Return the abandoned attempts of a run, one row per host."""
    rows = AbandonedAttempt.objects.filter(attempt__case__run=run)
    return rows.select_related(
        "host", "attempt__case__run_target", "attempt__case__workload", "abandoned_by", "ended_by"
    )


def abandoned_open(run: Run) -> QuerySet[AbandonedAttempt]:
    """Return unconfirmed abandoned attempts."""
    return abandoned_of_run(run).filter(ended_at__isnull=True)


def unresponsive_attempts(run: Run) -> list[Attempt]:
    """Return the open attempts of a run on unresponsive hosts."""
    rows = attempts_open(run).filter(state__in=MAY_RUN)
    return [attempt for attempt in rows if contact_lost_since(attempt)]


def parsing_attempts(run: Run) -> list[Attempt]:
    """Return the attempts of a run that are parsed for over a minute."""
    if run.state != RunState.RUNNING:
        return []
    return list(attempts_read_since(run, timezone.now() - LONG_PARSING))


def unresponsive_hosts(attempt: Attempt) -> list[int]:
    """Return the ids of the unresponsive hosts of an attempt; all its hosts if not recorded."""
    return list(attempt.unresponsive_hosts) or attempt.case.host_ids


def unresponsive_names(attempts: Iterable[Attempt]) -> list[str]:
    """Return the names of the unresponsive hosts of attempts."""
    return list(host_names({pk for attempt in attempts for pk in unresponsive_hosts(attempt)}))


def blocking_hosts(run: Run) -> list[tuple[str, datetime]]:
    """Return the unresponsive hosts of a running run, each with the start of the silence."""
    if run.state != RunState.RUNNING:
        return []
    since: dict[int, datetime] = {}
    for attempt in unresponsive_attempts(run):
        lost = contact_lost_since(attempt)
        if lost is not None:
            since |= {pk: min(lost, since.get(pk, lost)) for pk in unresponsive_hosts(attempt)}
    rows = Host.objects.filter(pk__in=since).order_by("name") if since else []
    return [(host.name, since[host.pk]) for host in rows]


def host_names(hosts: Iterable[int]) -> Sequence[str]:
    return list(Host.objects.filter(pk__in=hosts).order_by("name").values_list("name", flat=True))
