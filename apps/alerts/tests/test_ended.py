"""The end of a run as a message: once for each recipient, and not to whoever cancelled it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import Team, User
from apps.alerts.models import Alert, AlertIncident, AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.alerts.services.retention import incidents_due, rates_due
from apps.alerts.tests.imitated_receivers import ImitatedReceivers
from apps.analysis.tests.compare.factories import Setup, create_measured_run, create_target
from apps.common.errors import ServiceError
from apps.plans.models import TestPlan
from apps.results.models import Baseline, ResultSummary
from apps.runs.models import CaseState, FailureCause, Run, RunState
from apps.runs.services.runs import run_cancel, run_retry
from apps.runs.tests.factories import create_plan, create_run, end_run
from apps.tools.messages import message

Api = Callable[[User | None], APIClient]
MAIL = "lab@example.org"
STATES = ["succeeded", "failed", "cancelled", "lost"]


@pytest.fixture(autouse=True)
def server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail"
    settings.PUBLIC_URL = "https://bench.lab"


def ended_alert(owner: User, **fields: Any) -> Alert:
    usual: dict[str, Any] = {"name": "lab", "mail": MAIL, "on_ended": STATES}
    silent = dict.fromkeys(("on_change", "on_expectation_missed", "on_failed"), False)
    return alert_save(user=owner, fields=usual | silent | fields)


def measured(owner: User, *, seconds: int = 3900, state: str = "succeeded", **setup: Any) -> Run:
    """A measured run that ended now."""
    run = create_measured_run(Setup(owner, **setup))
    now = timezone.now()
    started = now - timedelta(seconds=seconds)
    Run.objects.filter(pk=run.pk).update(state=state, started_at=started, finished_at=now)
    run.refresh_from_db()
    return run


def messages() -> list[tuple[list[str], str]]:
    """Evaluate; return recipients and bodies of all mail."""
    alerts_evaluate()
    return [(list(one.to), str(one.body)) for one in mail.outbox]


def test_end_of_a_run_is_one_message(owner: User) -> None:
    ended_alert(owner, on_failed=True, on_expectation_missed=True)
    run = measured(owner, gains={"Scheduler none": 0.8})
    ResultSummary.objects.filter(run=run).update(expectation_verdict="missed")
    case = run.cases.all()[0]
    case.state, case.failure_cause = CaseState.FAILED, FailureCause.HOST
    case.reason = message("no route to host")
    case.save()
    messages()
    ((to, body),) = messages()
    assert to == [MAIL]
    lines = body.splitlines()
    assert lines[0] == f"{run}: succeeded after 1 h 5 min."
    assert lines[1].startswith("Worse: ")
    assert "Scheduler none" in lines[1]
    assert sum("Expectation missed" in line for line in lines) == 1
    assert "1 case failed (host): no route to host" in lines
    assert lines[-1] == f"https://bench.lab/runs/{run.pk}/"
    assert mail.outbox[0].subject == f"benchlab: lab: {lines[0]}"
    assert AlertNotification.objects.get().kind == "ended"


@pytest.mark.parametrize("state", STATES)
def test_only_chosen_states_are_notified(owner: User, state: str) -> None:
    ended_alert(owner, on_ended=["failed", "lost"])
    measured(owner, state=state)
    assert len(messages()) == (state in ("failed", "lost"))


def test_only_worse_runs_are_notified(owner: User) -> None:
    ended_alert(owner, only_worse=True)
    measured(owner, gains={"Scheduler none": 1.2})
    assert messages() == []
    measured(owner, gains={"Scheduler none": 0.8})
    assert len(messages()) == 1
    missed = measured(owner, gains={"Scheduler none": 1.2})
    ResultSummary.objects.filter(run=missed).update(expectation_verdict="missed")
    assert len(messages()) == 2
    measured(owner, state="lost")
    assert len(messages()) == 3


def test_run_is_compared_with_the_baseline_of_its_target(owner: User) -> None:
    disk = create_target(owner)
    setup: dict[str, Any] = {"disk": disk, "tunings": ("Host defaults",)}
    base = measured(owner, **setup)
    Baseline.objects.create(owner=owner, run=base, target=base.targets.all()[0].target)
    ended_alert(owner, only_worse=True)
    measured(owner, seed=2, **setup)
    assert messages() == []
    measured(owner, seed=3, gains={"Host defaults": 0.7}, **setup)
    ((_to, body),) = messages()
    assert "Against the baseline" in body
    assert ": Worse: " in body


def test_run_of_one_tuning_shows_its_medians(owner: User) -> None:
    ended_alert(owner)
    measured(owner, tunings=("Host defaults",), repeats=3)
    assert "(median of 3)" in messages()[0][1]


def test_scope_of_plan_and_team(owner: User) -> None:
    team = Team.objects.create(name="storage")
    plan = create_plan(owner=owner, target=create_target(owner))
    ended_alert(owner, plan=plan, mail="plan@example.org")
    ended_alert(owner, run_team=team, mail="team@example.org")
    measured(owner)
    assert messages() == []
    measured(owner, plan=plan)
    assert [to for to, _body in messages()] == [["plan@example.org"]]
    Run.objects.filter(pk=measured(owner).pk).update(team=team)
    assert [to for to, _body in messages()][1:] == [["team@example.org"]]


def test_alert_of_one_run_is_switched_off_after_its_end(owner: User) -> None:
    run = create_run(owner=owner)
    alert = ended_alert(owner, run=run)
    other = create_run(owner=owner)
    end_run(other)
    assert messages() == []
    end_run(run)
    assert len(messages()) == 1
    alert.refresh_from_db()
    assert not alert.enabled
    with pytest.raises(ServiceError, match="has ended already"):
        alert_save(user=owner, fields={"enabled": True}, alert=alert)
    alert_save(user=owner, fields={"name": "renamed"}, alert=alert)
    assert len(messages()) == 1


def test_run_that_ended_while_its_alert_was_saved_is_notified(owner: User) -> None:
    run = create_run(owner=owner)
    ended_alert(owner, run=run)
    end_run(run)
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now() - timedelta(seconds=5))
    assert len(messages()) == 1


def test_whoever_cancelled_a_run_gets_no_message(owner: User, admin: User) -> None:
    User.objects.filter(pk=admin.pk).update(email="admin@example.org")
    ended_alert(owner, mail="owner@example.org, admin@example.org")
    ended_alert(admin, mail="all-of-the-admin@example.org")
    run_cancel(run=create_run(owner=owner), user=User.objects.get(pk=admin.pk))
    ((to, body),) = messages()
    assert to == ["owner@example.org"]
    assert "cancelled before it started" in body
    assert f"cancelled by {admin.username}" in body


def test_retried_run_is_notified_at_each_end(owner: User) -> None:
    ended_alert(owner)
    run = create_run(owner=owner)
    end_run(run, RunState.FAILED, message("no such tool"))
    assert "no such tool" in messages()[0][1]
    run_retry(run=run, user=owner)
    run.refresh_from_db()
    end_run(run)
    assert [": succeeded" in body for _to, body in messages()] == [False, True]
    assert len(messages()) == 2


def test_address_of_several_alerts_gets_one_message(
    owner: User, owner_client: Client, receivers: ImitatedReceivers
) -> None:
    plan = create_plan(owner=owner, target=create_target(owner))
    hook = {"webhook": "wecom", "webhook_address": receivers.address("wecom")}
    ended_alert(owner, plan=plan, mail="Lab@example.org", **hook)
    second = ended_alert(owner, mail="lab@example.org other@example.org", **hook)
    third = ended_alert(owner, mail="lab@example.org")
    measured(owner, plan=plan)
    sent = messages()
    assert sorted(to[0] for to, _body in sent) == ["Lab@example.org", "other@example.org"]
    assert len(receivers.taken) == 1
    page = owner_client.get(reverse("alert_detail", args=[second.pk])).content.decode()
    assert "Another alert sends it" in page
    assert not third.notifications.exists()


def test_message_with_another_cause_goes_to_everybody(owner: User) -> None:
    """A cause beside the end is lost to nobody."""
    ended_alert(owner)
    ended_alert(owner, on_failed=True, on_ended=[])
    measured(owner, state="failed")
    assert len(messages()) == 2


def test_imported_run_does_not_end(owner: User) -> None:
    ended_alert(owner)
    run = measured(owner)
    Run.objects.filter(pk=run.pk).update(origin="imported")
    assert messages() == []


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"on_ended": ["running"]}, "on_ended"), ({"on_ended": "failed"}, "on_ended"),
        ({"on_ended": [["failed"]]}, "on_ended"), ({"only_worse": True}, "only_worse"),
        ({"plan": 999_999}, "plan"), ({"run": 2**70}, "run"), ({"run_team": "x"}, "run_team"),
        ({"webhook": "dingtalk"}, "webhook_address"), ({"webhook": "qq"}, "webhook"),
        ({"webhook": "wecom", "webhook_address": "https://hooks.lab/x", "webhook_secret": "s"},
         "webhook_secret"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(owner: User, api: Api, fields: dict[str, Any], wrong: str) -> None:
    body = {"name": "lab", "mail": MAIL} | fields
    answer = api(owner).post("/api/v1/alerts/", body, format="json")
    assert answer.status_code == 400, answer.content
    assert [name.partition(".")[0] for name in answer.json()["error"]["fields"]] == [wrong]


def test_scopes_exclude_each_other(owner: User, api: Api) -> None:
    run = create_run(owner=owner)
    assert run.plan is not None
    body = {"name": "lab", "mail": MAIL, "run": run.pk, "plan": run.plan.pk}
    answer = api(owner).post("/api/v1/alerts/", body, format="json")
    assert "Choose one" in answer.json()["error"]["message"]
    end_run(run)
    body = {"name": "lab", "mail": MAIL, "run": run.pk}
    answer = api(owner).post("/api/v1/alerts/", body, format="json")
    assert list(answer.json()["error"]["fields"]) == ["run"]


def test_scope_goes_with_its_plan_and_run(owner: User, api: Api) -> None:
    run = create_run(owner=owner)
    body = {"name": "lab", "mail": MAIL, "run": run.pk, "on_ended": ["lost", "failed", "lost"]}
    made = api(owner).post("/api/v1/alerts/", body, format="json").json()
    assert (made["run"], made["on_ended"]) == (run.pk, ["failed", "lost"])
    ended_alert(owner, plan=run.plan)
    run.delete()
    TestPlan.objects.all().delete()
    assert not Alert.objects.exists()


def test_pages_propose_a_message(owner: User, owner_client: Client, admin_client: Client) -> None:
    User.objects.filter(pk=owner.pk).update(email="me@example.org")
    run = create_run(owner=owner)
    team = Team.objects.create(name="storage & co")
    pages = {
        f"?run={run.pk}&amp;name=": owner_client.get(reverse("run_detail", args=[run.pk])),
        f"?plan={run.plan_id}&amp;name=": owner_client.get(
            reverse("plan_detail", args=[run.plan_id])
        ),
        f"?run_team={team.pk}&amp;name=storage%20%26%20co": admin_client.get(
            reverse("team_edit", args=[team.pk])
        ),
    }
    for link, page in pages.items():
        assert reverse("alert_new") + link in page.content.decode()
    proposed = f"{reverse('alert_new')}?run={run.pk}&name=x"
    html = owner_client.get(proposed).content.decode()
    assert "me@example.org" in html
    assert html.count('name="on_ended"') == 4
    posted = {"name": "end", "enabled": "on", "run": run.pk, "mail": MAIL, "on_ended": STATES}
    made = owner_client.post(reverse("alert_new"), posted)
    assert made.status_code == 302, made.content
    text = owner_client.get(made["Location"]).content.decode()
    assert "succeeded, failed, cancelled, lost" in text
    assert str(run) in owner_client.get(reverse("alert_list")).content.decode()
    end_run(run)
    assert len(messages()) == 1


@pytest.mark.parametrize(
    "query", ["?run=x", "?plan=999999", "?run_team=%00", "?run=1&run=2", "?plan=" + "9" * 50]
)
def test_form_with_odd_proposals_opens(owner_client: Client, query: str) -> None:
    assert owner_client.get(reverse("alert_new") + query).status_code == 200


def test_viewer_sees_no_link(owner: User, viewer_client: Client) -> None:
    run = create_run(owner=owner)
    page = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert reverse("alert_new") not in page


def test_old_ends_and_rates_are_due(owner: User, receivers: ImitatedReceivers) -> None:
    ended_alert(owner, webhook="wecom", webhook_address=receivers.address("wecom"))
    measured(owner)
    messages()
    assert AlertIncident.objects.count() == 1
    assert not incidents_due().exists()
    with time_machine.travel(timezone.now() + timedelta(days=400)):
        assert (incidents_due().count(), rates_due().count()) == (1, 1)
