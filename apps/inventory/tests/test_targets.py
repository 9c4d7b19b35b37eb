"""A target of any kind has one key in all tables, and goes with its row."""

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
from apps.inventory.tests.factories import create_directory, create_group, create_pool


def test_every_kind_has_its_model() -> None:
    assert models_of_kinds() == {
        "disk": Disk, "directory": Directory, "pool": Pool, "pair": HostPair, "group": TargetGroup,
    }  # fmt: skip


def test_a_target_has_the_key_of_its_row(owner: User) -> None:
    pool, directory = create_pool(owner=owner), create_directory(owner=owner)
    assert pool.pk != directory.pk
    target = Target.objects.get(pk=pool.pk)
    assert (target.kind, target.row, str(target)) == ("pool", pool, str(pool))


def test_a_deleted_row_leaves_no_target(owner: User) -> None:
    group = create_group(owner=owner)
    members = [row.pk for row in group.members]
    group.delete()
    assert set(Target.objects.values_list("pk", flat=True)) == set(members)
