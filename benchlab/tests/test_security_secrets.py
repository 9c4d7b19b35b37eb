"""A private key that goes in comes out nowhere: canaries are looked for wherever text leaves."""

from __future__ import annotations

from collections.abc import Callable

import asyncssh
import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.inventory.models import Host

PASSPHRASE = "canary of the passphrase"
PAGES = [
    *("/", "/hosts/", "/hosts/{pk}/", "/hosts/{pk}/edit/", "/hosts/{pk}/body/", "/audit/"),
    *("/api/v1/hosts/", "/api/v1/hosts/{pk}/", "/ssh-keys/"),
]


@pytest.fixture
def private_key() -> str:
    key = asyncssh.generate_private_key("ssh-ed25519")
    # One round: what guards the file costs half a second of a processor each time it is read.
    pem = key.export_private_key(passphrase=PASSPHRASE, rounds=1, ignore_few_rounds=True)
    return pem.decode()


@pytest.fixture
def canaries(private_key: str) -> list[str]:
    """The passphrase and a line from the middle of the key: neither is anywhere else."""
    return [PASSPHRASE, private_key.splitlines()[3]]


@pytest.fixture
def host(private_key: str, api: Callable[[User | None], APIClient], admin: User) -> Host:
    said = {
        "name": "guarded", "address": "192.0.2.9",
        "private_key": private_key, "passphrase": PASSPHRASE,
    }  # fmt: skip
    made = api(admin).post("/api/v1/hosts/", said)
    assert made.status_code == 201, made.content
    assert PASSPHRASE not in made.content.decode()
    assert "PRIVATE" not in made.content.decode()
    return Host.objects.get(pk=made.json()["id"])


def test_no_page_and_no_answer_shows_it(
    host: Host, canaries: list[str], admin_client: Client
) -> None:
    for page in PAGES:
        where = page.format(pk=host.pk)
        response = admin_client.get(where, follow=True)
        text = response.content.decode()
        assert response.status_code == 200, page
        assert [canary for canary in canaries if canary in text] == [], page
        assert "PRIVATE KEY-----\n" not in text, page


def test_neither_the_audit_record_nor_the_log_has_it(
    host: Host,
    canaries: list[str],
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    written = [str(list(AuditEntry.objects.values())), caplog.text, *capsys.readouterr()]
    assert AuditEntry.objects.exists()
    assert [canary for canary in canaries if any(canary in text for text in written)] == []


def test_the_database_holds_it_encrypted_only(host: Host, canaries: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select c::text, h::text from inventory_credential c, inventory_host h")
        rows = str(cursor.fetchall())
    assert "guarded" in rows
    assert [canary for canary in canaries if canary in rows] == []


def test_a_refused_key_is_not_repeated_in_the_refusal(
    canaries: list[str], private_key: str, api: Callable[[User | None], APIClient], admin: User
) -> None:
    said = {"name": "x", "address": "192.0.2.9", "private_key": private_key, "passphrase": "wrong"}
    answer = api(admin).post("/api/v1/hosts/", said)
    assert answer.status_code == 400
    assert [canary for canary in canaries if canary in answer.content.decode()] == []


def test_a_tokens_secret_is_said_once(
    api: Callable[[User | None], APIClient], viewer: User
) -> None:
    made = api(viewer).post("/api/v1/tokens/", {"name": "once"}).json()
    again = api(viewer).get(f"/api/v1/tokens/{made['id']}/").content.decode()
    listed = api(viewer).get("/api/v1/tokens/").content.decode()
    assert made["token"] not in again + listed + str(list(AuditEntry.objects.values()))
