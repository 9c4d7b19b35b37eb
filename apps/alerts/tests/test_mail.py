"""Messages as a mail server gets them, and what is said of one that takes none."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from typing import Any, cast

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts.models import User
from apps.alerts.models import AlertNotification
from apps.alerts.services import alerts
from apps.alerts.services.alerts import alert_save, alert_send_test
from apps.alerts.services.evaluate import alerts_evaluate


class MailServer(socketserver.ThreadingTCPServer):
    """As much of SMTP (RFC 5321) as smtplib needs. `refuses`: receivers that it does not know."""

    daemon_threads = True
    refuses = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Dialogue)
        self.got: list[tuple[list[str], bytes]] = []


class _Dialogue(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server = cast(MailServer, self.server)
        receivers: list[str] = []
        self.say("220 test")
        while line := self.rfile.readline().decode().strip():
            verb = line.upper()
            if verb.startswith("RCPT") and server.refuses and server.refuses in line:
                self.say("550 no such user here")
                continue
            if verb.startswith("RCPT"):
                receivers.append(line.partition("<")[2].rstrip(">"))
            if verb == "DATA":
                self.say("354 go on")
                server.got.append((receivers, self.body()))
            self.say("221 bye" if verb == "QUIT" else "250 ok")

    def body(self) -> bytes:
        lines = iter(self.rfile.readline, b".\r\n")
        return b"".join(line.removeprefix(b".") for line in lines)

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@pytest.fixture
def mail_server(settings: Any) -> Iterator[MailServer]:
    with MailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_mail_server_gets_the_message_whole(owner: User, mail_server: MailServer) -> None:
    to = "lab@example.org, ops@example.org"
    alert = alert_save(user=owner, fields={"name": "Ärger\nx", "mail": to})
    sent = alert_send_test(alert=alert, user=owner)
    alerts_evaluate()
    sent.refresh_from_db()
    assert (sent.state, sent.problem, sent.delivered_to) == ("sent", "", ["mail"])
    receivers, raw = mail_server.got[0]
    assert receivers == ["lab@example.org", "ops@example.org"]
    found = message_from_bytes(raw, policy=default)
    assert str(found["Subject"]).strip().startswith("benchlab: Ärger x: Test")
    assert found["To"] == to
    assert "Test of the alert" in found.get_content()


def test_alert_send_test_requests_an_evaluation_at_once(
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    hints: list[str] = []
    monkeypatch.setattr(alerts, "send", hints.append)
    alert = alert_save(user=owner, fields={"name": "lab", "mail": "lab@example.org"})
    with django_capture_on_commit_callbacks(execute=True):
        alert_send_test(alert=alert, user=owner)
    assert hints == ["alerts.evaluate"]


def test_refused_mail_is_shown_and_retried(owner: User, mail_server: MailServer) -> None:
    mail_server.refuses = "lab@"
    alert = alert_save(user=owner, fields={"name": "lab", "mail": "lab@example.org"})
    sent = alert_send_test(alert=alert, user=owner)
    alerts_evaluate()
    sent.refresh_from_db()
    assert (sent.state, sent.attempts) == (AlertNotification.State.WAITING, 1)
    assert "no such user" in sent.problem
    assert mail_server.got == []
