"""Spreads that differ are named beside verdicts on levels, and seldom where they do not differ."""

from __future__ import annotations

import numpy as np
import pytest

from apps.accounts.models import User
from apps.analysis.compare.api_document import comparison_document
from apps.analysis.compare.page.page_data import ComparisonPage, View
from apps.analysis.compare.result import comparison_analysis
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.batches import ChainCell
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.variability import variabilities
from apps.results.models import ResultSummary
from tests.statistics.table import line
from tests.statistics.verdicts import SimulatedPage


def cells(spread: float, number: int = 12) -> list[list[ChainCell]]:
    rng = np.random.default_rng(7)
    a, b = (np.exp(sd * rng.normal(0, 1, number)) for sd in (0.01, 0.01 * spread))
    return [[ChainCell(a, b, True)]]


def test_spread_of_one_side_five_times_as_large_is_named_with_its_ratio() -> None:
    (found,) = variabilities(cells(8.0)).values()
    assert found.low is not None
    assert found.high is not None
    assert 1.0 < found.low < 8.0 < found.high
    assert found.p_corrected <= 0.05
    assert not variabilities(cells(1.0))


def test_spread_of_values_that_are_zero_or_equal_is_not_named() -> None:
    flat, noisy = [5.0] * 8, np.exp(np.random.default_rng(1).normal(0, 0.1, 8))
    assert not variabilities([[ChainCell([0.0] * 8, noisy, True)]])
    assert not variabilities([[ChainCell(flat, flat, True)]])


def test_pages_of_equal_spread_err_in_5_percent() -> None:
    assert line(SimulatedPage(4, 1, 9), "equal", 150, seed=3).varies.share <= 0.08


def test_pages_under_unequal_spread_err_in_6_percent() -> None:
    found = line(SimulatedPage(24, 1, 11), "spread 5 times", 100, seed=3)
    assert found.wrong.share <= 0.06
    assert found.varies.share == 1.0
    assert found.named.share >= 0.3


@pytest.mark.django_db
def test_comparison_names_a_spread_on_its_page_and_in_the_api(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=12, noise=0.01))
    level = compare_runs(runs=[run.pk]).levels[1]
    noisy = list(ResultSummary.objects.filter(run=run, run_tuning__name=level))
    middle = float(np.median([figure.iops for figure in noisy]))
    for figure in noisy:
        figure.iops = middle * ((figure.iops or middle) / middle) ** 12
    ResultSummary.objects.bulk_update(noisy, ["iops"])
    (found,) = comparison_document(compare_runs(runs=[run.pk]))["workloads"][0]["spreads"]
    assert (found["level"], found["metric"]) == (level, "iops")
    assert found["ratio"] > 2
    shown = ComparisonPage(ComparisonQuery(runs=(run.pk,))).page(View())
    assert [texts for _name, texts in shown.spreads] == [found["text"]]
    assert found["text"] in comparison_analysis(compare_runs(runs=[run.pk])).notes
