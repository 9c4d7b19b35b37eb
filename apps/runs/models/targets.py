"""Targets of a run and their members, frozen at the launch."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from apps.inventory.models import Host, Target
from apps.runs.models.runs import Run
from apps.tools.targets import PoolPlan


class RunTarget(models.Model):
    """One target of a run; all its cases on that target name this row. `name` is the target in
    words as it was called then. `level`: of the array that a group was said to be. `target` is None
    and `kind` empty for what an import only gives a name to.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="targets", db_index=False)
    position = models.PositiveIntegerField()
    target = models.ForeignKey(
        Target, on_delete=models.PROTECT, null=True, related_name="run_targets"
    )
    kind = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=500, blank=True)
    level = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="run_targets_are_numbered"),
            models.UniqueConstraint(fields=["run", "target"], name="a_run_names_a_target_once"),
            models.CheckConstraint(
                condition=Q(target__isnull=True) | ~Q(kind=""), name="a_known_target_has_a_kind"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # As `icontains` asks: UPPER(name) LIKE '%…%'.
            GinIndex(OpClass(Upper("name"), "gin_trgm_ops"), name="run_targets_by_parts_of_name")
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def all_members(self) -> tuple[Member, ...]:
        """Its members, the first host's first. Select or prefetch `members` for several."""
        return tuple(sorted(self.members.all(), key=lambda member: member.position))

    @property
    def host_ids(self) -> list[int]:
        """Every host that takes part once, the first one first."""
        return list(dict.fromkeys(member.host_id for member in self.all_members))


class Member(models.Model):
    """One part of a target: a disk or directory of a host, a pool's client, an end of a pair.

    `label` is its name in results: "vdb", with several hosts "node1 vdb", of a pool's client or an
    end of a pair the host's name. `host_name` is what its host was called then. `identity` as in
    `tools.targets.ToolTarget`, of a host behind a pool its OSDs; `size` in bytes; `make`: how the
    pool is made before each test and deleted after it. Of an imported result only the host is
    known.
    """

    class Role(models.TextChoices):
        CLIENT = "client", _("client")
        SERVER = "server", _("server")
        LENDER = "lender", _("behind the pool")

    run_target = models.ForeignKey(
        RunTarget, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=6, choices=Role.choices, default=Role.CLIENT)
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="+", db_index=False)
    host_name = models.CharField(max_length=64, blank=True)
    target = models.ForeignKey(
        Target, on_delete=models.PROTECT, null=True, related_name="memberships", db_index=False
    )
    kind = models.CharField(max_length=20, blank=True)
    label = models.CharField(max_length=500, blank=True)
    identity = models.CharField(max_length=400, blank=True)
    size = models.BigIntegerField(null=True)
    make = models.JSONField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run_target", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run_target", "position"], name="members_are_numbered"),
            models.CheckConstraint(
                condition=Q(role__in=["client", "server", "lender"]), name="a_member_has_a_role"
            ),
        ]
        # What a host, a disk, a pool took part in: every list that is narrowed to one reads these.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["host", "run_target"], name="members_of_a_host"),
            models.Index(fields=["target", "run_target"], name="members_of_a_target"),
            # Of archives from before hosts' names were kept: hardly any.
            models.Index(
                fields=["host"], condition=Q(host_name=""), name="members_without_a_host_name"
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def pool_plan(self) -> PoolPlan | None:
        """The layout the pool is made with; None where it is found, and for what is no pool."""
        return PoolPlan(**self.make) if self.make else None
