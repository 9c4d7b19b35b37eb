"""A lab with something of each metric, and the parsed answer of /metrics."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from apps.accounts.models import ApiToken, Role, User
from apps.accounts.services import token_create
from apps.accounts.tests.factories import create_user
from apps.common.services import backup_record
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host
from apps.plans.models import CaseTime
from apps.plans.services.durations import case_time_record
from apps.runs.models import AttemptState, Case, Heartbeat, Run, RunState
from apps.runs.services.heartbeats import heartbeat_record
from apps.runs.tests.factories import create_attempt, create_run

Values = dict[tuple[str, frozenset[tuple[str, str]]], float]
UNRESTORED = {
    "attempt": "a",
    "since": 0.0,
    "why": "the disk is gone",
    "settings": [
        {"kind": "q", "identity": "", "name": name, "original": "1", "value": "2", "found": "2"}
        for name in ("nr_requests", "rq_affinity")
    ],
}


def create_lab() -> User:
    """A run at work on node-1, a queued one, a lost one, node-2 in need of attention; the admin."""
    admin = create_user(role=Role.ADMIN, username="boss")
    create_host(name="node-1", health=Host.Health.OK, checked_at=timezone.now())
    create_host(name="node-2", health=Host.Health.UNREACHABLE, unrestored_settings=[UNRESTORED])
    create_host(name="node-3", health=Host.Health.OK, enabled=False)
    create_host(name="node-4", health=Host.Health.UNCHECKED)
    _create_running(admin)
    queued = create_run(owner=admin)
    Run.objects.filter(pk=queued.pk).update(waiting_since=timezone.now() - timedelta(hours=2))
    lost = create_run(owner=admin)
    Run.objects.filter(pk=lost.pk).update(state=RunState.LOST)
    heartbeat_record(Heartbeat.Component.ENGINE, "box:1")
    heartbeat_record(Heartbeat.Component.BEAT, "box:2")
    made = timezone.now() - timedelta(days=3)
    backup_record(name="/backups/a", version="1", made_at=made, size_bytes=5)
    return admin


def _create_running(admin: User) -> None:
    run = create_run(owner=admin)
    case = Case.objects.filter(run=run)[0]
    node = Host.objects.get(name="node-1")
    create_attempt(
        case,
        state=AttemptState.RUNNING,
        contact_at=timezone.now() - timedelta(minutes=1),
        ended_at=None,
        jobs=[{"host_id": node.pk, "spec": {"tuning": [{}, {}, {}]}}],
    )
    case_time_record(host_id=node.pk, workload=case.workload, tuning="", planned=1, taken=2)
    CaseTime.objects.update(created_at=timezone.now() - timedelta(days=9))


def metrics_token(admin: User) -> str:
    return token_create(user=admin, name="prometheus", scope=ApiToken.Scope.METRICS)[1]


def scraped(secret: str, **headers: str) -> str:
    """The text of /metrics."""
    answer: Any = Client().get("/metrics", headers={"Authorization": f"Token {secret}"} | headers)
    assert answer.status_code == 200, answer.content[:500]
    return str(answer.content.decode())


def values(text: str) -> Values:
    """The value of each metric and its labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def key(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
    return f"benchlab_{name}", frozenset(labels.items())


def value(found: Values, name: str, **labels: str) -> float | None:
    return found.get(key(name, **labels))
