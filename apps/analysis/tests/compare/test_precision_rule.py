"""Runs that get blocks until every comparison is decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.repeats.interim import InterimAnalysis, interim_between
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.precision_rule import PrecisionRule
from apps.plans.schemas.stopping import PrecisionLimits
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Case, CaseState, Run, RunExtension
from apps.runs.services.extension import repeats_add
from apps.runs.services.stopping_rules import Extend, Stop
from apps.stats.alpha_spending import alpha_spent
from tests.harness.documents import Changes
from tests.statistics.until import Deciding, decide
from tests.statistics.verdicts import SimulatedPage

pytestmark = pytest.mark.django_db


def create_run(
    owner: User, blocks: int = 4, *, params: Changes | None = None, **changes: Any
) -> Run:
    """A run of blocks of two repeats that was asked to go on until it is decided."""
    setup = replace(Setup(owner, repeats=2 * blocks), **changes)
    run = create_measured_run(setup)
    for case in run.cases.all():
        Case.objects.filter(pk=case.pk).update(block=(case.block + 1) // 2)
    summaries_rebuild()
    run.spec = msgspec.structs.replace(run.spec, repeats=4)
    Run.objects.filter(pk=run.pk).update(case_count=run.cases.count(), spec=run.spec)
    until = {"precision_percent": 3.0, "factor": "tuning", "first_block": 1, "last_block": 20}
    RunExtension.objects.create(run=run, position=0, kind="until", **until | (params or {}))
    return Run.objects.get(pk=run.pk)


def answered(run: Run) -> Extend | Stop:
    return PrecisionRule().decide(run)


def test_rule_applies_only_to_runs_with_the_rule(owner: User) -> None:
    assert PrecisionRule().applies(create_run(owner))
    assert not PrecisionRule().applies(create_measured_run(Setup(owner)))


def test_it_ends_when_every_interval_is_narrow_enough(owner: User) -> None:
    answer = answered(create_run(owner, 6, noise=0.004))
    assert answer == Stop("decided after 6 blocks: every interval is within 3 %")


def test_a_block_follows_while_one_is_wider(owner: User) -> None:
    run = create_run(owner, 6, noise=0.1)
    answer = answered(run)
    assert isinstance(answer, Extend)
    assert answer.reason.startswith(
        "block 7 is added: IOPS of random read 4 KiB, QD 32, in 1 GiB is "
    )
    assert [case.sequence for case in answer.cases] == [24, 25, 26, 27]
    assert {case.block for case in answer.cases} == {7}
    assert sorted(case.repeat for case in answer.cases) == [13, 13, 14, 14]
    assert len({case.run_tuning_id for case in answer.cases}) == 2


def test_the_limit_of_blocks_says_what_is_still_open(owner: User) -> None:
    points = [PARAMS | {"bs": size} for size in (4096, 8192, 16384)]
    answer = answered(create_run(owner, 6, noise=0.1, points=points, params={"last_block": 6}))
    assert isinstance(answer, Stop)
    texts = str(answer.reason)
    assert texts.startswith("stopped at the limit of 6 blocks; IOPS of random read ")
    assert " is still ±" in texts
    assert texts.endswith(" %, and 2 more are wider than requested")


def test_the_limit_of_time_counts_from_the_first_test_to_the_end_of_another_block(
    owner: User,
) -> None:
    run = create_run(owner, 6, noise=0.1, params={"max_hours": 0.5})
    for attempt in Attempt.objects.filter(case__run=run):
        assert attempt.started_at
        attempt.ended_at = attempt.started_at + timedelta(seconds=60)
        attempt.save(update_fields=["ended_at"])
    assert isinstance(answered(run), Extend)  # 24 tests of 70 s: 28 minutes
    Case.objects.filter(run=run).update(expected_seconds=60)
    answer = answered(run)
    assert isinstance(answer, Stop)
    assert str(answer.reason).startswith("stopped at the limit of 0.5 h; IOPS of ")


def test_a_block_of_which_nothing_succeeded_is_the_last(owner: User) -> None:
    run = create_run(owner, 6, noise=0.1)
    last = Case.objects.filter(run=run, block=6)
    Measurement.objects.filter(case__in=last).delete()
    Attempt.objects.filter(case__in=last).delete()
    last.delete()
    first = run.cases.first()
    assert first
    Case.objects.create(
        run=run, sequence=99, block=6, repeat=12, workload=first.workload,
        run_target=first.run_target, run_tuning=first.run_tuning, state=CaseState.FAILED,
    )  # fmt: skip
    assert answered(run) == Stop("stopped after block 6: none of its tests succeeded")


def test_a_look_after_each_block_is_paid_for(owner: User) -> None:
    run = create_run(owner, 6, gains={"Scheduler none": 1.02})
    with_looks = compare_runs(runs=[run.pk]).results[0].verdicts[0]["iops"]
    RunExtension.objects.all().delete()
    once = compare_runs(runs=[run.pk]).results[0].verdicts[0]["iops"]
    assert with_looks.effect.low
    assert once.effect.low
    assert with_looks.effect.low < once.effect.low
    assert with_looks.p is not None
    assert once.p is not None
    assert with_looks.p > once.p


def test_shares_of_looks_after_each_block_and_after_an_addition() -> None:
    deciding = [InterimAnalysis(block, (1, 0), alpha_spent(block, 4)) for block in (1, 2, 3, 4)]
    looks = interim_between(deciding, 1, 2)
    assert [share for _block, share in looks] == pytest.approx(
        [0.8 * alpha_spent(1, 4), 0.8 * alpha_spent(2, 4)]
    )
    assert interim_between(deciding, 1, 4)[-1][1] == pytest.approx(0.8)
    assert interim_between([*deciding, InterimAnalysis(5, (1, 1))], 1, 5)[-1][1] == pytest.approx(
        0.9
    )
    assert interim_between((), 1, 5) == ((2**62, 0.8),)


def test_an_addition_goes_on_until_it_is_decided(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=6, noise=0.1))
    Run.objects.filter(pk=run.pk).update(case_count=12)
    run = repeats_add(run=run, user=owner, until=PrecisionLimits(3.0, max_blocks=5))
    row = RunExtension.objects.get(run=run)
    assert (row.position, row.first_block, row.last_block) == (1, 7, 11)
    assert run.cases.filter(block=7).count() == 4
    assert PrecisionRule().applies(run)


DEPTHS = [PARAMS | {"iodepth": depth} for depth in (1, 32)]


def test_it_is_decided_between_the_values_of_a_parameter(owner: User) -> None:
    """Their blocks are exchanged together, and their own comparison is what is asked for."""
    run = create_run(
        owner, 6, noise=0.1, tunings=("Host defaults",), points=DEPTHS,
        gains={1: 0.1}, params={"factor": "param:iodepth"},
    )  # fmt: skip
    answer = answered(run)
    assert isinstance(answer, Extend)
    words = "between values of iodepth: block 7 is added: IOPS of random read 4 KiB"
    assert str(answer.reason).startswith(words)
    depths = Counter(case.params["iodepth"] for case in answer.cases)
    assert depths == {1: 2, 32: 2}
    calm = create_run(
        owner, 6, noise=0.004, tunings=("Host defaults",), points=DEPTHS,
        gains={1: 0.1}, params={"factor": "param:iodepth"},
    )  # fmt: skip
    words = "between values of iodepth: decided after 6 blocks: every interval is within 3 %"
    assert answered(calm) == Stop(words)


def test_what_is_not_comparable_is_not_called_decided(owner: User) -> None:
    """Two tools' versions on the two sides: no block more would change that."""
    run = create_run(
        owner, 6, tunings=("Host defaults",), points=DEPTHS, params={"factor": "param:iodepth"}
    )
    Attempt.objects.filter(case__run=run, case__workload__params__iodepth=1).update(
        tool_version="fio-3.1"
    )
    summaries_rebuild()
    texts = "stopped after block 6: nothing is comparable, as "
    answer = answered(run)
    assert isinstance(answer, Stop)
    assert str(answer.reason).startswith(f"between values of iodepth: {texts}")


def test_pages_say_which_rule_ended_it(owner: User, client: Client) -> None:
    run = create_run(owner, 6, noise=0.004)
    answer = answered(run)
    run.extensions.create(
        position=1, kind="rule", rule="until decided", last_block=6, reason=answer.reason
    )
    client.force_login(owner)
    words = "ecided after 6 blocks: every interval is within 3 %."
    assert words in client.get(reverse("run_detail", args=[run.pk])).content.decode()
    page = client.get(reverse("compare"), {"run": run.pk}, follow=True).content.decode()
    assert words in page
    assert "tested after each of them" in page


@pytest.mark.parametrize("workloads", [1, 4])
def test_interim_analysis_after_each_block_errs_in_5_percent(workloads: int) -> None:
    page = SimulatedPage(workloads, 2, 6, drift=1.2)
    equal = decide(Deciding(page), 150, seed=3)
    assert equal.wrong.share <= 0.05 + 0.018
    other = decide(Deciding(replace(page, effect=1.05)), 60, seed=3)
    assert other.found.share >= 0.9
    assert other.blocks < 12
