"""The API's list of runs says what the serializer of one run says."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.runs.documents import run_documents, runs_told
from apps.runs.models import Run, RunState
from apps.runs.selectors import runs_visible
from apps.runs.serializers import RunSerializer
from apps.runs.tests.factories import create_run
from apps.tools.sentences import sentence


def as_json(told: Any) -> Any:
    """The bytes of an answer."""
    return JSONRenderer().render(told)


@pytest.fixture
def runs(owner: User) -> list[Run]:
    """One that waits, one that has ended, one of a team with everything said."""
    waiting, ended, whole = (create_run(owner=owner) for _ in range(3))
    Run.objects.filter(pk=waiting.pk).update(reason="waits for host a")
    why = sentence("%(what)s: 50 %% failed", what="é")
    Run.objects.filter(pk=ended.pk).update(
        state=RunState.FAILED, finished_at=timezone.now(), reason=why
    )
    now = timezone.now().replace(microsecond=0)
    Run.objects.filter(pk=whole.pk).update(
        state=RunState.CANCELLED, note="é \u2028 <b>", team=create_team(), started_at=now,
        finished_at=now, cancel_requested_at=now, archived_at=now, expected_seconds=0.1,
    )  # fmt: skip
    return [waiting, ended, whole]


def test_the_list_says_what_the_serializer_says(runs: list[Run]) -> None:
    rows = list(runs_visible().order_by("-pk"))
    assert len(rows) == len(runs)
    told = run_documents(list(runs_told().order_by("-pk")))
    assert as_json(told) == as_json(RunSerializer(rows, many=True).data)
    assert "no worker is running" in told[-1]["reason"]
    assert told[1]["reason"] == "é: 50 % failed"
    assert [list(one) for one in told] == [list(RunSerializer.Meta.fields)] * len(runs)


def test_the_list_is_one_query_between_two_for_its_stamp(
    runs: list[Run], owner: User, api: Any, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(3):
        assert len(api(owner).get("/api/v1/runs/").json()["results"]) == 2  # one is archived
