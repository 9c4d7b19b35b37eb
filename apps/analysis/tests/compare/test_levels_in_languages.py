"""A comparison means the same to readers of every language."""

from __future__ import annotations

from dataclasses import replace

from django.utils import translation

from apps.accounts.models import User
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import compute_comparison
from apps.tuning.domain.baseline import HOST_DEFAULTS

LANGUAGE = "zh-hans"


def test_baseline_of_an_address_is_found_in_every_language(owner: User) -> None:
    """Addresses have English names; labels of another language are understood as well."""
    runs = tuple(create_measured_run(Setup(owner)).pk for _number in range(2))
    by_run = ComparisonQuery(runs=runs, factor="run", baseline=f"Run {runs[1]}")
    by_tuning = replace(by_run, factor="tuning", baseline="Scheduler none")
    for query in (by_run, by_tuning):
        english = compute_comparison(query)
        with translation.override(LANGUAGE):
            chinese = compute_comparison(query)
            label = chinese.baseline
            assert compute_comparison(replace(query, baseline=label)).levels == chinese.levels
        assert english.level_names == chinese.level_names == english.levels
        assert chinese.level_names[0] == query.baseline
        assert chinese.levels != english.levels
    assert HOST_DEFAULTS in chinese.level_names
