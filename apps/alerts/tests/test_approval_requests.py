"""Requests for approvals as messages."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.alerts.models import AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.analysis.tests.compare.factories import create_target
from apps.plans.models import TestPlan
from apps.runs.services.approvals import approval_policy_save
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_plan

MAIL = "lab@example.org"


@pytest.fixture(autouse=True)
def server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail"


def messages() -> list[tuple[list[str], str]]:
    """Evaluate; return recipients and bodies of all mail."""
    alerts_evaluate()
    return [(list(one.to), str(one.body)) for one in mail.outbox]


def test_request_for_an_approval_is_notified_once(owner: User, admin: User) -> None:
    alert_save(user=owner, fields={"name": "lab", "mail": MAIL, "on_approval": True})
    plan = create_plan(owner=owner, target=create_target(owner))
    elsewhere = create_plan(owner=owner, target=create_target(owner))
    other = {"name": "plan", "mail": "other@example.org", "plan": elsewhere, "on_approval": True}
    alert_save(user=owner, fields=other)
    approval_policy_save(user=admin, fields={"name": "long runs", "over_hours": 0.0})
    run = run_launch(plan=plan, user=owner)
    assert messages() == []
    run_try_start(run_id=run.pk, worker="test")
    messages()
    ((to, body),) = messages()
    assert to == [MAIL]
    assert f"{run} of owner waits for an approval: long runs" in body


def test_older_requests_of_others_hide_no_request(
    owner: User, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.alerts.services.evaluate.MAX_RUNS", 1)
    plans = [create_plan(owner=owner, target=create_target(owner)) for _number in range(2)]
    team = create_team()
    TestPlan.objects.filter(pk=plans[1].pk).update(team=team)
    fields = {"name": "x", "mail": MAIL, "on_approval": True, "run_team": team}
    alert = alert_save(user=admin, fields=fields)
    approval_policy_save(user=admin, fields={"name": "long runs", "over_hours": 0.0})
    for plan in plans:
        for _number in range(2):
            run = run_launch(plan=TestPlan.objects.get(pk=plan.pk), user=owner)
            run_try_start(run_id=run.pk, worker="test")
    for _number in range(3):
        alerts_evaluate()
    assert AlertNotification.objects.filter(alert=alert, run__team=team).count() == 2
