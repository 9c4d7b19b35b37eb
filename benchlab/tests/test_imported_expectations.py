"""Expectations of imported runs: entered by page and API, evaluated at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.plans.schemas.expectations import Expectation
from apps.results.models import ResultSummary
from apps.results.schemas.imported_expectations import TargetExpectation
from apps.results.selectors.imported_expectations import imported_expectations
from apps.results.services.attempt_results import results_store
from apps.results.services.imported_expectations import imported_expectations_set
from apps.results.services.summary_table import summaries_difference
from apps.runs.models import Origin, Run, RunExpectation
from apps.runs.tests.factories import create_attempt, create_case, create_run
from apps.tools import parse_result

SLA = Expectation("iops", "least", 6000.0, "IOPS", 5.0)


def create_imported(owner: User, **iops: float) -> Run:
    """Return an imported run with one result for each target."""
    run = create_run(owner=owner)
    run.origin = Origin.IMPORTED
    run.save()
    workload, host = run.cases.all()[0].workload, run.targets.get().all_members[0].host
    run.cases.all().delete()
    run.targets.all().delete()
    for name, value in iops.items():
        case = create_case(run, workload, host, name=name)
        found = parse_result.Measurement("read", bandwidth=value * 4096, iops=value)
        parsed = parse_result.Parsed("fio", "json", "3.33", (found,))
        results_store(attempt=create_attempt(case), parsed=parsed, parser_version=1)
    return run


def verdicts(run: Run) -> dict[str, str]:
    assert not summaries_difference()
    rows = ResultSummary.objects.filter(run=run)
    return dict(rows.values_list("run_target__name", "expectation_verdict"))


def test_form_sets_expectation_of_one_target_and_pages_show_it(
    owner: User, owner_client: Client, viewer_client: Client
) -> None:
    run = create_imported(owner, old=5900, older=5000)
    address = reverse("run_expectations", args=[run.pk])
    page = owner_client.get(address).content.decode()
    assert "older" in page
    assert address in owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    sent = {
        "e0-metric": "iops", "e0-value": "6000", "e0-tolerance": "5", "e0-target": "old",
        "e1-metric": "",
    }  # fmt: skip
    assert viewer_client.post(address, sent).status_code == 403
    assert owner_client.post(address, sent).status_code == 302
    assert verdicts(run) == {"old": "met", "older": ""}
    assert imported_expectations(run) == [TargetExpectation(SLA, "old")]
    shown = owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert "of 6,000 IOPS: met within 5 %" in shown
    (case,) = run.cases.filter(run_target__name="old")
    assert "met within 5 %" in owner_client.get(f"/cases/{case.pk}/").content.decode()
    assert 'value="6,000 IOPS"' in owner_client.get(address).content.decode()
    assert owner_client.post(address, {"e0-metric": ""}).status_code == 302
    assert not RunExpectation.objects.filter(run_target__run=run).exists()
    assert verdicts(run) == {"old": "", "older": ""}


@pytest.mark.parametrize(
    "sent",
    [{"e0-value": ""}, {"e0-value": "many"}, {"e0-target": "other"}, {"e0-tolerance": "100"},
     {"e0-source": "model"}, {"e0-operation": "fly"}],
)  # fmt: skip
def test_form_refuses_impossible_expectation(
    owner: User, owner_client: Client, sent: dict[str, str]
) -> None:
    run = create_imported(owner, old=5900)
    whole = {"e0-metric": "iops", "e0-value": "6000", **sent}
    address = reverse("run_expectations", args=[run.pk])
    assert owner_client.post(address, whole).status_code == 400
    assert not RunExpectation.objects.exists()


def test_api_sets_expectations_of_every_target(
    api: Callable[[User | None], APIClient], owner: User
) -> None:
    run = create_imported(owner, old=5900, older=5000)
    row = {"metric": "iops", "value": 6000, "tolerance": 5}
    body = {"run": run.pk, "expectations": [row]}
    answer = api(owner).post("/api/v1/expectations/", body, format="json")
    assert answer.status_code == 200
    assert {one["target"]: one["verdict"] for one in answer.json()} == {
        "old": "met",
        "older": "missed",
    }
    assert [one.target for one in imported_expectations(run)] == [""]
    for wrong in ({"value": None}, {"target": "other"}, {"source": "model"}, {"metric": "x"}):
        body["expectations"] = [row | wrong]
        assert api(owner).post("/api/v1/expectations/", body, format="json").status_code == 400


def test_service_refuses_others_and_launched_runs(owner: User, operator: User) -> None:
    run = create_imported(owner, old=5900)
    wanted = [TargetExpectation(SLA)]
    with pytest.raises(PermissionDenied):
        imported_expectations_set(run=run, user=operator, wanted=wanted)
    with pytest.raises(ServiceError):
        imported_expectations_set(run=run, user=owner, wanted=wanted * 9)
    launched = create_run(owner=owner)
    with pytest.raises(ServiceError) as refused:
        imported_expectations_set(run=launched, user=owner, wanted=wanted)
    assert refused.value.status == 409
