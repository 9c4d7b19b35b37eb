"""The most of a rate over the windows of a test: compared over the same windows only."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.common.domain.verdicts import VerdictKind
from apps.inventory.models import Disk
from apps.results.models import Measurement, Series
from apps.results.services.write import NewSeries, series_write
from apps.runs.models import Run
from apps.tools import parse_result

MOST = "iops_max_over_time"


def measured(owner: User, windows: dict[str, float], disk: Disk | None = None) -> Run:
    """A run with the most of its IOPS, 1.5 times as much under the second tuning; `windows`: the
    length of each tuning's."""
    run = create_measured_run(Setup(owner, disk=disk, gains={"Scheduler none": 1.5}))
    rows = Measurement.objects.filter(case__run=run)
    new = []
    for row in rows.select_related("attempt", "case__run_tuning"):
        iops = row.iops or 0.0
        extent = parse_result.Windows(100, iops / 2, iops, iops * 2, iops / 9)
        length = windows[row.case.tuning_name]
        found = parse_result.Series("iops", (), interval=length, windows=extent)
        new.append(NewSeries(row.attempt, Series.Source.TOOL, row.operation, found))
    series_write(new)
    return run


@pytest.mark.parametrize(
    ("own", "kind"), [(0.5, VerdictKind.BETTER), (1.0, VerdictKind.NOT_COMPARABLE)]
)
def test_maximum_is_compared_over_equal_windows_only(
    owner: User, own: float, kind: VerdictKind
) -> None:
    run = measured(owner, {"Host defaults": 0.5, "Scheduler none": own})
    (alone,) = compare_runs(runs=[run.pk], metrics=[MOST]).results
    assert alone.verdicts[0][MOST].kind is kind
    (related,) = compare_runs(runs=[run.pk], metrics=["iops", MOST]).results
    assert related.verdicts[0]["iops"].kind is VerdictKind.BETTER
    assert related.verdicts[0][MOST].kind is kind
    assert bool(related.verdicts[0][MOST].factors) == (kind is VerdictKind.NOT_COMPARABLE)
