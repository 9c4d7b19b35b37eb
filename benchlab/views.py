"""Health endpoints, system page and home page."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from time import monotonic

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.selectors import last_admin_beyond_groups
from apps.inventory.models import Directory, Disk, Host, Pool
from apps.inventory.selectors.inventory import hosts_reachable, hosts_with_health
from apps.plans.models import TestPlan
from apps.reports.selectors.dashboards import deferred_dashboards
from apps.runs.models import FINAL_RUN, Heartbeat, Origin, Run, RunState
from apps.runs.presenters.run_rows import RunRow, run_rows
from apps.runs.selectors.forecasts import forecast_error
from apps.runs.selectors.heartbeats import TIMEOUT_SECONDS, component_status
from apps.runs.selectors.queue import runs_open
from apps.runs.selectors.runs import runs_listed
from apps.tools.registry import BUILT_IN, PLUGIN_ERRORS, TOOLS
from benchlab.ops.lake import lake_exports
from benchlab.ops.upkeep import backups, retention_rows
from benchlab.ops.versions import versions

log = logging.getLogger(__name__)

STARTED = monotonic()
START_SECONDS = 60.0
"""So long after the start of this process an engine may not have sent its first heartbeat yet."""
MOST = 50
LATEST = 8


@require_safe
@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the process responds."""
    return JsonResponse({"status": "ok"})


@require_safe
@login_not_required
def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if database, broker, engine, worker and beat work, else 503 with the failed."""
    parts = {"database": _database_answers(), "broker": _broker_answers()}
    body = {name: "ok" if fine else "no answer" for name, fine in parts.items()}
    body |= _processes() if parts["database"] else {}
    ready = all(state == "ok" for state in body.values())
    return JsonResponse(
        {"status": "ok" if ready else "not ready", **body}, status=200 if ready else 503
    )


def _processes() -> dict[str, str]:
    return {part.component: "ok" if part.ok else "not running" for part in component_status()}


@require_safe
@role_required(Role.ADMIN)
def system(request: HttpRequest) -> HttpResponse:
    """Show the state of every component, backups, the lake, retention, and remedies."""
    context = {
        "parts": component_status(),
        "broker_ok": _broker_answers(),
        "gone_after": TIMEOUT_SECONDS,
        "forecast_error": forecast_error(),
    }
    context["last_admin"] = last_admin_beyond_groups() if user_of(request).is_admin else None
    context |= {"versions": versions(), "backups": backups(), "retention": retention_rows()}
    context |= {"lake": lake_exports()}
    context |= {"plugins": TOOLS.values(), "built_in": BUILT_IN, "plugin_errors": PLUGIN_ERRORS}
    return render(request, "system.html", context)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        log.warning("readyz: the database does not answer: %s", error)
        return False
    return True


def _broker_answers() -> bool:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        log.warning("readyz: the broker does not answer", exc_info=True)
        return False
    finally:
        client.close()


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show dashboards, active runs, latest results, hosts that need attention, or first steps."""
    engine = next(
        part for part in component_status() if part.component == Heartbeat.Component.ENGINE
    )
    context = {
        "dashboards": deferred_dashboards(user_of(request)),
        "queue": run_rows(list(runs_open(timezone.now())[:MOST])),
        "hosts": _hosts(),
        "finished": _finished(Origin.LAUNCHED),
        "imported": _finished(Origin.IMPORTED),
        "steps": first_steps(),
        "engine": engine,
        "is_starting": engine.last_seen_at is None and monotonic() - STARTED < START_SECONDS,
    }
    return render(request, "home.html", context)


def _hosts() -> list[Host]:
    """Return hosts, those that need attention first, then by name."""
    needy = Q(enabled=True) & ~Q(kind=Host.Kind.IMPORTED_ONLY) & ~Q(health=Host.Health.OK)
    return list(hosts_with_health().alias(needy=needy).order_by("-needy", "name")[:MOST])


def _finished(origin: Origin) -> list[RunRow]:
    """Return the last ended runs of an origin."""
    ended = runs_listed().filter(state__in=FINAL_RUN, archived_at=None, origin=origin)
    return run_rows(list(ended.order_by("-pk")[:LATEST]))


@dataclass(frozen=True)
class Step:
    """First step: whether it is done, its text, its URL."""

    done: bool
    title: str
    text: str
    url: str


def first_steps() -> list[Step]:
    """Return the steps to a first comparison; empty after it."""
    if Run.objects.filter(state=RunState.SUCCEEDED).exists():
        return []
    target = (
        Disk.objects.filter(enrolled_at__isnull=False).exists()
        or Directory.objects.exists()
        or Pool.objects.exists()
    )
    steps = [
        (
            hosts_reachable().exists(),
            _("Add a host"),
            _("The machine benchlab runs on, or one it reaches over SSH."),
            "host_list",
        ),
        (
            target,
            _("Give it a target"),
            _("Enrol a disk whose data may be destroyed, add a scratch directory or a Ceph pool."),
            "host_list",
        ),
        (
            TestPlan.objects.exists(),
            _("Write a plan"),
            _("Tools, parameters, targets, and the tunings to compare. Templates are there."),
            "plan_list",
        ),
        (
            Run.objects.exists(),
            _("Launch it"),
            _("A worker runs it in the background; figures come in live."),
            "plan_list",
        ),
        (False, _("Compare"), _("Which tuning is better, and is the difference real?"), "compare"),
    ]
    return [Step(done, title, text, reverse(name)) for done, title, text, name in steps]
