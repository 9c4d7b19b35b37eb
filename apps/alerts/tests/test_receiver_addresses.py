"""Which addresses webhooks reach, and what a receiver may do to the worker."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import ApiToken, AuditEntry, User
from apps.alerts.domain import webhooks
from apps.alerts.domain.receivers import receiver_fault
from apps.alerts.models import Alert
from apps.alerts.services.alerts import alert_save
from apps.alerts.tests.imitated_receivers import SECRET, TOKEN, ImitatedReceivers
from apps.alerts.tests.robots import KINDS, again, robot, sent
from apps.common.errors import ServiceError


@pytest.mark.parametrize(
    ("kind", "address", "fault"),
    [
        ("generic", "https://oapi.dingtalk.com/robot/send?access_token=1", "Choose DingTalk"),
        ("feishu", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=1", "Choose WeCom"),
        ("slack", "https://open.larksuite.com/open-apis/bot/v2/hook/1", "Choose Feishu"),
        ("teams", "https://open.feishu.cn./open-apis/bot/v2/hook/1", "Choose Feishu"),
        ("wecom", "https://OAPI.DingTalk.com/robot/send?access_token=1", "Choose DingTalk"),
        ("dingtalk", "https://hooks.slack.com/services/1", "Choose Slack"),
        ("dingtalk", "https://oapi.dingtalk.com/robot/send", "access_token"),
        ("wecom", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?kay=1", "key"),
        ("feishu", "http://open.feishu.cn/open-apis/bot/v2/hook/1", "https"),
    ],
)
def test_address_of_another_service_is_refused(
    owner: User, kind: str, address: str, fault: str
) -> None:
    fields = {"name": "lab", "webhook": kind, "webhook_address": address}
    with pytest.raises(ServiceError) as refused:
        alert_save(user=owner, fields=fields)
    assert fault in refused.value.message
    assert not Alert.objects.exists()


def test_own_server_may_imitate_a_service() -> None:
    assert receiver_fault("dingtalk", "https://proxy.lab/robot") == ""


def test_change_of_kind_checks_the_stored_address(owner: User) -> None:
    address = "https://oapi.dingtalk.com/robot/send?access_token=1"
    fields = {"name": "lab", "webhook": "dingtalk", "webhook_address": address}
    alert = alert_save(user=owner, fields=fields | {"webhook_secret": SECRET})
    with pytest.raises(ServiceError, match="Choose DingTalk"):
        alert_save(user=owner, fields={"webhook": "generic"}, alert=alert)
    other = "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=1"
    changed = {"webhook": "wecom", "webhook_address": other}
    with pytest.raises(ServiceError, match="has no signature"):
        alert_save(user=owner, fields=changed | {"webhook_secret": SECRET}, alert=alert)
    alert = alert_save(user=owner, fields=changed, alert=alert)
    assert alert.webhook_credentials() == (other, "")


OLD, NEW = "https://hooks.lab/a", "https://attacker.example/b"


def test_another_address_does_not_get_the_secret_of_the_old_one(owner: User) -> None:
    fields = {"name": "lab", "webhook": "generic", "webhook_address": OLD}
    alert = alert_save(user=owner, fields=fields | {"webhook_secret": SECRET})
    alert = alert_save(user=owner, fields={"webhook_address": OLD}, alert=alert)
    assert alert.webhook_credentials() == (OLD, SECRET)
    alert = alert_save(user=owner, fields={"webhook_address": NEW}, alert=alert)
    assert alert.webhook_credentials() == (NEW, "")
    both = {"webhook_address": OLD, "webhook_secret": "entered again"}
    alert = alert_save(user=owner, fields=both, alert=alert)
    assert alert.webhook_credentials() == (OLD, "entered again")


def test_page_and_api_remove_the_secret_with_the_address(owner: User, owner_client: Client) -> None:
    fields = {"name": "lab", "webhook": "generic", "webhook_address": OLD}
    alert = alert_save(user=owner, fields=fields | {"webhook_secret": SECRET})
    form = {"name": "lab", "webhook": "generic", "webhook_address": NEW, "on_failed": "on"}
    page = owner_client.post(reverse("alert_edit", args=[alert.pk]), form, follow=True)
    assert page.status_code == 200
    assert [str(one) for one in page.context["messages"]]
    alert.refresh_from_db()
    assert alert.webhook_credentials() == (NEW, "")
    alert_save(user=owner, fields={"webhook_secret": SECRET}, alert=alert)
    client = APIClient()
    client.force_authenticate(owner, ApiToken(user=owner))
    answer = client.patch(f"/api/v1/alerts/{alert.pk}/", {"webhook_address": OLD}, format="json")
    assert answer.status_code == 200
    alert.refresh_from_db()
    assert alert.webhook_credentials() == (OLD, "")


def test_secret_is_encrypted_and_in_no_page(
    owner: User, owner_client: Client, receivers: ImitatedReceivers
) -> None:
    alert = robot(owner, receivers, "dingtalk")
    row = Alert.objects.get(pk=alert.pk)
    assert SECRET.encode() not in bytes(row.webhook_secret or b"")
    for page in (reverse("alert_detail", args=[row.pk]), reverse("alert_edit", args=[row.pk]),
                 f"/api/v1/alerts/{row.pk}/", reverse("alert_list")):  # fmt: skip
        text = owner_client.get(page).content.decode()
        assert SECRET not in text
        assert TOKEN not in text


def test_robot_in_the_own_network_is_refused(
    owner: User, receivers: ImitatedReceivers, settings: Any
) -> None:
    alert = robot(owner, receivers, "dingtalk")
    settings.WEBHOOK_NETWORKS = []
    row = sent(alert)
    assert "inner address" in row.problem
    assert receivers.requests == []
    row = again(row)
    assert row.attempts == 2
    entry = AuditEntry.objects.get(action="refuse")
    assert (entry.object_id, entry.detail) == (str(alert.pk), {"webhook": "127.0.0.1"})


INNER = (
    "https://127.0.0.1/robot?key=1", "https://[::1]/x", "http://169.254.169.254/latest/meta-data/",
    "https://10.1.2.3:8443/x", "https://[::ffff:10.0.0.1]/x", "https://[64:ff9b::7f00:1]/x",
    "http://0.0.0.0/", "https://93.184.215.14:22/",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["generic", *KINDS])
@pytest.mark.parametrize("address", INNER)
def test_inner_address_is_not_stored(owner: User, kind: str, address: str) -> None:
    with pytest.raises(ServiceError, match="inner address"):
        alert_save(user=owner, fields={"name": "x", "webhook": kind, "webhook_address": address})
    assert not Alert.objects.exists()
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.user, entry.object_type) == ("refuse", owner, "alert")


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1", "017700000001"])
def test_other_spellings_of_inner_addresses_are_refused_at_sending(
    owner: User, receivers: ImitatedReceivers, settings: Any, host: str
) -> None:
    settings.WEBHOOK_NETWORKS = []
    address = f"http://{host}:{receivers.server_port}/cgi-bin/webhook/send?key={TOKEN}"
    row = sent(robot(owner, receivers, "wecom", webhook_address=address))
    assert row.state == "waiting"
    assert receivers.requests == []


def test_slow_answer_ends_at_the_deadline(
    receivers: ImitatedReceivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receiver sends a byte now and then, so no single read times out."""
    monkeypatch.setattr(webhooks, "DEADLINE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"

        def drip() -> None:
            connection, _peer = server.accept()
            with connection:
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\n")
                    for number in range(100):
                        connection.sendall(f"X-{number}: y\r\n".encode())
                        time.sleep(0.1)
                except OSError:
                    return

        thread = threading.Thread(target=drip)
        thread.start()
        begin = time.monotonic()
        with pytest.raises(OSError, match="No whole response"):
            webhooks.post(address, b"{}")
        assert time.monotonic() - begin < 9
        thread.join()


def test_endless_answer_is_read_in_part(owner: User, receivers: ImitatedReceivers) -> None:
    receivers.answers["wecom"] = [(200, b'{"errcode": 0, "x": "' + b"x" * 1_000_000 + b'"}')]
    row = sent(robot(owner, receivers, "wecom"))
    assert (row.state, "no error number" in row.problem) == ("waiting", True)
