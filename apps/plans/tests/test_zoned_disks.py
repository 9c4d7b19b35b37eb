"""Whether a disk has zones is its own word, and a plan knows before it is launched."""

from __future__ import annotations

import pytest

from apps.inventory.presenters import disk_rows
from apps.plans.domain.expand import plan_expand
from apps.plans.schemas.targets import PlannedTarget
from apps.plans.selectors.target_rows import disk_data
from apps.plans.tests.factories import a_disk, a_host, a_plan, a_step, create_disk

pytestmark = pytest.mark.django_db


def problems(target: PlannedTarget) -> list[str]:
    plan = a_plan(a_step(rw="randwrite", zonemode="zbd"), targets=(target,), repeats=1)
    return [problem.message for problem in plan_expand(plan).problems]


@pytest.mark.parametrize(
    ("zoned", "words"),
    [("host-managed", "not rotational, zoned (host-managed)"), ("none", "not rotational")],
)
def test_the_disk_s_page_says_its_zones(zoned: str, words: str) -> None:
    disk = create_disk()
    disk.facts = {**disk.facts, "zoned": zoned}
    disk.save()
    disk.refresh_from_db()
    assert str(dict(disk_rows(disk))["Kind"]).endswith(words)
    assert disk_data(disk).for_tools()[0].zoned == zoned


def test_a_plan_says_that_a_disk_has_no_zones() -> None:
    (said,) = problems(a_disk(zoned="none"))
    assert said.startswith("node01: sdb: This disk has no zones")
    assert problems(a_disk(zoned="host-managed")) == []


def test_a_group_is_zoned_where_all_its_disks_are() -> None:
    host = a_host()
    for zoned, refused in (("host-aware", 0), ("none", 1)):
        first = a_disk(id=1, host=host, zoned="host-aware").parts[0]
        other = a_disk(id=2, identity="wwn:2", host=host, zoned=zoned).parts[0]
        group = PlannedTarget("group", 1, "g", "both", host, members=(first, other))
        assert len(problems(group)) == refused
