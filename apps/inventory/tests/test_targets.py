"""A row of the lab has one target: made once, kept whoever saves the row, gone with it."""

from __future__ import annotations

from apps.accounts.models import User
from apps.inventory.models import (
    Directory,
    Disk,
    HostPair,
    Pool,
    Target,
    TargetGroup,
    models_of_kinds,
)
from apps.inventory.services.targets import row_delete, targets_ensure
from apps.inventory.tests.factories import create_directory, create_group, create_pool


def test_every_kind_has_its_model() -> None:
    assert models_of_kinds() == {
        "disk": Disk, "directory": Directory, "pool": Pool, "pair": HostPair, "group": TargetGroup,
    }  # fmt: skip


def test_a_target_is_made_once_and_knows_its_row(owner: User) -> None:
    pool, directory = create_pool(owner=owner), create_directory(owner=owner)
    named = [("pool", pool.pk), ("directory", directory.pk), ("pool", pool.pk)]
    made = targets_ensure(named)
    assert targets_ensure(named) == made
    assert Target.objects.count() == 2
    target = Target.objects.get(pk=made["pool", pool.pk])
    assert (target.kind, target.row, str(target)) == ("pool", pool, str(pool))


def test_a_row_that_is_gone_has_no_target(db: None) -> None:
    assert targets_ensure([("disk", 999)]) == {}


def test_a_row_read_before_it_had_a_target_is_saved_without_losing_it(owner: User) -> None:
    stale = create_pool(owner=owner)
    made = targets_ensure([("pool", stale.pk)])
    stale.name = "renamed"
    stale.save()
    assert targets_ensure([("pool", stale.pk)]) == made
    assert Pool.objects.get(name="renamed").target_id == made["pool", stale.pk]


def test_a_row_goes_with_its_target(owner: User) -> None:
    group = create_group(owner=owner)
    targets_ensure([("group", group.pk)])
    row_delete(TargetGroup.objects.get(pk=group.pk))
    assert not Target.objects.exists()
