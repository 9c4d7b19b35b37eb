"""Alerts: what they find, that it is told once, and when it is sent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import Team, User
from apps.alerts.domain.webhooks import WebhookError
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.services import deliver
from apps.alerts.services.alerts import alert_reencrypt, alert_save
from apps.alerts.services.deliver import MAX_ATTEMPTS
from apps.alerts.services.evaluate import alerts_evaluate
from apps.analysis.tests.compare.factories import Setup, create_measured_run, create_target
from apps.common.database.encrypted_rows import encrypted_rows
from apps.inventory.models import Disk, Host
from apps.results.models import ResultSummary
from apps.runs.models import Run, RunState

Api = Callable[[User | None], APIClient]
MAIL = "lab@example.org"


@pytest.fixture(autouse=True)
def server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail"


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_target(owner)


def alert_of(owner: User, **fields: Any) -> Alert:
    return alert_save(user=owner, fields={"name": "lab", "mail": MAIL} | fields)


def ended(run: Run, state: str = RunState.SUCCEEDED) -> Run:
    Run.objects.filter(pk=run.pk).update(state=state, finished_at=timezone.now())
    return run


def run_on(owner: User, disk: Disk, *, days: int = 0, gain: float = 1.0) -> Run:
    start = timezone.now() + timedelta(days=days)
    setup = Setup(
        owner, disk=disk, tunings=("Host defaults",), repeats=3, gains={"Host defaults": gain},
        start=start, seed=days + 100,
    )  # fmt: skip
    return create_measured_run(setup)


def lines() -> list[str]:
    return [line for row in AlertNotification.objects.order_by("pk") for line in row.text_lines]


def test_failed_run_is_notified_once(owner: User, disk: Disk) -> None:
    alert_of(owner)
    run = ended(run_on(owner, disk), RunState.FAILED)
    alerts_evaluate()
    alerts_evaluate()
    assert [one.to for one in mail.outbox] == [[MAIL]]
    assert f"#{run.pk}" in mail.outbox[0].body
    assert "failed" in mail.outbox[0].body
    assert [row.state for row in AlertNotification.objects.all()] == ["sent"]


def test_what_ended_before_the_alert_was_made_is_no_news(owner: User, disk: Disk) -> None:
    run = ended(run_on(owner, disk), RunState.FAILED)
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now() - timedelta(minutes=1))
    alert_of(owner)
    alerts_evaluate()
    assert lines() == []


def test_only_runs_that_touch_the_view_count(owner: User, disk: Disk) -> None:
    key = run_on(owner, disk).cases.all()[0].workload.key
    alert_of(owner, view="history", query=f"workload={key}&target={disk.pk}")
    other = ended(run_on(owner, create_target(owner)), RunState.FAILED)
    mine = ended(run_on(owner, disk), RunState.FAILED)
    alerts_evaluate()
    assert any(f"#{mine.pk}" in line for line in lines())
    assert not any(f"#{other.pk} " in line for line in lines())


def test_missed_promises_are_one_message_and_end_when_they_are_met(owner: User, disk: Disk) -> None:
    alert_of(owner)

    def judged(judgement: str) -> None:
        run = ended(run_on(owner, disk))
        ResultSummary.objects.filter(run=run).update(expectation_verdict=judgement)
        alerts_evaluate()

    judged("missed")
    judged("missed")
    assert len(lines()) == 1
    assert "Expectation missed" in lines()[0]
    judged("met")
    assert len(lines()) == 1
    judged("missed")
    assert len(lines()) == 2


def test_several_causes_of_a_run_are_one_message(owner: User, disk: Disk) -> None:
    alert_of(owner)
    run = ended(run_on(owner, disk), RunState.FAILED)
    ResultSummary.objects.filter(run=run).update(expectation_verdict="missed")
    alerts_evaluate()
    assert len(AlertNotification.objects.get().text_lines) == 2
    assert len(mail.outbox) == 1


def test_change_of_level_is_notified_once(owner: User, disk: Disk) -> None:
    first = [run_on(owner, disk, days=day - 30) for day in range(1, 13)]
    key = first[0].cases.all()[0].workload.key
    query = f"workload={key}&target={disk.pk}&metric=iops"
    alert = alert_of(owner, view="history", query=query)
    Alert.objects.filter(pk=alert.pk).update(created_at=timezone.now() - timedelta(days=18))
    ended(first[-1])
    alerts_evaluate()
    assert lines() == []
    for day in range(13, 22):
        ended(run_on(owner, disk, days=day - 30, gain=0.8))
        alerts_evaluate()
    assert len(lines()) == 1
    assert "a level changed" in lines()[0]


def test_unhealthy_host_is_notified_until_it_recovers(owner: User, disk: Disk) -> None:
    alert_of(owner, on_unhealthy=True)

    def health(value: str) -> int:
        Host.objects.update(health=value, health_text="no route to host")
        alerts_evaluate()
        return len(lines())

    assert health(Host.Health.UNREACHABLE) == 1
    assert "no route to host" in lines()[0]
    assert health(Host.Health.UNREACHABLE) == 1
    assert health(Host.Health.OK) == 1
    assert health(Host.Health.UNREACHABLE) == 2


@pytest.mark.parametrize(
    ("first", "last", "hour", "quiet"),
    [(22, 6, 23, True), (22, 6, 3, True), (22, 6, 6, False), (8, 12, 9, True), (8, 12, 12, False),
     (None, None, 3, False)],
)  # fmt: skip
def test_messages_wait_in_quiet_hours(
    first: int | None, last: int | None, hour: int, quiet: bool
) -> None:
    alert = Alert(quiet_from=first, quiet_to=last)
    assert alert.is_quiet(datetime(2026, 1, 1, hour, 30, tzinfo=UTC)) == quiet


@pytest.mark.parametrize(
    ("moment", "quiet"),
    [
        ("2026-03-28T05:30Z", True), ("2026-03-28T06:00Z", False),
        ("2026-03-29T04:30Z", True), ("2026-03-29T05:00Z", False),
        ("2026-03-29T20:00Z", True),
    ],
)  # fmt: skip
def test_quiet_hours_are_those_of_a_place(moment: str, quiet: bool) -> None:
    """22 to 7 o'clock in Berlin, an hour earlier in UTC from 29 March 2026 on (tzdata)."""
    alert = Alert(quiet_from=22, quiet_to=7, quiet_zone="Europe/Berlin")
    assert alert.is_quiet(datetime.fromisoformat(moment)) == quiet


