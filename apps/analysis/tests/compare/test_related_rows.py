"""Things that stand beside results: asked at once, and for each alone only where there are any."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats import related_rows as related_rows_module
from apps.analysis.repeats import selectors
from apps.analysis.repeats.related_rows import RelatedRows, related_rows
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import compute_comparison
from apps.common.errors import ServiceError
from apps.inventory.tests.factories import create_disk_model
from apps.results.models import Baseline, Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import CaseState, Run, RunExtension

pytestmark = pytest.mark.django_db
NOTHING = RelatedRows(False, False, False, False, False, False, False)


@pytest.fixture
def run(owner: User) -> Run:
    return create_measured_run(Setup(owner))


def test_run_without_related_rows(run: Run) -> None:
    assert related_rows([run.pk]) == related_rows([]) == NOTHING


def test_each_is_noticed_of_these_runs_alone(owner: User, run: Run) -> None:
    other = create_measured_run(Setup(owner))
    RunExtension.objects.create(
        run=run, position=1, kind="repeats", first_block=7, last_block=7, repeats=1, by=owner
    )
    run.cases.filter(sequence=0).update(state=CaseState.FAILED)
    Measurement.objects.filter(case__run=run, case__sequence=1).update(valid=False)
    summaries_rebuild()
    found = related_rows([run.pk])
    assert (found.stages, found.left_out, found.without_result) == (True, True, True)
    assert not found.decisions
    assert related_rows([other.pk]) == NOTHING
    Baseline.objects.create(
        name="then", owner=owner, run=other, disk_model=create_disk_model("S4510")
    )
    assert related_rows([run.pk]).baselines


def test_too_many_results_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (related_rows_module, selectors):
        monkeypatch.setattr(module, "MAX_REPEATS", 12)
    assert compute_comparison(ComparisonQuery(runs=(run.pk,))).used == 12
    for module in (related_rows_module, selectors):
        monkeypatch.setattr(module, "MAX_REPEATS", 11)
    with pytest.raises(ServiceError, match="more than 11 results"):
        compute_comparison(ComparisonQuery(runs=(run.pk,)))


def test_a_small_comparison_asks_little(
    run: Run, viewer_client: Client, django_assert_max_num_queries: Any
) -> None:
    viewer_client.get(f"/compare/?run={run.pk}&minimum=1")
    with django_assert_max_num_queries(14):
        assert viewer_client.get(f"/compare/?run={run.pk}").status_code == 200
