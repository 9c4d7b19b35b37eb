"""Cases: workload x target x tuning x repeat."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.inventory.models import (
    Directory,
    Disk,
    Host,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.plans.models import Workload
from apps.runs.models.runs import Run
from apps.runs.models.states import CaseState, Fault
from apps.tuning.models import TuningProfile


class Case(models.Model):
    """Workload x target x tuning x repeat. `position` is the order of execution; `block` the random
    block it is in.

    `tuning_settings`, `params` and `members` are frozen copies; `tuning` may later be renamed or
    deleted. `host` is the first host that takes part, `hosts` are the ids of all (empty for one).
    `members` says what each does, for a target that is more than one disk or directory
    (apps.runs.members); `target_name` is the target in words.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases", db_index=False)
    position = models.PositiveIntegerField()
    block = models.PositiveIntegerField(default=0)
    repeat = models.PositiveIntegerField(default=1)
    workload = models.ForeignKey(
        Workload, on_delete=models.PROTECT, related_name="cases", db_index=False
    )
    step_name = models.CharField(max_length=80, blank=True)
    tool = models.CharField(max_length=20)
    params = models.JSONField(default=dict)
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="cases")
    disk = models.ForeignKey(Disk, on_delete=models.PROTECT, null=True, related_name="cases")
    directory = models.ForeignKey(
        Directory, on_delete=models.PROTECT, null=True, related_name="cases"
    )
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, null=True, related_name="cases")
    pair = models.ForeignKey(HostPair, on_delete=models.PROTECT, null=True, related_name="cases")
    group = models.ForeignKey(
        TargetGroup, on_delete=models.PROTECT, null=True, related_name="cases"
    )
    hosts = ArrayField(models.BigIntegerField(), default=list)
    members = models.JSONField(default=list)
    target_name = models.CharField(max_length=500, blank=True)
    tuning = models.ForeignKey(
        TuningProfile, on_delete=models.SET_NULL, null=True, related_name="cases"
    )
    tuning_name = models.CharField(max_length=80, blank=True)
    tuning_settings = models.JSONField(default=list)
    settle = models.FloatField(default=0.0)
    expected_seconds = models.FloatField(default=0.0)
    state = models.CharField(max_length=12, choices=CaseState.choices, default=CaseState.PENDING)
    reason = models.TextField(blank=True)
    fault = models.CharField(max_length=10, choices=Fault.choices, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="one_case_per_position")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workload", "run"], name="cases_of_a_workload")
        ]

    def __str__(self) -> str:
        return f"{self.workload.label} · {self.tuning_name} · {self.repeat}"

    @property
    def target(self) -> Disk | Directory | Pool | HostPair | TargetGroup | None:
        """The row of the lab it is about; None for imported results."""
        return self.disk or self.directory or self.pool or self.pair or self.group

    @property
    def target_kind(self) -> str:
        """ "disk", "directory", "pool", "pair" or "group"; "" for imported results."""
        kinds = ("disk", "directory", "pool", "pair", "group")
        return next((kind for kind in kinds if getattr(self, f"{kind}_id")), "")

    @property
    def target_words(self) -> str:
        """The target as it was called at the launch, or as an importer said."""
        return self.target_name or str(self.target or "")

    @property
    def host_ids(self) -> list[int]:
        """Every host that takes part, the first one first."""
        return list(self.hosts) or [self.host_id]
