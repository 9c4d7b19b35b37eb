"""The query in docs/howto/lake.md computes the figures of a comparison."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.lake.tests.world import export, lake
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_refresh
from apps.runs.models import Attempt

HOWTO = Path(__file__).resolve().parents[2] / "docs/howto/lake.md"
COLUMNS = {
    "iops": "iops",
    "bandwidth": "bandwidth_bytes_per_second",
    "latency_mean": "latency_mean_exact_ns",
    "latency_p99": "latency_p99_exact_ns",
}
Figures = tuple[int, float | None, float | None, float | None, float | None, float | None]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("repeats", [5, 12])
def test_figures_of_a_comparison_equal_those_of_the_page(
    owner: User, tmp_path: Path, repeats: int
) -> None:
    points = [PARAMS, PARAMS | {"rw": "randwrite", "iodepth": 1}]
    run = create_measured_run(Setup(owner, points=points, repeats=repeats, noise=0.1))
    create_measured_run(Setup(owner, points=points, repeats=3))
    case = run.cases.order_by("pk")[0]
    Attempt.objects.filter(case=case).update(valid=False)
    Measurement.objects.filter(case=run.cases.order_by("pk")[3]).update(latency_p99=None)
    summaries_refresh(run.cases.values_list("pk", flat=True))
    export(tmp_path)
    (query,) = re.findall(r"```sql\n(WITH .*?)```", HOWTO.read_text(), re.DOTALL)
    with lake(tmp_path) as duck:
        duck.execute(f"SET VARIABLE run = {run.pk}")
        for metric, column in COLUMNS.items():
            rows = duck.execute(query.replace("iops", column)).fetchall()
            assert {tuple(row[:4]): tuple(row[4:]) for row in rows} == _on_page(run.pk, metric)


def _on_page(run: int, metric: str) -> dict[tuple[str, ...], Figures]:
    """The figures of each level of a comparison by workload, operation, target and tuning."""
    comparison = compare_runs(runs=[run])
    assert comparison.left_out.results
    result: dict[tuple[str, ...], Figures] = {}
    for compared in comparison.results:
        line = compared.line(metric)
        assert line is not None
        for entry in line.entries:
            sides = {entry.level: entry.spread, comparison.baseline: line.baseline}
            for level, spread in sides.items():
                name = (_label(run, compared.group.workload), compared.group.operation)
                result[*name, _target(run), level] = (
                    spread.n, spread.median, spread.min, spread.max, spread.low, spread.high,
                )  # fmt: skip
    return result


def _label(run: int, key: str) -> str:
    from apps.plans.models import Workload

    return Workload.objects.get(key=key).label


def _target(run: int) -> str:
    from apps.runs.models import RunTarget

    return RunTarget.objects.get(run=run).name
