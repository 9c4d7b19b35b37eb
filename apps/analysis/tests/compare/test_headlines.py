"""Headlines name the workload, the metric, the size of the change, its interval and the repeats."""

from __future__ import annotations

import statistics

import pytest

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.changes import Change, change_of
from apps.analysis.verdicts.comparison import ComparisonResult, compare_runs
from apps.analysis.verdicts.headlines import MAX_NAMED, headlines
from apps.analysis.verdicts.verdict_text import VerdictText
from apps.common.domain.units import MINUS
from apps.common.domain.verdicts import VerdictKind
from apps.stats.effect import Effect


def compared(owner: User, **changes: object) -> ComparisonResult:
    setup = Setup(owner, **changes)  # type: ignore[arg-type] # the fields of a setup
    return compare_runs(runs=[create_measured_run(setup).pk])


@pytest.mark.django_db
def test_headline_of_one_decided_workload_has_change_interval_and_repeats(owner: User) -> None:
    comparison = compared(owner, gains={"Scheduler none": 1.3})
    (line,) = headlines(comparison)
    (one,) = line.named
    entry = comparison.results[0].lines[0].entries[0]
    assert (line.kind, line.more) == (VerdictKind.BETTER, 0)
    assert (one.metric, one.level, one.baseline) == ("iops", "Scheduler none", "Host defaults")
    assert one.n == (6, 6)
    assert one.change.medians == pytest.approx(
        statistics.median(entry.b) / statistics.median(entry.a)
    )
    parts = [one.label, VerdictText().figures(one.change, one.repeats), one.level, one.baseline]
    assert all(part in line.text for part in parts)


@pytest.mark.django_db
def test_headlines_of_many_workloads_name_the_largest_changes_and_count_the_rest(
    owner: User,
) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 2, 4, 8, 16)]
    comparison = compared(owner, points=points, gains={"Scheduler none": 1.3})
    *named, rest = headlines(comparison)
    assert len(named) == MAX_NAMED
    ratios = [line.named[0].change.effect.ratio for line in named]
    every = [
        entry.effect.ratio for result in comparison.results for entry in result.lines[0].entries
    ]
    assert ratios == sorted((ratio for ratio in every if ratio), reverse=True)[:MAX_NAMED]
    assert (rest.kind, rest.more, rest.named) == (None, 2, ())


@pytest.mark.django_db
def test_headline_of_undecided_workloads_names_them(owner: User) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 2, 4, 8)]
    (line,) = headlines(compared(owner, points=points, repeats=3))
    assert (line.kind, line.more) == (VerdictKind.TOO_FEW_REPEATS, 1)
    assert len(line.named) == MAX_NAMED
    assert all(one.label in line.text for one in line.named)
    assert {one.n for one in line.named} == {(3, 3)}


@pytest.mark.parametrize(
    ("medians", "effect", "shown"),
    [
        ((1000.0, 604.0), Effect(0.6055, 0.558, 0.641), "-39.6 % (-44.2 to -35.9, n)"),
        (
            (141981.0, 103267.0),
            Effect(0.767, 0.518, 0.828),
            "-27.3 % (medians); typical pair -23.3 %, -48.2 to -17.2, n",
        ),
        ((100.0, 110.0), Effect(1.1, None, None), "+10.0 % (n)"),
        (
            (100.0, 100.4),
            Effect(1.002, 1.001, 1.003),
            "+0.4 % (medians); typical pair +0.2 %, +0.1 to +0.3, n",
        ),
        ((100.0, 0.0), Effect(None, None, None), "-100.0 % (n)"),
        ((0.0, 100.0), Effect(None, None, None), "–, n"),
        ((100.0, 310.0), Effect(3.1, 2.6, 3.8), "3.1 times as high (2.6 to 3.8, n)"),
        ((100.0, 310.0), Effect(3.1, 0.95, 12.04), "3.1 times as high (0.95 to 12.0, n)"),
        ((100.0, 200.0), Effect(2.0, 1.5, 2.5), "+100.0 % (+50.0 to +150.0, n)"),
        ((100.0, 310.0), Effect(3.1, None, None), "3.1 times as high (n)"),
        (
            (100.0, 310.0),
            Effect(1.9, 1.5, 2.5),
            "3.1 times as high (medians); typical pair +90.0 %, +50.0 to +150.0, n",
        ),
    ],
)
def test_change_follows_from_the_medians_and_names_an_estimate_that_disagrees(
    medians: tuple[float, float], effect: Effect, shown: str
) -> None:
    change = change_of(*medians, effect)
    assert VerdictText().figures(change, "n").replace(MINUS, "-") == shown


@pytest.mark.parametrize(
    ("effect", "shown"),
    [
        (Effect(1.03, 1.01, 1.053), "+1.0 to +5.3 %"),
        (Effect(3.1, 2.6, 3.8), "2.6 to 3.8 times as high"),
        (Effect(3.1, 2.6, None), ""),
    ],
)
def test_an_interval_has_the_unit_of_its_change(effect: Effect, shown: str) -> None:
    assert VerdictText().interval(Change(effect.ratio, effect)) == shown
