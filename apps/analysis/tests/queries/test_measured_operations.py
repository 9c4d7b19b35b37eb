"""Metrics that pages offer are those of the newest results."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.analysis.queries import workloads
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.results.models import ResultSummary
from apps.results.selectors.results import comparable_summaries


@pytest.mark.django_db
@pytest.mark.parametrize(("limit", "offered"), [(2, False), (100, True)])
def test_metrics_of_old_results_only_are_not_offered(
    owner: User, monkeypatch: pytest.MonkeyPatch, limit: int, offered: bool
) -> None:
    create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=6))
    newest = comparable_summaries().order_by("-measured_at").values("pk")[: limit + 1]
    ResultSummary.objects.filter(pk__in=list(newest.values_list("pk", flat=True))).update(iops=None)
    comparable_summaries().filter(pk=comparable_summaries().order_by("measured_at")[0].pk).update(
        iops=5_000.0
    )
    monkeypatch.setattr(workloads, "MAX_MEASURED", limit)
    ((_operation, metrics),) = workloads.measured_operations(comparable_summaries(), "fio").items()
    assert ("iops" in metrics) == offered
    assert "bandwidth" in metrics
