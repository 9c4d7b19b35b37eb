"""The most of a rate over windows of several lengths: a history never joins them to one line."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.analysis.history.selectors import history_read
from apps.analysis.tests.compare.factories import create_target
from apps.analysis.tests.compare.test_windows import MOST, measured
from apps.results.models import ResultSummary


@pytest.mark.parametrize(("other", "levels"), [(0.5, 1), (1.0, 2)])
def test_readings_over_other_windows_are_a_level_of_their_own(
    owner: User, other: float, levels: int
) -> None:
    disk = create_target(owner)
    for length in (0.5, other):
        measured(owner, {"Host defaults": length, "Scheduler none": length}, disk)
    rows = ResultSummary.objects.filter(run_tuning__name="Host defaults")
    assert len(history_read(rows, metric=MOST, operation="read").levels) == levels
