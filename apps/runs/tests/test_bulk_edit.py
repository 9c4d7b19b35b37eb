"""Chosen runs are tagged and archived together."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.runs.models import Run, RunState

pytestmark = pytest.mark.django_db
PAGE = "/runs/bulk-edit/"


@pytest.fixture
def ended(owner: User) -> list[Run]:
    """Two runs that have ended, and one that has not."""
    states = (RunState.SUCCEEDED, RunState.FAILED, RunState.QUEUED)
    return [
        Run.objects.create(name=f"run {n}", owner=owner, state=state, tags=["old"])
        for n, state in enumerate(states)
    ]


def test_the_owner_tags_and_archives(owner_client: Client, ended: list[Run]) -> None:
    keys = [run.pk for run in ended]
    page = owner_client.get(PAGE, {"run": keys}).content.decode()
    assert all(f'name="run" value="{key}"' in page for key in keys)
    form = {"run": keys, "add": "nvme, before", "remove": "old", "archive": "on"}
    answer = owner_client.post(PAGE, form, follow=True)
    text = answer.content.decode()
    assert "3 runs have their tags. 2 runs are archived. 1 have not ended yet and stay." in text
    assert [run.tags for run in Run.objects.all()] == [["before", "nvme"]] * 3
    assert Run.objects.filter(archived_at=None).get().state == RunState.QUEUED
    listed = owner_client.get("/runs/", {"tag": "nvme"}).content.decode()
    assert "run 2" in listed
    assert 'href="/runs/?tag=nvme"' in listed
    assert "run 2" not in owner_client.get("/runs/", {"tag": "old"}).content.decode()


def test_strangers_and_viewers_change_nothing(
    stranger_client: Client, viewer_client: Client, ended: list[Run]
) -> None:
    form = {"run": [run.pk for run in ended], "add": "mine"}
    assert stranger_client.post(PAGE, form).status_code == 200
    assert viewer_client.post(PAGE, form).status_code == 403
    assert all(run.tags == ["old"] for run in Run.objects.all())


@pytest.mark.parametrize("form", [{}, {"add": "a b!"}])
def test_bulk_edit_with_invalid_input_shows_error(
    owner_client: Client, ended: list[Run], form: dict[str, str]
) -> None:
    assert owner_client.post(PAGE, {"run": ended[0].pk, **form}).status_code == 400


def test_the_api_sets_and_says_tags(owner_client: Client, ended: list[Run]) -> None:
    address = f"/api/v1/runs/{ended[0].pk}/"
    sent = {"tags": ["b", "a"]}
    answer = owner_client.patch(address, sent, content_type="application/json")
    assert (answer.status_code, answer.json()["tags"], answer.json()["note"]) == (
        200,
        ["a", "b"],
        "",
    )
    listed = owner_client.get("/api/v1/runs/", {"tag": "a"}).json()["results"]
    assert [row["tags"] for row in listed] == [["a", "b"]]
    wrong = owner_client.patch(address, {"tags": ["no!"]}, content_type="application/json")
    assert wrong.status_code == 400
