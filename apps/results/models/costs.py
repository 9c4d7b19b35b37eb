"""What an attempt cost: bytes that its disks counted, and why a figure of its cost is missing."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from apps.common.fields.messages import MessageField
from apps.inventory.models import Disk, Host
from apps.runs.models import Attempt


class DiskWear(models.Model):
    """Differences of a disk's own counters over an attempt; NULL: not reported.

    `host_bytes`: hosts wrote to the disk; `nand_bytes`: it wrote to its flash; `kernel_bytes`: this
    host wrote to it by the kernel's counters. `resolution`: bytes of one step of `host_bytes`.
    `used_percent_*`: of the rated life; available spare is another thing.
    `disk`: NULL if the inventory does not know it.
    """

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="disk_wear", db_index=False
    )
    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+", db_index=False)
    disk = models.ForeignKey(Disk, on_delete=models.SET_NULL, null=True, related_name="wear")
    identity = models.CharField(max_length=400)
    name = models.CharField(max_length=80, blank=True)
    host_bytes = models.BigIntegerField(null=True)
    nand_bytes = models.BigIntegerField(null=True)
    kernel_bytes = models.BigIntegerField(null=True)
    resolution = models.BigIntegerField(default=0)
    used_percent_before = models.PositiveIntegerField(null=True)
    used_percent_after = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name_plural = "disk wear"
        ordering: ClassVar[list[str]] = ["attempt", "host", "identity"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["attempt", "host", "identity"], name="one_wear_per_attempt_and_disk"
            ),
            models.CheckConstraint(
                condition=(Q(host_bytes__isnull=True) | Q(host_bytes__gte=0))
                & (Q(nand_bytes__isnull=True) | Q(nand_bytes__gte=0)),
                name="written_bytes_are_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id} {self.identity}"


class AttemptCost(models.Model):
    """Why an attempt has no write amplification, or no energy; empty: it has.

    The figures are series of source `cost`.
    """

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="cost"
    )
    wear_reason = MessageField(blank=True)
    energy_reason = MessageField(blank=True)

    def __str__(self) -> str:
        return str(self.attempt_id)
