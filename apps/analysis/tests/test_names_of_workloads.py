"""Lists of workloads: two different tests never have one name."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run

PAGES = {
    "/history/": r'<a href="\?workload=\w+[^>]*>([^<]+)<',
    "/search/?q=random": r">(random [^<]+)<",
}


@pytest.fixture(autouse=True)
def measured(owner: User) -> None:
    points = [PARAMS | {"runtime": seconds} for seconds in (30, 60)]
    create_measured_run(Setup(owner, points=points, repeats=1, tunings=("Host defaults",)))


@pytest.mark.parametrize("page", PAGES)
def test_tests_that_differ_in_run_time_have_two_names(viewer_client: Client, page: str) -> None:
    names = re.findall(PAGES[page], viewer_client.get(page).content.decode())
    assert len(names) == len(set(names)) == 2


@pytest.mark.parametrize("address", ["/api/v1/cases/", "/api/v1/measurements/"])
def test_labels_of_an_answer_of_the_api_differ(viewer_client: Client, address: str) -> None:
    rows = viewer_client.get(address).json()["results"]
    assert len({row["label"] for row in rows}) == 2
