"""Trust of many host keys at once: the keys that hosts present against one trusted text."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.common.domain.messages import localize_message
from apps.common.errors import ServiceError
from apps.inventory.models import Host, HostBatch
from apps.inventory.selectors.host_batches import revoked_keys_of, shared_keys
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services.asking import check_ask
from apps.inventory.services.host_authorities import host_authorities_add
from apps.inventory.services.host_keys import host_key_trust
from apps.remote.known_hosts import (
    MAX_TEXT,
    KnownHosts,
    KnownHostsError,
    known_keys,
    listed_fingerprints,
    parse_known_hosts,
)


@dataclass
class ListedKeys:
    """The result: names of trusted hosts, and why the others are not trusted."""

    accepted: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


@transaction.atomic
def host_keys_accept_listed(*, batch: HostBatch, text: str, user: User) -> ListedKeys:
    """Trust the presented key of each host of a batch for which the text lists the same key.

    `text`: a known_hosts file, or the output of `ssh-keygen -lf` with the names of the hosts.
    A key must be listed for that host; to stand anywhere in the text is not enough.
    Raises: ServiceError (400) for an empty text; PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    if not text.strip() or len(text) > MAX_TEXT:
        message = _("Paste the fingerprints or the known_hosts lines here, up to 1 MiB.")
        raise ServiceError(message, {"text": message}, status=400)
    known, prints, result = parse_known_hosts(text), listed_fingerprints(text), ListedKeys()
    authorities = host_authorities_add(
        user=user, authorities=known.authorities, revoked=known.revoked
    )
    locked = batch.hosts.select_for_update(of=("self",)).order_by("pk")
    hosts = [host for host in locked if not host.host_key and host.kind == Host.Kind.SSH]
    shared = shared_keys([host.presented_host_key for host in hosts])
    for host in hosts:
        reason = _refusal(host, known, prints, shared)
        if not reason:
            host_key_trust(host=host, line=host.presented_host_key, user=user, source="pasted list")
            result.accepted.append(host.name)
            continue
        result.refused[host.name] = reason
        if authorities:
            check_ask(host)
    return result


def _refusal(host: Host, known: KnownHosts, prints: dict[str, set[str]], shared: set[str]) -> str:
    """Return why the presented key is not trusted, or ""."""
    line = host.presented_host_key
    if not line:
        return _("It has presented no key yet.")
    if line in shared:
        return _("Another host has the same key: one machine, or a copied image.")
    revoked = revoked_keys_of(host)
    if line in revoked:
        return _("Its key is revoked.")
    names = [host.address, host.name]
    try:
        lines = {key.line for key in known_keys(known, names, host.port, revoked).values()}
    except KnownHostsError as error:
        return localize_message(error.args[0])
    listed = set().union(*(prints.get(name.lower(), set()) for name in names))
    if line in lines or fingerprint(line) in listed:
        return ""
    if lines or listed:
        return _("The text lists other keys for it. Another machine may answer at its address.")
    return _("The text lists no key for it.")
