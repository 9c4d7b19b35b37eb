"""Read hosts with the data of their connection."""

from __future__ import annotations

from apps.inventory.models import Host


def host_with_connection(host_id: int) -> Host:
    """Return a host with its jump host and credential."""
    return Host.objects.select_related("jump", "credential").get(pk=host_id)
