"""Pickers ask the server: pages hold no list of everything, and a number or a name will do without
scripts.
"""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.models import TestPlan
from apps.runs.tests.factories import create_host, create_run
from benchlab.autocomplete import KINDS, MOST


def offered(client: Client, kind: str, words: str = "") -> list[tuple[str, str]]:
    answer = client.get(reverse("choices", args=[kind]), {"q": words})
    assert answer.status_code == 200
    return [(one["value"], one["text"]) for one in answer.json()["choices"]]


@pytest.fixture
def hosts(db: None) -> list[Host]:
    return [create_host(name=f"rack-{number:03}") for number in range(60)]


def test_a_few_are_offered_and_found_by_name_or_number(
    hosts: list[Host], viewer_client: Client
) -> None:
    assert len(offered(viewer_client, "hosts")) == MOST
    assert offered(viewer_client, "hosts", "RACK-059") == [(str(hosts[59].pk), "rack-059")]
    assert (str(hosts[7].pk), "rack-007") in offered(viewer_client, "hosts", str(hosts[7].pk))
    assert offered(viewer_client, "hosts", "nothing like it") == []


@pytest.mark.parametrize("kind", KINDS)
def test_one_query_whatever_is_asked(
    kind: str, owner: User, viewer_client: Client, operator_client: Client
) -> None:
    create_run(owner=owner)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found = offered(viewer_client, kind)
    assert found
    assert len(asked) <= 3  # the session, the person, the rows
    assert offered(operator_client, kind) == found
    for odd in ("\0", "9" * 40, "%", "x" * 5_000):
        offered(viewer_client, kind, odd)


def test_nobody_is_offered_anything(client: Client, viewer_client: Client) -> None:
    assert client.get(reverse("choices", args=["hosts"])).status_code == 302
    assert viewer_client.get(reverse("choices", args=["secrets"])).status_code == 404


def test_the_list_of_runs_holds_no_list_of_hosts(
    owner: User, hosts: list[Host], viewer_client: Client
) -> None:
    run = create_run(owner=owner)
    text = viewer_client.get(reverse("run_list")).content.decode()
    assert text.count("<option") < 20
    assert "rack-007" not in text
    name = run.cases.all()[0].host.name
    for words in (name, str(Host.objects.get(name=name).pk)):
        answer = viewer_client.get(reverse("run_list"), {"host": words})
        assert [str(row.run.pk) for row in answer.context["rows"]] == [str(run.pk)], words
        field = re.search(r"<input[^>]*name=\"host\"[^>]*>", answer.content.decode())
        assert field is not None
        assert f"&quot;text&quot;: &quot;{name}&quot;" in field[0]
        assert f'value="{words}"' in field[0]


def test_a_name_that_nothing_has_is_said(owner: User, viewer_client: Client) -> None:
    create_run(owner=owner)
    text = viewer_client.get(reverse("run_list"), {"owner": "nobody"}).content.decode()
    assert "Select a valid choice" in text


def test_the_api_takes_the_same(owner: User, viewer_client: Client) -> None:
    run = create_run(owner=owner)
    for words in (owner.username, owner.pk):
        found = viewer_client.get("/api/v1/runs/", {"owner": words}).json()["results"]
        assert [one["id"] for one in found] == [run.pk]
    assert viewer_client.get("/api/v1/runs/", {"owner": "nobody"}).status_code == 400


def test_compare_lists_the_latest_and_what_is_chosen(owner: User, viewer_client: Client) -> None:
    runs = [create_run(owner=owner) for _ in range(25)]
    text = viewer_client.get(reverse("compare"), {"run": runs[0].pk}).content.decode()
    listed = set(re.findall(r'<option value="(\d+)"', text.partition('name="run"')[2]))
    assert str(runs[0].pk) in listed
    assert str(runs[1].pk) not in listed
    assert TestPlan.objects.count() == 25
    assert (
        len(re.findall("<option", text.partition('name="plan"')[2].partition("</select")[0])) < 25
    )
