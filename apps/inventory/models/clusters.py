"""Ceph clusters."""

from __future__ import annotations

import shlex
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.fields.versioned_json import SchemaField
from apps.common.models import Timestamped
from apps.inventory.schemas.host_facts import CLUSTER_DAEMONS, CLUSTER_OSDS, OPTION_DAEMONS
from apps.remote.agent.ceph.daemon_names import DAEMON_KINDS, option_daemons
from apps.remote.cluster_responses import CephDaemon, ClusterOsd


class CephCluster(Timestamped):
    """A Ceph cluster, identified by its fsid.

    Hosts that report one fsid share a row. `is_distinct` marks a copied cluster: another cluster
    with the same fsid, which one host uses. Daemons and options come from the last check of any
    client.
    """

    class RestartMode(models.TextChoices):
        UNIT = "unit", _("by their systemd units, also those of cephadm")
        COMMAND = "command", _("by a command")

    fsid = models.CharField(_("fsid"), max_length=36, editable=False)
    is_distinct = models.BooleanField(
        _("not the cluster of other hosts with this fsid"), default=False, editable=False
    )
    # Whether and how tuning profiles may restart daemons of a kind; set by admins, empty: not
    # allowed.
    osd_restart_mode = models.CharField(
        max_length=8, choices=RestartMode.choices, blank=True, default="", editable=False
    )
    osd_restart_command = models.CharField(max_length=300, blank=True, default="", editable=False)
    mon_restart_mode = models.CharField(
        max_length=8, choices=RestartMode.choices, blank=True, default="", editable=False
    )
    mon_restart_command = models.CharField(max_length=300, blank=True, default="", editable=False)
    mds_restart_mode = models.CharField(
        max_length=8, choices=RestartMode.choices, blank=True, default="", editable=False
    )
    mds_restart_command = models.CharField(max_length=300, blank=True, default="", editable=False)
    # Since when disturbances are allowed; set by admins. The commands stop and start one OSD, {id}
    # for its number; empty: its systemd unit.
    disturbances_allowed_at = models.DateTimeField(null=True, editable=False)
    osd_stop_command = models.CharField(max_length=300, blank=True, default="", editable=False)
    osd_start_command = models.CharField(max_length=300, blank=True, default="", editable=False)
    # Names of all options that this Ceph has; empty if no check has read them.
    option_names: models.Field[list[str], list[str]] = ArrayField(
        models.CharField(max_length=120), default=list, blank=True, editable=False
    )
    # Options that take effect only at the start of a daemon, and the kinds that read each.
    restart_options: models.Field[list[str], list[str]] = ArrayField(
        models.CharField(max_length=80), default=list, blank=True, editable=False
    )
    option_daemons: models.Field[dict[str, list[str]], dict[str, list[str]]] = SchemaField(
        schema=OPTION_DAEMONS, default=dict, blank=True, editable=False
    )
    osds: models.Field[list[ClusterOsd], list[ClusterOsd]] = SchemaField(
        schema=CLUSTER_OSDS, default=list, blank=True, editable=False
    )
    # Monitors and MDS.
    daemons: models.Field[list[CephDaemon], list[CephDaemon]] = SchemaField(
        schema=CLUSTER_DAEMONS, default=list, blank=True, editable=False
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
    def may_be_disturbed(self) -> bool:
        """Return True if runs may disturb it."""
        return self.disturbances_allowed_at is not None

    @property
    def restartable_kinds(self) -> tuple[str, ...]:
        """Return the kinds of daemons that tuning profiles may restart."""
        return tuple(kind for kind in DAEMON_KINDS if self.restart_mode(kind))

    @property
    def restart_daemons(self) -> dict[str, tuple[str, ...]]:
        """Return the options that need a restart, each with the kinds of daemons that read it.

        Only kinds that the cluster has; a check by an older agent tells no kinds.
        """
        has_mds = any(one["kind"] == "mds" for one in self.daemons)
        return {
            name: tuple(
                kind
                for kind in self.option_daemons.get(name, option_daemons(name, []))
                if kind != "mds" or has_mds
            )
            for name in self.restart_options
        }

    def restart_mode(self, kind: str) -> str:
        """Return how daemons of a kind are restarted; empty: not allowed."""
        return str(getattr(self, f"{kind}_restart_mode"))

    def restart_text(self, kind: str) -> str:
        """Return the command that restarts one daemon of a kind as entered; empty: its unit."""
        return str(getattr(self, f"{kind}_restart_command"))

    def restart_command(self, kind: str) -> list[str]:
        """Return the argv that restarts one daemon, {id} for its id; empty: its systemd unit."""
        if self.restart_mode(kind) != self.RestartMode.COMMAND:
            return []
        return shlex.split(self.restart_text(kind))

    def set_restart(self, kind: str, mode: str, command: str) -> None:
        """Set how daemons of a kind are restarted, without saving."""
        setattr(self, f"{kind}_restart_mode", mode)
        setattr(self, f"{kind}_restart_command", command)
