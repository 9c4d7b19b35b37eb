"""DingTalk, WeCom and Feishu: a good status with an error number is a failure."""

from __future__ import annotations

import json
import socket
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import AuditEntry, User
from apps.alerts.domain import webhooks
from apps.alerts.domain.bodies import AlertBody, dingtalk, encode, feishu, wecom
from apps.alerts.domain.receivers import receiver_fault
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.alerts.services.rate import MESSAGES_A_MINUTE
from apps.alerts.tests.imitated_receivers import SECRET, TOKEN, ImitatedReceivers
from apps.common.errors import ServiceError

KINDS = ("dingtalk", "wecom", "feishu")
SIGNED = ("dingtalk", "feishu")


def robot(owner: User, receivers: ImitatedReceivers, kind: str, **fields: Any) -> Alert:
    secret = SECRET if kind in SIGNED else ""
    usual = {"webhook_address": receivers.address(kind), "webhook_secret": secret}
    return alert_save(user=owner, fields={"name": "lab", "webhook": kind} | usual | fields)


def sent(alert: Alert, *lines: str) -> AlertNotification:
    row = AlertNotification.objects.create(alert=alert, text_lines=list(lines) or ["slow"])
    alerts_evaluate()
    row.refresh_from_db()
    return row


def again(row: AlertNotification) -> AlertNotification:
    AlertNotification.objects.filter(pk=row.pk).update(next_at=timezone.now())
    alerts_evaluate()
    row.refresh_from_db()
    return row


@pytest.mark.parametrize("kind", KINDS)
def test_receiver_accepts_a_signed_message(
    owner: User, receivers: ImitatedReceivers, kind: str
) -> None:
    row = sent(robot(owner, receivers, kind), "p99 of sdb: 3 ms")
    assert (row.state, row.problem, row.delivered_to) == ("sent", "", ["webhook"])
    ((taken_by, document),) = receivers.taken
    assert taken_by == kind
    assert "p99 of sdb: 3 ms" in json.dumps(document, ensure_ascii=False)


@pytest.mark.parametrize(
    ("kind", "number", "text", "is_final"),
    [
        ("dingtalk", 310000, "keywords not in content", True),
        ("dingtalk", 400101, "token is not exist", True),
        ("dingtalk", 40035, "missing parameter json", True),
        ("dingtalk", 460101, "message too long", True),
        ("dingtalk", 130101, "send too fast", False),
        ("dingtalk", -1, "system busy", False),
        ("wecom", 93000, "invalid webhook url", True),
        ("wecom", 40058, "invalid parameter", True),
        ("wecom", 45009, "api freq out of limit", False),
        ("feishu", 19021, "sign match fail", True),
        ("feishu", 19024, "Key Words Not Found", True),
        ("feishu", 9499, "Bad Request", True),
        ("feishu", 11232, "frequency limited", False),
    ],
)
def test_error_number_of_a_good_status_is_a_failure(
    owner: User,
    owner_client: Client,
    receivers: ImitatedReceivers,
    kind: str,
    number: int,
    text: str,
    is_final: bool,
) -> None:
    names = ("code", "msg") if kind == "feishu" else ("errcode", "errmsg")
    answer = json.dumps(dict(zip(names, (number, text), strict=True))).encode()
    receivers.answers[kind] = [(200, answer)]
    alert = robot(owner, receivers, kind)
    row = sent(alert)
    assert row.state == ("failed" if is_final else "waiting")
    assert f"Error {number}: {text}" in row.problem
    page = owner_client.get(reverse("alert_detail", args=[alert.pk])).content.decode()
    assert f"Error {number}: {text}" in page
    row = again(row)
    assert len(receivers.requests) == (1 if is_final else 2)
    assert row.state == ("failed" if is_final else "sent")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "answer",
    [b"", b"<html>login</html>", b"[]", b"{}", b'{"errcode": "0", "code": "0"}', b"0", b"\xff\xfe",
     b'{"errcode": false, "code": false}', b'{"errcode": null, "code": null}'],
)  # fmt: skip
def test_answer_without_error_number_is_a_failure(
    owner: User, receivers: ImitatedReceivers, kind: str, answer: bytes
) -> None:
    receivers.answers[kind] = [(200, answer)]
    row = sent(robot(owner, receivers, kind))
    assert row.state == "waiting"
    assert "no error number" in row.problem


def test_older_answers_of_feishu_are_read(owner: User, receivers: ImitatedReceivers) -> None:
    receivers.answers["feishu"] = [
        (200, b'{"StatusCode": 19021, "StatusMessage": "sign match fail"}'),
        (200, b'{"Extra": null, "StatusCode": 0, "StatusMessage": "success"}'),
    ]
    alert = robot(owner, receivers, "feishu")
    assert "sign match fail" in sent(alert).problem
    assert sent(alert).state == "sent"


@pytest.mark.parametrize("kind", SIGNED)
def test_wrong_secret_is_refused_by_the_receiver_and_not_retried(
    owner: User, receivers: ImitatedReceivers, kind: str
) -> None:
    row = sent(robot(owner, receivers, kind, webhook_secret="SECanother"))
    assert (row.state, row.attempts, receivers.taken) == ("failed", 1, [])
    assert ("sign not match" if kind == "dingtalk" else "sign match fail") in row.problem


@pytest.mark.parametrize("kind", SIGNED)
def test_retry_after_more_than_an_hour_is_signed_anew(
    owner: User, receivers: ImitatedReceivers, kind: str
) -> None:
    receivers.answers[kind] = [(503, b"")]
    row = sent(robot(owner, receivers, kind))
    assert "503" in row.problem
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=True):
        row = again(row)
    assert (row.state, len(receivers.taken)) == ("sent", 1)
    first, second = receivers.requests
    assert first != second


