"""How tuning profiles may restart the daemons of a host's cluster, for its page."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from apps.inventory.models import CephCluster, Host
from apps.remote.agent.ceph.daemon_names import DAEMON_KINDS

LABELS: dict[str, str | Promise] = {
    "mon": lazy("Monitors"),
    "osd": lazy("OSDs"),
    "mds": lazy("MDS"),
}


@dataclass(frozen=True)
class RestartRow:
    """One kind of daemon: the known names, and whether and how an admin allows restarts."""

    kind: str
    label: str | Promise
    names: tuple[str, ...]
    mode: str
    command: str

    @property
    def mode_label(self) -> str:
        return str(dict(CephCluster.RestartMode.choices).get(self.mode, ""))


def restart_rows(host: Host) -> list[RestartRow]:
    """Return the rows of a host's cluster; none without one."""
    cluster = host.cluster
    if cluster is None:
        return []
    allowed = host.restartable_kinds
    return [
        RestartRow(
            kind,
            LABELS[kind],
            _names(cluster, kind),
            cluster.restart_mode(kind) if kind in allowed else "",
            cluster.restart_text(kind),
        )
        for kind in DAEMON_KINDS
    ]


def _names(cluster: CephCluster, kind: str) -> tuple[str, ...]:
    """Return the daemons of a kind; OSDs are too many to be named."""
    return tuple(f"{kind}.{one['name']}" for one in cluster.daemons if one["kind"] == kind)
