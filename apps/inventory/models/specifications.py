"""Expectations of a disk: promised by its vendor, or worked out from how it is built."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.common.models import Timestamped
from apps.inventory.models.disks import Disk

_ABOVE_ZERO = [MinValueValidator(0.001)]


class DiskSpecification(Timestamped):
    """`sla_iops` in operations/s, `sla_bandwidth` in bytes/s; of a spinning disk the mean times of
    an operation's parts, in ms. What nobody said is None.
    """

    disk = models.OneToOneField(Disk, on_delete=models.CASCADE, related_name="specification")
    sla_iops = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    sla_bandwidth = models.FloatField(null=True, blank=True, validators=_ABOVE_ZERO)
    seek_ms = models.FloatField(_("seek"), null=True, blank=True, validators=_ABOVE_ZERO)
    rotation_ms = models.FloatField(_("rotation"), null=True, blank=True, validators=_ABOVE_ZERO)
    transfer_ms = models.FloatField(_("transfer"), null=True, blank=True, validators=_ABOVE_ZERO)

    def __str__(self) -> str:
        return gettext("what %(disk)s is expected to do") % {"disk": self.disk}