def test_the_form_begins_with_the_persons_own_zone(owner: User, owner_client: Client) -> None:
    User.objects.filter(pk=owner.pk).update(time_zone="Asia/Tokyo")
    chosen = '<option value="Asia/Tokyo" selected>Asia/Tokyo</option>'
    assert chosen in owner_client.get("/alerts/new/").content.decode()
    form = {"name": "lab", "mail": MAIL, "on_failed": "on", "quiet_from": "22", "quiet_to": "7"}
    owner_client.post("/alerts/new/", form | {"quiet_zone": "Asia/Tokyo"})
    alert = Alert.objects.get()
    assert alert.quiet_zone == "Asia/Tokyo"
    User.objects.filter(pk=owner.pk).update(time_zone="Europe/Berlin")
    assert chosen in owner_client.get(f"/alerts/{alert.pk}/edit/").content.decode()


def test_a_message_is_sent_after_the_quiet_hours(owner: User) -> None:
    alert = alert_of(owner, quiet_from=0, quiet_to=12)
    with time_machine.travel(datetime(2027, 1, 1, 3, tzinfo=UTC)):
        AlertNotification.objects.create(alert=alert, text_lines=["x"])
        alerts_evaluate()
        assert mail.outbox == []
    with time_machine.travel(datetime(2027, 1, 1, 12, 1, tzinfo=UTC)):
        alerts_evaluate()
    assert len(mail.outbox) == 1


