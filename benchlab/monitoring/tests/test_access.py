"""Who reads /metrics: admins' tokens of scope metrics, admins' sessions, and named networks."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from django.conf import LazySettings
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import ApiToken, AuditEntry, Role, User
from apps.accounts.services import token_create

METRICS = "/metrics"
HOSTS = "/api/v1/hosts/"


@pytest.fixture
def secret(admin: User) -> str:
    return token_create(user=admin, name="prometheus", scope=ApiToken.Scope.METRICS)[1]


def get(secret: str, path: str = METRICS, **headers: str) -> int:
    return Client().get(path, headers={"Authorization": f"Token {secret}"} | headers).status_code


def test_metrics_token_reads_metrics(secret: str) -> None:
    answer = Client().get(METRICS, headers={"Authorization": f"Token {secret}"})
    assert answer.status_code == 200
    assert "benchlab_build_info" in answer.content.decode()
    assert ApiToken.objects.get().last_used_at is not None


@pytest.mark.parametrize("method", ["get", "post", "patch", "delete"])
@pytest.mark.parametrize("path", [HOSTS, "/api/v1/tokens/", "/api/v1/schema/", "/api/v1/version/"])
def test_metrics_token_opens_no_other_address(secret: str, path: str, method: str) -> None:
    answer = getattr(Client(), method)(path, headers={"Authorization": f"Token {secret}"})
    assert answer.status_code == 403
    assert b"/metrics only" in answer.content


def test_metrics_token_opens_no_page(secret: str) -> None:
    assert get(secret, "/system/") == 302


@pytest.mark.parametrize("read_only", [True, False])
def test_api_token_of_an_admin_does_not_read_metrics(admin: User, read_only: bool) -> None:
    _, secret = token_create(user=admin, name="script", read_only=read_only)
    assert get(secret) == 403
    assert get(secret, HOSTS) == 200


@pytest.mark.parametrize("secret", ["", "wrong", "0" * 64])
def test_wrong_token_is_refused(db: None, secret: str) -> None:
    answer = Client().get(METRICS, headers={"Authorization": f"Token {secret}"})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")


@pytest.mark.parametrize("change", [{"role": Role.DISK_OWNER}, {"is_active": False}])
def test_token_of_a_former_admin_is_refused(
    admin: User, secret: str, change: dict[str, object]
) -> None:
    assert get(secret) == 200
    User.objects.filter(pk=admin.pk).update(**change)
    assert get(secret) in (401, 403)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPERATOR, Role.DISK_OWNER])
def test_only_admins_create_metrics_tokens(viewer: User, role: Role) -> None:
    viewer.role = role
    viewer.save()
    with pytest.raises(PermissionDenied):
        token_create(user=viewer, name="prometheus", scope=ApiToken.Scope.METRICS)
    answer = APIClient()
    answer.force_authenticate(viewer)
    body = {"name": "prometheus", "scope": "metrics"}
    assert answer.post("/api/v1/tokens/", body, format="json").status_code == 403
    assert not ApiToken.objects.exists()


def test_form_offers_the_scope_to_admins_alone(viewer_client: Client, admin_client: Client) -> None:
    form = {"name": "x", "days": "30", "scope": "metrics"}
    assert 'name="scope"' not in viewer_client.get("/tokens/").content.decode()
    viewer_client.post("/tokens/", form)
    assert ApiToken.objects.get().scope == ApiToken.Scope.API
    page = admin_client.post("/tokens/", form)
    token = ApiToken.objects.get(scope=ApiToken.Scope.METRICS)
    assert token.read_only
    assert "read /metrics" in page.content.decode()
    assert AuditEntry.objects.filter(action="create", detail__scope="metrics").count() == 1


def test_form_refuses_an_unknown_scope(admin_client: Client) -> None:
    page = admin_client.post("/tokens/", {"name": "x", "days": "30", "scope": "all"})
    assert "scope" in page.context["form"].errors
    assert not ApiToken.objects.exists()


def test_command_creates_a_metrics_token(
    admin: User, viewer: User, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("create_token", admin.username, "prometheus", "--metrics")
    assert get(capsys.readouterr().out.strip()) == 200
    with pytest.raises(CommandError, match="Admin"):
        call_command("create_token", viewer.username, "prometheus", "--metrics")


def test_database_refuses_a_metrics_token_that_writes(admin: User) -> None:
    token, _ = token_create(user=admin, name="script")
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.filter(pk=token.pk).update(scope="metrics")


def test_network_needs_no_token(db: None, settings: LazySettings) -> None:
    settings.BENCHLAB_METRICS_NETWORKS = [ip_network("192.0.2.0/24")]
    client = Client()
    assert client.get(METRICS, REMOTE_ADDR="192.0.2.7").status_code == 200
    assert client.get(METRICS, REMOTE_ADDR="198.51.100.7").status_code == 401
    assert client.get(HOSTS, REMOTE_ADDR="192.0.2.7").status_code == 401


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_network_of_an_undeclared_proxy_does_not_count(
    db: None, settings: LazySettings, header: str
) -> None:
    settings.BENCHLAB_METRICS_NETWORKS = [ip_network("127.0.0.1/32")]
    client = Client()
    assert client.get(METRICS).status_code == 200
    assert client.get(METRICS, headers={header: "203.0.113.9"}).status_code == 401


def test_network_is_that_of_the_client_behind_a_trusted_proxy(
    db: None, settings: LazySettings
) -> None:
    settings.BENCHLAB_TRUSTED_PROXIES = [ip_network("127.0.0.1/32")]
    settings.BENCHLAB_METRICS_NETWORKS = [ip_network("127.0.0.1/32"), ip_network("192.0.2.0/24")]

    def status(forwarded: str) -> int:
        return Client().get(METRICS, headers={"X-Forwarded-For": forwarded}).status_code

    assert status("192.0.2.7") == 200
    assert status("203.0.113.9") == 401
    assert status("192.0.2.7, 203.0.113.9") == 401


def test_viewer_with_a_session_is_refused(viewer_client: Client, admin_client: Client) -> None:
    assert viewer_client.get(METRICS).status_code == 403
    assert admin_client.get(METRICS).status_code == 200
    assert admin_client.post(METRICS).status_code == 405
