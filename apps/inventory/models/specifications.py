"""Disk models and the specified figures of disks."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.common.models import Timestamped
from apps.inventory.schemas.specifications import FIGURES, Specification

TERABYTE = 10**12
_ABOVE_ZERO = [MinValueValidator(0.001)]


class SpecifiedFigures(Timestamped):
    """Specified figures; None: not specified.

    `sla_iops` in operations/s, `sla_bandwidth` in bytes/s. For rotational disks the mean times of
    the parts of an operation, in ms.
    """

    sla_iops = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    sla_bandwidth = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    seek_ms = models.FloatField(_("seek"), null=True, blank=True, validators=_ABOVE_ZERO)
    rotation_ms = models.FloatField(_("rotation"), null=True, blank=True, validators=_ABOVE_ZERO)
    transfer_ms = models.FloatField(_("transfer"), null=True, blank=True, validators=_ABOVE_ZERO)

    class Meta(Timestamped.Meta):
        abstract = True

    @property
    def figures(self) -> Specification:
        return Specification(**{name: getattr(self, name) for name in FIGURES})


class DiskModel(SpecifiedFigures):
    """A disk model by the name that its disks report; its figures apply to all of them."""

    name = models.CharField(_("name"), max_length=120, unique=True)
    vendor = models.CharField(_("vendor"), max_length=80, blank=True)
    rotational = models.BooleanField(_("rotational"), default=False)

    class Meta(SpecifiedFigures.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name


class CatalogueEntry(SpecifiedFigures):
    """What its maker states about a kind of disk, by a pattern of the model string.

    `pattern`: with `*` and `?`, upper and lower case alike. `capacity_bytes`: only disks of about
    this size, NULL: any. `rated_terabytes_written`: 10^12 bytes that hosts may write (TBW).
    Rates in bytes/s. `slowest_fill_rate`: a slower sequential fill is a fault of the disk.
    `spr_op`: over-provisioning as fio's option of this name takes it.
    """

    class Kind(models.TextChoices):
        NVME = "nvme", _("NVMe SSD")
        SATA_SSD = "sata_ssd", _("SATA SSD")
        SAS_SSD = "sas_ssd", _("SAS SSD")
        HDD = "hdd", _("rotating disk")
        CLOUD = "cloud", _("cloud volume")

    pattern = models.CharField(_("model"), max_length=120)
    capacity_bytes = models.BigIntegerField(
        _("capacity, bytes"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, blank=True)
    rated_terabytes_written = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    random_read_iops = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    random_write_iops = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    sequential_read_rate = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    sequential_write_rate = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    over_provisioning_percent = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1000)]
    )
    slowest_fill_rate = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    spr_op = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    source = models.CharField(_("source"), max_length=300)

    class Meta(SpecifiedFigures.Meta):
        verbose_name_plural = "catalogue entries"
        ordering: ClassVar[list[str]] = ["pattern", "capacity_bytes"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["pattern", "capacity_bytes"],
                name="one_entry_per_pattern_and_capacity",
                nulls_distinct=False,
                violation_error_message=_(
                    "There is an entry with this pattern and capacity already."
                ),
            )
        ]

    def __str__(self) -> str:
        return self.pattern

    @property
    def rated_bytes(self) -> float | None:
        """Return the rated bytes that hosts may write; None: not stated."""
        rated = self.rated_terabytes_written
        return None if rated is None else rated * TERABYTE


class DiskSpecification(SpecifiedFigures):
    """The figures of one disk that differ from those of its model."""

    disk = models.OneToOneField("Disk", on_delete=models.CASCADE, related_name="specification")

    def __str__(self) -> str:
        return gettext("what %(disk)s is expected to do") % {"disk": self.disk}
