"""Each host does its cases in order, hosts side by side, and a shared case waits for all its hosts
without a circle.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.execution.engine.host_queues import HostQueues

A, B, C = 1, 2, 3


def test_hosts_go_side_by_side_and_each_in_order() -> None:
    lanes = HostQueues([(10, [A]), (11, [A]), (20, [B])])
    assert lanes.start() == [10, 20]
    assert lanes.start() == []
    assert lanes.done(10) == []
    assert lanes.start() == [11]


def test_a_shared_case_waits_until_it_is_everybodys_turn() -> None:
    lanes = HostQueues([(1, [A]), (2, [A, B]), (3, [B])])
    assert lanes.start() == [1]
    lanes.done(1)
    assert lanes.start() == [2]
    lanes.done(2)
    assert lanes.start() == [3]


def test_a_case_that_starts_again_comes_before_the_later_ones() -> None:
    lanes = HostQueues([(1, [A, B]), (2, [B])])
    assert lanes.start() == [1]
    lanes.again(1)
    assert lanes.start() == [1]
    assert lanes.done(1) == [A]
    assert lanes.start() == [2]


def test_a_host_without_part_in_it_goes_on_meanwhile() -> None:
    lanes = HostQueues([(1, [A, B]), (2, [C])])
    assert lanes.start() == [1, 2]


def test_the_last_case_of_a_host_is_known() -> None:
    lanes = HostQueues([(1, [A, B]), (2, [B])])
    lanes.start()
    assert lanes.done(1) == [A]
    lanes.start()
    assert lanes.done(2) == [B]


def test_a_host_that_is_given_up_takes_its_shared_cases_along() -> None:
    lanes = HostQueues([(1, [A]), (2, [A, B]), (3, [B]), (4, [A])])
    lanes.start()
    assert lanes.drop_host(A) == []
    assert lanes.done(1) == [A]
    assert lanes.start() == [3]


CASES = st.lists(st.sets(st.integers(1, 5), min_size=1, max_size=3), max_size=25)


@given(CASES, st.randoms())
def test_whatever_the_cases_all_are_done_and_no_host_does_two_at_once(
    wanted: list[set[int]], chance: object
) -> None:
    cases = [(number, sorted(hosts)) for number, hosts in enumerate(wanted)]
    lanes, running, order = HostQueues(cases), list[int](), dict[int, list[int]]()
    while started := lanes.start() or running:
        if started is not running:
            running += started
        busy = [host for case in running for host in cases[case][1]]
        assert len(busy) == len(set(busy))
        case = chance.choice(running)  # type: ignore[attr-defined] # a Random
        running.remove(case)
        for host in cases[case][1]:
            order.setdefault(host, []).append(case)
        lanes.done(case)
    assert sum(len(hosts) for _, hosts in cases) == sum(len(done) for done in order.values())
    assert all(done == sorted(done) for done in order.values())