def test_stale_signature_is_refused_by_the_imitation(
    owner: User, receivers: ImitatedReceivers
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        row = sent(robot(owner, receivers, "dingtalk"))
        address, body = receivers.requests[0]
        clock.shift(3601)
        answer = webhooks.post(f"http://127.0.0.1:{receivers.server_port}{address}", body)
    assert row.state == "sent"
    assert json.loads(answer)["errmsg"] == "invalid timestamp"


def test_pasted_signature_is_replaced(owner: User, receivers: ImitatedReceivers) -> None:
    pasted = receivers.address("dingtalk") + "&timestamp=1599360473000&sign=abc%3D"
    assert sent(robot(owner, receivers, "dingtalk", webhook_address=pasted)).state == "sent"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sign", ["x", "测", '"', "\\", "😀", "<"])
def test_long_messages_fit(owner: User, receivers: ImitatedReceivers, kind: str, sign: str) -> None:
    alert = robot(owner, receivers, kind, name=sign * 120)
    lines = [sign * 2_000 for _number in range(50)]
    assert sent(alert, *lines).problem == ""
    assert "more" in json.dumps(receivers.taken[0][1], ensure_ascii=False)


def test_longest_link_fits_or_is_left_out() -> None:
    for length in (900, 5_000):
        body = AlertBody("测" * 120, ["测" * 500] * 20, "https://lab/" + "x" * length)
        for content in (dingtalk(body), feishu(body)):
            assert len(encode(content)) <= 20_000
        markdown: Any = wecom(body)["markdown"]
        assert len(markdown["content"].encode()) <= 4_096
        assert ("https://lab/" in markdown["content"]) == (length == 900)


@pytest.mark.parametrize("kind", ["dingtalk", "wecom"])
def test_names_become_no_markup(kind: str) -> None:
    hostile = '<@all> [x](http://evil) ![y](http://evil/pixel)\n# head <at user_id="all">'
    body = {"dingtalk": dingtalk, "wecom": wecom}[kind](AlertBody(hostile, [hostile], "https://b/"))
    markdown: Any = body["markdown"]
    text = str(markdown.get("text") or markdown["content"])
    assert "<" not in text
    assert text.count("](") == 1
    assert "[benchlab](https://b/)" in text
    assert "\n#" not in text.removeprefix("#")


def test_feishu_gets_plain_elements() -> None:
    content: Any = feishu(AlertBody("a", ['<at user_id="all">', "b\nc"], "https://b/"))["content"]
    rows = content["post"]["zh_cn"]["content"]
    assert [row[0]["tag"] for row in rows] == ["text", "text", "a"]
    assert rows[1][0]["text"] == "b c"


@pytest.mark.parametrize("kind", KINDS)
def test_reported_text_has_no_secrets_and_is_short(
    owner: User, receivers: ImitatedReceivers, kind: str
) -> None:
    text = f"{receivers.address(kind)} {TOKEN} {SECRET} \x1b[31m\n\u202e" + "long " * 1_000
    names = ("code", "msg") if kind == "feishu" else ("errcode", "errmsg")
    receivers.answers[kind] = [(200, json.dumps(dict(zip(names, (7, text), strict=True))).encode())]
    problem = sent(robot(owner, receivers, kind)).problem
    assert TOKEN not in problem
    assert SECRET not in problem or kind == "wecom"  # a WeCom robot has none
    assert "\x1b" not in problem
    assert "\u202e" not in problem
    assert len(problem) < 300


@pytest.mark.parametrize("kind", KINDS)
def test_limit_of_messages_a_minute_counts_all_alerts_of_an_address(
    owner: User, receivers: ImitatedReceivers, kind: str
) -> None:
    alerts = [robot(owner, receivers, kind, name=f"lab {number}") for number in range(2)]
    start = timezone.now().replace(microsecond=0)
    with time_machine.travel(start, tick=False) as clock:
        for number in range(25):
            AlertNotification.objects.create(alert=alerts[number % 2], text_lines=[str(number)])
        alerts_evaluate()
        assert len(receivers.taken) == MESSAGES_A_MINUTE
        waiting = AlertNotification.objects.filter(state="waiting")
        assert waiting.count() == 7
        assert all(row.attempts == 0 and "18 messages" in row.problem for row in waiting)
        assert all(row.next_at == start + timedelta(minutes=1) for row in waiting)
        clock.shift(61)
        alerts_evaluate()
    assert len(receivers.taken) == 25
    assert not AlertNotification.objects.exclude(state="sent").exists()


def test_refused_webhook_does_not_stop_the_mail(
    owner: User, receivers: ImitatedReceivers, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    alert = robot(owner, receivers, "feishu", webhook_secret="wrong", mail="lab@example.org")
    row = sent(alert)
    assert (row.state, len(receivers.requests)) == ("waiting", 1)
    settings.EMAIL_HOST = "mail"
    row = again(row)
    assert (row.state, row.delivered_to, len(receivers.requests)) == ("failed", ["mail"], 1)
    assert "19021" in row.problem
    assert "EMAIL_URL" not in row.problem


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
        assert time.monotonic() - begin < 5
        thread.join()


def test_endless_answer_is_read_in_part(owner: User, receivers: ImitatedReceivers) -> None:
    receivers.answers["wecom"] = [(200, b'{"errcode": 0, "x": "' + b"x" * 1_000_000 + b'"}')]
    row = sent(robot(owner, receivers, "wecom"))
    assert (row.state, "no error number" in row.problem) == ("waiting", True)
