"""Metrics of hosts: reachability, settings in effect and not restored, latest measurements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.db.models import Max

from apps.inventory.models import Host
from apps.inventory.selectors.inventory import hosts_reachable
from apps.plans.models import CaseTime
from apps.runs.models import FINAL_ATTEMPT, AttemptJob, JobState
from benchlab.monitoring.families import Family, by_state, gauges, seconds_since

MAX_HOSTS = 500
"""With more hosts only those that need attention have samples of their own."""
Values = list[tuple[tuple[str, ...], float]]
STATES = ("disabled", "refused", *Host.Health.values)
FIELDS = ("name", "kind", "enabled", "health", "health_kind", "checked_at", "unrestored_settings")
UP = (Host.Health.OK, Host.Health.WARNING)


def host_families(now: datetime) -> Iterator[Family]:
    """Yield the metrics of hosts that benchlab connects to. `now`: the database's time."""
    hosts = list(hosts_reachable().order_by("name").only(*FIELDS))
    enabled = [host for host in hosts if host.enabled]
    limited = len(hosts) > MAX_HOSTS
    yield by_state(
        "hosts", "Hosts by state at their last check.", STATES, Counter(h.state for h in hosts)
    )
    yield from _settings(hosts, limited)
    # An unchecked host is neither up nor down.
    checked = [host for host in enabled if host.health != Host.Health.UNCHECKED]
    up: Values = [((host.name,), float(host.health in UP)) for host in checked]
    yield gauges(
        "host_up",
        "1 if the host was reachable at its last check, else 0. Disabled hosts have no sample.",
        ("host",),
        [row for row in up if not (limited and row[1])],
    )
    if limited:
        return
    ages = ((host.name, seconds_since(host.checked_at, now)) for host in enabled)
    yield gauges(
        "host_check_age_seconds",
        "Age of the last check of a host.",
        ("host",),
        [((name,), age) for name, age in ages if age is not None],
    )


def _settings(hosts: Iterable[Host], limited: bool) -> Iterator[Family]:
    unrestored: Values = [
        ((host.name,), float(sum(len(row["settings"]) for row in host.unrestored_settings)))
        for host in hosts
    ]
    yield gauges(
        "unrestored_settings",
        "Settings that a host could not restore after a test, as of its last check.",
        ("host",),
        [row for row in unrestored if row[1] or not limited],
    )
    applied = _applied_settings()
    in_effect: Values = [((host.name,), float(applied[host.pk])) for host in hosts]
    yield gauges(
        "applied_settings",
        "Settings of tuning profiles that running attempts apply to a host.",
        ("host",),
        [row for row in in_effect if row[1] or not limited],
    )


def _applied_settings() -> Counter[int]:
    """Return the number of settings of open jobs by the id of their host."""
    open_jobs = AttemptJob.objects.exclude(attempt__state__in=FINAL_ATTEMPT).filter(
        launched=True, state=JobState.OPEN
    )
    result: Counter[int] = Counter()
    for host_id, tuning in open_jobs.values_list("host_id", "spec__tuning"):
        result[host_id] += len(tuning or ())
    return result


def result_families(now: datetime) -> Iterator[Family]:
    """Yield the age of the newest measurement of each host and tool, up to MAX_HOSTS hosts."""
    hosts = hosts_reachable().values_list("pk", "name", "enabled")
    if len(hosts) > MAX_HOSTS:
        return
    names = {pk: name for pk, name, enabled in hosts if enabled}
    # By id: a join with the names would double the time of 60 rows for each host and tool.
    rows = CaseTime.objects.order_by().values_list("host_id", "tool").annotate(at=Max("created_at"))
    newest = sorted((names[pk], tool, at) for pk, tool, at in rows if pk in names)
    yield gauges(
        "results_age_seconds",
        "Time since the end of the last successful case of a host and tool.",
        ("host", "tool"),
        [((host, tool), seconds_since(at, now) or 0.0) for host, tool, at in newest],
    )
