"""Check of the Ceph cluster of a run before its start."""

from __future__ import annotations

from collections.abc import Iterable

from apps.inventory.models import Host
from apps.inventory.services.asking import check_ask
from apps.tools.messages import message


def cluster_blocker(clients: Iterable[Host]) -> str:
    """Return why a run on these clients must wait for the identity of their cluster, else "".

    A client that does not respond does not block: its test fails soon.
    """
    for host in clients:
        if host.cluster is not None and host.cluster_changed:
            return message(
                "waits until an admin has confirmed on %(host)s's page that it is a client of "
                "Ceph cluster %(now)s now; it was one of %(before)s",
                host=host.name,
                now=host.reported_fsid,
                before=host.cluster.fsid,
            )
        if host.fsid_checked_at is None and _is_reachable(host):
            if not host.is_being_checked:
                check_ask(host)
            return message(
                "waits until %(host)s reports the Ceph cluster of which it is a client",
                host=host.name,
            )
    return ""


def _is_reachable(host: Host) -> bool:
    return host.enabled and (host.is_local or bool(host.host_key))
