"""Reasons and lines of the event log are stored as sentences, however they are written."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.common.domain import messages
from apps.runs.models import Run, RunEvent, RunState
from apps.runs.services.runs import run_cancel, run_finish
from apps.runs.tests.factories import create_run
from apps.tools.messages import TranslatableMessage, message

pytestmark = pytest.mark.django_db


class Shouting:
    """A language of its own."""

    def gettext(self, message: str) -> str:
        return message.upper().replace("%(WHO)S", "%(who)s").replace("%(STATE)S", "%(state)s")

    def ngettext(self, one: str, many: str, number: int) -> str:
        return (one if number == 1 else many).upper().replace("%(COUNT)D", "%(count)d")


def why() -> TranslatableMessage:
    return message("cancelled by %(who)s", who="anna")


def test_every_way_of_writing_keeps_it(owner: User) -> None:
    run = create_run(owner=owner)
    run.reason = why()
    run.save()
    event = RunEvent.objects.create(run=run, kind="finished", text=why())
    RunEvent.objects.bulk_create([RunEvent(run=run, kind="again", text=why())])
    Run.objects.filter(pk=run.pk).exclude(reason="x").update(reason=why())
    texts = [
        Run.objects.get().reason,
        *run.events.filter(text=why()).values_list("text", flat=True),
    ]
    assert texts == ["cancelled by anna"] * 3
    assert all(isinstance(text, TranslatableMessage) for text in texts)
    assert str(event) == "cancelled by anna"


def test_a_run_that_ended_is_explained_in_the_readers_language(
    owner: User, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create_run(owner=owner)
    run_cancel(run=run, user=owner)
    assert Run.objects.get().reason == "cancelled by owner before it started"
    monkeypatch.setattr(messages, "translation", Shouting())
    told = viewer_client.get(reverse("run_fragment", args=[run.pk, "events"])).content.decode()
    assert "owner REQUESTED THE CANCELLATION" in told
    status = viewer_client.get(reverse("run_fragment", args=[run.pk, "status"])).content.decode()
    assert "CANCELLED BY owner BEFORE IT STARTED" in status


def test_event_log_names_the_state(owner: User) -> None:
    run = create_run(owner=owner)
    run_finish(run, RunState.FAILED, "6 of 6 cases failed")
    assert run.events.get(kind="finished").text == "failed: 6 of 6 cases failed"
