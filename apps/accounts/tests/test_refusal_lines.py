"""The log line of a refused request names its user."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services import token_create
from apps.common.logs import Ids, Refusals


def test_a_refused_request_logs_its_user(
    viewer: User, viewer_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    _token, secret = token_create(user=viewer, name="script")
    viewer_client.get("/users/")
    Client().post("/api/v1/plans/", headers={"Authorization": f"Token {secret}"})
    Client().get("/api/v1/plans/")
    lines = [line for line in caplog.records if hasattr(line, "status_code")]
    assert all(Ids().filter(line) and Refusals().filter(line) for line in lines)
    assert [(vars(line)["status_code"], vars(line)["ids"].get("user")) for line in lines] == [
        (403, viewer.pk),
        (403, viewer.pk),
        (401, None),
    ]
