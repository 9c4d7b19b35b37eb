"""From stored measurements to verdicts."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.analysis.repeats.interim import InterimAnalysis, block_label
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run, create_target
from apps.analysis.verdicts.comparison import ComparisonResult, compare_runs
from apps.analysis.verdicts.headlines import summaries
from apps.analysis.verdicts.verdict_text import kind_of
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import RunExtension

pytestmark = pytest.mark.django_db
GAIN = {"Scheduler none": 1.1}
FOUR = [PARAMS | {"rw": rw, "bs": bs} for rw in ("randread", "randwrite") for bs in (4096, 8192)]


def kinds(comparison: ComparisonResult, metric: str = "iops") -> list[str]:
    lines = [result.line(metric) for result in comparison.results]
    return [kind_of(e.verdict) for line in lines if line for e in line.entries]


def test_six_against_six_with_a_real_difference(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    comparison = compare_runs(runs=[run.pk])
    assert comparison.levels == ("Host defaults", "Scheduler none")
    assert kinds(comparison) == ["better"]
    assert kinds(comparison, "bandwidth") == ["better"]
    assert kinds(comparison, "latency_mean") == ["better"]
    effect = comparison.results[0].lines[0].entries[0].effect
    assert effect.ratio == pytest.approx(1.1, rel=0.02)
    assert effect.low is not None
    assert effect.low > 1.05


def test_the_other_baseline_turns_the_answer_round(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    comparison = compare_runs(runs=[run.pk], baseline="Scheduler none")
    assert comparison.levels == ("Scheduler none", "Host defaults")
    assert kinds(comparison) == ["worse"]


def test_equal_sides_show_no_difference(owner: User) -> None:
    run = create_measured_run(Setup(owner))
    assert kinds(compare_runs(runs=[run.pk])) == ["no_difference"]


def test_three_against_three_is_too_few(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=3, gains=GAIN, noise=0.0001))
    comparison = compare_runs(runs=[run.pk])
    assert kinds(comparison) == ["too_few_repeats"]
    assert summaries(comparison)[0].needed == 6


def test_one_run_of_each_is_too_few_not_incomparable(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=1, gains=GAIN))
    assert kinds(compare_runs(runs=[run.pk])) == ["too_few_repeats"]


def test_a_minimum_takes_small_differences_away(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    assert kinds(compare_runs(runs=[run.pk], minimum=20)) == ["no_difference"]


def test_repeats_of_several_runs_add_up(owner: User) -> None:
    disk = create_target(owner)
    runs = [
        create_measured_run(Setup(owner, repeats=3, gains=GAIN, disk=disk, seed=seed)).pk
        for seed in (1, 2)
    ]
    comparison = compare_runs(runs=runs)
    assert kinds(comparison) == ["better"]
    assert [len(side) for side in comparison.results[0].group.sides.values()] == [6, 6]


def test_every_level_against_the_baseline(owner: User) -> None:
    tunings = ("Host defaults", "Scheduler none", "Scheduler bfq")
    gains = {"Scheduler none": 1.2, "Scheduler bfq": 0.8}
    run = create_measured_run(Setup(owner, tunings=tunings, gains=gains))
    found = {line.level: line.kind for line in summaries(compare_runs(runs=[run.pk]))}
    assert found == {"Scheduler bfq": "worse", "Scheduler none": "better"}


def test_metrics_are_tested_after_the_main_one(owner: User) -> None:
    equal = compare_runs(runs=[create_measured_run(Setup(owner)).pk])
    other = compare_runs(runs=[create_measured_run(Setup(owner, points=FOUR, gains=GAIN)).pk])
    assert equal.family == 1
    assert kinds(equal, "latency_p99") == ["not_tested"]
    assert kinds(other) == ["better"] * 4
    assert kinds(other, "latency_p99") == ["better"] * 4
    assert len(other.tested) == 8


def test_small_blocks_are_judged_by_iops_and_large_ones_by_bandwidth(owner: User) -> None:
    points = [PARAMS | {"bs": size} for size in (4096, 4 * 1024**2)]
    comparison = compare_runs(runs=[create_measured_run(Setup(owner, points=points)).pk])
    assert [result.main for result in comparison.results] == ["iops", "bandwidth"]
    assert comparison.mains == ("iops", "bandwidth")


def test_a_given_rate_is_judged_by_its_latency(owner: User) -> None:
    points = [PARAMS | {"rate_iops": 500}]
    comparison = compare_runs(runs=[create_measured_run(Setup(owner, points=points)).pk])
    assert [result.main for result in comparison.results] == ["latency_p99"]


def test_requested_metric_is_tested_first(owner: User) -> None:
    run = create_measured_run(Setup(owner, points=FOUR, gains=GAIN))
    comparison = compare_runs(runs=[run.pk], metrics=["latency_p50"])
    assert kinds(comparison, "latency_p50") == ["better"] * 4
    assert comparison.family == 4
    assert {result.main for result in comparison.results} == {"latency_p50"}


def test_bandwidth_that_is_iops_times_one_block_size_says_the_same(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains=GAIN))
    params = ["iops", "bandwidth"]
    comparison = compare_runs(runs=[run.pk], metrics=params)
    assert (comparison.family, kinds(comparison, "bandwidth")) == (1, ["better"])
    rows = list(Measurement.objects.filter(case__run=run).order_by("pk"))
    for number, row in enumerate(rows):
        row.bandwidth = (row.bandwidth or 0) * (1 + 0.002 * number)
    Measurement.objects.bulk_update(rows, ["bandwidth"])
    summaries_rebuild()
    assert compare_runs(runs=[run.pk], metrics=params).family == 2


def test_no_interval_without_1_has_no_difference(owner: User) -> None:
    points = [PARAMS | {"bs": 512 * number} for number in range(1, 13)]
    run = create_measured_run(Setup(owner, points=points, gains={"Scheduler none": 1.015}))
    for result in compare_runs(runs=[run.pk]).results:
        for line in result.lines:
            for entry in line.entries:
                if kind_of(entry.verdict) == "no_difference":
                    assert not entry.effect.excludes_one


def test_what_was_before_is_the_baseline(owner: User) -> None:
    run = create_measured_run(Setup(owner, tunings=("after tuning", "Before tuning")))
    assert compare_runs(runs=[run.pk]).baseline == "Before tuning"


def test_repeats_that_were_added_are_one_more_look(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=8, gains={"Scheduler none": 1.02}))
    once = compare_runs(runs=[run.pk]).results[0].verdicts[0]["iops"]
    RunExtension.objects.create(
        run=run, position=1, kind="repeats", repeats=2, first_block=7, last_block=8, by=owner
    )
    again = compare_runs(runs=[run.pk])
    assert again.repeats.looks == (InterimAnalysis(block_label(run.pk, 6), (run.pk, 0)),)
    twice = again.results[0].verdicts[0]["iops"]
    assert once.p is not None
    assert twice.p is not None
    assert twice.p > once.p
