"""Disk models and the specified figures of disks."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.common.models import Timestamped
from apps.inventory.schemas.specifications import FIGURES, Specification

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


class DiskSpecification(SpecifiedFigures):
    """The figures of one disk that differ from those of its model."""

    disk = models.OneToOneField("Disk", on_delete=models.CASCADE, related_name="specification")

    def __str__(self) -> str:
        return gettext("what %(disk)s is expected to do") % {"disk": self.disk}
