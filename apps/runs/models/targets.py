"""Targets of a run and their members, frozen at the launch."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from apps.common.fields.versioned_json import SchemaField
from apps.inventory.models import Host, Target
from apps.inventory.schemas.backing_arrays import BACKING, BackingArray
from apps.runs.models.runs import Run
from apps.tools.targets import PoolPlan


class RunTarget(models.Model):
    """A target of a run as it was at the launch, shared by all its cases.

    `name`: the display name at the launch. `level`: the RAID level of a target group.
    `target` is None and `kind` empty if an import names an unknown target.
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
            # For `icontains`: UPPER(name) LIKE '%…%'.
            GinIndex(OpClass(Upper("name"), "gin_trgm_ops"), name="run_targets_by_parts_of_name")
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def all_members(self) -> tuple[RunTargetMember, ...]:
        """Return the members in order. Prefetch `members` for several targets."""
        return tuple(sorted(self.members.all(), key=lambda member: member.position))

    @property
    def host_ids(self) -> list[int]:
        """Return the ids of the participating hosts, each once, in order."""
        return list(dict.fromkeys(member.host_id for member in self.all_members))


class RunTargetMember(models.Model):
    """One component of a run target: host plus disk, directory or pool, or an end of a host pair.

    `label`: the name in results: "vdb", with several hosts "node1 vdb", else the host's name.
    `host_name`: the name of the host at the launch.
    `identity`: as in `tools.targets.ToolTarget`; the OSDs of an OSD host.
    `size`: in bytes.
    `pool_layout`: the layout of a pool that is created per attempt, else None.
    `backing`: the array of a disk at the launch, as entered or as read from the host.
    An imported result has only the host.
    """

    class Role(models.TextChoices):
        CLIENT = "client", _("client")
        SERVER = "server", _("server")
        OSD_HOST = "osd_host", _("OSD host")

    run_target = models.ForeignKey(
        RunTarget, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.CLIENT)
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="+", db_index=False)
    host_name = models.CharField(max_length=64, blank=True)
    target = models.ForeignKey(
        Target, on_delete=models.PROTECT, null=True, related_name="memberships", db_index=False
    )
    kind = models.CharField(max_length=20, blank=True)
    label = models.CharField(max_length=500, blank=True)
    identity = models.CharField(max_length=400, blank=True)
    size = models.BigIntegerField(null=True)
    pool_layout = models.JSONField(null=True)
    backing: models.Field[BackingArray | None, BackingArray | None] = SchemaField(
        schema=BACKING, null=True
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["run_target", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run_target", "position"], name="members_are_numbered"),
            models.CheckConstraint(
                condition=Q(role__in=["client", "server", "osd_host"]), name="a_member_has_a_role"
            ),
        ]
        # For lists that are filtered by host or target.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["host", "run_target"], name="members_of_a_host"),
            models.Index(fields=["target", "run_target"], name="members_of_a_target"),
            # Rows of older archives have no host name.
            models.Index(
                fields=["host"], condition=Q(host_name=""), name="members_without_a_host_name"
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def pool_plan(self) -> PoolPlan | None:
        """Return the layout of a pool that is created per attempt, else None."""
        return PoolPlan(**self.pool_layout) if self.pool_layout else None
