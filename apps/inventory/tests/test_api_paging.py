"""The API's lists: newest first, page by page; positions and sizes that are none are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.tests.factories import create_host

Api = Callable[[User | None], APIClient]


def test_the_api_gives_newest_first_and_the_next_page(api: Api, viewer: User) -> None:
    hosts = [create_host().pk for _number in range(5)]
    client = api(viewer)
    first = client.get("/api/v1/hosts/", {"page_size": 3}).json()
    second = client.get(first["next"]).json()
    shown = [row["id"] for row in first["results"] + second["results"]]
    assert shown == hosts[::-1]
    assert second["next"] is None


@pytest.mark.parametrize(
    "query",
    [{"page_size": value} for value in ("0", "501", "null", "-1", "1e3", "")]
    + [{"cursor": value} for value in ("x", "cD1hYmM=", "cD0lMDA=")],
)
def test_the_api_refuses_positions_and_sizes_that_are_none(
    api: Api, viewer: User, query: dict[str, str | int]
) -> None:
    response = api(viewer).get("/api/v1/hosts/", query)
    assert response.status_code == 400
    assert list(response.json()["error"]["fields"]) == list(query)


@pytest.mark.parametrize("address", ["hosts/?batch=", "disks/?host=", "pairs/?client="])
@pytest.mark.parametrize("value", ["0.0", "1.5", "x"])
def test_the_api_refuses_keys_that_are_no_whole_numbers(
    api: Api, viewer: User, address: str, value: str
) -> None:
    assert api(viewer).get(f"/api/v1/{address}{value}").status_code == 400
