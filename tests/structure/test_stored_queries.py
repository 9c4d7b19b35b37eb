"""Queries stored by reports and alerts: each version and view has a sample that still parses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.alerts.models import Alert
from apps.analysis.queries.schemas import STORED_QUERY, StoredQuery
from apps.analysis.registry import VIEWS
from apps.common.errors import ServiceError
from apps.reports.models import SavedReport
from apps.reports.selectors.reports import rendered
from apps.runs.models import Run
from apps.runs.tests.factories import create_run

STORED = Path(__file__).parent / "stored"
FILE = STORED / f"analysis.StoredQuery.{STORED_QUERY.version}.json"
SAMPLES: list[dict[str, Any]] = json.loads(FILE.read_text())

samples = pytest.mark.parametrize("sample", SAMPLES, ids=[one["view"] for one in SAMPLES])


@pytest.fixture
def run(owner: User) -> Run:
    return create_run(owner=owner)


def with_rows_of(run: Run, sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sample with the keys of rows that exist."""
    case = run.cases.select_related("workload", "run_target__target__disk__model").get()
    target = case.run_target.target
    assert target is not None
    assert run.plan is not None
    keys: dict[str, Any] = {
        "run": run.pk,
        "plan": run.plan.pk,
        "case": case.pk,
        "workload": case.workload.key,
        "host": case.members[0].host.pk,
        "target": target.pk,
        "model": target.row.model_name,
        "owner": run.owner_id,
    }
    selection = {
        name: [keys[name] if one in (1, "KEY", "Test disk") else one for one in value]
        if name in keys
        else value
        for name, value in sample["selection"].items()
    }
    return {**sample, "selection": selection}


def test_every_view_has_a_sample() -> None:
    assert {sample["view"] for sample in SAMPLES} == set(VIEWS)


@samples
def test_stored_document_reads_and_writes_unchanged(sample: dict[str, Any]) -> None:
    query = STORED_QUERY.read(sample)
    assert STORED_QUERY.write(query) == sample
    assert STORED_QUERY.write(StoredQuery.from_query(query.view, query.urlencode())) == sample


@samples
def test_stored_query_is_parsed_by_its_view(run: Run, sample: dict[str, Any]) -> None:
    query = STORED_QUERY.read(with_rows_of(run, sample))
    if query.view == "history":
        query = StoredQuery(
            query.view, {**query.selection, "tuning": ["mq-deadline"]}, query.options
        )
    VIEWS[query.view].parse(QueryDict(query.urlencode()))


@samples
def test_unknown_filter_of_a_stored_query_is_named(run: Run, sample: dict[str, Any]) -> None:
    document = with_rows_of(run, sample)
    query = STORED_QUERY.read(document | {"options": {"hots": ["1"]}})
    with pytest.raises(ServiceError, match="hots"):
        VIEWS[query.view].parse(QueryDict(query.urlencode()))


@pytest.mark.parametrize(
    ("view", "selection", "options", "message"),
    [
        ("history", {"target": [999]}, {}, "Invalid filter target: "),
        ("fleet", {}, {"metric": ("speed",)}, "Invalid filter metric: "),
        ("compare", {}, {"factor": ("colour",)}, "Invalid filter factor: "),
        ("sweep", {}, {"minimum": ("much",)}, "Invalid filter minimum: "),
    ],
)
def test_invalid_filter_of_a_stored_query_is_shown_with_the_reason(
    owner: User,
    owner_client: Client,
    view: str,
    selection: dict[str, Any],
    options: dict[str, tuple[str, ...]],
    message: str,
) -> None:
    query = StoredQuery(view, selection, options)
    report = SavedReport.objects.create(title="Findings", owner=owner)
    report.sections.create(position=0, stored_query=query)
    (part,) = rendered(report).parts
    assert message in part.error
    if view in Alert.View.values:
        alert = Alert.objects.create(name="night", owner=owner, stored_query=query)
        page = owner_client.get(reverse("alert_detail", args=[alert.pk])).content.decode()
        assert message in page