def test_a_hook_that_fails_is_tried_again_and_the_mail_is_not(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    alert = alert_of(owner, webhook="slack", webhook_address="https://webhooks.example/secret")
    asked: list[str] = []

    def refuse(address: str, *_args: Any) -> None:
        asked.append(address)
        raise WebhookError("inner address")

    monkeypatch.setattr(deliver, "post", refuse)
    row = AlertNotification.objects.create(alert=alert, text_lines=["x"])
    for _number in range(MAX_ATTEMPTS + 2):
        AlertNotification.objects.update(next_at=timezone.now())
        alerts_evaluate()
    row.refresh_from_db()
    assert (row.state, row.attempts, len(asked), len(mail.outbox)) == (
        "failed",
        MAX_ATTEMPTS,
        MAX_ATTEMPTS,
        1,
    )
    assert asked[0] == "https://webhooks.example/secret"
    assert "secret" not in row.problem
    assert "inner address" in row.problem


def test_a_message_that_cannot_be_sent_at_all_keeps_no_other_back(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooked = alert_of(owner, webhook="slack", webhook_address="https://webhooks.example/x", mail="")
    AlertNotification.objects.create(alert=hooked, text_lines=["x"])
    AlertNotification.objects.create(alert=alert_of(owner), text_lines=["y"])

    def broken(*_args: Any) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(deliver, "post", broken)
    alerts_evaluate()
    assert [message.to for message in mail.outbox] == [[MAIL]]
    for _number in range(MAX_ATTEMPTS + 1):
        AlertNotification.objects.update(next_at=timezone.now())
        alerts_evaluate()
    row = AlertNotification.objects.get(alert=hooked)
    assert (row.state, row.attempts) == ("failed", MAX_ATTEMPTS)
    assert "log" in row.problem


def test_the_hooks_address_is_encrypted_and_never_shown(
    owner: User, owner_client: Client, api: Api, viewer: User
) -> None:
    alert = alert_of(owner, webhook="teams", webhook_address="https://webhooks.example/T0KEN")
    row = Alert.objects.get(pk=alert.pk)
    assert b"T0KEN" not in bytes(row.webhook_address or b"")
    assert row.webhook_credentials() == ("https://webhooks.example/T0KEN", "")
    for page in ("alert_detail", "alert_edit"):
        assert "T0KEN" not in owner_client.get(reverse(page, args=[alert.pk])).content.decode()
    said = api(viewer).get(f"/api/v1/alerts/{alert.pk}/")
    assert "T0KEN" not in said.content.decode()
    assert said.json()["webhook_host"] == "webhooks.example"
    assert any(name == "alert lab" for name, _again in encrypted_rows())
    alert_reencrypt(alert=row)
    row.refresh_from_db()
    assert row.webhook_credentials()[0].endswith("T0KEN")
    # An empty field keeps what there is.
    alert_save(user=owner, alert=row, fields={"name": "other", "webhook_address": ""})
    row.refresh_from_db()
    assert row.webhook_credentials()[0].endswith("T0KEN")


@pytest.mark.django_db(transaction=True)
def test_a_message_is_sent_outside_of_transactions_by_one_at_a_time(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    alert = alert_of(owner, webhook="slack", webhook_address="https://webhooks.example/x")
    row = AlertNotification.objects.create(alert=alert, text_lines=["x"])
    seen: list[bool] = []

    def slow(*_args: Any) -> None:
        seen.append(connection.in_atomic_block)
        alerts_evaluate()  # another worker's look while this one waits for the webhook

    monkeypatch.setattr(deliver, "post", slow)
    alerts_evaluate()
    row.refresh_from_db()
    assert (seen, row.state, row.delivered_to, row.attempts) == (
        [False],
        "sent",
        ["mail", "webhook"],
        1,
    )
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"mail": ""}, "mail"), ({"mail": "nobody"}, "mail"), ({"quiet_from": 3}, "quiet_to"),
        ({"quiet_zone": "Mars/Olympus"}, "quiet_zone"),
        ({"view": "history", "query": "colour=red"}, "query"),
        ({"view": "history", "query": ""}, "query"),
        ({"webhook": "generic"}, "webhook_address"),
        ({"webhook": "generic", "webhook_address": "file:///etc/passwd"}, "webhook_address"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(
    owner: User, api: Api, fields: dict[str, Any], wrong: str
) -> None:
    body = {"name": "lab", "mail": MAIL} | fields
    found = api(owner).post("/api/v1/alerts/", body, format="json")
    assert found.status_code == 400, found.content
    assert wrong in found.json()["error"]["fields"]


def test_who_may_set_and_change_one(owner: User, api: Api, viewer: User, stranger: User) -> None:
    body = {"name": "lab", "mail": MAIL}
    assert api(viewer).post("/api/v1/alerts/", body, format="json").status_code == 403
    made = api(owner).post("/api/v1/alerts/", body, format="json").json()
    address = f"/api/v1/alerts/{made['id']}/"
    assert api(viewer).get(f"{address}notifications/").json() == []
    assert api(stranger).patch(address, {"mail": "me@x.org"}, format="json").status_code == 403
    assert api(owner).patch(address, {"enabled": False}, format="json").status_code == 200
    assert api(stranger).delete(address).status_code == 403
    assert api(owner).delete(address).status_code == 204


def test_nobody_gives_one_to_a_team_of_others(owner: User, api: Api) -> None:
    body = {"name": "lab", "mail": MAIL, "team": Team.objects.create(name="others").pk}
    answer = api(owner).post("/api/v1/alerts/", body, format="json")
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["team"])
    assert not Alert.objects.exists()


def test_pages_of_a_view_lead_to_it(owner: User, owner_client: Client, disk: Disk) -> None:
    key = run_on(owner, disk).cases.all()[0].workload.key
    page = owner_client.get(reverse("history"), {"workload": key}).content.decode()
    assert f"{reverse('alert_new')}?view=history&amp;query=workload%3D{key}" in page
    where = f"{reverse('history')}?workload={key}"
    link = {"view": "history", "query": f"workload={key}"}
    assert f'value="{where}"' in owner_client.get(reverse("alert_new"), link).content.decode()
    form = {"name": "lab", "query": f"https://lab.example{where}", "mail": MAIL}
    form |= {"on_failed": "on", "enabled": "on", "webhook": ""}
    made = owner_client.post(reverse("alert_new"), form)
    assert made.status_code == 302, made.content
    alert = Alert.objects.get()
    assert (alert.view, alert.query) == ("history", f"workload={key}")
    assert owner_client.post(reverse("alert_send_test", args=[alert.pk])).status_code == 302
    part = f"{made['Location']}?part=notifications"
    assert part in owner_client.get(made["Location"]).content.decode()
    assert owner_client.get(part).status_code == 200
    alerts_evaluate()
    assert part not in owner_client.get(made["Location"]).content.decode()
    assert owner_client.get(part).status_code == 286  # it ends the polling
    assert "Test of the alert" in mail.outbox[0].body
    assert "sent" in owner_client.get(made["Location"]).content.decode()
    assert owner_client.post(reverse("alert_delete", args=[alert.pk])).status_code == 302
