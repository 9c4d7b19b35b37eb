"""Check the database, the broker, and benchlab's processes."""

from __future__ import annotations

from collections.abc import Iterator

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from apps.runs.selectors.heartbeats import component_status
from benchlab import gunicorn
from benchlab.local.stack import web_processes
from benchlab.ops.database_version import code_version, stored_version
from benchlab.ops.findings import Finding, note, ok, or_ok, wrong
from benchlab.ops.upgrade_rules import upgrade_refusal
from benchlab.version import STOPS

CLOCK = 2.0  # seconds that this machine's clock and the database's may differ
BUSY = 0.8  # of the server's connections


def database() -> list[Finding]:
    """Check the database; all other checks need it."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        todo = "start bin/up, or look at DATABASE_URL and the server's log (logs/postgres.log)"
        return [wrong(f"the database does not answer: {_first_line(error)}", todo)]
    return [
        ok("the database answers"),
        *or_ok(_migrations(), "its tables are those of this version"),
        *or_ok(_connections(), "it has connections left"),
        *or_ok(_clock(), "its clock agrees with this machine's"),
    ]


def _migrations() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        names = ", ".join(f"{step.app_label} {step.name}" for step, _backwards in plan[:5])
        more = f" and {len(plan) - 5} more" if len(plan) > 5 else ""
        yield wrong(f"the database lacks: {names}{more}", "bin/manage migrate, or bin/up")
    stored = stored_version(connection)
    if stored and (refusal := upgrade_refusal(stored, code_version(), STOPS)):
        yield refusal
    elif stored and stored.upgrading_to:
        text = f"an upgrade to benchlab {stored.upgrading_to} has not ended"
        yield wrong(text, "bin/manage migrate, or bin/up")


def _connections() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        )
        (used,) = cursor.fetchone()
        cursor.execute("SELECT current_setting('max_connections')::int")
        (most,) = cursor.fetchone()
    if used > most * BUSY:
        todo = "raise max_connections, or lower BENCHLAB_WEB_THREADS and the number of processes"
        yield note(f"{used} of {most} connections of the database are in use", todo)
    web = web_processes() * gunicorn.threads
    if web > most * BUSY:
        todo = "raise max_connections, or lower BENCHLAB_WEB_THREADS or BENCHLAB_WEB_PROCESSES"
        yield note(f"the web server's threads may take {web} of {most} connections", todo)


def _clock() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (there,) = cursor.fetchone()
    apart = abs((there - timezone.now()).total_seconds())
    if apart > CLOCK:
        todo = "run an NTP client on both: leases and times of results rest on it"
        yield wrong(f"this machine's clock and the database's differ by {apart:.1f} s", todo)


def broker() -> list[Finding]:
    """Check that hints and live metrics pass the broker."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2)
    try:
        client.ping()
    except (redis.RedisError, OSError) as error:
        todo = "start bin/up, or look at REDIS_URL; runs go on without it, a little later"
        return [wrong(f"the broker does not answer: {_first_line(error)}", todo)]
    finally:
        client.close()
    return [ok("the broker answers")]


def processes() -> list[Finding]:
    """Check engine, worker and beat."""
    return [
        ok(f"{part.label}: {part.alive} running")
        if part.ok
        else wrong(f"{part.label}: not running", part.remedy)
        for part in component_status()
    ]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
