"""Waves: fills at once, measurements one disk for each bus at a time."""

from __future__ import annotations

import pytest

from apps.acceptance.domain.waves import DiskPosition, fill_sets, measure_sets, wave_count

EAST, WEST = 1, 2


def disks(*rows: tuple[int, str | None]) -> list[DiskPosition]:
    return [DiskPosition(pk, host, bus) for pk, (host, bus) in enumerate(rows, 1)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], []),
        ([(EAST, "a")], [(1,)]),
        # Two cards: the first disks of both at once, then the second ones.
        ([(EAST, "a"), (EAST, "a"), (EAST, "b"), (EAST, "b")], [(1, 3), (2, 4)]),
        # One card has more disks than the other.
        ([(EAST, "a"), (EAST, "a"), (EAST, "b")], [(1, 3), (2,)]),
        # Without a known bus each is alone, behind those with one.
        ([(EAST, None), (EAST, None), (EAST, "a")], [(3,), (1,), (2,)]),
        # Hosts do not share a bus, whatever its name.
        ([(EAST, "a"), (WEST, "a")], [(1,), (2,)]),
        ([(EAST, "a"), (WEST, "a"), (EAST, "a")], [(1,), (2,), (3,)]),
    ],
)
def test_no_set_has_two_disks_of_one_bus(
    rows: list[tuple[int, str | None]], expected: list[tuple[int, ...]]
) -> None:
    assert measure_sets(disks(*rows)) == expected


def test_disks_of_a_host_are_filled_together() -> None:
    assert fill_sets(disks((WEST, "a"), (EAST, None), (WEST, "a"))) == [(2,), (1, 3)]


def test_hosts_work_at_the_same_time() -> None:
    rows = disks((EAST, "a"), (EAST, "a"), (EAST, "a"), (WEST, "a"))
    assert wave_count(measure_sets(rows), {disk.id: disk.host for disk in rows}) == 3
