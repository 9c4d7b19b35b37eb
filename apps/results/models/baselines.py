"""Baselines: named results that others are compared with."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.inventory.models import DiskModel, Target
from apps.runs.models import Case, Run


class Baseline(OwnedModel):
    """Run, or one of its cases, as the baseline of a target or of all disks of a model.

    Exactly one of `target` and `disk_model` is set; names are unique for each.
    """

    name = models.CharField(_("name"), max_length=80, default="as delivered")
    note = models.TextField(_("note"), blank=True)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="baselines")
    case = models.ForeignKey(
        Case, on_delete=models.CASCADE, null=True, blank=True, related_name="baselines"
    )
    target = models.ForeignKey(
        Target, on_delete=models.CASCADE, null=True, blank=True, related_name="baselines"
    )
    disk_model = models.ForeignKey(
        DiskModel,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="baselines",
        verbose_name=_("disk model"),
    )

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(target__isnull=True) ^ Q(disk_model__isnull=True),
                name="a_baseline_is_of_a_target_or_a_model",
            ),
            models.UniqueConstraint(
                fields=["target", "name"],
                condition=Q(target__isnull=False),
                name="a_target_has_a_baseline_of_a_name_once",
            ),
            models.UniqueConstraint(
                fields=["disk_model", "name"],
                condition=Q(disk_model__isnull=False),
                name="a_model_has_a_baseline_of_a_name_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.of}"

    @property
    def of(self) -> str:
        """Return the name of the target or disk model."""
        return str(self.target) if self.target_id is not None else str(self.disk_model)
