"""Comparisons that show nothing say what they could have shown, and the repeats it takes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from apps.accounts.models import User
from apps.analysis.compare.api_document import comparison_document
from apps.analysis.compare.page.tables import table_of
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.runs.models import Attempt, RunTuning
from apps.tuning.schemas.settings import Setting

pytestmark = pytest.mark.django_db


def test_no_difference_says_what_would_have_been_seen(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=8, noise=0.03))
    Attempt.objects.filter(case__run=run).update(ended_at=F("started_at") + timedelta(seconds=60))
    (could,) = comparison_document(compare_runs(runs=[run.pk]))["workloads"][0][
        "detectable_effects"
    ]
    assert could["smallest"] is not None
    assert could["extra_repeats"] is not None
    assert 0.03 < could["smallest"] < 0.15
    assert could["requested"] == 0.03
    assert 5 < could["extra_repeats"] < 60
    # A repeat is a case of each of two tunings, a minute each.
    assert could["seconds"] == 120 * could["extra_repeats"]
    (wide,) = comparison_document(compare_runs(runs=[run.pk], minimum=20))["workloads"][0][
        "detectable_effects"
    ]
    assert (wide["requested"], wide["extra_repeats"]) == (0.2, 0)


def test_the_table_says_it_in_words(owner: User) -> None:
    comparison = compare_runs(runs=[create_measured_run(Setup(owner, repeats=8, noise=0.03)).pk])
    (head,) = table_of(comparison, comparison.results[0]).heads
    assert head.could.startswith("A difference above ")
    assert "For 3.0 %: about " in head.could


def test_a_difference_that_is_shown_needs_no_more(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.2}))
    data = comparison_document(compare_runs(runs=[run.pk]))
    assert data["workloads"][0]["detectable_effects"] == []


def test_extra_repeats_follow_blocks_that_share_restarts(owner: User) -> None:
    run = create_measured_run(Setup(owner, repeats=8, noise=0.03))

    def extra_repeats() -> int:
        document = comparison_document(compare_runs(runs=[run.pk]))
        (row,) = document["workloads"][0]["detectable_effects"]
        return int(row["extra_repeats"])

    before = extra_repeats()
    option = Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool")
    RunTuning.objects.filter(run=run).update(settings=[option])
    # Blocks of one repeat have another test than blocks of two.
    assert extra_repeats() != before
