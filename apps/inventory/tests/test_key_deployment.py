"""The page of a one-time password: who may, what it sends where, and that nothing has it later."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.test import Client

from apps.accounts.fresh_login import FRESH
from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.services import credential_create, host_batch_deploy_keys, key_deployment
from apps.inventory.tests.factories import create_batch, create_host
from apps.remote.key_deployment import DeploymentResult, KeyDeployment
from tests.harness.password_host import PASSWORD as BOX_PASSWORD
from tests.harness.password_host import MakeBox, password_box

pytestmark = pytest.mark.django_db
PASSWORD = "s3cret of the lab"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[int, KeyDeployment], str]]:
    """What is deployed with which password; every host takes the key."""
    seen: list[tuple[dict[int, KeyDeployment], str]] = []

    async def deploy(deployments: Any, password: str, seconds: float) -> dict[int, Any]:
        seen.append((deployments, password))
        return {key: DeploymentResult("key_deployed") for key in deployments}

    monkeypatch.setattr(key_deployment, "deploy_keys", deploy)
    return seen


def new_host(admin: User, name: str, **fields: Any) -> Host:
    key = credential_create(user=admin, name=f"key of {name}")
    wanted = {"key_source": Host.KeySource.STORED, "credential": key}
    return create_host(name=name, **wanted | {"health": Host.Health.UNCHECKED} | fields)


def test_the_selected_hosts_get_their_key(
    admin: User,
    admin_client: Client,
    sent: list[tuple[dict[int, KeyDeployment], str]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    first, second = new_host(admin, "a"), new_host(admin, "b")
    reached = new_host(admin, "c", health=Host.Health.OK)
    other = new_host(admin, "elsewhere")
    batch = create_batch(admin, first, second, reached)
    body = {"one_time_password": PASSWORD, "host": [first.pk, reached.pk, other.pk, "x"]}
    response = admin_client.post(f"/host-batches/{batch.pk}/deploy-key/", body)
    assert response.status_code == 200
    [(deployments, password)] = sent
    assert (list(deployments), password) == ([first.pk], PASSWORD)
    assert first.credential is not None
    assert deployments[first.pk].line.split()[1] == first.credential.public_key.split()[1]
    details = [entry.detail for entry in AuditEntry.objects.filter(action="deploy key")]
    assert {"hosts": ["a"]} in details
    assert {"results": {"a": "key_deployed"}} in details
    first.refresh_from_db()
    assert first.check_requested_at is not None
    rows = [list(model._default_manager.values()) for model in apps.get_models()]
    assert PASSWORD not in f"{response.content.decode()}{caplog.text}{rows}"


def test_a_fresh_login_between_drops_the_password(
    admin: User, admin_client: Client, sent: list[Any]
) -> None:
    host = new_host(admin, "a")
    batch = create_batch(admin, host)
    session = admin_client.session
    session[FRESH] = 0
    session.save()
    body = {"one_time_password": PASSWORD, "host": [host.pk]}
    page = admin_client.post(f"/host-batches/{batch.pk}/deploy-key/", body)
    assert page.status_code == 403
    assert PASSWORD not in page.content.decode()
    assert sent == []


@pytest.mark.parametrize("password", ["", "x" * 1025, "a\0b"])
def test_a_password_that_cannot_be_is_refused(
    admin: User, admin_client: Client, sent: list[Any], password: str
) -> None:
    host = new_host(admin, "a")
    batch = create_batch(admin, host)
    body = {"one_time_password": password, "host": [host.pk]}
    page = admin_client.post(f"/host-batches/{batch.pk}/deploy-key/", body)
    assert page.status_code == 400
    with pytest.raises(ServiceError):
        host_batch_deploy_keys(batch=batch, hosts=[host.pk], password=password, user=admin)
    assert sent == []


def test_only_an_admin_and_only_with_hosts(admin: User, owner: User, sent: list[Any]) -> None:
    host = new_host(admin, "a")
    batch = create_batch(admin, host)
    with pytest.raises(PermissionDenied):
        host_batch_deploy_keys(batch=batch, hosts=[host.pk], password="x", user=owner)
    with pytest.raises(ServiceError):
        host_batch_deploy_keys(batch=batch, hosts=[], password="x", user=admin)
    assert sent == []


def test_a_host_without_a_trusted_key_is_not_contacted(admin: User) -> None:
    host = new_host(admin, "a", host_key="", address="192.0.2.1")
    batch = create_batch(admin, host)
    [(_host, result)] = host_batch_deploy_keys(
        batch=batch, hosts=[host.pk], password=PASSWORD, user=admin
    )
    assert result.state == "key_unknown"


@pytest.mark.e2e
@pytest.mark.needs_root
def test_a_real_host_gets_the_key_that_the_database_holds(admin: User, make_box: MakeBox) -> None:
    box = password_box(make_box, password="yes")
    line = (box.folder / "host_key.pub").read_text().strip()
    host = new_host(admin, "real", address=box.network.address, host_key=line)
    wrong = new_host(admin, "wrong", address=box.network.address)  # another key is pinned
    batch = create_batch(admin, host, wrong)
    results = host_batch_deploy_keys(
        batch=batch, hosts=[host.pk, wrong.pk], password=BOX_PASSWORD, user=admin
    )
    states = {one.name: result.state for one, result in results}
    assert states == {"real": "key_deployed", "wrong": "key_changed"}
    [key] = (box.home / ".ssh" / "authorized_keys").read_text().splitlines()
    assert host.credential is not None
    assert key.split()[1] == host.credential.public_key.split()[1]
    rows = [list(model._default_manager.values()) for model in apps.get_models()]
    assert BOX_PASSWORD not in str(rows)
