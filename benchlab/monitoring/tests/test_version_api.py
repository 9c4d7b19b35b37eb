"""GET /api/v1/version/."""

from __future__ import annotations

import platform

from packaging.version import Version
from rest_framework.test import APIClient

from apps.accounts.models import User
from benchlab.version import VERSION

VERSIONS = "/api/v1/version/"


def client_of(user: User | None) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_version_names_benchlab_api_python_and_postgresql(viewer: User) -> None:
    body = client_of(viewer).get(VERSIONS).json()
    assert body.pop("postgresql").split(".")[0].isdigit()
    least = body.pop("min_client")
    assert Version(least) <= Version(VERSION)
    assert body == {"version": VERSION, "api": "v1", "python": platform.python_version()}


def test_version_needs_a_login(db: None) -> None:
    assert client_of(None).get(VERSIONS).status_code == 401


def test_version_refuses_unknown_parameters_and_methods(operator: User) -> None:
    client = client_of(operator)
    assert client.get(VERSIONS, {"of": "x"}).status_code == 400
    assert client.post(VERSIONS).status_code == 405
