"""A comparison of figures over time that are neither better nor worse gives no verdict of them."""

from __future__ import annotations

from apps.accounts.models import User
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.verdicts.comparison import compute_comparison
from apps.results.tests.test_figures_over_time import measured


def test_what_cannot_be_better_has_no_verdict(owner: User) -> None:
    busy = [measured(owner, sdb=79.0).pk, measured(owner, sdb=97.0).pk]
    params = ComparisonQuery(
        runs=tuple(busy), factor="run", metrics=("utilisation_mean_over_time",)
    )
    found = compute_comparison(params)
    assert "utilisation_mean_over_time" not in found.tested
    assert "iops" in found.tested
