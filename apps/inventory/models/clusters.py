"""Ceph clusters."""

from __future__ import annotations

import shlex
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.fields.versioned_json import SchemaField
from apps.common.models import Timestamped
from apps.inventory.schemas.host_facts import CLUSTER_OSDS
from apps.remote.responses import ClusterOsd


class CephCluster(Timestamped):
    """A Ceph cluster, identified by its fsid.

    Hosts that report one fsid share a row. `is_distinct` marks a copied cluster: another cluster
    with the same fsid, which one host uses. OSDs and options come from the last check of any
    client.
    """

    class RestartMode(models.TextChoices):
        UNIT = "unit", _("by their systemd units, also those of cephadm")
        COMMAND = "command", _("by a command")

    fsid = models.CharField(_("fsid"), max_length=36, editable=False)
    is_distinct = models.BooleanField(
        _("not the cluster of other hosts with this fsid"), default=False, editable=False
    )
    # Whether and how tuning profiles may restart OSDs; set by admins, empty: not allowed.
    osd_restart_mode = models.CharField(
        max_length=8, choices=RestartMode.choices, blank=True, default="", editable=False
    )
    osd_restart_command = models.CharField(max_length=300, blank=True, default="", editable=False)
    # Names of all options that this Ceph has; empty if no check has read them.
    option_names: models.Field[list[str], list[str]] = ArrayField(
        models.CharField(max_length=120), default=list, blank=True, editable=False
    )
    # OSD options that take effect only at the start of the daemon.
    restart_options: models.Field[list[str], list[str]] = ArrayField(
        models.CharField(max_length=80), default=list, blank=True, editable=False
    )
    osds: models.Field[list[ClusterOsd], list[ClusterOsd]] = SchemaField(
        schema=CLUSTER_OSDS, default=list, blank=True, editable=False
    )
    checked_at = models.DateTimeField(null=True, editable=False)

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["fsid", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["fsid"],
                condition=models.Q(is_distinct=False),
                name="one_cluster_per_fsid",
            )
        ]

    def __str__(self) -> str:
        return self.fsid

    @property
    def claim(self) -> str:
        """Return the resource name of the cluster in claims (apps.runs.selectors.resources)."""
        return f"ceph:{self.pk}"

    @property
    def may_restart(self) -> bool:
        return bool(self.osd_restart_mode)

    @property
    def restart_command(self) -> list[str]:
        """Return the argv that restarts one OSD, {id} for its number; empty: its systemd unit."""
        if self.osd_restart_mode != self.RestartMode.COMMAND:
            return []
        return shlex.split(self.osd_restart_command)
