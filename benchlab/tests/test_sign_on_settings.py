"""Environment variables of sign-on: values, files, and sentences for wrong ones."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.accounts.domain.sign_on import SignOn
from benchlab import settings_signon

NAMES = ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "CLIENT_SECRET_FILE", "NAME", "GROUPS_CLAIM",
         "ROLES", "TEAMS", "NO_GROUP", "ACR_VALUES", "TOKEN_DAYS")  # fmt: skip
PROVIDER = {"OIDC_ISSUER": "https://sso.lab", "OIDC_CLIENT_ID": "benchlab"}


@pytest.fixture(autouse=True)
def no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*(f"OIDC_{name}" for name in NAMES), "PASSWORD_LOGIN", "MFA"):
        monkeypatch.delenv(f"BENCHLAB_{name}", raising=False)


def loaded(monkeypatch: pytest.MonkeyPatch, **values: str) -> dict[str, Any]:
    for name, value in values.items():
        monkeypatch.setenv(f"BENCHLAB_{name}", value)
    return runpy.run_path(settings_signon.__file__)


def test_without_an_issuer_there_is_no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    names = loaded(monkeypatch)
    assert names["OIDC"] is None
    assert (names["BENCHLAB_PASSWORD_LOGIN"], names["BENCHLAB_MFA"]) == ("everybody", "optional")
    assert names["BENCHLAB_OIDC_TOKEN_DAYS"] == 14


def test_every_variable_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("from a file\n")
    names = loaded(
        monkeypatch, **PROVIDER,
        OIDC_CLIENT_SECRET_FILE=str(secret), OIDC_NAME="Lab SSO", OIDC_GROUPS_CLAIM="a.b",
        OIDC_ROLES="/storage-admins=admin, /storage=operator", OIDC_TEAMS="/teams/",
        OIDC_NO_GROUP="viewer", OIDC_ACR_VALUES="phr", OIDC_TOKEN_DAYS="3",
        PASSWORD_LOGIN="admins", MFA="everybody",
    )  # fmt: skip
    assert names["OIDC"] == SignOn(
        "https://sso.lab", "benchlab", "from a file", "Lab SSO", "a.b",
        (("/storage-admins", "admin"), ("/storage", "operator")), "/teams/", "viewer", "phr",
    )  # fmt: skip
    assert (names["BENCHLAB_PASSWORD_LOGIN"], names["BENCHLAB_MFA"]) == ("admins", "everybody")
    assert names["BENCHLAB_OIDC_TOKEN_DAYS"] == 3


@pytest.mark.parametrize(
    "values",
    [
        PROVIDER | {"OIDC_ISSUER": "sso.lab"},
        PROVIDER | {"OIDC_ISSUER": "ldap://sso.lab"},
        PROVIDER | {"OIDC_ISSUER": f"https://sso.lab/{'x' * 200}"},
        {"OIDC_ISSUER": "https://sso.lab"},
        PROVIDER | {"OIDC_ROLES": "/storage=root"},
        PROVIDER | {"OIDC_ROLES": "=admin"},
        PROVIDER | {"OIDC_ROLES": "/storage"},
        PROVIDER | {"OIDC_NO_GROUP": "admin"},
        PROVIDER | {"OIDC_CLIENT_SECRET_FILE": "/nonexistent"},
        {"PASSWORD_LOGIN": "nobody"},
        {"PASSWORD_LOGIN": "some"},
        {"MFA": "sometimes"},
    ],
)
def test_a_wrong_value_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str]
) -> None:
    with pytest.raises(ImproperlyConfigured):
        loaded(monkeypatch, **values)
