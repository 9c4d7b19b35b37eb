"""The most of a rate in a fleet: only targets over windows of one length are ranked."""

from __future__ import annotations

from apps.accounts.models import User
from apps.analysis.fleet.selectors import fleet_read
from apps.analysis.tests.compare.test_windows import MOST, measured
from apps.results.models import ResultSummary


def test_targets_over_other_windows_are_left_out(owner: User) -> None:
    for length in (0.5, 0.5, 1.0):
        measured(owner, {"Host defaults": length, "Scheduler none": length})
    rows = ResultSummary.objects.filter(run_tuning__name="Host defaults")
    found = fleet_read(rows, metric=MOST, operation="read", by="model")
    assert (len(found.targets), found.other_windows) == (2, 6)
    mean = fleet_read(rows, metric="iops", operation="read", by="model")
    assert (len(mean.targets), mean.other_windows) == (3, 0)
