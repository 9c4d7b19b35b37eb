"""Host pairs: rows that plans and results refer to."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.inventory.models import Host, HostPair


def pair_ensure(*, client: Host, server: Host) -> HostPair:
    """Return the pair of this direction; create it if there is none.

    Raises: ServiceError (400) for one host twice, a host of the archive, and a server without an
    address.
    """
    fault = pair_fault(client, server)
    if fault:
        raise ServiceError(fault, {"pair": fault}, status=400)
    pair, _made = HostPair.objects.get_or_create(client=client, server=server)
    return pair


def pair_fault(client: Host, server: Host) -> str:
    """Return why no network test can run between the two, as a sentence; "" if it can."""
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
