"""Ceph pools as targets."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.inventory.models.clusters import CephCluster
from apps.inventory.models.hosts import Host
from apps.inventory.models.targets import Target

POOL = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
    _("Letters, digits, dot, dash and underscore; the first a letter or digit."),
)


class Pool(OwnedModel, Target):
    """A Ceph pool and the hosts that write to it.

    With `is_ephemeral`, benchlab creates it for each test and deletes it afterwards. Otherwise it
    must exist, and benchlab deletes its own objects only. With `monitor_osd_hosts`, the OSD hosts
    take part in each test to record CPU, memory and network.
    """

    KIND = "pool"
    NAMED_BY = ("host",)

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, parent_link=True, primary_key=True, related_name=KIND
    )

    class PoolType(models.TextChoices):
        REPLICATED = "replicated", _("replicated")
        ERASURE = "erasure", _("erasure coded")

    class FailureDomain(models.TextChoices):
        HOST = "host", _("host")
        OSD = "osd", _("OSD")

    name = models.CharField(_("pool"), max_length=64, validators=[POOL])
    host = models.ForeignKey(
        Host,
        on_delete=models.CASCADE,
        related_name="pools",
        verbose_name=_("client host"),
        db_index=False,
    )
    # That of `host`; null while unknown, or while another entry has this pool of the cluster.
    cluster = models.ForeignKey(
        CephCluster,
        on_delete=models.PROTECT,
        null=True,
        related_name="pools",
        editable=False,
        db_index=False,
    )
    clients = models.ManyToManyField(
        Host, blank=True, related_name="+", verbose_name=_("more client hosts, started together")
    )
    is_ephemeral = models.BooleanField(_("made and deleted by benchlab"), default=False)
    pg_num = models.PositiveIntegerField(
        _("placement groups"),
        default=64,
        validators=[MinValueValidator(1), MaxValueValidator(32768)],
    )
    pool_type = models.CharField(
        _("type"), max_length=12, choices=PoolType.choices, default=PoolType.REPLICATED
    )
    replicas = models.PositiveIntegerField(
        _("replicas"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    k = models.PositiveIntegerField(_("data chunks (k)"), default=2)
    m = models.PositiveIntegerField(_("coding chunks (m)"), default=1)
    failure_domain = models.CharField(
        _("failure domain"),
        max_length=8,
        choices=FailureDomain.choices,
        default=FailureDomain.HOST,
    )
    monitor_osd_hosts = models.BooleanField(_("hosts of its OSDs are observed"), default=True)

    class Meta(OwnedModel.Meta):
        ordering: ClassVar[list[str]] = ["host", "name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["host", "name"], name="one_pool_per_name_and_host"),
            models.UniqueConstraint(
                fields=["cluster", "name"], name="one_pool_per_name_and_cluster"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.host.name}: pool {self.name}"
