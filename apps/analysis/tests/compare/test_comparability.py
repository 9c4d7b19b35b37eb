"""Not comparable: what differs beside the factor is listed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import (
    START,
    Setup,
    create_measured_run,
    create_target,
    facts_of,
)
from apps.analysis.verdicts.comparison import ComparisonResult, compare_runs
from apps.analysis.verdicts.headlines import summaries
from apps.inventory.models import Disk, HostFacts
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run
from apps.tuning.schemas.settings import Setting
from tests.harness.documents import Changes

pytestmark = pytest.mark.django_db


def two_runs(owner: User, disk: Disk, **second: Any) -> list[Run]:
    """One tuning in each run, side by side in time."""
    gains = {"Scheduler none": 1.3}
    return [
        create_measured_run(Setup(owner, disk=disk, tunings=("Host defaults",), noise=0.003)),
        create_measured_run(
            Setup(owner, disk=disk, tunings=("Scheduler none",), gains=gains, **second)
        ),
    ]


def factors(comparison: ComparisonResult) -> list[str]:
    return [d.name for r in comparison.results for pair in r.pairs for d in pair.differing]


def only_kind(comparison: ComparisonResult) -> str:
    return summaries(comparison)[0].kind


def test_alike_but_for_the_tuning(owner: User) -> None:
    disk = create_target(owner)
    comparison = compare_runs(runs=[run.pk for run in two_runs(owner, disk)])
    assert factors(comparison) == []
    assert only_kind(comparison) == "better"


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("kernel", {"kernel": "6.8.0"}),
        ("distribution", {"distribution": "Ubuntu 24.04"}),
        ("cpu", {"cpu": {"model": "EPYC 9124", "count": 32}}),
        ("cpus", {"cpu": {"model": "EPYC 7302", "count": 16}}),
        ("memory", {"memory": 2**36}),
        ("kernel", {"kernel": None}),
    ],
)
def test_a_fact_that_differs(owner: User, name: str, facts: Changes) -> None:
    comparison = compare_runs(
        runs=[run.pk for run in two_runs(owner, create_target(owner), facts=facts)]
    )
    assert factors(comparison) == [name]
    assert only_kind(comparison) == "not_comparable"
    assert comparison.family == 0


def test_the_sentence_says_what_differs(owner: User) -> None:
    runs = two_runs(owner, create_target(owner), facts={"kernel": "6.8.0"})
    texts = summaries(compare_runs(runs=[run.pk for run in runs]))[0]
    assert "6.1.0-18 against 6.8.0" in texts.sentence
    assert texts.differing == ("kernel",)


def test_firmware_of_the_disk(owner: User) -> None:
    disk = create_target(owner)
    row = facts_of(disk).facts["disks"][0] | {"firmware": "XC12"}
    runs = two_runs(owner, disk, facts={"disks": [row]})
    assert factors(compare_runs(runs=[run.pk for run in runs])) == ["firmware"]


def test_tool_and_parser_version(owner: User) -> None:
    runs = two_runs(owner, create_target(owner), tool_version="fio-3.36")
    Measurement.objects.filter(case__run=runs[1]).update(parser_version=2)
    summaries_rebuild()
    assert factors(compare_runs(runs=[run.pk for run in runs])) == ["tool", "parser"]


def test_another_host_and_disk(owner: User) -> None:
    first = create_measured_run(Setup(owner, tunings=("Host defaults",)))
    second = create_measured_run(Setup(owner, tunings=("Scheduler none",)))
    comparison = compare_runs(runs=[first.pk, second.pk])
    assert factors(comparison)[:2] == ["host", "target"]


def test_uptime_does_not_count(owner: User) -> None:
    runs = two_runs(owner, create_target(owner), facts={"uptime": 9e5})
    assert factors(compare_runs(runs=[run.pk for run in runs])) == []


def test_no_facts_on_both_sides_is_no_difference_but_on_one_is(owner: User) -> None:
    runs = two_runs(owner, create_target(owner))
    Attempt.objects.filter(case__run=runs[0]).update(facts=None)
    summaries_rebuild()
    assert "kernel" in factors(compare_runs(runs=[run.pk for run in runs]))
    Attempt.objects.update(facts=None)
    summaries_rebuild()
    assert factors(compare_runs(runs=[run.pk for run in runs])) == []


def test_one_side_before_the_other(owner: User) -> None:
    later = START + timedelta(days=30)
    runs = two_runs(owner, create_target(owner), start=later)
    assert factors(compare_runs(runs=[run.pk for run in runs])) == ["time"]


def test_measured_as_listed_is_not_comparable(owner: User) -> None:
    run = create_measured_run(Setup(owner, interleaved=False))
    comparison = compare_runs(runs=[run.pk])
    assert factors(comparison) == ["time"]
    assert only_kind(comparison) == "not_comparable"


def test_both_kernels_on_both_sides_are_balanced(owner: User) -> None:
    disk = create_target(owner)
    runs = [
        create_measured_run(Setup(owner, disk=disk)).pk,
        create_measured_run(Setup(owner, disk=disk, facts={"kernel": "6.8.0"})).pk,
    ]
    assert factors(compare_runs(runs=runs)) == []


def test_unevenly_mixed_kernels_are_not(owner: User) -> None:
    disk = create_target(owner)
    run = create_measured_run(Setup(owner, disk=disk))
    other = facts_of(disk, kernel="6.8.0")
    for tuning, number in (("Host defaults", 1), ("Scheduler none", 5)):
        mine = Attempt.objects.filter(case__run=run, case__run_tuning__name=tuning)
        Attempt.objects.filter(pk__in=mine.values("pk")[:number]).update(facts=other)
    summaries_rebuild()
    assert HostFacts.objects.count() == 2
    assert factors(compare_runs(runs=[run.pk])) == ["kernel"]


def test_the_queue_as_found_between_runs(owner: User) -> None:
    disk = create_target(owner)
    row = facts_of(disk).facts["disks"][0] | {"queue": {"scheduler": "bfq"}}
    only = ("Host defaults",)
    runs = [
        create_measured_run(Setup(owner, disk=disk, tunings=only)).pk,
        create_measured_run(Setup(owner, disk=disk, tunings=only, facts={"disks": [row]})).pk,
    ]
    assert factors(compare_runs(runs=runs, factor="run")) == ["queue"]


def test_a_tuning_that_was_changed_is_another_level(owner: User) -> None:
    disk = create_target(owner)
    runs = [create_measured_run(Setup(owner, disk=disk, repeats=2)) for _ in range(2)]
    runs[1].tunings.filter(name="Scheduler none").update(
        settings=(Setting("queue", "scheduler", "kyber"),)
    )
    summaries_rebuild()
    levels = compare_runs(runs=[run.pk for run in runs]).levels
    assert levels == (
        "Host defaults",
        "Scheduler none (scheduler kyber)",
        "Scheduler none (scheduler none)",
    )
