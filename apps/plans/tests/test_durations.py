"""Expected times: what the tool needs, and what earlier cases took around it."""

from __future__ import annotations

import pytest

from apps.plans.domain.durations import (
    CASE_OVERHEAD,
    DurationKey,
    DurationModel,
    DurationSample,
)

HERE = DurationKey(1, "fio", "key", "Host defaults")


def history(*taken: float, planned: float = 10.0, kind: DurationKey = HERE) -> list[DurationSample]:
    return [DurationSample(kind, planned, seconds) for seconds in taken]


def test_where_nothing_is_known_two_seconds_are_assumed() -> None:
    assert DurationModel().seconds(HERE, 10.0) == 10.0 + CASE_OVERHEAD == 12.0


def test_what_earlier_cases_took_more_is_added() -> None:
    assert DurationModel(history(15.0, 16.0, 17.0)).seconds(HERE, 10.0) == 16.0


def test_one_case_that_hung_changes_little() -> None:
    assert DurationModel(history(15.0, 15.5, 16.0, 900.0, 15.2)).seconds(HERE, 10.0) == 15.5


def test_another_length_of_the_same_test_has_the_same_surroundings() -> None:
    longer = DurationKey(1, "fio", "longer", "Host defaults")
    assert DurationModel(history(15.0)).seconds(longer, 300.0) == 305.0


def test_a_tuning_of_many_settings_is_known_by_itself() -> None:
    tuned = DurationKey(1, "fio", "key", "23 options")
    durations = DurationModel([*history(12.0), *history(70.0, kind=tuned)])
    assert durations.seconds(HERE, 10.0) == 12.0
    assert durations.seconds(tuned, 10.0) == 70.0
    assert durations.seconds(DurationKey(1, "fio", "other", "23 options"), 20.0) == 80.0


def test_an_unknown_tuning_is_like_the_others_of_the_host() -> None:
    assert DurationModel(history(14.0)).seconds(DurationKey(1, "fio", "key", "new"), 10.0) == 14.0


@pytest.mark.parametrize(
    "kind", [DurationKey(2, "fio", "key", "Host defaults"), DurationKey(1, "dd", "key", "x")]
)
def test_another_host_or_tool_tells_nothing(kind: DurationKey) -> None:
    assert DurationModel(history(99.0)).seconds(kind, 10.0) == 12.0


def test_what_ends_early_scales_the_plan() -> None:
    early = history(5.0, 5.0, planned=10.0)
    assert DurationModel(early).seconds(HERE, 10.0) == 5.0
    assert (
        DurationModel(early).seconds(DurationKey(1, "fio", "longer", "Host defaults"), 100.0)
        == 50.0
    )


def test_an_expectation_never_vanishes() -> None:
    assert DurationModel(history(0.001, planned=100.0)).seconds(HERE, 100.0) == 5.0


def test_a_run_of_its_own_adds_no_overhead_twice() -> None:
    assert DurationModel(overhead=0.0).seconds(HERE, 12.0) == 12.0


def test_restarts_without_history_are_added() -> None:
    model = DurationModel()
    assert model.seconds(HERE, 10.0, restarts=48.0) == 60.0


def test_restarts_of_the_same_tuning_are_part_of_its_history() -> None:
    tuned = DurationKey(1, "fio", "key", "osd shards")
    model = DurationModel([*history(12.0), *history(70.0, kind=tuned)])
    assert model.seconds(tuned, 10.0, restarts=48.0) == 70.0
    other = DurationKey(1, "fio", "key", "osd memory")
    assert DurationModel(history(12.0)).seconds(other, 10.0, restarts=8.0) == 20.0
