"""DingTalk, WeCom and Feishu: a good status with an error number is a failure."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.alerts.domain import webhooks
from apps.alerts.domain.bodies import AlertBody, dingtalk, encode, feishu, wecom
from apps.alerts.models import AlertNotification
from apps.alerts.services.evaluate import alerts_evaluate
from apps.alerts.services.rate import MESSAGES_A_MINUTE
from apps.alerts.tests.imitated_receivers import SECRET, TOKEN, ImitatedReceivers
from apps.alerts.tests.robots import KINDS, SIGNED, again, robot, sent


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
