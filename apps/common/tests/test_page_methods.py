"""Pages answer GET and POST alone; the API decides for itself."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["put", "patch", "delete", "trace"])
def test_page_with_another_method_is_405(owner_client: Client, method: str) -> None:
    answer = getattr(owner_client, method)("/plans/new/")
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]


def test_api_answers_its_own_methods(owner_client: Client) -> None:
    assert owner_client.delete("/api/v1/plans/999999/").status_code != 405
