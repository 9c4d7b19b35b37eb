"""Cases gathered for people: nothing is lost, and equal labels are told apart."""

from __future__ import annotations

from apps.plans.domain.case_groups import case_groups
from apps.plans.tests.factories import a_plan, a_step, plan_cases, tunings


def test_a_row_holds_the_tunings_and_repeats_of_one_test() -> None:
    plan = a_plan(a_step(rw="randread,randwrite"), tunings=tunings("a", "b"), repeats=3)
    cases = plan_cases(plan, seed=0)
    groups = case_groups(cases)
    assert [list(group.tunings.items()) for group in groups] == [[("a", 3), ("b", 3)]] * 2
    assert sum(group.cases for group in groups) == len(cases)
    assert sum(group.seconds for group in groups) == sum(case.seconds for case in cases)
    assert [group.bytes_written for group in groups] == [0, None]


def test_tests_of_one_label_say_in_what_they_differ() -> None:
    cases = plan_cases(a_plan(a_step(rw="write", iodepth=1, offset="0, 4k"), repeats=1), seed=0)
    assert [group.label for group in case_groups(cases)] == [
        "sequential write 4 KiB, QD 1, in 1 GiB, offset 0 B",
        "sequential write 4 KiB, QD 1, in 1 GiB, offset 4 KiB",
    ]


def test_tests_of_different_labels_say_no_more() -> None:
    cases = plan_cases(a_plan(a_step(iodepth="1, 2"), repeats=1), seed=0)
    assert [group.label for group in case_groups(cases)] == [case.label for case in cases]
