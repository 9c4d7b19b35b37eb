"""Pairs of hosts: rows only so that plans and results can name them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.inventory.models import Host, HostPair


def pair_ensure(*, client: Host, server: Host) -> HostPair:
    """The row of this direction between two hosts, made when it is not there yet.

    Raises ServiceError (400) for a host with itself, a host that is only in the archive, and a
    server without an address that the client could connect to.
    """
    said = pair_fault(client, server)
    if said:
        raise ServiceError(said, {"pair": said}, status=400)
    pair, _made = HostPair.objects.get_or_create(client=client, server=server)
    return pair


def pair_fault(client: Host, server: Host) -> str:
    """Why no network test can run between the two, as a sentence; "" when it can."""
    if client.pk == server.pk:
        return _("A pair is two different hosts.")
    absent = [host.name for host in (client, server) if not host.is_reachable_kind]
    if absent:
        words = _("%(name)s is only in the archive: no test runs on it.")
        return words % {"name": absent[0]}
    if not (server.network_test_address or server.address):
        words = _("%(name)s has no address for network tests: an admin enters one.")
        return words % {"name": server.name}
    return ""
